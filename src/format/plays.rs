//! What plays a video where Google's rules are applied (rules A3, S-V4 to S-V6): which files Google cannot fetch, and
//! which player stands for a video. Nothing is written here; what a choice leaves out is settled in the books.

use crate::code::Code;
use crate::emit::Out;
use crate::format::choice::{Beside, Picked, effective, youtube_number};
use crate::model::{File, Leaf, Str, Video};
use crate::text::{embed, mime, url};

/// What was chosen of a video before its player is.
pub(super) struct Chosen<'e> {
    /// The rendition whose values count.
    pub file: Option<&'e File<'e>>,
    /// The first rendition whose address is not that of a file, but of a player.
    pub plays: Option<&'e File<'e>>,
    /// There is a file that can be fetched.
    pub content: bool,
}

/// Why an address cannot be that of a file; true where it is a player's.
pub(super) fn refusal(file: &File<'_>, address: &str, beside: &Beside<'_, '_>) -> Option<(Code, &'static str, bool)> {
    let kind = file.kind.as_ref().map(Leaf::as_str);
    let is = |test: fn(&str) -> bool| match kind {
        Some(kind) if test(kind) => true,
        _ => url::extension(address).is_some_and(test),
    };
    let player = Some((Code::FileTypeUnsupported, "a page or a Flash film is no video file", true));
    match url::scheme(address).map(str::to_ascii_lowercase).as_deref() {
        None => return Some((Code::RelativeUnresolved, "a relative address without a base", false)),
        Some("http" | "https" | "ftp") => (),
        Some(_) => return Some((Code::SchemeUnsupported, "Google fetches over http, https and ftp only", false)),
    }
    if is_page(address, beside) {
        return Some((Code::SameAsPage, "the address of the file is that of the page", false));
    }
    let player_type = kind.is_some_and(mime::is_html) || is(mime::is_flash) || embed::is_embed_host(address);
    if player_type { player } else { None }
}

/// Whether an address is that of the page (A4).
pub(super) fn is_page(address: &str, beside: &Beside<'_, '_>) -> bool {
    beside.page.is_some_and(|page| url::key(address) == url::key(&page.url))
}

/// Whether Google takes the address of a player.
pub(super) fn is_player(leaf: &Str<'_>, beside: &Beside<'_, '_>) -> bool {
    let written = url::normalize_for_sitemap(&leaf.value);
    url::is_http(&written) && !is_page(&written, beside)
}

/// Chooses the player (S-V6, A3), and settles that of the video where it cannot be taken.
pub(super) fn player(
    video: &Video<'_>,
    chosen: &Chosen<'_>,
    beside: &Beside<'_, '_>,
    out: &mut Out<'_, '_>,
) -> Option<Picked> {
    let own = effective!(video, chosen.file, player).and_then(|player| player.url.as_ref());
    let address = |leaf: &Str<'_>| Picked::address(leaf, beside.options.iri);
    let found = own
        .filter(|leaf| is_player(leaf, beside))
        .map(address)
        .or_else(|| {
            let embed = effective!(video, chosen.file, embed).and_then(|embed| embed.url.as_ref());
            let embed = embed.filter(|leaf| is_player(leaf, beside));
            embed.map(|leaf| address(leaf).moved("the player, as there is no other"))
        })
        .or_else(|| rewritten(own?, beside))
        .or_else(|| played_file(chosen, beside))
        .or_else(|| platform_player(video, chosen, beside));
    if let Some(leaf) = own {
        let (code, why) = match is_page(&leaf.value, beside) {
            true => (Code::SameAsPage, "the address of the player is that of the page"),
            false => (Code::RelativeUnresolved, "the address of the player is none of the web"),
        };
        if found.as_ref().is_none_or(|found| found.mark != leaf.mark) {
            out.books().lost(leaf.mark, code, why);
        }
    }
    found
}

/// The player that a known platform has for a watch page (A3).
fn player_of(address: &str, beside: &Beside<'_, '_>) -> Option<String> {
    if beside.options.no_rewrite {
        return None;
    }
    let host = beside.page.and_then(|page| url::host(&page.url));
    embed::player(address, host).filter(|player| !is_page(player, beside))
}

/// The player of a known platform in place of its watch page.
fn rewritten(leaf: &Str<'_>, beside: &Beside<'_, '_>) -> Option<Picked> {
    let player = player_of(&leaf.value, beside)?;
    let why = "the platform's player in place of its watch page";
    Some(Picked::own(leaf.mark, player, Some((Code::UrlRewritten, why))))
}

/// A Flash film or a page given as the file is a player.
fn played_file(chosen: &Chosen<'_>, beside: &Beside<'_, '_>) -> Option<Picked> {
    let leaf = chosen.plays?.url.as_ref()?;
    rewritten(leaf, beside).or_else(|| {
        let mut picked = Picked::address(leaf, beside.options.iri);
        picked.change = Some((Code::TypeChanged, "no file but a player"));
        Some(picked)
    })
}

/// A player made of the page or the platform's number, where there is nothing else to play.
fn platform_player(video: &Video<'_>, chosen: &Chosen<'_>, beside: &Beside<'_, '_>) -> Option<Picked> {
    if chosen.content || beside.options.no_synth {
        return None;
    }
    let why = "the player of the platform that the page belongs to";
    if let Some(page) = beside.page
        && let Some(player) = player_of(&page.url, beside)
    {
        return Some(Picked::derived(page.mark, player, Code::SynthPlayer, why));
    }
    let id = youtube_number(video)?;
    let player = format!("https://www.youtube.com/embed/{}", id.value);
    Some(Picked::derived(id.mark, player, Code::SynthPlayer, why))
}
