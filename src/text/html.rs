//! HTML and XHTML inside values: to plain text and back, serialised XHTML as HTML, and small questions about a snippet.
//! A tokenizer without a tree: it sanitises nothing, and reads well-formed and broken markup alike
//! in one pass over the string.

use std::borrow::Cow;

use memchr::{memchr, memchr_iter, memchr2, memchr2_iter, memchr3, memmem, memrchr};

use super::bytes;
use crate::xml::escape::{char_code, html_entity, reference_name, windows_1252};

/// The text a reader would see: script and style dropped, a line feed for `br` and where a block begins or ends, `alt`
/// for an image, `- ` before a list item, entities decoded, white space collapsed (at most one empty line) and trimmed.
/// CDATA marks, which feeds leave in doubly wrapped values, are dropped; the text between them is read as markup.
pub fn to_plain(html: &str) -> String {
    let mut plain = PlainText { out: String::with_capacity(html.len() / 2), ..PlainText::default() };
    let mut tokens = Tokens::new(html);
    while let Some(token) = tokens.next() {
        match token {
            Token::Text(text) => plain.text(text),
            Token::Open(tag) => plain.open(&tag, &mut tokens),
            Token::Close(name) => plain.close(name),
            Token::Other => {}
        }
    }
    trimmed(plain.out)
}

/// Without the white space of other scripts too, which does not collapse but is nothing to begin or end with.
fn trimmed(text: String) -> String {
    let inner = text.trim();
    if inner.len() == text.len() { text } else { inner.to_owned() }
}

/// Plain text as HTML: `&`, `<`, `>` escaped, each line end a `<br/>`.
pub fn from_plain(text: &str) -> Cow<'_, str> {
    if next_special(text).is_none() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let mut rest = text;
    while let Some(at) = next_special(rest) {
        let (before, from) = rest.split_at(at);
        out.push_str(before);
        out.push_str(match from.as_bytes() {
            [b'&', ..] => "&amp;",
            [b'<', ..] => "&lt;",
            [b'>', ..] => "&gt;",
            [b'\r', b'\n', ..] => "",
            _ => "<br/>",
        });
        rest = &from[1..];
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// The position of the first character that HTML writes differently from plain text.
fn next_special(text: &str) -> Option<usize> {
    let marks =
        |block| bytes::below(block, b' ') | bytes::equal(block, b'<', b'<' ^ b'>') | bytes::equal(block, b'&', 0);
    let mut at = 0;
    loop {
        at += bytes::before(text.as_bytes().get(at..)?, marks);
        match text.as_bytes().get(at)? {
            b'&' | b'<' | b'>' | b'\n' | b'\r' => return Some(at),
            _ => at += 1,
        }
    }
}

/// A text with its references decoded once.
pub fn decoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    decode(text, |piece| out.push_str(piece));
    out
}

/// The markup of a text that calls itself HTML and was escaped once more than HTML is: it has no tag, but begins with an
/// escaped one, ends with one and closes one. Such a text would show its tags to the reader.
pub fn escaped_twice(html: &str) -> Option<String> {
    let text = html.trim();
    let inner = text.strip_prefix("&lt;")?;
    let is_tag = inner.starts_with(|c: char| c.is_ascii_alphabetic() || c == '!') && text.ends_with("&gt;");
    if !is_tag || !inner.contains("&lt;/") && !inner.contains("/&gt;") || memchr(b'<', text.as_bytes()).is_some() {
        return None;
    }
    Some(decoded(text))
}

/// Whether a text of unknown kind is HTML: it contains `<` before a letter, `/` or `!`, or a named or numeric entity.
pub fn looks_like_markup(text: &str) -> bool {
    let bytes = text.as_bytes();
    memchr2_iter(b'<', b'&', bytes).any(|at| match bytes[at] {
        b'<' => matches!(bytes.get(at + 1), Some(b'a'..=b'z' | b'A'..=b'Z' | b'/' | b'!')),
        _ => reference_name(&text[at..]).is_some_and(is_entity),
    })
}

/// Whether a text holds something like a tag.
pub fn has_tag(text: &str) -> bool {
    let begins = |byte: &u8| byte.is_ascii_alphabetic() || matches!(byte, b'/' | b'!');
    memchr_iter(b'<', text.as_bytes()).any(|at| text.as_bytes().get(at + 1).is_some_and(begins))
}

/// The first reference without a semicolon that HTML resolves all the same: its name, or `#` and its number.
pub fn open_entity(text: &str) -> Option<&str> {
    memchr_iter(b'&', text.as_bytes()).find_map(|at| {
        let rest = &text[at..];
        let (length, reference) = decode_reference(rest);
        let name = rest.get(1..length)?;
        (!matches!(reference, Reference::None) && !name.ends_with(';')).then_some(name)
    })
}

/// Whether a text of unknown kind is HTML: it has tags or references of HTML, and nothing else that looks like a tag.
/// Words in angle brackets would vanish if they were taken for tags; beside elements of HTML, custom ones that are closed
/// are elements too.
pub fn is_markup(text: &str) -> bool {
    if memchr2(b'<', b'&', text.as_bytes()).is_none() {
        return false;
    }
    let mut tokens = Tokens::new(text);
    let mut found = false;
    // elements that HTML does not have: whether there are any, and those not closed yet
    let (mut has_others, mut open) = (false, Vec::new());
    loop {
        let start = tokens.at;
        let Some(token) = tokens.next() else { break };
        let known = match token {
            Token::Text(_) => continue,
            Token::Open(tag) if !is_element(tag.name) => {
                if !is_custom(tag.name) || !tag.has_attributes() || tag.closed && tag.attributes.trim().is_empty() {
                    return false;
                }
                has_others = true;
                open.extend((!tag.closed).then_some(tag.name));
                continue;
            }
            Token::Close(name) if !is_element(name) => {
                if !open.pop().is_some_and(|opened| is(opened, name)) {
                    return false;
                }
                continue;
            }
            Token::Open(tag) => {
                let hides = (is_invisible(tag.name) || is_one_of(tag.name, &["svg", "math"])) && !tag.closed;
                let ends = !hides || tokens.skip_raw(tag.name);
                ends && tag.has_attributes()
            }
            Token::Close(_) => true,
            Token::Other => is_declaration(&text[start..]),
        };
        if !known {
            return false;
        }
        found = true;
    }
    let refers = |at: usize| reference_name(&text[at..]).is_some_and(is_entity);
    open.is_empty() && (found || !has_others && memchr_iter(b'&', text.as_bytes()).any(refers))
}

/// Whether this is the name of an element of HTML, or one with the prefix of another vocabulary, as Word puts into pages.
fn is_element(name: &str) -> bool {
    is_known(name) || is_one_of(name, PHRASES) || is_one_of(name, OTHERS) || name.contains(':')
}

/// Whether this can be the name of a custom element, which has a hyphen, or is `noindex`, which is usual on Russian pages.
fn is_custom(name: &str) -> bool {
    let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    is_plain && name.contains('-') || is(name, "noindex")
}

/// Whether a comment, a document type, an instruction or the mark of a CDATA section begins here.
fn is_declaration(rest: &str) -> bool {
    let is_doctype = rest.get(..9).is_some_and(|start| start.eq_ignore_ascii_case("<!doctype"));
    is_doctype || ["<!--", "<?", CDATA, "]]>"].iter().any(|start| rest.starts_with(start))
}

/// The words of a text in which all tags are HTML without attributes; `None` for a text with links or images, because
/// its words would not be all of its content.
pub fn words_alone(html: &str) -> Option<String> {
    let is_bare = |token: Token<'_>| match token {
        Token::Open(tag) => is_in_texts(tag.name) && !tag.attributes.contains('='),
        Token::Close(name) => is_in_texts(name),
        Token::Text(_) | Token::Other => true,
    };
    let mut tokens = Tokens::new(html);
    std::iter::from_fn(|| tokens.next()).all(is_bare).then(|| to_plain(html))
}

/// What [`words_alone`] begins with, without white space; zeros behind the end. Reads no more than that takes.
pub fn first_letters(html: &str) -> [u8; 8] {
    let mut plain = PlainText::default();
    let mut tokens = Tokens::new(html);
    let (mut first, mut filled, mut seen) = ([0; 8], 0, 0);
    while filled < first.len()
        && let Some(token) = tokens.next()
    {
        match token {
            Token::Text(text) => {
                // the beginning is mostly enough, where no reference can be cut in two
                let is_end = |at: &usize| text.is_char_boundary(*at) && memchr(b'&', &text.as_bytes()[..*at]).is_none();
                let (start, rest) = text.split_at((21..=24).find(is_end).unwrap_or(text.len()));
                plain.text(start);
                if bytes::push_letters(&plain.out[seen..], &mut first, filled) < first.len() {
                    plain.text(rest);
                }
            }
            Token::Open(tag) => plain.open(&tag, &mut tokens),
            Token::Close(name) => plain.close(name),
            Token::Other => {}
        }
        filled = bytes::push_letters(&plain.out[seen..], &mut first, filled);
        seen = plain.out.len();
    }
    first
}

fn is_entity(name: &str) -> bool {
    match name.strip_prefix('#') {
        Some(number) => char_code(number).is_some(),
        None => html_entity(name).is_some(),
    }
}

/// Makes URLs in elements absolute by `resolve`, which returns `None` to keep one: in `href`, `src`, `poster`, `cite`,
/// `action`, `data`, `background` and `longdesc`. Everything else is kept byte for byte.
pub fn absolutize<'h>(html: &'h str, resolve: impl Fn(&str) -> Option<String>) -> Cow<'h, str> {
    const NAMES: [&str; 8] = ["href", "src", "poster", "cite", "action", "data", "background", "longdesc"];
    let mut edit = Edit { source: html, out: String::new(), copied: 0 };
    let mut tokens = Tokens::new(html);
    while let Some(token) = tokens.next() {
        let Token::Open(tag) = token else { continue };
        for (name, value) in (Attributes { rest: tag.attributes }) {
            if value.is_empty() || !NAMES.iter().any(|wanted| is(name, wanted)) {
                continue;
            }
            let Some(absolute) = resolve(&decode_value(value)) else { continue };
            // the value is a slice of the source
            let start = value.as_ptr() as usize - html.as_ptr() as usize;
            let quoted = matches!(html.as_bytes().get(start.wrapping_sub(1)), Some(b'"' | b'\''));
            let escaped = escape_markup(&absolute).replace('"', "&quot;").replace('\'', "&#39;");
            let with = if quoted { escaped } else { format!("\"{escaped}\"") };
            edit.replace(start..start + value.len(), &with);
        }
        if is_invisible(tag.name) && !tag.closed {
            tokens.skip_raw(tag.name);
        }
    }
    edit.finish()
}

/// `src` of the first image that has one, entities decoded, white space trimmed.
pub fn first_image(html: &str) -> Option<String> {
    find_image(html, Some)
}

/// The first result of `make` for the `src` of an image.
pub fn find_image(html: &str, make: impl FnMut(String) -> Option<String>) -> Option<String> {
    first_attribute(html, |name| if is(name, "img") { Some("src") } else { None }, make)
}

/// The first URL for which `is_it` holds among those of a `srcset`.
pub fn find_in_srcset(html: &str, is_it: impl Fn(&str) -> bool) -> Option<String> {
    let first = |set: String| srcset(&set).find(|url| is_it(url)).map(str::to_owned);
    first_attribute(html, |_| Some("srcset"), first)
}

/// The URLs of a `srcset`. A comma may be part of a URL, but does not end one.
fn srcset(set: &str) -> impl Iterator<Item = &str> {
    let mut rest = set;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| c == ',' || c.is_ascii_whitespace());
        let (url, behind) = rest.split_at(rest.find(|c: char| c.is_ascii_whitespace()).unwrap_or(rest.len()));
        let next = if url.ends_with(',') { 0 } else { behind.find(',').unwrap_or(behind.len()) };
        rest = behind.get(next..).unwrap_or_default();
        Some(url.trim_end_matches(',')).filter(|url| !url.is_empty())
    })
}

/// The URL inside an embedding snippet that was put where a URL belongs: `src` of the first `iframe` or `embed`, or
/// `data` of an `object`. `None` if the value is not an embedding snippet.
pub fn strip_iframe(value: &str) -> Option<String> {
    memchr(b'<', value.as_bytes())?;
    let wanted = |name: &str| match name {
        _ if is(name, "iframe") || is(name, "embed") => Some("src"),
        _ if is(name, "object") => Some("data"),
        _ => None,
    };
    first_attribute(value, wanted, Some)
}

/// An element of a page, for callers that look for certain ones.
#[derive(Clone, Copy)]
pub(crate) struct PageElement<'a> {
    /// Its name as written.
    pub name: &'a str,
    /// Offset of its start tag.
    pub at: usize,
    attributes: &'a str,
    /// The content of a script or a title, with its offset, and whether its end tag is there.
    pub content: Option<(usize, &'a str, bool)>,
    /// It is in a drawing, or in what is there for browsers without scripts.
    pub aside: bool,
}

impl<'a> PageElement<'a> {
    /// The raw value of the first attribute of this name.
    pub fn raw(&self, name: &str) -> Option<&'a str> {
        Attributes { rest: self.attributes }.find(|(found, _)| is(found, name)).map(|(_, value)| value)
    }

    /// The decoded value of the first attribute of this name.
    pub fn attribute(&self, name: &str) -> Option<Cow<'a, str>> {
        let raw = self.raw(name)?.trim();
        let plain = memchr(b'&', raw.as_bytes()).is_none();
        Some(if plain { Cow::Borrowed(raw) } else { Cow::Owned(decode_value(raw)) })
    }
}

/// The start tags of a page, and the ends of those elements that have a source (`/video`), in order. The content of a
/// `template` is no part of the page.
pub(crate) struct PageElements<'a> {
    tokens: Tokens<'a>,
    /// How many templates are open.
    templates: usize,
    /// How many elements around those of another content are open.
    asides: usize,
}

impl<'a> PageElements<'a> {
    /// Of this page or piece of one.
    pub fn new(html: &'a str) -> PageElements<'a> {
        PageElements { tokens: Tokens::new(html), templates: 0, asides: 0 }
    }
}

impl<'a> Iterator for PageElements<'a> {
    type Item = PageElement<'a>;

    fn next(&mut self) -> Option<PageElement<'a>> {
        loop {
            let at = self.tokens.at;
            let (name, attributes, closed) = match self.tokens.next()? {
                Token::Open(tag) => (tag.name, tag.attributes, tag.closed),
                Token::Close(name) if is(name, "video") => ("/video", "", true),
                Token::Close(name) if is(name, "template") => {
                    self.templates = self.templates.saturating_sub(1);
                    continue;
                }
                Token::Close(name) if is_aside(name) => {
                    self.asides = self.asides.saturating_sub(1);
                    continue;
                }
                Token::Close(_) | Token::Text(_) | Token::Other => continue,
            };
            let start = self.tokens.at;
            let mut content = None;
            if has_no_markup(name) && !closed {
                let has_end = self.tokens.skip_raw(name);
                // the rest of a script that is cut off is no markup
                let end = if has_end || !is(name, "script") { self.tokens.at } else { self.tokens.html.len() };
                self.tokens.at = end;
                content = Some((start, self.tokens.html.get(start..end).unwrap_or_default(), has_end));
            }
            let is_inert = self.templates > 0;
            self.templates += usize::from(is(name, "template"));
            if is_inert {
                continue;
            }
            let aside = self.asides > 0;
            self.asides += usize::from(is_aside(name) && !closed);
            return Some(PageElement { name, at, attributes, content, aside });
        }
    }
}

/// Whether a title in an element is not that of the page.
fn is_aside(name: &str) -> bool {
    is(name, "svg") || is(name, "noscript")
}

/// Whether the content of an element is no markup.
fn has_no_markup(name: &str) -> bool {
    ["script", "style", "title", "textarea"].iter().any(|raw| is(name, raw))
}

/// The first result of `make` for a non-empty value of the attribute that `wanted` returns for an element.
fn first_attribute(
    html: &str,
    wanted: impl Fn(&str) -> Option<&'static str>,
    mut make: impl FnMut(String) -> Option<String>,
) -> Option<String> {
    let mut tokens = Tokens::new(html);
    while let Some(token) = tokens.next() {
        let Token::Open(tag) = token else { continue };
        let value = wanted(tag.name).and_then(|name| tag.attribute(name)).filter(|value| !value.is_empty());
        if let Some(made) = value.and_then(&mut make) {
            return Some(made);
        }
        if is_invisible(tag.name) && !tag.closed {
            tokens.skip_raw(tag.name);
        }
    }
    None
}

/// Serialised XHTML as HTML: `<br/>` and `<br></br>` become `<br>`, other empty elements get an end tag, CDATA sections
/// become escaped text, processing instructions go. Everything else, comments too, stays as it is.
pub fn xhtml_to_html(xhtml: &str) -> Cow<'_, str> {
    let mut edit = Edit { source: xhtml, out: String::new(), copied: 0 };
    let mut tokens = Tokens::new(xhtml);
    loop {
        let start = tokens.at;
        if let Some(end) = tokens.cdata_section() {
            let inner = &xhtml[start + CDATA.len()..end];
            edit.replace(start..tokens.at, &escape_markup(inner));
            continue;
        }
        let Some(token) = tokens.next() else { break };
        match token {
            Token::Open(tag) if tag.closed => edit.replace(start..tokens.at, &html_start_tag(&tag)),
            Token::Close(name) if is_void(name) => edit.replace(start..tokens.at, ""),
            Token::Other if xhtml[start..].starts_with("<?") => edit.replace(start..tokens.at, ""),
            Token::Open(_) | Token::Close(_) | Token::Other | Token::Text(_) => {}
        }
    }
    edit.finish()
}

fn html_start_tag(tag: &Tag<'_>) -> String {
    let (name, attributes) = (tag.name, tag.attributes.trim_end());
    if is_void(name) { format!("<{name}{attributes}>") } else { format!("<{name}{attributes}></{name}>") }
}

fn escape_markup(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// A string copied with some ranges replaced, and not copied at all when none is.
struct Edit<'a> {
    source: &'a str,
    out: String,
    copied: usize,
}

impl<'a> Edit<'a> {
    fn replace(&mut self, range: std::ops::Range<usize>, with: &str) {
        self.out.push_str(&self.source[self.copied..range.start]);
        self.out.push_str(with);
        self.copied = range.end;
    }

    fn finish(mut self) -> Cow<'a, str> {
        if self.copied == 0 {
            return Cow::Borrowed(self.source);
        }
        self.out.push_str(&self.source[self.copied..]);
        Cow::Owned(self.out)
    }
}

/// Plain text in the making. White space is remembered, not written, until a visible character follows it.
#[derive(Default)]
struct PlainText {
    out: String,
    /// A blank is due.
    space: bool,
    /// Line feeds due: at most two.
    breaks: u8,
    /// The mark of a list item is due.
    bullet: bool,
    /// Open `pre` elements, in which a line feed counts.
    preformatted: usize,
}

impl PlainText {
    fn open(&mut self, tag: &Tag<'_>, tokens: &mut Tokens<'_>) {
        match tag.name {
            name if is_invisible(name) && !tag.closed => {
                tokens.skip_raw(name);
            }
            name if is(name, "br") => self.line(),
            name if is(name, "img") => self.image(tag),
            name if is(name, "td") || is(name, "th") => self.space = true,
            name if is_block(name) => {
                self.block();
                self.bullet |= is(name, "li");
                self.preformatted += usize::from(is(name, "pre") && !tag.closed);
            }
            _ => {}
        }
    }

    fn close(&mut self, name: &str) {
        // `</br>` would be a line feed to a browser; here it is rather the second half of XHTML's `<br></br>`.
        if is_block(name) {
            self.block();
            self.bullet &= !is(name, "li");
            self.preformatted = self.preformatted.saturating_sub(usize::from(is(name, "pre")));
        }
    }

    fn image(&mut self, tag: &Tag<'_>) {
        if let Some(alt) = tag.attribute("alt") {
            self.space = true;
            self.decoded(&alt);
            self.space = true;
        }
    }

    /// Ends the line, even an empty one.
    fn line(&mut self) {
        self.breaks = (self.breaks + 1).min(2);
    }

    /// Ends the line if there is something on it.
    fn block(&mut self) {
        self.breaks = self.breaks.max(1);
    }

    /// Raw text of the document, with references.
    fn text(&mut self, raw: &str) {
        decode(raw, |piece| self.decoded(piece));
    }

    fn decoded(&mut self, text: &str) {
        let mut rest = text;
        while let Some(c) = rest.chars().next() {
            if is_space(c) {
                if c == '\n' && self.preformatted > 0 {
                    self.line()
                } else {
                    self.space = true
                }
                rest = &rest[c.len_utf8()..];
            } else {
                let end = rest.find(is_space).unwrap_or(rest.len());
                self.word(&rest[..end]);
                rest = &rest[end..];
            }
        }
    }

    fn word(&mut self, word: &str) {
        if !self.out.is_empty() {
            match self.breaks {
                0 if self.space => self.out.push(' '),
                0 => {}
                1 => self.out.push('\n'),
                _ => self.out.push_str("\n\n"),
            }
        }
        if self.bullet {
            self.out.push_str("- ");
        }
        self.out.push_str(word);
        (self.space, self.breaks, self.bullet) = (false, 0, false);
    }
}

/// White space that collapses. A no-break space counts: feeds use it to fill empty paragraphs.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r' | '\u{C}' | '\u{A0}')
}

/// Hands `raw` on in pieces, references decoded.
fn decode(raw: &str, mut push: impl FnMut(&str)) {
    let mut rest = raw;
    while let Some(at) = memchr(b'&', rest.as_bytes()) {
        push(&rest[..at]);
        let (length, reference) = decode_reference(&rest[at..]);
        match reference {
            Reference::None => push("&"),
            Reference::Named(text) => push(text),
            Reference::Char(c) => push(c.encode_utf8(&mut [0; 4])),
        }
        rest = &rest[at + length..];
    }
    push(rest);
}

/// The reference at an `&`.
enum Reference {
    None,
    Named(&'static str),
    Char(char),
}

/// Decodes the reference at the start of `rest`, which begins with `&`, as a browser does; returns the bytes it takes.
fn decode_reference(rest: &str) -> (usize, Reference) {
    if rest.as_bytes().get(1) == Some(&b'#') {
        return decode_number(rest);
    }
    if let Some(text) = reference_name(rest).and_then(|name| Some((name.len() + 2, html_entity(name)?))) {
        return (text.0, Reference::Named(text.1));
    }
    let name = &rest[1..=run(&rest.as_bytes()[1..], u8::is_ascii_alphanumeric)];
    let followed_by_equals = rest.as_bytes().get(1 + name.len()) == Some(&b'=');
    match LEGACY.binary_search(&name) {
        Ok(_) if !followed_by_equals => {
            html_entity(name).map_or((1, Reference::None), |text| (1 + name.len(), Reference::Named(text)))
        }
        _ => (1, Reference::None),
    }
}

fn decode_number(rest: &str) -> (usize, Reference) {
    let hexadecimal = matches!(rest.as_bytes().get(2), Some(b'x' | b'X'));
    let start = if hexadecimal { 3 } else { 2 };
    let digits =
        run(&rest.as_bytes()[start..], |b| if hexadecimal { b.is_ascii_hexdigit() } else { b.is_ascii_digit() });
    let Some(code) = char_code(&rest[2..start + digits]) else { return (1, Reference::None) };
    let semicolon = usize::from(rest.as_bytes().get(start + digits) == Some(&b';'));
    let c = match code {
        0x80..=0x9F => windows_1252(code).unwrap_or('\u{FFFD}'),
        0 => '\u{FFFD}',
        _ => char::from_u32(code).unwrap_or('\u{FFFD}'),
    };
    (start + digits + semicolon, Reference::Char(c))
}

/// How many bytes at the start are of a kind.
fn run(bytes: &[u8], kind: impl Fn(&u8) -> bool) -> usize {
    bytes.iter().take_while(|b| kind(b)).count()
}

/// Decodes all references in an attribute value and trims it.
fn decode_value(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    decode(raw.trim(), |piece| out.push_str(piece));
    out
}

const CDATA: &str = "<![CDATA[";

/// A piece of markup.
enum Token<'a> {
    /// Raw text, references not decoded.
    Text(&'a str),
    Open(Tag<'a>),
    /// Name of an end tag.
    Close(&'a str),
    /// A comment, a document type, a processing instruction, a CDATA mark.
    Other,
}

/// A start tag.
struct Tag<'a> {
    name: &'a str,
    /// Everything between the name and `>` or `/>`.
    attributes: &'a str,
    /// Ends with `/>`.
    closed: bool,
}

impl Tag<'_> {
    /// Whether the text after the name can be attributes: values, or names of those that need none.
    fn has_attributes(&self) -> bool {
        let mut words = self.attributes.split_whitespace();
        self.attributes.contains('=') || words.all(|word| is_one_of(word, FLAGS) || word.starts_with("data-"))
    }

    /// The decoded value of the first attribute of this name.
    fn attribute(&self, name: &str) -> Option<String> {
        Attributes { rest: self.attributes }.find(|(found, _)| is(found, name)).map(|(_, value)| decode_value(value))
    }
}

/// Name and raw value of each attribute of a tag.
struct Attributes<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Attributes<'a> {
    type Item = (&'a str, &'a str);

    fn next(&mut self) -> Option<Self::Item> {
        let rest = self.rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
        if rest.is_empty() {
            return None;
        }
        // A name may begin with `=`; this also makes sure that every step takes something.
        let first = rest.chars().next().map_or(0, char::len_utf8);
        let end = first + run(&rest.as_bytes()[first..], |b| !b.is_ascii_whitespace() && !matches!(b, b'=' | b'/'));
        let (name, after) = (&rest[..end], rest[end..].trim_ascii_start());
        let (value, rest) = match after.strip_prefix('=') {
            Some(value) => attribute_value(value.trim_ascii_start()),
            None => ("", after),
        };
        self.rest = rest;
        Some((name, value))
    }
}

/// Splits a value, quoted or not, from what follows it.
fn attribute_value(text: &str) -> (&str, &str) {
    if let Some(quote @ (b'"' | b'\'')) = text.as_bytes().first()
        && let Some(end) = memchr(*quote, &text.as_bytes()[1..])
    {
        return (&text[1..=end], &text[end + 2..]);
    }
    text.split_at(run(text.as_bytes(), |b| !b.is_ascii_whitespace()))
}

/// Cuts markup into tokens. Every failed search is remembered, so the whole takes time linear in the input.
struct Tokens<'a> {
    html: &'a str,
    at: usize,
    /// Inside a CDATA section: the next `]]>` is a mark.
    cdata: bool,
    /// Offset after the last `>`: behind it no tag ends.
    last_end: usize,
    /// Offsets of the last `"` and `'`: from there on a quote opens nothing.
    last_double: usize,
    last_single: usize,
    /// Some tag had no end outside quotes; from then on quotes in tags are ignored.
    quotes_broken: bool,
    comments_broken: bool,
    /// Elements whose content is no markup and that have no end tag from here on.
    endless: Vec<String>,
}

impl<'a> Tokens<'a> {
    fn new(html: &'a str) -> Self {
        let last = |byte| memrchr(byte, html.as_bytes());
        Tokens {
            html,
            at: 0,
            cdata: false,
            last_end: last(b'>').map_or(0, |at| at + 1),
            last_double: last(b'"').unwrap_or(0),
            last_single: last(b'\'').unwrap_or(0),
            quotes_broken: false,
            comments_broken: false,
            endless: Vec::new(),
        }
    }

    fn next(&mut self) -> Option<Token<'a>> {
        if self.at >= self.html.len() {
            return None;
        }
        if self.html.as_bytes()[self.at] == b'<'
            && let Some(token) = self.markup()
        {
            return Some(token);
        }
        Some(self.text())
    }

    /// Text up to the next `<`; one at the current place has been found to be no markup.
    fn text(&mut self) -> Token<'a> {
        let rest = &self.html[self.at..];
        let end = memchr(b'<', &rest.as_bytes()[1..]).map_or(rest.len(), |at| at + 1);
        let mark = if self.cdata { memmem::find(&rest.as_bytes()[..end], b"]]>") } else { None };
        if mark == Some(0) {
            self.cdata = false;
            self.at += 3;
            return Token::Other;
        }
        let end = mark.unwrap_or(end);
        self.at += end;
        Token::Text(&rest[..end])
    }

    /// The markup at the current `<`; `None` if that is an ordinary character.
    fn markup(&mut self) -> Option<Token<'a>> {
        let rest = &self.html[self.at..];
        match rest.as_bytes().get(1)? {
            b'!' if rest.starts_with("<!--") => self.comment(rest),
            b'!' if rest.starts_with(CDATA) => {
                self.cdata = true;
                self.at += CDATA.len();
                Some(Token::Other)
            }
            b'!' | b'?' => self.declaration(rest),
            b'/' if rest.as_bytes().get(2).is_some_and(u8::is_ascii_alphabetic) => self.end_tag(rest),
            b'/' => self.declaration(rest),
            b if b.is_ascii_alphabetic() => self.start_tag(rest),
            _ => None,
        }
    }

    fn comment(&mut self, rest: &str) -> Option<Token<'a>> {
        if rest.starts_with("<!-->") || rest.starts_with("<!--->") {
            self.at += memchr(b'>', rest.as_bytes())? + 1;
            return Some(Token::Other);
        }
        let end = if self.comments_broken { None } else { memmem::find(&rest.as_bytes()[4..], b"-->") };
        match end {
            Some(end) => {
                self.at += 4 + end + 3;
                Some(Token::Other)
            }
            None => {
                self.comments_broken = true;
                self.declaration(rest)
            }
        }
    }

    /// Markup that ends at the next `>`.
    fn declaration(&mut self, rest: &str) -> Option<Token<'a>> {
        if self.at >= self.last_end {
            return None;
        }
        self.at += memchr(b'>', rest.as_bytes())? + 1;
        Some(Token::Other)
    }

    fn end_tag(&mut self, rest: &'a str) -> Option<Token<'a>> {
        let name = tag_name(&rest[2..]);
        self.finish_tag(rest, 2 + name.len(), name)?;
        Some(Token::Close(name))
    }

    fn start_tag(&mut self, rest: &'a str) -> Option<Token<'a>> {
        let name = tag_name(&rest[1..]);
        let start = 1 + name.len();
        let end = self.finish_tag(rest, start, name)?;
        let inner = &rest[start..end];
        let (attributes, closed) = inner.strip_suffix('/').map_or((inner, false), |attributes| (attributes, true));
        Some(Token::Open(Tag { name, attributes, closed }))
    }

    /// Moves behind the tag and returns the offset of its `>` in `rest`. A tag the text breaks off in ends with the
    /// text if it is one of HTML; else its `<` is an ordinary character.
    fn finish_tag(&mut self, rest: &str, start: usize, name: &str) -> Option<usize> {
        let end = self.tag_end(rest, start);
        match end {
            Some(end) => self.at += end + 1,
            None if is_known(name) => self.at = self.html.len(),
            None => return None,
        }
        Some(end.unwrap_or(rest.len()))
    }

    fn tag_end(&mut self, rest: &str, start: usize) -> Option<usize> {
        if self.at >= self.last_end {
            return None;
        }
        let quoted = if self.quotes_broken { None } else { self.quoted_tag_end(rest, start) };
        if quoted.is_none() {
            self.quotes_broken = true;
            return memchr(b'>', &rest.as_bytes()[start..]).map(|at| start + at);
        }
        quoted
    }

    /// The first `>` that is not inside a quoted attribute value.
    fn quoted_tag_end(&self, rest: &str, start: usize) -> Option<usize> {
        let bytes = rest.as_bytes();
        let mut at = start;
        loop {
            at += memchr3(b'>', b'"', b'\'', &bytes[at..])?;
            let last = match bytes[at] {
                b'>' => return Some(at),
                b'"' => self.last_double,
                _ => self.last_single,
            };
            let opens = last > self.at + at && bytes[..at].trim_ascii_end().ends_with(b"=");
            at += if opens { memchr(bytes[at], &bytes[at + 1..])? + 2 } else { 1 };
        }
    }

    /// Skips the content of an element whose content is no markup, up to its end tag. Without an end tag there is no
    /// such element: what follows would vanish, though it may be text about a word in angle brackets.
    fn skip_raw(&mut self, name: &str) -> bool {
        if self.endless.iter().any(|other| is(other, name)) {
            return false;
        }
        let mut end = self.at;
        while let Some(at) = memmem::find(&self.html.as_bytes()[end..], b"</") {
            end += at;
            if is(tag_name(&self.html[end + 2..]), name) {
                self.at = end;
                return true;
            }
            end += 2;
        }
        self.endless.push(name.to_ascii_lowercase());
        false
    }

    /// Moves behind a whole CDATA section at the current place and returns the offset of its `]]>`.
    fn cdata_section(&mut self) -> Option<usize> {
        let rest = self.html[self.at..].strip_prefix(CDATA)?;
        // Once open marks have been met, no section after them has an end.
        let found = if self.cdata { None } else { memmem::find(rest.as_bytes(), b"]]>") };
        let end = self.at + CDATA.len() + found?;
        self.at = end + 3;
        Some(end)
    }
}

/// The tag name at the start of `text`.
fn tag_name(text: &str) -> &str {
    &text[..run(text.as_bytes(), |b| !b.is_ascii_whitespace() && !matches!(b, b'>' | b'/' | b'<'))]
}

fn is(name: &str, other: &str) -> bool {
    name.eq_ignore_ascii_case(other)
}

fn is_one_of(name: &str, names: &[&str]) -> bool {
    names.iter().any(|other| is(name, other))
}

/// Elements whose content is not text to be read.
fn is_invisible(name: &str) -> bool {
    is_one_of(name, &["script", "style", "iframe", "noembed", "noframes"])
}

fn is_void(name: &str) -> bool {
    is_one_of(name, VOID)
}

fn is_block(name: &str) -> bool {
    is_one_of(name, BLOCK)
}

/// Elements that a broken-off tag is taken for; any other name may as well be text such as `a <b` in a formula.
fn is_known(name: &str) -> bool {
    is_void(name) || is_block(name) || is_invisible(name) || is_one_of(name, INLINE)
}

/// Whether this is the name of an element used in texts, and not one that formats define too.
pub fn is_in_texts(name: &str) -> bool {
    (is_known(name) || is_one_of(name, PHRASES)) && !is_one_of(name, &["link", "source", "base", "meta", "track"])
}

/// Whether an element of this name is of messages that a server writes before a document, such as those of PHP. A `video`
/// is the root of descriptions for Yandex.
pub fn is_of_message(name: &str) -> bool {
    (is_in_texts(name) && !is(name, "video")) || is_one_of(name, &["td", "th"])
}

/// Whether an element has neither content nor an end tag.
pub fn is_empty_element(name: &str) -> bool {
    is_void(name)
}

/// Elements in which references are not decoded.
pub fn is_raw(name: &str) -> bool {
    is_one_of(name, &["script", "style"])
}

const PHRASES: &[&str] = &[
    "b", "i", "u", "s", "q", "abbr", "acronym", "big", "cite", "del", "dfn", "ins", "kbd", "mark", "samp", "strike",
    "time", "tt", "var", "center",
];

/// Elements of HTML that are not in one of the other lists.
const OTHERS: &[&str] = &[
    "applet",
    "basefont",
    "bdi",
    "bdo",
    "blink",
    "button",
    "canvas",
    "colgroup",
    "data",
    "datalist",
    "dialog",
    "frame",
    "frameset",
    "head",
    "html",
    "ins",
    "label",
    "legend",
    "map",
    "marquee",
    "math",
    "menuitem",
    "meter",
    "nobr",
    "noscript",
    "optgroup",
    "output",
    "plaintext",
    "progress",
    "rb",
    "rp",
    "rt",
    "rtc",
    "ruby",
    "search",
    "select",
    "slot",
    "svg",
    "td",
    "template",
    "textarea",
    "th",
    "xmp",
];

/// Attributes of HTML without a value.
const FLAGS: &[&str] = &[
    "allowfullscreen",
    "async",
    "autofocus",
    "autoplay",
    "border",
    "checked",
    "compact",
    "controls",
    "defer",
    "disabled",
    "hidden",
    "loop",
    "multiple",
    "muted",
    "noshade",
    "nowrap",
    "open",
    "playsinline",
    "readonly",
    "required",
    "reversed",
    "selected",
];

const VOID: &[&str] =
    &["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"];

const INLINE: &[&str] =
    &["a", "span", "strong", "em", "font", "audio", "video", "object", "picture", "small", "code", "sup", "sub"];

const BLOCK: &[&str] = &[
    "p",
    "div",
    "li",
    "ul",
    "ol",
    "dl",
    "dt",
    "dd",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "blockquote",
    "pre",
    "table",
    "tr",
    "thead",
    "tbody",
    "tfoot",
    "caption",
    "section",
    "article",
    "aside",
    "header",
    "footer",
    "main",
    "nav",
    "figure",
    "figcaption",
    "address",
    "details",
    "summary",
    "fieldset",
    "form",
    "hr",
    "center",
    "title",
    "option",
    "hgroup",
    "dir",
    "menu",
    "body",
];

/// Entities that HTML also resolves without a semicolon (WHATWG HTML 13.5), sorted.
#[rustfmt::skip]
const LEGACY: &[&str] = &[
    "AElig", "AMP", "Aacute", "Acirc", "Agrave", "Aring", "Atilde", "Auml", "COPY", "Ccedil", "ETH", "Eacute", "Ecirc",
    "Egrave", "Euml", "GT", "Iacute", "Icirc", "Igrave", "Iuml", "LT", "Ntilde", "Oacute", "Ocirc", "Ograve", "Oslash",
    "Otilde", "Ouml", "QUOT", "REG", "THORN", "Uacute", "Ucirc", "Ugrave", "Uuml", "Yacute", "aacute", "acirc", "acute",
    "aelig", "agrave", "amp", "aring", "atilde", "auml", "brvbar", "ccedil", "cedil", "cent", "copy", "curren", "deg",
    "divide", "eacute", "ecirc", "egrave", "eth", "euml", "frac12", "frac14", "frac34", "gt", "iacute", "icirc",
    "iexcl", "igrave", "iquest", "iuml", "laquo", "lt", "macr", "micro", "middot", "nbsp", "not", "ntilde", "oacute",
    "ocirc", "ograve", "ordf", "ordm", "oslash", "otilde", "ouml", "para", "plusmn", "pound", "quot", "raquo", "reg",
    "sect", "shy", "sup1", "sup2", "sup3", "szlig", "thorn", "times", "uacute", "ucirc", "ugrave", "uml", "uuml",
    "yacute", "yen", "yuml",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_letters_are_those_of_the_whole() {
        let pieces = [
            "<p>",
            "</p>",
            "<br/>",
            "<li>",
            "<pre>",
            "a",
            "Мир ",
            "&amp;",
            "&#160;",
            "\n",
            "\u{3000}",
            " ",
            "<!-- x -->",
        ];
        let mut texts = vec![String::new()];
        for length in 0..4 {
            let made = texts.iter().filter(|text| length == 0 || text.len() > length).cloned().collect::<Vec<_>>();
            texts.extend(made.iter().flat_map(|text| pieces.iter().map(move |piece| format!("{text}{piece}"))));
            texts.truncate(40_000);
        }
        for long in [19, 22].map(|length| " ".repeat(length)) {
            texts.extend(pieces.iter().flat_map(|end| [format!("{long}Мир{end}"), format!("{end}{long}&amp;{end}b")]));
        }
        texts.push(format!("{}&lt;b", " ".repeat(70)));
        // in time that grows with the length alone
        texts.push("\u{3000}<b>".repeat(100_000));
        texts.push(format!("a{}b", "<b>\u{3000}".repeat(100_000)));
        for text in texts {
            let Some(words) = words_alone(&text) else { continue };
            let first: Vec<u8> = words.split_whitespace().flat_map(str::bytes).chain([0; 8]).take(8).collect();
            assert_eq!(first_letters(&text).to_vec(), first, "{text:?}");
        }
    }

    #[test]
    fn markup_that_was_escaped_twice() {
        let twice = ["&lt;p&gt;One &amp;amp; two&lt;/p&gt;", " &lt;img src='a'/&gt; ", "&lt;p&gt;&lt;/p&gt;"];
        assert_eq!(escaped_twice(twice[0]).as_deref(), Some("<p>One &amp; two</p>"));
        assert!(twice.iter().all(|text| escaped_twice(text).is_some()));
        let others =
            ["&lt;video&gt;", "Use &lt;b&gt;x&lt;/b&gt;", "&lt;b&gt;<i>x</i>&lt;/b&gt;", "&lt; 2 &gt;", "<p>x</p>", ""];
        assert!(others.iter().all(|text| escaped_twice(text).is_none()));
    }
    use proptest::prelude::*;

    #[test]
    fn plain() {
        for (html, expected) in [
            ("", ""),
            ("  a \n b\t c ", "a b c"),
            ("<p>one</p><p>two</p>", "one\ntwo"),
            ("<div>\n <p>one</p>\n\n <p>two</p>\n</div>", "one\ntwo"),
            ("a<br>b<br/>c<BR />d", "a\nb\nc\nd"),
            ("a<br><br><br><br>b", "a\n\nb"),
            ("x<ul><li>one</li> <li><p>two</p></li><li></li></ul>y", "x\n- one\n- two\ny"),
            ("<li>a<li>b", "- a\n- b"),
            ("see <a href=\"http://h/?a=1&amp;b=2\">this <b>page</b></a>.", "see this page."),
            ("<img src=x alt=\"A &amp; B > C\">text", "A & B > C text"),
            ("<img alt=''>text", "text"),
            ("a<script>if (a<b) { '</p>' }</script>b<style>p{}</style >c<script/>d", "abcd"),
            ("a <SCRIPT> never closed", "a never closed"),
            ("a<style>b<script>c</style>d<style>e", "ade"),
            ("a<!-- <p> -- > -->b<!-->c<!--->d<!DOCTYPE html>e<?php ?>f", "abcdef"),
            ("a<!-- never closed", "a<!-- never closed"),
            ("<![CDATA[<p>a]]</p> &amp; b]]>c]]>", "a]]\n& bc]]>"),
            ("a < b && c > d <3 <>", "a < b && c > d <3 <>"),
            ("if a <b then", "if a <b then"),
            ("cut short <a href=\"http://h/", "cut short"),
            ("cut short <img", "cut short"),
            ("cut </p", "cut"),
            ("<a href=\"x>text</a> and more", "text and more"),
            ("<p title=it's>fine</p> it's", "fine\nit's"),
            ("&lt;b&gt; &eacute;&Eacute; &#233;&#xe9; &#150; &#x80;", "<b> éÉ éé – €"),
            ("&copy 2020 &notit; &amp;amp; &unknown; &", "© 2020 &notit; &amp; &unknown; &"),
            ("?a=1&copy=2&lt=3", "?a=1&copy=2&lt=3"),
            ("&#0;&#xD800;&#x110000;&#99999999999999;&#;&#x;", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}&#;&#x;"),
            ("a&nbsp;&nbsp; b<p>&nbsp;</p>c", "a b\nc"),
            ("<pre>a\n  b\nc</pre>d\ne", "a\nb\nc\nd e"),
            ("<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>", "a b\nc"),
            ("\u{3000}a\u{3000}b<br>\u{2000}", "a\u{3000}b"),
            ("жй<b>日本</b>&#128512;", "жй日本😀"),
            ("<", "<"),
            ("</", "</"),
            ("&", "&"),
        ] {
            assert_eq!(to_plain(html), expected, "{html:?}");
        }
    }

    #[test]
    fn html_from_plain() {
        for (plain, html) in [
            ("", ""),
            ("a \"b\"", "a \"b\""),
            ("1 < 2 & 3 > 2", "1 &lt; 2 &amp; 3 &gt; 2"),
            ("ж\nb\r\nc\rd\n\ne", "ж<br/>b<br/>c<br/>d<br/><br/>e"),
        ] {
            assert_eq!(from_plain(plain), html);
        }
        assert!(matches!(from_plain("plain"), Cow::Borrowed(_)));
    }

    #[test]
    fn markup_is_told_from_text() {
        for (text, markup) in [
            ("plain", false),
            ("AT&T; Q&A & <3 a < b", false),
            ("&unknown; &#; &#xyz;", false),
            ("a <b>c</b>", true),
            ("x</p", true),
            ("<!-- -->", true),
            ("caf&eacute;", true),
            ("&#233;", true),
            ("&#xE9;", true),
        ] {
            assert_eq!(looks_like_markup(text), markup, "{text}");
        }
    }

    #[test]
    fn words_in_angle_brackets_are_no_markup() {
        for (text, markup) in [
            ("plain & simple", false),
            ("caf&eacute;", true),
            ("Late <live> show", false),
            ("a < b and <c>", false),
            ("a <b and c> d", false),
            ("if a <p then", false),
            ("<b>Late</b> <live> show", false),
            ("I <3 you </3>", false),
            ("<!wow>", false),
            ("<b>Late</b> show", true),
            ("one<br/>two", true),
            ("<!-- note -->one", true),
            ("<p hidden>one", true),
            ("<p>one<o:p></o:p></p>", true),
            ("<script>if (a < b) { c<d>() }</script>", true),
            ("<svg><path d='M0'/></svg>", true),
            ("Using <script> in feeds", false),
            ("<p>All about <style> and more</p>", false),
            ("a <iframe> b </script>", false),
            ("<svg> in pages", false),
            ("<iframe src='x'/>one", true),
            ("<a href='x'>one</a", true),
            ("<table border><tr><td data-x>one</td><th>two</th></tr></table>", true),
            ("<p>one</p><noindex><a href='x'>two</a></noindex>", true),
            ("<p>one</p><amp-img src='x' noloading></amp-img><x-y z='1'/>", true),
            ("<noindex>one</noindex>", false),
            ("<b>Sort</b> while x<y and y>z </y> ends", false),
            ("<i>x</i> <user@a.example> </user@a.example>", false),
            ("<p>Render <Component/> and <my-part/></p>", false),
            ("<live>&eacute;</live>", false),
            ("<p>one</p></noindex>", false),
            ("<p>one</p><a-b><c-d></a-b></c-d>", false),
        ] {
            assert_eq!(is_markup(text), markup, "{text}");
        }
    }

    #[test]
    fn images_and_snippets() {
        for (html, image) in [
            ("<p><IMG alt=x SRC='http://h/a.jpg?a=1&amp;b=2'/><img src=b>", Some("http://h/a.jpg?a=1&b=2")),
            ("<img src=\"\"><img data-src=z src = b.png>", Some("b.png")),
            ("<img src=a.png/>", Some("a.png")),
            ("<script>'<img src=no>'</script><!-- <img src=no> -->", None),
            ("no image", None),
        ] {
            assert_eq!(first_image(html).as_deref(), image, "{html}");
        }
        for (value, url) in [
            ("<iframe width=1 src=\"https://h/embed/1\" allowfullscreen></iframe>", Some("https://h/embed/1")),
            ("<object><param name=movie value=x><embed src='//h/p.swf'></object>", Some("//h/p.swf")),
            ("<object data=https://h/p.swf></object>", Some("https://h/p.swf")),
            ("<p>text</p>", None),
            ("https://h/embed/1", None),
        ] {
            assert_eq!(strip_iframe(value).as_deref(), url, "{value}");
        }
    }

    #[test]
    fn html_from_xhtml() {
        for (xhtml, html) in [
            ("a<br/>b<br />c<br></br>d", "a<br>b<br>c<br>d"),
            ("<p/><div class=\"x\" />", "<p></p><div class=\"x\"></div>"),
            ("<img src=\"a/\" alt=\"x>y\"/>", "<img src=\"a/\" alt=\"x>y\">"),
            ("<script><![CDATA[a<b && c]]></script>", "<script>a&lt;b &amp;&amp; c</script>"),
            ("<?pi x?>a<!-- c -->", "a<!-- c -->"),
        ] {
            assert_eq!(xhtml_to_html(xhtml), html, "{xhtml}");
        }
        for same in ["", "<p>a &amp; b</p>", "<br>", "a < b <![CDATA[open"] {
            assert!(matches!(xhtml_to_html(same), Cow::Borrowed(_)), "{same}");
        }
    }

    #[test]
    fn tables_are_sorted() {
        assert!(LEGACY.is_sorted());
        assert!(LEGACY.iter().all(|name| html_entity(name).is_some()));
    }

    #[test]
    fn hostile_texts() {
        let patterns = [
            "<div>",
            "<",
            "<!",
            "<!--",
            "<a ",
            "<a x='",
            "<a x=\"",
            "<x y='>' ",
            "</x",
            "<?",
            "&",
            "&a",
            "&#",
            "<script>",
            "</script",
            "<![CDATA[",
            "]]>",
            "<![CDATA[x]]",
            "<a =\"<b ='",
            "<li>",
            "<pre>",
            "a='\">",
            "<img alt=",
            "-->",
            "<x ",
        ];
        for pattern in patterns {
            for end in ["", ">", "\"'>", "-->"] {
                let html = pattern.repeat((1 << 15) / pattern.len()) + end;
                let _ = (to_plain(&html), first_image(&html), strip_iframe(&html), xhtml_to_html(&html));
                let _ = (looks_like_markup(&html), from_plain(&html));
            }
        }
    }

    proptest! {
        #[test]
        fn arbitrary_text_never_panics(s in any::<String>(), m in "[<>!/&;#\\-\\[\\]\"'=a-d \né日]{0,60}") {
            for text in [&s, &m] {
                let plain = to_plain(text);
                prop_assert_eq!(plain.trim(), plain.as_str());
                let _ = (first_image(text), strip_iframe(text), xhtml_to_html(text), looks_like_markup(text));
            }
        }

        #[test]
        fn plain_text_survives_html(s in "[a-d<>&;#\"'é日]{1,4}( [a-d<>&;#\"'é日]{1,4}|\n\n?[a-d<>&;]{1,4}){0,6}") {
            prop_assert_eq!(to_plain(&from_plain(&s)), s);
        }
    }
}
