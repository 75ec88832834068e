//! The image that a platform has of each of its videos, by the id in a URL of the video (S-V1). The patterns are rows of the
//! platforms' tables; nothing here fetches an image or knows whether it exists.

use super::row::{IdSource, ThumbnailRow};
use super::tables::DIALECTS;
use crate::text::embed;
use crate::text::url::UrlParts;

/// The URL of the image that a platform has of the video with this page, player or file.
pub fn platform_image(address: &str) -> Option<String> {
    rows().find_map(|row| {
        let (account, id) = match row.ids {
            IdSource::Players => ("", embed::id_on(address, row.hosts)?.to_owned()),
            IdSource::Addresses { patterns, in_id, length } => {
                let parts = UrlParts::parse(address.trim());
                let host = parts.host()?;
                let host = host.strip_prefix("www.").unwrap_or(host);
                let is_there = row.hosts.iter().any(|known| known.eq_ignore_ascii_case(host));
                let rest = match parts.query() {
                    Some(query) => format!("{}?{query}", parts.path()),
                    None => parts.path().to_owned(),
                };
                let mut found = patterns.iter().filter(|_| is_there);
                let (account, id) = found.find_map(|pattern| captures(pattern, &rest, in_id, length))?;
                return Some(row.image.replace("{account}", account).replace("{id}", id));
            }
        };
        Some(row.image.replace("{account}", account).replace("{id}", &id))
    })
}

/// The image of the video of YouTube with this id.
pub fn youtube_image(id: &str) -> Option<String> {
    let row = rows().find(|row| row.hosts.contains(&"youtube.com"))?;
    Some(row.image.replace("{id}", id))
}

fn rows() -> impl Iterator<Item = &'static ThumbnailRow> {
    DIALECTS.iter().flat_map(|dialect| dialect.thumbnails)
}

/// The account and the id where a path with its query begins like a pattern.
fn captures<'a>(pattern: &str, address: &'a str, in_id: fn(u8) -> bool, length: usize) -> Option<(&'a str, &'a str)> {
    let (mut account, mut pattern, mut rest) = ("", pattern, address);
    while !pattern.is_empty() {
        if let Some(behind) = pattern.strip_prefix("{account}") {
            let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
            (account, rest) = rest.split_at(digits);
            if account.is_empty() {
                return None;
            }
            pattern = behind;
        } else if pattern.starts_with("{id}") {
            let id = rest.get(..rest.bytes().take_while(|byte| in_id(*byte)).count())?;
            return (id.len() == length).then_some((account, id));
        } else if let Some(behind) = pattern.strip_prefix('*') {
            let literal = behind.split('{').next()?;
            (pattern, rest) = (behind, rest.get(rest.find(literal)?..)?);
        } else {
            let literal = pattern.split(['{', '*']).next()?;
            (pattern, rest) = (pattern.get(literal.len()..)?, rest.strip_prefix(literal)?);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_of_known_platforms() {
        let image = |address: &str| platform_image(address).unwrap_or_default();
        assert_eq!(
            image("https://www.youtube.com/watch?v=abcdefghijk"),
            "https://i.ytimg.com/vi/abcdefghijk/hqdefault.jpg"
        );
        assert_eq!(image("https://dai.ly/x7tgad0"), "https://www.dailymotion.com/thumbnail/video/x7tgad0");
        let jw = "https://cdn.jwplayer.com/thumbs/CXz339Xh-720.jpg";
        for address in [
            "https://cdn.jwplayer.com/players/CXz339Xh-sJF8m8CA.html",
            "https://content.jwplatform.com/videos/CXz339Xh.mp4",
            "https://cdn.jwplayer.com/manifests/CXz339Xh.m3u8?exp=1",
        ] {
            assert_eq!(image(address), jw, "{address}");
        }
        let kaltura = "https://cdnsecakmi.kaltura.com/p/811441/thumbnail/entry_id/1_abcdefgh/width/640";
        for address in [
            "https://cdnapisec.kaltura.com/p/811441/sp/81144100/playManifest/entryId/1_abcdefgh/format/url/a.mp4",
            "https://cdnapisec.kaltura.com/p/811441/embedIframeJs/uiconf_id/1?iframeembed=true&entry_id=1_abcdefgh",
        ] {
            assert_eq!(image(address), kaltura, "{address}");
        }
        for address in [
            "https://cdn.jwplayer.com/players/CXz339XhLong-sJF8m8CA.html",
            "https://cdn.example.com/players/CXz339Xh-sJF8m8CA.html",
            "https://cdnapisec.kaltura.com/p/x/entryId/1_abcdefgh",
            "https://cdnapisec.kaltura.com/p/811441/sp/entryId/",
            "",
        ] {
            assert_eq!(image(address), "", "{address}");
        }
    }

    proptest::proptest! {
        #[test]
        fn nothing_panics(address in "https://(cdn.jwplayer.com|kaltura.com)/[{}*/a-z0-9_é?=-]{0,40}") {
            let _ = platform_image(&address);
        }
    }
}
