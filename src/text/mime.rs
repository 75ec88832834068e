//! MIME types of media files and the file extensions that go with them, and what kind of medium they make.
//! A guess from a name or a declared type; the bytes of a file are never looked at.

use super::bytes::trimmed;
use super::url;

/// Extension, MIME type. The first line of a type holds its usual extension, the only line of an extension its type.
const TYPES: &[(&str, &str)] = &[
    ("mp4", "video/mp4"),
    ("m4v", "video/x-m4v"),
    ("webm", "video/webm"),
    ("mov", "video/quicktime"),
    ("qt", "video/quicktime"),
    ("mpg", "video/mpeg"),
    ("mpeg", "video/mpeg"),
    ("m2v", "video/mpeg"),
    ("vob", "video/mpeg"),
    ("avi", "video/x-msvideo"),
    ("divx", "video/divx"),
    ("mkv", "video/x-matroska"),
    ("flv", "video/x-flv"),
    ("f4v", "video/x-f4v"),
    ("3gp", "video/3gpp"),
    ("3g2", "video/3gpp2"),
    ("ogv", "video/ogg"),
    ("wmv", "video/x-ms-wmv"),
    ("asf", "video/x-ms-asf"),
    ("rm", "application/vnd.rn-realmedia"),
    ("rmvb", "application/vnd.rn-realmedia-vbr"),
    ("ram", "audio/x-pn-realaudio"),
    ("ts", "video/mp2t"),
    ("qvt", "video/x-qvt"),
    ("m3u8", "application/vnd.apple.mpegurl"),
    ("m3u", "audio/x-mpegurl"),
    ("mpd", "application/dash+xml"),
    ("ism", "application/vnd.ms-sstr+xml"),
    ("xap", "application/x-silverlight-app"),
    ("swf", "application/x-shockwave-flash"),
    ("mp3", "audio/mpeg"),
    ("m4a", "audio/mp4"),
    ("m4b", "audio/mp4"),
    ("aac", "audio/aac"),
    ("ogg", "audio/ogg"),
    ("oga", "audio/ogg"),
    ("opus", "audio/opus"),
    ("flac", "audio/flac"),
    ("wav", "audio/wav"),
    ("wma", "audio/x-ms-wma"),
    ("aif", "audio/aiff"),
    ("aiff", "audio/aiff"),
    ("mid", "audio/midi"),
    ("midi", "audio/midi"),
    ("mka", "audio/x-matroska"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("png", "image/png"),
    ("gif", "image/gif"),
    ("webp", "image/webp"),
    ("avif", "image/avif"),
    ("svg", "image/svg+xml"),
    ("bmp", "image/bmp"),
    ("ico", "image/vnd.microsoft.icon"),
    ("tif", "image/tiff"),
    ("tiff", "image/tiff"),
    ("heic", "image/heic"),
    ("pdf", "application/pdf"),
    ("epub", "application/epub+zip"),
    ("txt", "text/plain"),
    ("csv", "text/csv"),
    ("htm", "text/html"),
    ("html", "text/html"),
    ("xhtml", "application/xhtml+xml"),
    ("xml", "application/xml"),
    ("json", "application/json"),
    ("rtf", "application/rtf"),
    ("doc", "application/msword"),
    ("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document"),
    ("xls", "application/vnd.ms-excel"),
    ("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"),
    ("ppt", "application/vnd.ms-powerpoint"),
    ("pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation"),
    ("odt", "application/vnd.oasis.opendocument.text"),
    ("vtt", "text/vtt"),
    ("srt", "application/x-subrip"),
    ("ttml", "application/ttml+xml"),
    ("dfxp", "application/ttml+xml"),
    ("ass", "text/x-ssa"),
    ("zip", "application/zip"),
    ("torrent", "application/x-bittorrent"),
    ("exe", "application/vnd.microsoft.portable-executable"),
    ("msi", "application/x-msi"),
    ("dmg", "application/x-apple-diskimage"),
    ("apk", "application/vnd.android.package-archive"),
    ("jar", "application/java-archive"),
];

/// Other names of types in the table.
const ALIASES: &[(&str, &str)] = &[
    ("video/m4v", "video/x-m4v"),
    ("video/mpg", "video/mpeg"),
    ("video/mov", "video/quicktime"),
    ("video/avi", "video/x-msvideo"),
    ("video/msvideo", "video/x-msvideo"),
    ("video/matroska", "video/x-matroska"),
    ("video/flv", "video/x-flv"),
    ("video/x-ms-asf-plugin", "video/x-ms-asf"),
    ("video/vnd.rn-realvideo", "application/vnd.rn-realmedia"),
    ("application/mp4", "video/mp4"),
    ("application/x-mpegurl", "application/vnd.apple.mpegurl"),
    ("application/mpegurl", "application/vnd.apple.mpegurl"),
    ("vnd.apple.mpegurl", "application/vnd.apple.mpegurl"),
    ("application/vnd.apple.mpegurl.audio", "application/vnd.apple.mpegurl"),
    ("audio/mpegurl", "audio/x-mpegurl"),
    ("video/vnd.mpeg.dash.mpd", "application/dash+xml"),
    ("application/futuresplash", "application/x-shockwave-flash"),
    ("application/vnd.adobe.flash.movie", "application/x-shockwave-flash"),
    ("application/vnd.adobe.flash-movie", "application/x-shockwave-flash"),
    ("application/x-msdownload", "application/vnd.microsoft.portable-executable"),
    ("application/x-msdos-program", "application/vnd.microsoft.portable-executable"),
    ("application/x-executable", "application/vnd.microsoft.portable-executable"),
];

/// The extensions that Google's video documentation lists, except those with their own rank ("Video best practices",
/// Supported video file types, 2025).
const SUPPORTED: &[&str] = &[
    "3gp", "3g2", "asf", "avi", "divx", "m2v", "m3u", "m3u8", "mkv", "mpg", "mpeg", "ogv", "qvt", "ram", "rm", "vob",
    "wmv", "xap",
];

/// Values of `media:content@medium` (Media RSS 1.5.1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Medium {
    /// A still image.
    Image,
    /// Sound alone.
    Audio,
    /// Moving images, including streaming manifests and Flash films.
    Video,
    /// Something to read, including subtitles.
    Document,
    /// Something to run.
    Executable,
}

/// The MIME type of a file extension, written without the dot, in any case.
pub fn by_extension(ext: &str) -> Option<&'static str> {
    // as nearly all files are called
    if ext == "mp4" {
        return Some("video/mp4");
    }
    TYPES.iter().find(|(known, _)| same(known, ext)).map(|(_, mime)| *mime)
}

/// The usual extension of a MIME type, without the dot. Parameters and case are ignored, other names are known.
pub fn extension_of(mime: &str) -> Option<&'static str> {
    if let Some((extension, _)) = usual(mime) {
        return Some(extension);
    }
    let essence = canonical(mime);
    TYPES.iter().find(|(_, known)| same(known, essence)).map(|(ext, _)| *ext)
}

/// The part before the slash, as written; the whole string if there is no slash.
pub fn major(mime: &str) -> &str {
    let mime = essence(mime);
    mime.split_once('/').map_or(mime, |(major, _)| major)
}

/// Whether a MIME type or an extension is that of a Flash film.
pub fn is_flash(type_or_ext: &str) -> bool {
    !is_medial(type_or_ext) && named(type_or_ext).is_some_and(|found| same(found, "application/x-shockwave-flash"))
}

/// Whether this is the type or the extension that nearly all files have: no page, no manifest, no Flash film.
#[inline]
fn is_medial(type_or_ext: &str) -> bool {
    type_or_ext == "mp4" || usual(type_or_ext).is_some_and(|(_, medium)| medium != Medium::Document)
}

/// Whether a MIME type or an extension is that of an HTML page.
pub fn is_html(type_or_ext: &str) -> bool {
    !is_medial(type_or_ext)
        && named(type_or_ext).is_some_and(|found| same(found, "text/html") || same(found, "application/xhtml+xml"))
}

/// Whether a MIME type or an extension is that of an HLS or DASH manifest.
pub fn is_manifest(type_or_ext: &str) -> bool {
    let known = ["application/vnd.apple.mpegurl", "audio/x-mpegurl", "application/dash+xml"];
    !is_medial(type_or_ext) && named(type_or_ext).is_some_and(|found| known.iter().any(|known| same(found, known)))
}

impl Medium {
    /// The medium of this name, compared without case.
    pub fn by_name(name: &str) -> Option<Medium> {
        // as nearly all write them
        match name {
            "video" => return Some(Medium::Video),
            "image" => return Some(Medium::Image),
            _ => (),
        }
        let known = [
            ("image", Medium::Image),
            ("audio", Medium::Audio),
            ("video", Medium::Video),
            ("document", Medium::Document),
            ("executable", Medium::Executable),
        ];
        let name = trimmed(name);
        known.iter().find(|(known, _)| name.eq_ignore_ascii_case(known)).map(|(_, medium)| *medium)
    }
}

/// Whether content of this type is characters: text or XML. Inline content of any other type is Base64 (RFC 4287
/// section 4.1.3.3).
pub fn is_text_or_xml(mime: &str) -> bool {
    let essence = essence(mime);
    let ends = |end: &str| {
        let start = essence.len().saturating_sub(end.len());
        essence.get(start..).is_some_and(|tail| tail.eq_ignore_ascii_case(end))
    };
    major(essence).eq_ignore_ascii_case("text") || ends("/xml") || ends("+xml")
}

/// Whether this is a MIME type by its syntax: two names with a slash, perhaps parameters.
pub fn is_type(text: &str) -> bool {
    let essence = trimmed(text.split(';').next().unwrap_or(""));
    let is_name = |name: &str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$&-^_.+".contains(&byte))
    };
    essence.split_once('/').is_some_and(|(major, minor)| is_name(major) && is_name(minor))
}

/// A type with the codecs of its file (RFC 6381).
pub fn with_codecs(kind: &str, codecs: &str) -> String {
    format!("{kind}; codecs=\"{codecs}\"")
}

/// The medium of a MIME type; `None` if the type does not determine it (`application/octet-stream`).
pub fn medium_of_type(mime: &str) -> Option<Medium> {
    if let Some((_, medium)) = usual(mime) {
        return Some(medium);
    }
    let mime = canonical(mime);
    if is_manifest(mime) || is_flash(mime) {
        return Some(Medium::Video);
    }
    let major = major(mime);
    let is = |name: &str| major.eq_ignore_ascii_case(name);
    match () {
        () if is("video") => Some(Medium::Video),
        () if is("image") => Some(Medium::Image),
        () if is("audio") && mime.eq_ignore_ascii_case("audio/x-pn-realaudio") => Some(Medium::Video),
        () if is("audio") => Some(Medium::Audio),
        () if is("text") => Some(Medium::Document),
        () if is("application") => extension_of(mime).and_then(medium_of_application),
        () => None,
    }
}

fn medium_of_application(ext: &str) -> Option<Medium> {
    match ext {
        "rm" | "rmvb" | "ism" | "xap" => Some(Medium::Video),
        "exe" | "msi" | "dmg" | "apk" | "jar" => Some(Medium::Executable),
        "zip" | "torrent" => None,
        _ => Some(Medium::Document),
    }
}

/// The medium of the extension in a URL.
pub fn medium_of_url(url: &str) -> Option<Medium> {
    url::extension(url).and_then(by_extension).and_then(medium_of_type)
}

/// How well a container suits a target that holds one file, best first: MP4 0, WebM 1, QuickTime 2, other formats
/// Google lists 3, all else 4. A type the table does not know yields to the extension of the file's name.
pub fn container_rank(mime: Option<&str>, extension: Option<&str>) -> u8 {
    let ext = mime.and_then(extension_of).or(extension);
    let is = |names: &[&str]| ext.is_some_and(|ext| names.iter().any(|name| same(name, ext)));
    match () {
        () if is(&["mp4", "m4v"]) => 0,
        () if is(&["webm"]) => 1,
        () if is(&["mov", "qt"]) => 2,
        () if is(SUPPORTED) => 3,
        () => 4,
    }
}

/// A MIME type without parameters.
fn essence(mime: &str) -> &str {
    let end = mime.bytes().position(|byte| byte == b';').unwrap_or(mime.len());
    trimmed(&mime[..end])
}

/// A MIME type without parameters, under the name the table has for it.
fn canonical(mime: &str) -> &str {
    if usual(mime).is_some() {
        return mime;
    }
    let essence = essence(mime);
    ALIASES.iter().find(|(alias, _)| same(alias, essence)).map_or(essence, |(_, name)| name)
}

/// The extension and the medium of what nearly all types are called: no alias, and without parameters.
#[inline]
fn usual(mime: &str) -> Option<(&'static str, Medium)> {
    Some(match mime {
        "video/mp4" => ("mp4", Medium::Video),
        "video/webm" => ("webm", Medium::Video),
        "video/quicktime" => ("mov", Medium::Video),
        "audio/mpeg" => ("mp3", Medium::Audio),
        "image/jpeg" => ("jpg", Medium::Image),
        "text/html" => ("htm", Medium::Document),
        _ => return None,
    })
}

/// What a MIME type or an extension is called in the table.
fn named(type_or_ext: &str) -> Option<&str> {
    match type_or_ext {
        mime if mime.bytes().any(|byte| byte == b'/') => Some(canonical(mime)),
        ext => by_extension(trimmed(ext)),
    }
}

/// Whether two names are one but for their case. Most differ in their length or at the end.
fn same(one: &str, other: &str) -> bool {
    let last = |name: &str| name.as_bytes().last().map(u8::to_ascii_lowercase);
    one.len() == other.len() && last(one) == last(other) && one.eq_ignore_ascii_case(other)
}

/// The parameter `charset` of a MIME type.
pub(crate) fn charset(kind: &str) -> Option<&str> {
    let name = "charset";
    let mut rest = kind;
    loop {
        let at = rest.as_bytes().windows(name.len()).position(|word| word.eq_ignore_ascii_case(name.as_bytes()))?;
        rest = rest.get(at + name.len()..)?.trim_start();
        if let Some(value) = rest.strip_prefix('=') {
            let value = value.trim_start();
            let quote = value.chars().next().filter(|first| matches!(first, '"' | '\''));
            return match quote {
                Some(quote) => value[1..].split(quote).next(),
                None => value.split(|c: char| c == ';' || c.is_ascii_whitespace()).next(),
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn table_is_sound() {
        for (at, (ext, mime)) in TYPES.iter().enumerate() {
            assert!(!TYPES[..at].iter().any(|(other, _)| other == ext), "{ext} twice");
            assert!(mime.contains('/') && mime.is_ascii() && *mime == mime.to_ascii_lowercase(), "{mime}");
            assert_eq!(by_extension(&ext.to_uppercase()), Some(*mime));
        }
        for (_, name) in ALIASES {
            assert!(TYPES.iter().any(|(_, mime)| mime == name), "{name}");
        }
        for ext in SUPPORTED {
            assert!(by_extension(ext).is_some(), "{ext}");
        }
    }

    #[test]
    fn kinds() {
        for (mime, medium) in [
            ("video/mp4", Some(Medium::Video)),
            ("Video/MP4; codecs=\"avc1\"", Some(Medium::Video)),
            ("video/anything", Some(Medium::Video)),
            ("application/x-mpegURL", Some(Medium::Video)),
            ("application/dash+xml", Some(Medium::Video)),
            ("application/x-shockwave-flash", Some(Medium::Video)),
            ("audio/mpeg", Some(Medium::Audio)),
            ("image/jpg", Some(Medium::Image)),
            ("text/html", Some(Medium::Document)),
            ("application/pdf", Some(Medium::Document)),
            ("application/x-msdownload", Some(Medium::Executable)),
            ("application/octet-stream", None),
            ("", None),
            ("video", Some(Medium::Video)),
        ] {
            assert_eq!(medium_of_type(mime), medium, "{mime}");
        }
        assert_eq!(medium_of_url("https://h/a/b.MP3?x=.mp4"), Some(Medium::Audio));
        assert_eq!(medium_of_url("https://h/watch"), None);
        assert_eq!(major("video/mp4;x=1"), "video");
    }

    #[test]
    fn predicates() {
        assert!(is_flash("application/x-shockwave-flash") && is_flash("swf") && is_flash("SWF") && !is_flash("mp4"));
        assert!(is_html("text/html; charset=utf-8") && is_html("htm") && is_html("application/xhtml+xml"));
        assert!(is_manifest("m3u8") && is_manifest("application/x-mpegURL") && is_manifest("mpd") && !is_manifest(""));
        assert_eq!(extension_of("video/QuickTime"), Some("mov"));
        assert_eq!(extension_of("video/unheard-of"), None);
    }

    #[test]
    fn ranks() {
        for (mime, url, rank) in [
            (Some("video/mp4"), "http://h/x.webm", 0),
            (None, "http://h/x.m4v", 0),
            (Some("application/octet-stream"), "http://h/x.WEBM", 1),
            (Some("video/quicktime"), "", 2),
            (None, "http://h/x.mkv", 3),
            (Some("application/vnd.apple.mpegurl"), "http://h/x", 3),
            (Some("video/x-flv"), "http://h/x", 4),
            (None, "", 4),
        ] {
            assert_eq!(container_rank(mime, url::extension(url)), rank, "{mime:?} {url}");
        }
    }

    proptest! {
        #[test]
        fn arbitrary_text_never_panics(s in any::<String>()) {
            let _ = (by_extension(&s), major(&s), is_flash(&s), is_html(&s), is_manifest(&s));
            let _ = (medium_of_type(&s), medium_of_url(&s), container_rank(Some(&s), Some(&s)), extension_of(&s));
        }
    }
}
