//! URLs as strings: their parts, a key to compare them by, resolving, percent-encoding. Nothing is fetched, and a URL
//! that is not asked to change stays as it is. What single hosts mean by theirs is in embed.rs.

use std::borrow::Cow;

use fluent_uri::{Iri, IriRef};
use unicode_normalization::UnicodeNormalization;

use super::bytes::{self, trimmed};
use super::html;

/// Whether this is an absolute `http` or `https` URL with a plausible host and port.
pub fn is_http(url: &str) -> bool {
    if plain(url).is_some() {
        return true;
    }
    let parts = split(trimmed(url));
    is_web_scheme(parts.scheme.unwrap_or_default()) && parts.authority.is_some_and(is_plausible_authority)
}

/// Scheme and host of a URL in its usual form: `https` or `http`, a host in lower case without a port.
fn plain(url: &str) -> Option<(&str, &str)> {
    let scheme = match url.as_bytes() {
        [b'h', b't', b't', b'p', b's', b':', b'/', b'/', ..] => 5,
        [b'h', b't', b't', b'p', b':', b'/', b'/', ..] => 4,
        _ => return None,
    };
    let rest = &url[scheme + 3..];
    // a plain loop, because this runs several times for every URL and iterators are not inlined in quick builds
    let mut end = 0;
    while let Some(byte) = rest.as_bytes().get(end)
        && IN_HOST[usize::from(*byte)]
    {
        end += 1;
    }
    let ends = matches!(rest.as_bytes().get(end), None | Some(b'/' | b'?' | b'#'));
    if end > 0 && ends && !rest[..end].ends_with('.') { Some((&url[..scheme], &rest[..end])) } else { None }
}

pub(crate) fn is_web_scheme(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https")
}

fn is_plausible_authority(authority: &str) -> bool {
    if authority.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'-')) {
        return !authority.is_empty();
    }
    let (_, host, port) = split_authority(authority);
    let is_literal = host.starts_with('[') && host.ends_with(']');
    // what a name cannot have, it cannot have escaped either (WHATWG URL, forbidden host code points)
    let host = &*percent_decode(host);
    let is_odd = |c: char| c.is_whitespace() || c.is_control() || "<>\"{}|\\^`".contains(c);
    !host.is_empty() && !host.contains(is_odd) && (is_literal || !host.contains([':', '[', ']'])) && is_port(port)
}

fn is_port(port: Option<&str>) -> bool {
    port.is_none_or(|port| port.is_empty() || port.parse::<u16>().is_ok())
}

/// The scheme as written, without the colon.
pub fn scheme(url: &str) -> Option<&str> {
    if let Some((scheme, _)) = plain(url) {
        return Some(scheme);
    }
    split(trimmed(url)).scheme
}

/// The host as written, without user information and port.
pub fn host(url: &str) -> Option<&str> {
    if let Some((_, host)) = plain(url) {
        return Some(host);
    }
    let (_, host, _) = split_authority(split(trimmed(url)).authority?);
    (!host.is_empty()).then_some(host)
}

/// Scheme and authority as written, such as `https://host:8080`; with the user information if there is some.
pub fn origin(url: &str) -> Option<&str> {
    let url = url.trim();
    let parts = split(url);
    host(url)?;
    Some(&url[..parts.scheme?.len() + "://".len() + parts.authority?.len()])
}

/// The URL up to the `#`.
pub fn fragmentless(url: &str) -> &str {
    memchr::memchr(b'#', url.as_bytes()).map_or(url, |end| &url[..end])
}

/// The extension of the last part of the path, as written, without the dot: one to eight letters and digits, not a
/// number such as that of a version.
pub fn extension(url: &str) -> Option<&str> {
    split_extension(split(trimmed(url)).name()).1
}

/// The last part of the path without its extension, percent-decoded.
pub fn file_stem(url: &str) -> Option<Cow<'_, str>> {
    let stem = split_extension(split(trimmed(url)).name()).0;
    (!stem.is_empty()).then(|| percent_decode(stem))
}

/// The words in the last part of the path that is not empty: without extension, percent-decoded, `-` and `_` as spaces.
pub fn slug(url: &str) -> Option<String> {
    let segment = split(trimmed(url)).path.rsplit('/').find(|segment| !segment.is_empty())?;
    let words = percent_decode(split_extension(segment).0).replace(['-', '_'], " ");
    let words: Vec<&str> = words.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

fn last_segment(path: &str) -> &str {
    memchr::memrchr(b'/', path.as_bytes()).map_or(path, |slash| &path[slash + 1..])
}

/// Splits a path segment, without its parameters after `;`, into stem and extension.
fn split_extension(segment: &str) -> (&str, Option<&str>) {
    let segment = memchr::memchr(b';', segment.as_bytes()).map_or(segment, |end| &segment[..end]);
    let dot = memchr::memrchr(b'.', segment.as_bytes());
    match dot.map(|dot| (&segment[..dot], &segment[dot + 1..])) {
        Some((stem, ext)) if !stem.is_empty() && is_extension(ext) => (stem, Some(ext)),
        _ => (segment, None),
    }
}

fn is_extension(ext: &str) -> bool {
    (1..=8).contains(&ext.len())
        && ext.bytes().all(|b| b.is_ascii_alphanumeric())
        && ext.bytes().any(|b| b.is_ascii_alphabetic())
}

/// `text` with percent escapes decoded, if that makes UTF-8; else as it is.
fn percent_decode(text: &str) -> Cow<'_, str> {
    if !text.contains('%') {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, tail)) = rest.split_first() {
        let escape = escape_at(rest);
        out.push(escape.unwrap_or(*first));
        rest = if escape.is_some() { &rest[3..] } else { tail };
    }
    String::from_utf8(out).map_or(Cow::Borrowed(text), Cow::Owned)
}

/// The byte of a percent escape at the start of `bytes`.
fn escape_at(bytes: &[u8]) -> Option<u8> {
    let [b'%', high, low, ..] = bytes else { return None };
    let digit = |b: u8| char::from(b).to_digit(16);
    u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()
}

/// The part of a URL that all its spellings share; for comparison, never to be written. Scheme and host lower-case,
/// host in punycode, default port and fragment dropped, dot segments removed, percent escapes upper-case and unreserved
/// characters without one (RFC 3986 section 6.2.2), an empty path `/`. Query, path case, trailing slash and `www.`
/// count. A string without scheme, or a web URL without host, is its own key. Host names are lower-cased but not
/// brought to a Unicode normal form.
pub fn key(url: &str) -> Cow<'_, str> {
    let url = trimmed(url);
    if let Some(key) = plain_key(url) {
        return Cow::Borrowed(key);
    }
    let clean = as_browsers_read(url);
    let parts = split(&clean);
    let Some(scheme) = parts.scheme else { return Cow::Borrowed(url) };
    if is_web_scheme(scheme) && host(&clean).is_none() {
        return Cow::Borrowed(url);
    }
    Cow::Owned(assemble(&UrlParts { fragment: None, ..parts }, AssemblyMode::Key))
}

/// Whether two URLs have one [`key`].
pub fn is_same(one: &str, other: &str) -> bool {
    is_same_as(one)(other)
}

/// The same, to hold many against one.
pub fn is_same_as(one: &str) -> impl Fn(&str) -> bool {
    let host = plain(one).map(|(_, host)| host);
    // two different hosts, like those of a page and of its files, decide at once
    move |other| match (host, plain(other)) {
        (Some(own), Some((_, host))) if own != host => false,
        _ => key(one) == key(other),
    }
}

/// The key of a URL that is in normal form but for a fragment, found without copying.
fn plain_key(url: &str) -> Option<&str> {
    let whole = fragmentless(url);
    is_settled(whole).then_some(whole)
}

/// Whether a test of each byte is enough to confirm a web URL in normal form without a fragment: it is its own [`key`],
/// and a sitemap holds it unchanged.
pub(crate) fn is_settled(url: &str) -> bool {
    plain(url).is_some_and(|(scheme, host)| settled_behind(url, scheme.len() + "://".len() + host.len()).is_some())
}

/// The signs in a URL that [`is_settled`] and whose host ends here.
#[inline]
fn settled_behind(url: &str, host_end: usize) -> Option<UrlSigns> {
    const ODD: u8 = 1;
    const AMPERSAND: u8 = 2;
    const SEMICOLON: u8 = 4;
    let signs = |byte: u8, next: u8| {
        let is_odd = !in_query(byte) | ((byte == b'/') & (next == b'.'));
        (u8::from(is_odd) * ODD) | (u8::from(byte == b'&') * AMPERSAND) | (u8::from(byte == b';') * SEMICOLON)
    };
    let rest = url.as_bytes().get(host_end..).filter(|rest| rest.first() == Some(&b'/'))?;
    let found = bytes::found(rest, signs);
    let is_settled = found & ODD == 0;
    is_settled.then_some(UrlSigns { ampersand: found & AMPERSAND != 0, semicolon: found & SEMICOLON != 0 })
}

/// The signs in a URL that may need a second look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct UrlSigns {
    pub ampersand: bool,
    pub semicolon: bool,
}

impl UrlSigns {
    /// Whether it may contain a reference, as [`has_reference`] finds.
    pub fn has_reference(self) -> bool {
        self.ampersand && self.semicolon
    }
}

/// Tests URLs of which most begin like the one before.
#[derive(Default)]
pub(crate) struct SettledUrls {
    /// Scheme and host of the last one.
    origin: String,
}

impl SettledUrls {
    /// The signs in a URL that [`is_settled`]; `None` if it is not.
    pub fn signs(&mut self, url: &str) -> Option<UrlSigns> {
        let is_like_last = !self.origin.is_empty() && url.starts_with(&self.origin);
        if let Some(signs) = is_like_last.then(|| settled_behind(url, self.origin.len())).flatten() {
            return Some(signs);
        }
        let (scheme, host) = plain(url)?;
        let end = scheme.len() + "://".len() + host.len();
        url[..end].clone_into(&mut self.origin);
        settled_behind(url, end)
    }
}

/// A URL as a sitemap must hold it: percent-encoded wherever RFC 3986 demands it, a host that is not ASCII in punycode.
/// What is legal already stays as written. Surrounding white space goes, and so do line breaks and tabs inside.
pub fn normalize_for_sitemap(url: &str) -> Cow<'_, str> {
    rewrite(trimmed(url), AssemblyMode::Uri)
}

/// The same, but characters beyond ASCII stay as they are (RFC 3987).
pub fn normalize_iri(url: &str) -> Cow<'_, str> {
    rewrite(url.trim(), AssemblyMode::Iri)
}

/// Whether this is an absolute IRI (RFC 3987).
pub fn is_iri(text: &str) -> bool {
    Iri::parse(text).is_ok()
}

/// A URL that was not written as one, repaired, with the repair.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepairedUrl {
    /// The URL, possibly a relative one.
    pub address: String,
    /// The repair, for people.
    pub said: &'static str,
    /// It was taken out of a snippet of HTML.
    pub snippet: bool,
}

/// Whether a test of each byte is enough to confirm an absolute URL that needs no repair.
pub fn is_whole(text: &str) -> bool {
    let odd = |byte: u8| (byte <= b' ') | (byte >= 0x7f) | (byte == b'<');
    let is_web = text.starts_with("https://") || text.starts_with("http://");
    (is_web || scheme(text).is_some()) && !bytes::has(text.as_bytes(), odd) && !has_reference(text)
}

/// Whether it may contain a reference: an ampersand is odd in company only. All else that is odd is in no URL that
/// [`is_settled`].
pub(crate) fn has_reference(text: &str) -> bool {
    let has = |sign: u8| bytes::has(text.as_bytes(), |byte| byte == sign);
    has(b'&') && has(b';')
}

/// Whether it contains something that may need a repair: white space, markup, a reference.
fn is_odd(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes::any(bytes, |block| bytes::below(block, b' ' + 1) | bytes::equal(block, b'<', 0))
        || bytes.contains(&b'&') && bytes.contains(&b';')
        || text.trim_matches(is_mark).len() < text.len()
}

/// Whether a character has no width and is no part of a URL: a zero-width space, a word joiner, a byte order mark.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{200B}' | '\u{2060}' | '\u{FEFF}')
}

/// A text without white space and marks around it.
pub(crate) fn bare(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || is_mark(c))
}

/// Reads a text that is not a URL but means one: an embedding snippet, one escaped twice, one with spaces or line
/// breaks inside. `None` if it needs no repair, or if a repair would be a guess.
pub fn repair(text: &str) -> Option<RepairedUrl> {
    if !is_odd(text) {
        return None;
    }
    let trimmed = bare(text);
    if trimmed.is_empty() {
        return None;
    }
    let mut said = (trimmed.len() < text.trim().len()).then_some("removed a mark without width");
    let text = trimmed;
    if let Some(address) = in_snippet(text) {
        return Some(RepairedUrl { address, said: "extracted the URL from an embed snippet", snippet: true });
    }
    let decoded = unescaped(text);
    if decoded.is_some() {
        said = Some("decoded an ampersand that was escaped twice");
    }
    let decoded = decoded.unwrap_or(Cow::Borrowed(text));
    let joined = one_line(&decoded);
    if joined != *decoded {
        said = said.or(Some("removed a line break"));
    }
    let address = joined.replace(' ', "%20");
    if address != joined {
        let next = joined.split(' ').skip(1).any(|word| scheme(word).is_some());
        let start = joined.split("//").next().unwrap_or_default().to_ascii_lowercase();
        let known = matches!(start.as_str(), "http:" | "https:" | "ftp:") || joined.starts_with('/');
        let in_host = split(&joined).authority.is_some_and(|authority| split_authority(authority).1.contains(' '));
        // several URLs, or words
        if next || !known || in_host {
            return None;
        }
        said = said.or(Some("replaced spaces by %20"));
    }
    said.map(|said| RepairedUrl { address, said, snippet: false })
}

/// The URL in an embedding snippet, even if it was escaped once too often.
fn in_snippet(text: &str) -> Option<String> {
    let address = match text.contains('<') {
        true => html::strip_iframe(text),
        false if text.contains("&lt;") => html::strip_iframe(&html::decoded(text)),
        false => None,
    }?;
    let address = address.trim();
    let is_address = scheme(address).is_some() || address.starts_with('/');
    is_address.then(|| repair(address).map_or_else(|| address.to_owned(), |mended| mended.address))
}

/// A URL with its references to `&` decoded, if the result is a URL.
fn unescaped(text: &str) -> Option<Cow<'static, str>> {
    const AMPERSANDS: [&str; 4] = ["&amp;", "&#38;", "&#038;", "&#x26;"];
    if !AMPERSANDS.iter().any(|reference| text.contains(reference)) {
        return None;
    }
    let decoded = AMPERSANDS.iter().fold(text.to_owned(), |text, reference| text.replace(reference, "&"));
    IriRef::parse(one_line(&decoded).replace(' ', "%20")).is_ok().then_some(Cow::Owned(decoded))
}

/// A text without line breaks and the spaces around them.
fn one_line(text: &str) -> String {
    if !text.contains(['\n', '\r', '\t']) {
        return text.to_owned();
    }
    text.split(['\n', '\r', '\t']).map(|line| line.trim_matches(' ')).collect()
}

/// Resolves `reference` against `base` (RFC 3986 section 5). A reference with a scheme is returned unchanged.
/// Characters not allowed in URLs, like spaces, are percent-encoded in both. `None` if `base` is not absolute or one of
/// them cannot be parsed.
pub fn resolve(base: &str, reference: &str) -> Option<String> {
    let (base, reference) = (fragmentless(base.trim()), reference.trim());
    if scheme(reference).is_some() {
        return Some(reference.to_owned());
    }
    let is_web = scheme(base).is_some_and(is_web_scheme);
    let reference = if is_web { with_slashes(Cow::Borrowed(reference)) } else { Cow::Borrowed(reference) };
    let (base, reference) = (parsable(base), parsable(&reference));
    let base = Iri::parse(&*base).ok()?;
    let reference = IriRef::parse(&*reference).ok()?;
    reference.resolve_against(&base).ok().map(|resolved| resolved.as_str().to_owned())
}

/// The string itself if it is an IRI reference, else its nearest relative that is.
fn parsable(url: &str) -> Cow<'_, str> {
    if IriRef::parse(url).is_ok() {
        return Cow::Borrowed(url);
    }
    let escaped = rewrite(url, AssemblyMode::Iri);
    if IriRef::parse(&*escaped).is_ok() { escaped } else { rewrite(url, AssemblyMode::Uri) }
}

fn rewrite(url: &str, mode: AssemblyMode) -> Cow<'_, str> {
    if is_legal(url) {
        return Cow::Borrowed(url);
    }
    let out = assemble(&split(&as_browsers_read(url)), mode);
    if out == url { Cow::Borrowed(url) } else { Cow::Owned(out) }
}

/// Whether every character is allowed in its place; `false` if a simple test cannot decide.
fn is_legal(url: &str) -> bool {
    let bytes = url.as_bytes();
    // most hold nothing that counts for more than itself
    if !bytes::has(bytes, |byte| !in_query(byte)) {
        return true;
    }
    let fragments = bytes.iter().filter(|b| **b == b'#').count();
    fragments <= 1
        && bytes.iter().enumerate().all(|(at, b)| match b {
            b'#' => true,
            b'%' => escape_at(&bytes[at..]).is_some(),
            _ => in_query(*b),
        })
}

/// What browsers take it for (WHATWG URL 4.4): without tabs and line breaks, which in feeds come from wrapped lines, and with a
/// slash for each backslash in front of the query of a web URL.
fn as_browsers_read(url: &str) -> Cow<'_, str> {
    let whole = match url.contains(['\t', '\n', '\r']) {
        true => Cow::Owned(url.replace(['\t', '\n', '\r'], "")),
        false => Cow::Borrowed(url),
    };
    match split(&whole).scheme.is_some_and(is_web_scheme) {
        true => with_slashes(whole),
        false => whole,
    }
}

fn with_slashes(url: Cow<'_, str>) -> Cow<'_, str> {
    let end = url.find(['?', '#']).unwrap_or(url.len());
    match url[..end].contains('\\') {
        true => Cow::Owned(url[..end].replace('\\', "/") + &url[end..]),
        false => url,
    }
}

/// The five parts of RFC 3986 appendix B.
#[derive(Clone, Copy)]
pub(crate) struct UrlParts<'a> {
    pub(super) scheme: Option<&'a str>,
    pub(super) authority: Option<&'a str>,
    pub(super) path: &'a str,
    pub(super) query: Option<&'a str>,
    fragment: Option<&'a str>,
    /// It begins as nearly all do, see [`plain`].
    is_plain: bool,
}

impl<'a> UrlParts<'a> {
    /// The parts of a URL, parsed once for several uses.
    pub(crate) fn parse(url: &'a str) -> UrlParts<'a> {
        split(trimmed(url))
    }

    /// See [`scheme`].
    pub(crate) fn scheme(&self) -> Option<&'a str> {
        self.scheme
    }

    /// See [`host`].
    pub(crate) fn host(&self) -> Option<&'a str> {
        if self.is_plain {
            return self.authority;
        }
        let (_, host, _) = split_authority(self.authority?);
        (!host.is_empty()).then_some(host)
    }

    /// The path, as it is written.
    pub(crate) fn path(&self) -> &'a str {
        self.path
    }

    /// The query, without its question mark.
    pub(crate) fn query(&self) -> Option<&'a str> {
        self.query
    }

    /// See [`extension`].
    pub(crate) fn extension(&self) -> Option<&'a str> {
        split_extension(self.name()).1
    }

    /// The last part of the path, or the name in `file://NAME`, which has no path.
    fn name(&self) -> &'a str {
        let is_file = || self.scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("file"));
        match self.authority {
            Some(name) if self.path.is_empty() && is_file() => name,
            _ => last_segment(self.path),
        }
    }

    /// Whether the hosts alone show that two URLs differ, like those of a page and of its files.
    pub(crate) fn is_elsewhere(&self, other: &UrlParts<'_>) -> bool {
        self.is_plain && other.is_plain && self.authority != other.authority
    }
}

pub(super) fn split(url: &str) -> UrlParts<'_> {
    if let Some((scheme, host)) = plain(url) {
        let rest = &url[scheme.len() + 3 + host.len()..];
        let (path, query, fragment) = split_suffix(rest);
        return UrlParts { scheme: Some(scheme), authority: Some(host), path, query, fragment, is_plain: true };
    }
    let (rest, query, fragment) = split_suffix(url);
    let (scheme, rest) = match memchr::memchr(b':', rest.as_bytes()).map(|at| (&rest[..at], &rest[at + 1..])) {
        Some((scheme, rest)) if is_scheme(scheme) => (Some(scheme), rest),
        _ => (None, rest),
    };
    let (authority, path) = match rest.strip_prefix("//") {
        Some(rest) => {
            let end = match scheme.is_some_and(is_web_scheme) {
                true => memchr::memchr2(b'/', b'\\', rest.as_bytes()),
                false => memchr::memchr(b'/', rest.as_bytes()),
            };
            let (authority, path) = rest.split_at(end.unwrap_or(rest.len()));
            (Some(authority), path)
        }
        None => (None, rest),
    };
    UrlParts { scheme, authority, path, query, fragment, is_plain: false }
}

/// The part before query and fragment, and these two.
fn split_suffix(url: &str) -> (&str, Option<&str>, Option<&str>) {
    // most have neither
    if memchr::memchr2(b'#', b'?', url.as_bytes()).is_none() {
        return (url, None, None);
    }
    let (rest, fragment) = split_at_byte(url, b'#');
    let (rest, query) = split_at_byte(rest, b'?');
    (rest, query, fragment)
}

fn split_at_byte(text: &str, separator: u8) -> (&str, Option<&str>) {
    memchr::memchr(separator, text.as_bytes()).map_or((text, None), |at| (&text[..at], Some(&text[at + 1..])))
}

fn is_scheme(text: &str) -> bool {
    let mut bytes = text.bytes();
    bytes.next().is_some_and(|b| b.is_ascii_alphabetic())
        && bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
}

/// User information, host, port.
pub(super) fn split_authority(authority: &str) -> (Option<&str>, &str, Option<&str>) {
    let (user, rest) = match authority.rsplit_once('@') {
        Some((user, rest)) => (Some(user), rest),
        None => (None, authority),
    };
    match rest.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|b| b.is_ascii_digit()) => (user, host, Some(port)),
        _ => (user, rest, None),
    }
}

/// How far [`assemble`] goes.
#[derive(Clone, Copy, PartialEq)]
enum AssemblyMode {
    /// The normal form of [`key`].
    Key,
    /// Only what RFC 3986 forbids is changed.
    Uri,
    /// As `Uri`, but characters beyond ASCII stay (RFC 3987).
    Iri,
}

fn assemble(parts: &UrlParts<'_>, mode: AssemblyMode) -> String {
    let mut out = String::new();
    if let Some(scheme) = parts.scheme {
        out.push_str(&lower_if_key(scheme, mode));
        out.push(':');
    }
    if let Some(authority) = parts.authority {
        out.push_str("//");
        push_authority(authority, parts.scheme.unwrap_or_default(), mode, &mut out);
    }
    push_path(parts, mode, &mut out);
    if let Some(query) = parts.query {
        out.push('?');
        percent_encode(query, mode, in_query, &mut out);
    }
    if let Some(fragment) = parts.fragment {
        out.push('#');
        percent_encode(fragment, mode, in_query, &mut out);
    }
    out
}

fn lower_if_key(text: &str, mode: AssemblyMode) -> Cow<'_, str> {
    if mode == AssemblyMode::Key { Cow::Owned(text.to_ascii_lowercase()) } else { Cow::Borrowed(text) }
}

fn push_path(parts: &UrlParts<'_>, mode: AssemblyMode, out: &mut String) {
    if mode != AssemblyMode::Key || parts.authority.is_none() {
        return percent_encode(parts.path, mode, in_path, out);
    }
    let mut path = String::with_capacity(parts.path.len() + 1);
    percent_encode(parts.path, mode, in_path, &mut path);
    push_without_dot_segments(&path, out);
}

/// RFC 3986 section 5.2.4 for a path that is empty or begins with `/`.
fn push_without_dot_segments(path: &str, out: &mut String) {
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.split('/').skip(1).peekable();
    while let Some(segment) = segments.next() {
        let is_last = segments.peek().is_none();
        match segment {
            "." => {}
            ".." => {
                kept.pop();
            }
            _ => {
                kept.push(segment);
                continue;
            }
        }
        if is_last {
            kept.push("");
        }
    }
    for segment in &kept {
        out.push('/');
        out.push_str(segment);
    }
    if kept.is_empty() {
        out.push('/');
    }
}

fn push_authority(authority: &str, scheme: &str, mode: AssemblyMode, out: &mut String) {
    let (user, host, port) = split_authority(authority);
    if let Some(user) = user {
        percent_encode(user, mode, in_user, out);
        out.push('@');
    }
    if is_ip_literal(host) {
        out.push_str(&lower_if_key(host, mode));
    } else {
        push_host(host, mode, out);
    }
    if let Some(port) = port.filter(|port| mode != AssemblyMode::Key || !is_default_port(scheme, port)) {
        out.push(':');
        out.push_str(port);
    }
}

fn is_default_port(scheme: &str, port: &str) -> bool {
    let default = match scheme.to_ascii_lowercase().as_str() {
        "http" => "80",
        "https" => "443",
        "ftp" => "21",
        _ => "",
    };
    port.is_empty() || port == default
}

fn is_ip_literal(host: &str) -> bool {
    let inner = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    inner.is_some_and(|inner| inner.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b':' | b'.')))
}

fn push_host(host: &str, mode: AssemblyMode, out: &mut String) {
    if host.is_ascii() && !host.contains('%') {
        return percent_encode(&lower_if_key(host, mode), mode, in_host, out);
    }
    if mode == AssemblyMode::Iri {
        return percent_encode(host, mode, in_host, out);
    }
    let decoded = decode_host(host);
    let host = if mode == AssemblyMode::Key || !decoded.is_ascii() { mapped(&decoded) } else { decoded };
    // The full stops of IDNA 2003 (RFC 3490 section 3.1).
    for (at, label) in host.split(['.', '\u{3002}', '\u{FF0E}', '\u{FF61}']).enumerate() {
        if at > 0 {
            out.push('.');
        }
        push_label(label, mode, out);
    }
}

/// A host in the form in which names are compared and registered (UTS #46): lower case, each letter in its usual form,
/// without invisible characters.
fn mapped(host: &str) -> String {
    let seen = host.chars().filter(|c| !is_ignored(*c)).nfkc();
    // per character: a sigma at the end of a word must not become a final one
    let small = seen.flat_map(char::to_lowercase);
    small.nfkc().filter(|c| !is_ignored(*c)).collect()
}

/// Whether a character is ignored in a name: the soft hyphen, joiners and variation selectors.
fn is_ignored(c: char) -> bool {
    matches!(c, '\u{AD}' | '\u{34F}' | '\u{180B}'..='\u{180D}' | '\u{200B}' | '\u{2060}' | '\u{2064}' | '\u{FE00}'..='\u{FE0F}' | '\u{FEFF}')
}

/// A longer label is not a domain name, and punycode takes quadratic time.
const MAX_LABEL: usize = 63;

fn push_label(label: &str, mode: AssemblyMode, out: &mut String) {
    let is_word = label.chars().all(|c| !c.is_ascii() || c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    // what is punycode already and still not ASCII is broken, and none of it is another name
    let is_encoded = label.get(..4).is_some_and(|start| start.eq_ignore_ascii_case("xn--"));
    let encoded = if is_word && !is_encoded && !label.is_ascii() { punycode(label) } else { None };
    match encoded {
        Some(encoded) => {
            out.push_str("xn--");
            out.push_str(&encoded);
        }
        None => percent_encode(label, mode, in_host, out),
    }
}

/// A host with the escapes decoded that hide characters of a name; all others upper-case, a lone `%` escaped.
fn decode_host(host: &str) -> String {
    let mut out = String::with_capacity(host.len());
    let mut rest = host;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let (bytes, length) = leading_escapes(&rest[at..]);
        for chunk in bytes.utf8_chunks() {
            chunk.valid().chars().for_each(|c| push_host_char(c, &mut out));
            chunk.invalid().iter().for_each(|b| push_escape(*b, &mut out));
        }
        if length == 0 {
            out.push_str("%25");
        }
        rest = &rest[at + length.max(1)..];
    }
    out.push_str(rest);
    out
}

/// The bytes of the run of escapes at the start, and the length of that run.
fn leading_escapes(text: &str) -> (Vec<u8>, usize) {
    let mut bytes = Vec::new();
    while let Some(byte) = escape_at(text.as_bytes().get(bytes.len() * 3..).unwrap_or_default()) {
        bytes.push(byte);
    }
    let length = bytes.len() * 3;
    (bytes, length)
}

fn push_host_char(c: char, out: &mut String) {
    match u8::try_from(c) {
        Ok(byte) if byte.is_ascii() && !is_unreserved(byte) => push_escape(byte, out),
        _ => out.push(c),
    }
}

fn push_escape(byte: u8, out: &mut String) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    out.push('%');
    out.push(char::from(HEX[usize::from(byte >> 4)]));
    out.push(char::from(HEX[usize::from(byte & 15)]));
}

/// Appends `text` with everything escaped that `legal` does not allow. Escapes already there stay as they are, except
/// in a key.
fn percent_encode(text: &str, mode: AssemblyMode, legal: fn(u8) -> bool, out: &mut String) {
    let bytes = text.as_bytes();
    let (mut at, mut copied) = (0, 0);
    while at < bytes.len() {
        let byte = bytes[at];
        if legal(byte) || (mode == AssemblyMode::Iri && !byte.is_ascii()) {
            at += 1;
            continue;
        }
        // The bytes of one character are all escaped or all kept: a range that is not empty lies between characters.
        if copied < at {
            out.push_str(&text[copied..at]);
        }
        at += push_illegal(bytes, at, mode, out);
        copied = at;
    }
    out.push_str(&text[copied..]);
}

/// Appends the byte at `at`, or the escape there, in a legal form; returns the bytes taken.
fn push_illegal(bytes: &[u8], at: usize, mode: AssemblyMode, out: &mut String) -> usize {
    match escape_at(&bytes[at..]) {
        Some(byte) if mode == AssemblyMode::Key && is_unreserved(byte) => out.push(char::from(byte)),
        Some(byte) if mode == AssemblyMode::Key => push_escape(byte, out),
        Some(_) => out.extend(bytes[at..at + 3].iter().copied().map(char::from)),
        None => {
            push_escape(bytes[at], out);
            return 1;
        }
    }
    3
}

const fn is_unreserved(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~')
}

const fn in_host(byte: u8) -> bool {
    is_unreserved(byte) || matches!(byte, b'!' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b'+' | b',' | b';' | b'=')
}

const fn in_user(byte: u8) -> bool {
    in_host(byte) || byte == b':'
}

const fn in_path(byte: u8) -> bool {
    in_user(byte) || matches!(byte, b'@' | b'/')
}

/// Without branches, because it runs for every byte of every URL: excludes bytes, in the order of ASCII.
#[inline]
fn in_query(byte: u8) -> bool {
    let sign = (byte <= b' ') | (byte == b'"') | (byte == b'#') | (byte == b'%') | (byte == b'<') | (byte == b'>');
    let bracket = (b'['..=b'^').contains(&byte) | (byte == b'`') | (b'{'..=b'}').contains(&byte);
    !(sign | bracket | (byte >= 0x7f))
}

/// The bytes of nearly all hosts.
static IN_HOST: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 0x80 {
        table[byte] = matches!(byte as u8, b'a'..=b'z' | b'0'..=b'9' | b'.' | b'-');
        byte += 1;
    }
    table
};

/// Punycode of a label (RFC 3492 section 6.3), without `xn--`; `None` if the label is too long.
fn punycode(label: &str) -> Option<String> {
    let chars: Vec<u32> = label.chars().take(MAX_LABEL + 1).map(u32::from).collect();
    if chars.len() > MAX_LABEL {
        return None;
    }
    let mut out: String = label.chars().filter(char::is_ascii).collect();
    let basic = u32::try_from(out.len()).ok()?;
    if basic > 0 {
        out.push('-');
    }
    let total = u32::try_from(chars.len()).ok()?;
    let (mut handled, mut code, mut delta, mut bias) = (basic, 128, 0u32, 72);
    while handled < total {
        let next = chars.iter().copied().filter(|c| *c >= code).min()?;
        delta = delta.checked_add((next - code).checked_mul(handled + 1)?)?;
        code = next;
        for c in &chars {
            if *c < code {
                delta += 1;
            } else if *c == code {
                push_delta(delta, bias, &mut out);
                bias = adapt(delta, handled + 1, handled == basic);
                delta = 0;
                handled += 1;
            }
        }
        delta += 1;
        code += 1;
    }
    Some(out)
}

/// A generalized variable-length integer.
fn push_delta(delta: u32, bias: u32, out: &mut String) {
    let mut rest = delta;
    for k in (36..).step_by(36) {
        let threshold = if k <= bias { 1 } else { (k - bias).min(26) };
        if rest < threshold {
            break;
        }
        out.push(punycode_digit(threshold + (rest - threshold) % (36 - threshold)));
        rest = (rest - threshold) / (36 - threshold);
    }
    out.push(punycode_digit(rest));
}

fn punycode_digit(digit: u32) -> char {
    // `a` to `z`, then `0` to `9`.
    char::from_digit((digit + 10) % 36, 36).unwrap_or('a')
}

fn adapt(delta: u32, points: u32, first: bool) -> u32 {
    let mut delta = if first { delta / 700 } else { delta / 2 };
    delta += delta / points;
    let mut k = 0;
    while delta > 455 {
        delta /= 35;
        k += 36;
    }
    k + 36 * delta / (delta + 38)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_hold_what_paths_hold_and_question_marks() {
        for byte in 0..=u8::MAX {
            assert_eq!(in_query(byte), in_path(byte) || byte == b'?', "{byte:#x}");
        }
    }

    #[test]
    fn what_means_an_address_is_mended() {
        let cases = [
            ("https://a.example/?x=1&amp;y=2", "https://a.example/?x=1&y=2"),
            ("https://a.example/?x=1&#38;y=2&#x26;z", "https://a.example/?x=1&y=2&z"),
            ("https://a.example/b c", "https://a.example/b%20c"),
            ("https://a.example/b\n   c", "https://a.example/bc"),
            ("/b c", "/b%20c"),
            ("<iframe src='//a.example/?x=1&amp;y=2'></iframe>", "//a.example/?x=1&y=2"),
            ("&lt;iframe src=&quot;https://a.example/&quot;&gt;", "https://a.example/"),
        ];
        for (text, address) in cases {
            assert_eq!(repair(text).map(|mended| mended.address).as_deref(), Some(address), "{text}");
        }
        let others = [
            "",
            "https://a.example/",
            "https://a.example/?a=1&copy=2&lt;",
            " \n https://a.example/\n",
            "words",
            "some words",
            "https://a.example/ https://b.example/",
            "<a href='https://a.example/'>a</a>",
            "<iframe src='player'></iframe>",
        ];
        for text in others {
            assert_eq!(repair(text), None, "{text}");
        }
    }
    use proptest::prelude::*;

    #[test]
    fn web_addresses() {
        for (url, web) in [
            ("http://h", true),
            (" HTTPS://User@Example.com:8080/a b ", true),
            ("https://[::1]:80/", true),
            ("https://пример.рф/", true),
            ("https:///path", false),
            ("https://h:port/", false),
            ("https://h:99999/", false),
            ("https://a b/", false),
            ("https://@/", false),
            ("//h/", false),
            ("ftp://h/", false),
            ("http:h", false),
            ("h.example/", false),
            ("", false),
        ] {
            assert_eq!(is_http(url), web, "{url}");
        }
    }

    #[test]
    fn parts() {
        assert_eq!(scheme("HTTP://h"), Some("HTTP"));
        assert_eq!(scheme("urn:x:y"), Some("urn"));
        assert_eq!((scheme("/a:b"), scheme("1a:b"), scheme(":")), (None, None, None));
        assert_eq!(host("https://u:p@Host:80/x"), Some("Host"));
        assert_eq!(host("//h?x=1"), Some("h"));
        assert_eq!(host("http://[::1]/"), Some("[::1]"));
        assert_eq!((host("mailto:a@b"), host("file:///x")), (None, None));
        assert_eq!(origin(" https://h:8080/a "), Some("https://h:8080"));
        assert_eq!((origin("//h/a"), origin("urn:a")), (None, None));
        assert_eq!(fragmentless("a#b#c"), "a");
    }

    #[test]
    fn names_in_paths() {
        for (url, ext, stem, words) in [
            ("https://h/a/My-Film_2.MP4?x=a.b#c.d", Some("MP4"), Some("My-Film_2"), Some("My Film 2")),
            ("https://h/a%20b-%D1%84.html", Some("html"), Some("a b-ф"), Some("a b ф")),
            ("https://h/a.mp4;v=1", Some("mp4"), Some("a"), Some("a")),
            ("https://h/watch/", None, None, Some("watch")),
            ("https://h/.htaccess", None, Some(".htaccess"), Some(".htaccess")),
            ("https://h/v1.toolongforthis", None, Some("v1.toolongforthis"), Some("v1.toolongforthis")),
            ("https://h/%FF.mp4", Some("mp4"), Some("%FF"), Some("%FF")),
            ("https://h.example", None, None, None),
            ("https://h/---", None, Some("---"), None),
            ("film.mov", Some("mov"), Some("film"), Some("film")),
            ("file://my_film.mov", Some("mov"), Some("my_film"), None),
            ("file:///a/my_film.mov", Some("mov"), Some("my_film"), Some("my film")),
        ] {
            assert_eq!(extension(url), ext, "{url}");
            assert_eq!(file_stem(url).as_deref(), stem, "{url}");
            assert_eq!(slug(url).as_deref(), words, "{url}");
        }
    }

    #[test]
    fn keys() {
        for (url, expected) in [
            ("https://example.com/a?b=C&a=1", "https://example.com/a?b=C&a=1"),
            ("https://example.com/a#f", "https://example.com/a"),
            (" HTTP://Example.COM:80 ", "http://example.com/"),
            ("https://example.com:443/A/./b/../c/", "https://example.com/A/c/"),
            ("https://example.com:/", "https://example.com/"),
            ("http://example.com:443/", "http://example.com:443/"),
            ("ftp://example.com:21/x", "ftp://example.com/x"),
            ("https://h/a/b/..", "https://h/a/"),
            ("https://h/../../a", "https://h/a"),
            ("https://h/%2e%2E/%7euser/%c3%a9%2f", "https://h/~user/%C3%A9%2F"),
            ("https://h/é и?q=й", "https://h/%C3%A9%20%D0%B8?q=%D0%B9"),
            ("https://h/%zz%", "https://h/%25zz%25"),
            ("https://h/a//b/", "https://h/a//b/"),
            ("https://h\\a\\b?c\\d", "https://h/a/b?c%5Cd"),
            ("https://User:Pass@H/", "https://User:Pass@h/"),
            ("https://Bücher.example/", "https://xn--bcher-kva.example/"),
            ("https://президент。РФ/", "https://xn--d1abbgf6aiiy.xn--p1ai/"),
            ("https://b%C3%BCcher.EX%41mple", "https://xn--bcher-kva.example/"),
            ("https://xn--invalid-ü.example/", "https://xn--invalid-%C3%BC.example/"),
            ("https://[2001:DB8::1]:443/", "https://[2001:db8::1]/"),
            ("https://h/a\n  b", "https://h/a%20%20b"),
            ("urn:UUID:aB%2d", "urn:UUID:aB-"),
            ("mailto:A@b.c", "mailto:A@b.c"),
            ("/relative/../x", "/relative/../x"),
            ("https:///x", "https:///x"),
            ("", ""),
        ] {
            assert_eq!(key(url), expected, "{url}");
        }
        assert!(matches!(key("https://example.com/a?b#c"), Cow::Borrowed(_)));
    }

    #[test]
    fn punycode_of_the_rfc() {
        for (label, encoded) in [
            ("ليهمابتكلموشعربي؟", "egbpdaj6bu4bxfgehfvwxn"),
            ("他们为什么不说中文", "ihqwcrb4cv8a8dqg056pqjye"),
            ("3年b組金八先生", "3b-ww4c5e180e575a65lsy2b"),
            ("それが場所", "v8j7ayj873nprk"),
            ("bücher", "bcher-kva"),
        ] {
            assert_eq!(punycode(label).as_deref(), Some(encoded), "{label}");
        }
        assert_eq!(punycode(&"é".repeat(64)), None);
    }

    #[test]
    fn sitemap_forms() {
        for (url, expected) in [
            ("https://h/a b?c=d e#f g", "https://h/a%20b?c=d%20e#f%20g"),
            ("https://h/%zz%41%c3", "https://h/%25zz%41%c3"),
            ("https://h/é\"<>[]|", "https://h/%C3%A9%22%3C%3E%5B%5D%7C"),
            ("HTTPS://Bücher.Example:443/../x", "HTTPS://xn--bcher-kva.example:443/../x"),
            ("https://h/a#b#c", "https://h/a#b%23c"),
            ("\n https://h/a\n", "https://h/a"),
            ("/é", "/%C3%A9"),
        ] {
            assert_eq!(normalize_for_sitemap(url), expected, "{url}");
        }
        for url in ["https://Example.COM:80/a/../b?c=%41#d", "https://[::1]/", ""] {
            assert!(matches!(normalize_for_sitemap(url), Cow::Borrowed(same) if same == url), "{url}");
        }
    }

    #[test]
    fn resolving() {
        for (base, reference, expected) in [
            ("https://h/a/b?c#d", "e", Some("https://h/a/e")),
            ("https://h/a/b", "../../../e?f#g", Some("https://h/e?f#g")),
            ("https://h/a/b?c#d", "", Some("https://h/a/b?c")),
            ("https://h/a", "//other/x", Some("https://other/x")),
            ("https://h/a", "?q", Some("https://h/a?q")),
            ("https://h/a", "HTTP://Other/../x", Some("HTTP://Other/../x")),
            ("https://h/a/b c/", "d e", Some("https://h/a/b%20c/d%20e")),
            ("https://h/папка/", "файл", Some("https://h/папка/файл")),
            ("https://h/папка/", "a b/й", Some("https://h/папка/a%20b/й")),
            ("/not/absolute", "e", None),
            ("urn:a:b", "e", None),
            ("", "", None),
        ] {
            assert_eq!(resolve(base, reference).as_deref(), expected, "{base} {reference}");
        }
    }

    fn all(url: &str) {
        let _ = (is_http(url), scheme(url), host(url), origin(url), fragmentless(url), extension(url));
        let _ = (file_stem(url), slug(url), key(url), normalize_for_sitemap(url));
        let _ = (resolve(url, url), resolve("https://h/a/", url), resolve(url, "x"));
    }

    #[test]
    fn long_urls() {
        for piece in
            ["a", "/", "/..", "%", "%4", "%41", "é", "日", "@", ":", "?", "#", ".", "é.", "[", " ", "%C3%A9", "\n"]
        {
            let long = piece.repeat((1 << 16) / piece.len());
            for prefix in ["", "https://", "https://h/", "//", "x:"] {
                all(&format!("{prefix}{long}"));
            }
        }
    }

    proptest! {
        #[test]
        fn arbitrary_text_never_panics(s in any::<String>(), u in "(https?|ftp|X)?:?/?/?[%a-cE0-9@:/?#.\\[\\] é日İ\t-]{0,40}") {
            all(&s);
            all(&u);
        }

        #[test]
        fn a_key_is_its_own_key(
            s in any::<String>(),
            u in "(https?|FTP|x)?:?(//)?[%a-cA-C0-9@:/.\\[\\] é日İΣ。-]{0,30}[%a-cE0-9@:/?#. é]{0,30}"
        ) {
            for url in [&s, &u] {
                let once = key(url).into_owned();
                prop_assert_eq!(key(&once), once.as_str());
            }
        }

        #[test]
        fn a_sitemap_form_is_ascii_and_stays(u in "https?://[%a-cA-C0-9@:. é日]{0,20}/[%a-cE0-9@:/?#. é\\[]{0,30}") {
            let once = normalize_for_sitemap(&u).into_owned();
            prop_assert!(once.is_ascii());
            prop_assert_eq!(normalize_for_sitemap(&once), once.as_str());
        }
    }
}
