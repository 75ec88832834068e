//! The players of known video platforms: turns the URL of a watch page into that of the player that other sites embed
//! (rule A3). A table and its reader; nothing here accesses the network or depends on where a URL was found.

use super::mime;
use super::url::{self, UrlParts};

/// A video platform, and the forms of its URLs.
struct VideoPlatform {
    /// Lower-case hosts without `www.`; empty where any host may run the software.
    hosts: &'static [&'static str],
    /// Forms of the pages that are watched.
    pages: &'static [IdPosition],
    /// Forms of players.
    players: &'static [IdPosition],
    /// The bytes allowed in an id.
    in_id: fn(u8) -> bool,
    /// What an id of them is.
    is_id: fn(&str) -> bool,
    /// The URL of the player: `{id}`, `{owner}` and `{number}` (of an id `owner_number`), `{page}` (the page's own URL,
    /// percent-encoded), `{origin}` (its scheme and host), `{parent}` (the host of the page that embeds the player).
    player: &'static str,
    /// The parameter for the key of an unlisted video, which follows the id in the page's path, or is in the same
    /// parameter.
    key: &'static str,
}

/// The position of a video's id in a URL.
enum IdPosition {
    /// After this path.
    Path(&'static str),
    /// In this parameter of exactly this path.
    Query(&'static str, &'static str),
    /// After this step, which follows one other.
    Below(&'static str),
    /// After this path, one step, and these.
    Within(&'static str, &'static str),
}

/// Most platforms: any id of these bytes.
const USUAL: VideoPlatform =
    VideoPlatform { hosts: &[], pages: &[], players: &[], in_id: is_url_base64, is_id: is_short, player: "", key: "" };

const YOUTUBE_PLAYER: &str = "https://www.youtube.com/embed/{id}";
const VIMEO_PLAYER: &str = "https://player.vimeo.com/video/{id}";
const DAILYMOTION_PLAYER: &str = "https://www.dailymotion.com/embed/video/{id}";

const PLATFORMS: &[VideoPlatform] = &[
    // Google, "Video sitemaps and alternatives" (2025): the player of its samples; YouTube Player API Reference for
    // iframe Embeds. `/v/` and `/e/` are those of the Flash player, which is gone
    VideoPlatform {
        hosts: &["youtube.com", "m.youtube.com", "music.youtube.com", "youtube-nocookie.com"],
        pages: &[
            IdPosition::Query("/watch", "v"),
            IdPosition::Path("/shorts/"),
            IdPosition::Path("/live/"),
            IdPosition::Path("/v/"),
            IdPosition::Path("/e/"),
        ],
        players: &[IdPosition::Path("/embed/")],
        player: YOUTUBE_PLAYER,
        ..USUAL
    },
    VideoPlatform { hosts: &["youtu.be"], pages: &[IdPosition::Path("/")], player: YOUTUBE_PLAYER, ..USUAL },
    // Google's samples; Vimeo, "oEmbed": the second step of an unlisted video's page is the parameter `h`
    VideoPlatform {
        hosts: &["vimeo.com"],
        pages: &[
            IdPosition::Path("/"),
            IdPosition::Within("/channels/", ""),
            IdPosition::Within("/groups/", "videos/"),
        ],
        in_id: |byte| byte.is_ascii_digit(),
        player: VIMEO_PLAYER,
        key: "h",
        ..USUAL
    },
    VideoPlatform {
        hosts: &["player.vimeo.com"],
        players: &[IdPosition::Path("/video/")],
        in_id: |byte| byte.is_ascii_digit(),
        player: VIMEO_PLAYER,
        ..USUAL
    },
    // Dailymotion for developers, "Player embed": the URL that its oEmbed returns
    VideoPlatform {
        hosts: &["dailymotion.com", "m.dailymotion.com", "geo.dailymotion.com"],
        pages: &[IdPosition::Path("/video/")],
        players: &[IdPosition::Path("/embed/video/"), IdPosition::Query("/player.html", "video")],
        in_id: |byte| byte.is_ascii_alphanumeric(),
        player: DAILYMOTION_PLAYER,
        ..USUAL
    },
    VideoPlatform {
        hosts: &["dai.ly"],
        pages: &[IdPosition::Path("/")],
        in_id: |byte| byte.is_ascii_alphanumeric(),
        player: DAILYMOTION_PLAYER,
        ..USUAL
    },
    // RUTUBE, "FAQ: embedding videos of RUTUBE"
    VideoPlatform {
        hosts: &["rutube.ru"],
        pages: &[IdPosition::Path("/video/")],
        players: &[IdPosition::Path("/play/embed/")],
        in_id: |byte| byte.is_ascii_hexdigit(),
        player: "https://rutube.ru/play/embed/{id}",
        ..USUAL
    },
    // VK for developers, "Video": the code that "Share" exports. It may add a `hash`, which no watch-page URL contains;
    // public videos play without it
    VideoPlatform {
        hosts: &["vk.com", "m.vk.com", "vk.ru", "vkvideo.ru"],
        pages: &[IdPosition::Path("/video"), IdPosition::Path("/clip"), IdPosition::Query("/video", "z=video")],
        players: &[IdPosition::Query("/video_ext.php", "oid")],
        in_id: |byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'_'),
        is_id: is_owner_and_number,
        player: "https://vk.com/video_ext.php?oid={owner}&id={number}",
        ..USUAL
    },
    // OK for developers, "Video widget": the code that "Share" gives out
    VideoPlatform {
        hosts: &["ok.ru", "m.ok.ru", "odnoklassniki.ru"],
        pages: &[IdPosition::Path("/video/"), IdPosition::Path("/live/")],
        players: &[IdPosition::Path("/videoembed/")],
        in_id: |byte| byte.is_ascii_digit() || byte == b'-',
        player: "https://ok.ru/videoembed/{id}",
        ..USUAL
    },
    // Meta for developers, "Embedded Video Player": the player takes the URL of the video's page
    VideoPlatform {
        hosts: &["facebook.com", "m.facebook.com", "web.facebook.com"],
        pages: &[
            IdPosition::Query("/watch", "v"),
            IdPosition::Query("/video.php", "v"),
            IdPosition::Below("/videos/"),
            IdPosition::Path("/reel/"),
        ],
        players: &[IdPosition::Query("/plugins/video.php", "href")],
        in_id: |byte| byte.is_ascii_digit(),
        player: "https://www.facebook.com/plugins/video.php?href={page}",
        ..USUAL
    },
    // short URLs, which identify a video by another id than players do
    VideoPlatform { hosts: &["fb.watch", "vm.tiktok.com", "vt.tiktok.com"], ..USUAL },
    // TikTok for Developers, "Embed Player"
    VideoPlatform {
        hosts: &["tiktok.com", "m.tiktok.com"],
        pages: &[IdPosition::Within("/@", "video/")],
        players: &[IdPosition::Path("/player/v1/"), IdPosition::Path("/embed/v2/"), IdPosition::Path("/embed/")],
        in_id: |byte| byte.is_ascii_digit(),
        player: "https://www.tiktok.com/player/v1/{id}",
        ..USUAL
    },
    // Twitch Developers, "Embedding Video and Clips": `parent`, the domain that embeds, is required, and an id of a
    // video begins with `v`. So there is a player only where the page that embeds it is known
    VideoPlatform {
        hosts: &["twitch.tv", "m.twitch.tv"],
        pages: &[IdPosition::Path("/videos/")],
        in_id: |byte| byte.is_ascii_digit(),
        player: "https://player.twitch.tv/?video=v{id}&parent={parent}",
        ..USUAL
    },
    VideoPlatform {
        hosts: &["clips.twitch.tv"],
        pages: &[IdPosition::Path("/")],
        players: &[IdPosition::Query("/embed", "clip")],
        is_id: |id| is_short(id) && id != "embed",
        player: "https://clips.twitch.tv/embed?clip={id}&parent={parent}",
        ..USUAL
    },
    VideoPlatform { hosts: &["player.twitch.tv"], players: &[IdPosition::Query("/", "video")], ..USUAL },
    // PeerTube documentation, "Embed API" and "REST API": on every host that runs it; ids are UUIDs, or short ones of
    // 22 characters. Nothing else in a URL identifies PeerTube, so no other id is accepted
    VideoPlatform {
        pages: &[IdPosition::Path("/w/"), IdPosition::Path("/videos/watch/")],
        players: &[IdPosition::Path("/videos/embed/")],
        is_id: is_uuid,
        player: "{origin}/videos/embed/{id}",
        ..USUAL
    },
];

fn is_url_base64(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')
}

/// YouTube's players of a playlist and of a channel's live stream have these words in place of an id.
fn is_short(id: &str) -> bool {
    (1..=64).contains(&id.len()) && id != "videoseries" && id != "live_stream"
}

fn is_owner_and_number(id: &str) -> bool {
    let is_number = |text: &str| (1..=20).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    id.split_once('_')
        .is_some_and(|(owner, number)| is_number(owner.strip_prefix('-').unwrap_or(owner)) && is_number(number))
}

/// A UUID, or one in the 22 characters of base 58.
fn is_uuid(id: &str) -> bool {
    let long = || {
        let groups: Vec<&str> = id.split('-').collect();
        groups.iter().map(|group| group.len()).eq([8, 4, 4, 4, 12])
            && groups.iter().all(|group| group.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    let in_base_58 = |byte: u8| byte.is_ascii_alphanumeric() && !matches!(byte, b'0' | b'O' | b'I' | b'l');
    id.len() == 22 && id.bytes().all(in_base_58) || id.len() == 36 && long()
}

/// The player that belongs to the watch page of a known platform, embedded in a page of the host `parent`; `None` for
/// everything else, players included.
pub fn player(page: &str, parent: Option<&str>) -> Option<String> {
    let parts = url::split(page.trim());
    let (platform, id, after) = platforms(&parts)?.find_map(|platform| {
        let (id, after) = platform.pages.iter().find_map(|form| form.id(&parts, platform))?;
        Some((platform, id, after))
    })?;
    let (owner, number) = id.split_once('_').unwrap_or((id, ""));
    let parent = parent.filter(|parent| !is_platform_host(platform, without_www(parent)));
    if parent.is_none() && platform.player.contains("{parent}") {
        return None;
    }
    let fill = |template: &str| -> String {
        let mut out = String::new();
        let mut rest = template;
        while let Some((before, named)) = rest.split_once('{') {
            let Some((name, behind)) = named.split_once('}') else { break };
            out.push_str(before);
            match name {
                "origin" => {
                    out.push_str(parts.scheme.unwrap_or("https"));
                    out.push_str("://");
                    out.push_str(parts.authority.unwrap_or_default());
                }
                "id" => out.push_str(id),
                "owner" => out.push_str(owner),
                "number" => out.push_str(number),
                "page" => push_encoded(page.trim(), &mut out),
                _ => out.push_str(parent.unwrap_or_default()),
            }
            rest = behind;
        }
        out.push_str(rest);
        out
    };
    let mut out = fill(platform.player);
    if let Some(key) = key_of(after, &parts, platform.key) {
        out.extend(["?", platform.key, "=", key]);
    }
    Some(out)
}

/// Whether a URL given as the content of a video is a page or player of a known platform, not a media file there.
pub fn is_embed_host(address: &str) -> bool {
    let parts = UrlParts::parse(address);
    is_embed(&parts, parts.extension())
}

/// The same of its parts and the extension of its path.
pub(crate) fn is_embed(parts: &UrlParts<'_>, extension: Option<&str>) -> bool {
    if extension.is_some_and(|ext| !mime::is_flash(ext) && is_media_extension(ext)) {
        return false;
    }
    let Some(mut found) = platforms(parts) else { return false };
    found.any(|platform| {
        let mut forms = platform.pages.iter().chain(platform.players);
        !platform.hosts.is_empty() || forms.any(|form| form.id(parts, platform).is_some())
    })
}

/// The id of a video in any form of its URL, players included, where one of these hosts is that of its platform.
pub fn id_on<'a>(address: &'a str, hosts: &[&str]) -> Option<&'a str> {
    let parts = url::split(address.trim());
    let platform = platforms(&parts)?.find(|platform| platform.hosts.iter().any(|host| hosts.contains(host)))?;
    let mut forms = platform.pages.iter().chain(platform.players);
    forms.find_map(|form| form.id(&parts, platform)).map(|(id, _)| id)
}

/// What the URLs of a video on a known platform have in common: its pages and its players, on any host of the platform.
pub fn identity(address: &str) -> Option<String> {
    let parts = url::split(address.trim());
    platforms(&parts)?.find_map(|platform| {
        let mut forms = platform.pages.iter().chain(platform.players);
        let (id, _) = forms.find_map(|form| form.id(&parts, platform))?;
        let host = match platform.hosts.first() {
            None => parts.authority.unwrap_or_default().to_ascii_lowercase(),
            // several platforms of one player are one
            Some(_) if !platform.player.is_empty() => String::new(),
            Some(host) => (*host).to_owned(),
        };
        Some(format!("{host} {} {id}", platform.player))
    })
}

fn is_media_extension(ext: &str) -> bool {
    use mime::Medium::{Audio, Image, Video};
    matches!(mime::by_extension(ext).and_then(mime::medium_of_type), Some(Audio | Image | Video))
}

/// The platforms a URL may belong to: that of its host, and those of any host.
fn platforms<'p>(parts: &'p UrlParts<'_>) -> Option<impl Iterator<Item = &'static VideoPlatform> + 'p> {
    if parts.scheme.is_some_and(|scheme| !url::is_web_scheme(scheme)) {
        return None;
    }
    let host = without_www(parts.host()?);
    let may_be = host.len() < 64 && HOST_LENGTHS >> host.len() & 1 == 1;
    Some(
        PLATFORMS
            .iter()
            .filter(move |platform| platform.hosts.is_empty() || may_be && is_platform_host(platform, host)),
    )
}

/// A bit for each length of a platform's host: most other hosts differ in length.
const HOST_LENGTHS: u64 = {
    let (mut lengths, mut platform) = (0, 0);
    while platform < PLATFORMS.len() {
        let hosts = PLATFORMS[platform].hosts;
        let mut host = 0;
        while host < hosts.len() {
            lengths |= 1 << hosts[host].len();
            host += 1;
        }
        platform += 1;
    }
    lengths
};

/// Whether a host, without `www.`, is one of the platform.
fn is_platform_host(platform: &VideoPlatform, host: &str) -> bool {
    // most differ in their length
    platform.hosts.iter().any(|known| known.len() == host.len() && known.eq_ignore_ascii_case(host))
}

fn without_www(host: &str) -> &str {
    match host.get(..4) {
        Some(prefix) if prefix.eq_ignore_ascii_case("www.") => &host[4..],
        _ => host,
    }
}

impl IdPosition {
    /// The id and the rest of its part of the URL.
    fn id<'a>(&self, parts: &UrlParts<'a>, platform: &VideoPlatform) -> Option<(&'a str, &'a str)> {
        let text = match self {
            IdPosition::Path(prefix) => parts.path.strip_prefix(prefix)?,
            IdPosition::Below(step) => {
                let (above, below) = parts.path.split_once(step)?;
                let is_one = above.len() > 1 && above.rfind('/') == Some(0);
                // a title may come between the step and the id
                let below = below.trim_end_matches('/');
                is_one.then(|| below.rsplit_once('/').map_or(below, |(_, id)| id))?
            }
            IdPosition::Within(path, steps) => {
                let (name, rest) = parts.path.strip_prefix(path)?.split_once('/')?;
                rest.strip_prefix(steps).filter(|_| !name.is_empty())?
            }
            IdPosition::Query(path, name) => {
                let path = parts.path.strip_prefix(path)?;
                let query = parts.query.filter(|_| path.is_empty() || path == "/")?;
                query.split('&').find_map(|pair| parameter(pair, name))?
            }
        };
        let (id, after) = text.split_at(text.bytes().take_while(|byte| (platform.in_id)(*byte)).count());
        // `_` begins the title in an old Dailymotion URL, `&` misplaced parameters in an old YouTube one, `%2F` the
        // part after the id in one of VK
        let ends = after.is_empty() || after.starts_with(['/', '&', '_', ';']) || after.starts_with("%2F");
        (ends && (platform.is_id)(id)).then_some((id, after))
    }
}

/// The value of a parameter; if `name` contains `=`, the value begins after it. Tolerates an `&amp;` that was escaped
/// once too often.
fn parameter<'a>(pair: &'a str, name: &str) -> Option<&'a str> {
    let pair = pair.strip_prefix("amp;").unwrap_or(pair);
    let rest = pair.strip_prefix(name)?;
    if name.contains('=') { Some(rest) } else { rest.strip_prefix('=') }
}

/// A key in the step behind the id, else in the parameter of this name.
fn key_of<'a>(after: &'a str, parts: &UrlParts<'a>, name: &str) -> Option<&'a str> {
    if name.is_empty() {
        return None;
    }
    let is_key = |key: &&str| key.len() >= 6 && key.bytes().all(|byte| byte.is_ascii_hexdigit());
    let step = after.strip_prefix('/').map(|key| key.trim_end_matches('/')).filter(is_key);
    let in_query = || parts.query?.split('&').find_map(|pair| parameter(pair, name)).filter(is_key);
    step.or_else(in_query)
}

/// Everything but unreserved characters as percent escapes (RFC 3986 section 2).
fn push_encoded(text: &str, out: &mut String) {
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => out.push(char::from(byte)),
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const YOUTUBE: &[&str] = &["youtube.com", "youtu.be"];
    use proptest::prelude::*;

    #[test]
    fn players() {
        const Y: Option<&str> = Some("https://www.youtube.com/embed/dQw4w9WgXcQ");
        const VK: Option<&str> = Some("https://vk.com/video_ext.php?oid=-22822305&id=456241864");
        const UUID: &str = "9c9de5e8-0a1e-484a-b099-e80766180a6d";
        for (url, expected) in [
            ("https://www.youtube.com/watch?v=dQw4w9WgXcQ", Y),
            ("http://m.youtube.com/watch?app=desktop&amp;v=dQw4w9WgXcQ&t=3", Y),
            ("//YouTube.com/watch/?v=dQw4w9WgXcQ#x", Y),
            ("https://www.youtube-nocookie.com/v/dQw4w9WgXcQ", Y),
            ("https://youtu.be/dQw4w9WgXcQ?si=x", Y),
            ("https://youtube.com/shorts/dQw4w9WgXcQ/", Y),
            ("https://www.youtube.com/live/dQw4w9WgXcQ?feature=share", Y),
            ("https://www.youtube.com/v/dQw4w9WgXcQ&hl=en", Y),
            ("https://www.youtube.com/v/dQw4w9WgXcQ?version=3", Y),
            ("https://www.youtube.com/embed/dQw4w9WgXcQ", None),
            ("https://www.youtube.com/watch?list=x", None),
            ("https://www.youtube.com/@channel", None),
            ("https://notyoutube.com/watch?v=dQw4w9WgXcQ", None),
            ("ftp://youtu.be/dQw4w9WgXcQ", None),
            ("https://vimeo.com/76979871", Some("https://player.vimeo.com/video/76979871")),
            ("https://vimeo.com/76979871/abcdef0123", Some("https://player.vimeo.com/video/76979871?h=abcdef0123")),
            ("https://vimeo.com/76979871/abcde1", Some("https://player.vimeo.com/video/76979871?h=abcde1")),
            (
                "https://vimeo.com/76979871?share=copy&h=ab12cd34ef",
                Some("https://player.vimeo.com/video/76979871?h=ab12cd34ef"),
            ),
            ("https://vimeo.com/76979871?h=", Some("https://player.vimeo.com/video/76979871")),
            ("https://vimeo.com/76979871/comments", Some("https://player.vimeo.com/video/76979871")),
            ("https://vimeo.com/channels/staff", None),
            ("https://vimeo.com/channels/staff/76979871", Some("https://player.vimeo.com/video/76979871")),
            ("https://vimeo.com/groups/a/videos/76979871", Some("https://player.vimeo.com/video/76979871")),
            ("https://vimeo.com/groups//videos/76979871", None),
            ("https://www.tiktok.com/@x/video/1", Some("https://www.tiktok.com/player/v1/1")),
            ("https://vm.tiktok.com/ZM1/", None),
            ("https://www.dailymotion.com/video/x84sh87", Some("https://www.dailymotion.com/embed/video/x84sh87")),
            ("https://www.dailymotion.com/video/xab_title", Some("https://www.dailymotion.com/embed/video/xab")),
            ("https://dai.ly/x84sh87", Some("https://www.dailymotion.com/embed/video/x84sh87")),
            ("https://rutube.ru/video/0a1b2c/", Some("https://rutube.ru/play/embed/0a1b2c")),
            ("https://rutube.ru/video/private/0a1b2c/", None),
            ("https://vk.com/video-22822305_456241864", VK),
            ("https://vkvideo.ru/video-22822305_456241864?list=x", VK),
            ("https://vk.com/video?z=video-22822305_456241864%2Fpl_x", VK),
            ("https://m.vk.com/video1_2", Some("https://vk.com/video_ext.php?oid=1&id=2")),
            ("https://vk.com/clip-1_2", Some("https://vk.com/video_ext.php?oid=-1&id=2")),
            ("https://vk.com/video_ext.php?oid=-1&id=2", None),
            ("https://vk.com/videos-22822305", None),
            ("https://ok.ru/video/1234567", Some("https://ok.ru/videoembed/1234567")),
            ("https://ok.ru/live/1234567?x=1", Some("https://ok.ru/videoembed/1234567")),
            ("https://ok.ru/videoembed/1234567", None),
            (
                "https://www.facebook.com/pond/videos/10153231379946729/",
                Some(
                    "https://www.facebook.com/plugins/video.php?href=https%3A%2F%2Fwww.facebook.com%2Fpond%2Fvideos%2F10153231379946729%2F",
                ),
            ),
            (
                "https://www.facebook.com/watch/?v=12",
                Some(
                    "https://www.facebook.com/plugins/video.php?href=https%3A%2F%2Fwww.facebook.com%2Fwatch%2F%3Fv%3D12",
                ),
            ),
            ("https://www.facebook.com/plugins/video.php?href=x", None),
            ("https://www.facebook.com/pond", None),
            ("https://www.twitch.tv/videos/123", Some("https://player.twitch.tv/?video=v123&parent=pond.example")),
            (
                "https://clips.twitch.tv/OddFrog-x_1",
                Some("https://clips.twitch.tv/embed?clip=OddFrog-x_1&parent=pond.example"),
            ),
            ("https://clips.twitch.tv/embed?clip=OddFrog", None),
            ("https://player.twitch.tv/?video=v123&parent=x", None),
            (
                &format!("https://tube.example:8443/videos/watch/{UUID}"),
                Some(&format!("https://tube.example:8443/videos/embed/{UUID}")),
            ),
            (
                "https://tube.example/w/d6ZiUHJRxpjoZKSeetjSXe?start=1s",
                Some("https://tube.example/videos/embed/d6ZiUHJRxpjoZKSeetjSXe"),
            ),
            ("https://tube.example/w/index.php", None),
            ("https://tube.example/w/d6ZiUHJRxpjoZKSeetjSX0", None),
            (&format!("https://tube.example/videos/embed/{UUID}"), None),
            ("https://example.com/watch?v=dQw4w9WgXcQ", None),
            ("", None),
        ] {
            assert_eq!(player(url, Some("pond.example")).as_deref(), expected, "{url}");
            assert_eq!(id_on(url, YOUTUBE).is_some(), expected == Y || url.contains("/embed/dQ"), "{url}");
            // a player has no other player
            assert_eq!(expected.and_then(|player| super::player(player, Some("pond.example"))), None, "{url}");
        }
        assert_eq!(id_on("https://www.youtube-nocookie.com/embed/abc?rel=0", YOUTUBE), Some("abc"));
        assert_eq!(id_on("https://www.youtube.com/embed/videoseries?list=x", YOUTUBE), None);
        let twitch = "https://www.twitch.tv/videos/123";
        assert_eq!((player(twitch, None), player(twitch, Some("www.twitch.tv"))), (None, None));
    }

    #[test]
    fn urls_of_one_video() {
        const UUID: &str = "9c9de5e8-0a1e-484a-b099-e80766180a6d";
        for (one, other, same) in [
            ("https://www.youtube.com/embed/abc?rel=0", "https://www.youtube-nocookie.com/embed/abc", true),
            ("https://www.youtube.com/embed/abc", "https://youtu.be/abc", true),
            ("https://www.youtube.com/embed/abc", "https://www.youtube.com/embed/abd", false),
            ("https://player.vimeo.com/video/1?h=abcdef", "https://vimeo.com/1", true),
            ("https://geo.dailymotion.com/player.html?video=x1", "https://www.dailymotion.com/embed/video/x1", true),
            (
                "https://geo.dailymotion.com/player.html?video=x1",
                "https://geo.dailymotion.com/player.html?video=x2",
                false,
            ),
            ("https://player.twitch.tv/?video=v1&parent=a", "https://player.twitch.tv/?parent=a&video=v1", true),
            ("https://player.twitch.tv/?video=v1&parent=a", "https://player.twitch.tv/?video=v2&parent=a", false),
            (&format!("https://T.example/w/{UUID}"), &format!("https://t.example/videos/embed/{UUID}"), true),
            (&format!("https://t.example/w/{UUID}"), &format!("https://u.example/w/{UUID}"), false),
        ] {
            assert!(identity(one).is_some() && identity(other).is_some(), "{one} {other}");
            assert_eq!(identity(one) == identity(other), same, "{one} {other}");
        }
        assert_eq!(identity("https://vk.com/video_ext.php?oid=-1&id=2"), None);
    }

    #[test]
    fn contents_that_are_players() {
        for (url, player) in [
            ("https://www.youtube.com/v/x?version=3", true),
            ("https://player.vimeo.com/video/1", true),
            ("https://geo.dailymotion.com/player.html?video=x", true),
            ("https://player.vimeo.com/external/1.sd.mp4?s=x", false),
            ("https://player.vimeo.com/external/1.m3u8", false),
            ("https://www.youtube.com/player.swf", true),
            ("https://tube.example/w/d6ZiUHJRxpjoZKSeetjSXe", true),
            ("https://tube.example/videos/embed/d6ZiUHJRxpjoZKSeetjSXe", true),
            ("https://tube.example/static/webseed/d6ZiUHJRxpjoZKSeetjSXe-720.mp4", false),
            ("https://example.com/a.swf", false),
            ("https://example.com/watch", false),
        ] {
            assert_eq!(is_embed_host(url), player, "{url}");
        }
    }

    fn all(url: &str) {
        let _ = (player(url, Some("h")), player(url, None), is_embed_host(url), id_on(url, YOUTUBE), identity(url));
    }

    #[test]
    fn long_urls() {
        for piece in ["a", "/", "/videos/", "%", "{id}", "é", "&v=", "_", "-", "videos/w/"] {
            let long = piece.repeat((1 << 20) / piece.len());
            for prefix in ["", "https://youtu.be/", "https://facebook.com/", "https://vk.com/video", "//h/w/", "x:"] {
                all(&format!("{prefix}{long}"));
            }
        }
    }

    proptest! {
        #[test]
        fn arbitrary_text_never_panics(
            s in any::<String>(),
            u in "(https?://)?(youtu.be|vk.com|www.facebook.com|h)(/video|/videos/|/w/|/a/videos/|/)?[%a-c0-9_{}/?&=é-]{0,40}"
        ) {
            all(&s);
            all(&u);
        }
    }
}
