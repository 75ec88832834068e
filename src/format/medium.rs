//! What a file is: its medium, whether it can be a rendition, and the key of a video by its files. Which file is written is decided in choice.rs.

use crate::model::{Entry, File, Leaf, Str, Video};
use crate::reason::Reason;
use crate::text::embed;
use crate::text::mime::{self, Medium};
use crate::text::url::{self, UrlParts};

/// What a file among the renditions of a video is (rule A2.2): by `medium`, else by its type, else by its name.
pub(crate) fn medium_of(file: &File<'_>) -> Option<Medium> {
    let said = file.medium.as_ref().and_then(|medium| Medium::by_name(&medium.value));
    let kind = file.kind.as_ref().map(Leaf::as_str);
    // a type may be no more than the ending of a file (`mp4`)
    let by_ending = |kind: &str| mime::by_extension(kind).and_then(mime::medium_of_type);
    let by_type = |kind: &str| match mime::is_html(kind) {
        true => Some(Medium::Video),
        false => mime::medium_of_type(kind).or_else(|| by_ending(kind)),
    };
    let by_name = || file.url.as_ref().and_then(|url| mime::medium_of_url(&url.value));
    said.or_else(|| kind.and_then(by_type)).or_else(by_name)
}

/// Whether what is given as a file is a player or a page (A2.2): by its type, the ending of its name, or the platform that it is on.
pub(crate) fn is_player(file: &File<'_>) -> bool {
    let parts = UrlParts::parse(file.url.as_ref().map_or("", Leaf::as_str));
    is_player_at(file, &parts, parts.extension())
}

/// The same where the parts of its URL and the ending of its name are known.
pub(crate) fn is_player_at(file: &File<'_>, parts: &UrlParts<'_>, extension: Option<&str>) -> bool {
    let is = |word: &str| mime::is_html(word) || mime::is_flash(word);
    file.kind.as_ref().is_some_and(|kind| is(&kind.value))
        || extension.is_some_and(is)
        || embed::is_embed(parts, extension)
}

/// Whether what is given as a file is a page or a player of a platform (A3), which its type does not show.
pub(crate) fn is_platform_page(file: &File<'_>) -> bool {
    let is_shown = |kind: &Str<'_>| mime::is_html(&kind.value) || mime::is_flash(&kind.value);
    !file.kind.as_ref().is_some_and(is_shown) && file.url.as_ref().is_some_and(|url| embed::is_embed_host(&url.value))
}

/// The type of a file that has none (S-R8), and why it is this one.
pub(crate) fn made_type(address: &str, is_video: bool) -> (&'static str, Reason) {
    match url::extension(address).and_then(mime::by_extension) {
        Some(kind) => (kind, Reason::GeneratedType),
        None if is_video => ("video/mp4", Reason::DefaultTerm),
        None => ("application/octet-stream", Reason::DefaultTerm),
    }
}

/// What Media RSS gives for an entry without a video: its thumbnails show the page.
pub(crate) fn of_page<'e, 'a>(entry: &'e Entry<'a>) -> Option<&'e Video<'a>> {
    entry.media.as_deref().filter(|_| entry.videos.is_empty())
}

/// What Media RSS describes: the videos of an entry, or the page of one without any.
pub(crate) fn described<'e, 'a>(entry: &'e Entry<'a>) -> impl Iterator<Item = &'e Video<'a>> {
    entry.videos.iter().chain(of_page(entry))
}

/// Hosts of avatars, and where on them avatars are.
const AVATARS: &[(&str, &str)] =
    &[("gravatar.com", "/avatar/"), ("libravatar.org", "/avatar/"), ("avatars.githubusercontent.com", "/")];

/// Whether a URL is that of a person's avatar (S-V1).
pub(crate) fn is_avatar(address: &str) -> bool {
    let parts = url::UrlParts::parse(address);
    let Some(host) = parts.host() else { return false };
    AVATARS.iter().any(|(known, path)| {
        let sub =
            host.len().checked_sub(known.len()).filter(|at| host.is_char_boundary(*at)).map(|at| host.split_at(at));
        let is_host =
            |(sub, name): (&str, &str)| name.eq_ignore_ascii_case(known) && (sub.is_empty() || sub.ends_with('.'));
        sub.is_some_and(is_host) && parts.path().starts_with(path)
    })
}

/// An image among the renditions of a group: an image of the page, which may serve as a thumbnail.
pub(crate) fn is_picture(file: &File<'_>) -> bool {
    medium_of(file) == Some(Medium::Image)
}

/// The file that represents a video if nothing else decides: the default one, else the first; never an image.
pub(crate) fn usual_file<'f, 'a>(files: &'f [File<'a>]) -> Option<&'f File<'a>> {
    let is_default = |file: &&File<'_>| file.is_default.as_ref().is_some_and(|said| said.value);
    let films = || files.iter().filter(|file| !is_picture(file));
    films().find(is_default).or_else(|| films().next())
}

/// The key by which two videos are the same (rule A2.6): that of the usual file's URL, else of the player's.
pub(crate) fn video_key(video: &Video<'_>) -> Option<String> {
    let is_default = |file: &&File<'_>| file.is_default.as_ref().is_some_and(|said| said.value);
    let named = || video.files.iter().filter(|file| file.url.is_some() && !is_picture(file));
    let file = named().find(is_default).or_else(|| named().next()).and_then(|file| file.url.as_ref());
    let address = file.or_else(|| video.player.as_ref()?.url.as_ref())?;
    Some(url::key(&address.value).into_owned())
}

/// Whether a file of a group can be a rendition of a video. A file of unknown type can be one if another file is.
pub(crate) fn is_film(file: &File<'_>) -> bool {
    can_be_film(medium_of(file))
}

/// The same of a file that is known to be this.
pub(crate) fn can_be_film(medium: Option<Medium>) -> bool {
    matches!(medium, Some(Medium::Video) | None)
}

/// Whether a media object is not a video but a group of other files: it has files, and none is known to be a video.
/// With `assume`, files of unknown type count as videos (`--assume-video`).
pub(crate) fn is_no_video(video: &Video<'_>, assume: bool) -> bool {
    let is_video = |file: &File<'_>| match medium_of(file) {
        Some(medium) => medium == Medium::Video,
        // an element without a URL has a player
        None => assume || file.url.is_none() || !video.group,
    };
    !video.files.is_empty() && !video.files.iter().any(is_video) && video.player.is_none() && video.embed.is_none()
}
