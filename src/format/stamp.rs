//! Dates and ids as feeds require them, for writers of different families.

use sha1::Digest;
use sha2::Sha256;

use crate::model::{Date, Entry, Leaf, Precision, Text};
use crate::reason::{Reason, ValueChange};
use crate::text::hex;

/// A date as RFC 3339 spells it, and what that changes.
pub(crate) fn rfc3339(date: &Date) -> (String, ValueChange) {
    let change = match date.precision() {
        precision if precision >= Precision::Minute && date.offset().is_none() => Some(Reason::AsUtc),
        precision if precision < Precision::Second => Some(Reason::MorePrecise),
        _ => None,
    };
    (date.to_rfc3339(), change)
}

/// A name-based UUID (RFC 9562 section 5.5) in the namespace of URLs, as a URN.
pub(crate) fn urn(name: &str) -> String {
    const ADDRESSES: [u8; 16] =
        [0x6b, 0xa7, 0xb8, 0x11, 0x9d, 0xad, 0x11, 0xd1, 0x80, 0xb4, 0x00, 0xc0, 0x4f, 0xd4, 0x30, 0xc8];
    let hash = sha1::Sha1::new().chain_update(ADDRESSES).chain_update(name.as_bytes()).finalize();
    let mut digits = String::from("urn:uuid:");
    for (index, byte) in hash.iter().take(16).enumerate() {
        let byte = match index {
            6 => byte & 0x0f | 0x50,
            8 => byte & 0x3f | 0x80,
            _ => *byte,
        };
        if matches!(index, 4 | 6 | 8 | 10) {
            digits.push('-');
        }
        digits.push_str(&format!("{byte:02x}"));
    }
    digits
}

/// All values that distinguish an entry without a URL from others (S-A1): of one without content, the URLs of its files.
pub(crate) fn words(entry: &Entry<'_>) -> String {
    let text = |text: &Option<Text<'_>>| text.as_ref().map(|text| text.value.value.clone().into_owned());
    let date = entry.published.as_ref().map(|date| date.value.to_w3c());
    let content = text(&entry.content).or_else(|| text(&entry.summary)).unwrap_or_else(|| files(entry));
    let hash = hex(&Sha256::digest(content.as_bytes()));
    let loc = entry.loc.as_ref().map(|loc| loc.as_str().to_owned());
    let parts = [loc, text(&entry.title), date, Some(hash)];
    parts.map(Option::unwrap_or_default).join("\n")
}

/// The URLs of the files and players of an entry.
fn files(entry: &Entry<'_>) -> String {
    let of_videos = entry.videos.iter().flat_map(|video| {
        let player = video.player.as_ref().and_then(|player| player.url.as_ref());
        video.files.iter().filter_map(|file| file.url.as_ref()).chain(player)
    });
    let others = entry.enclosures.iter().filter_map(|file| file.url.as_ref());
    let urls: Vec<&str> = of_videos.chain(others).map(Leaf::as_str).collect();
    urls.join("\n")
}
