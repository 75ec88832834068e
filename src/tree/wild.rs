//! Reads leaves whose deviations depend on their meaning: flags spelled as in another format, languages, lists of
//! countries, values in the wrong place. Deviations of single values are in model/value.rs and model/date.rs, URLs in
//! resolve.rs.

use std::borrow::Cow;

use super::{Node, Take};
use crate::model::date::DateForm;
use crate::model::value::FromText;
use crate::model::{Date, Leaf, Mark, Seconds, Str};
use crate::reason::Reason;
use crate::text::bytes::trimmed;
use crate::text::{language, region};
use crate::xml::names::Ns;

/// The words for true and false in sitemaps.
pub const YES_NO: [&str; 2] = ["yes", "no"];

/// The words for true and false in RSS and Media RSS.
pub const TRUE_FALSE: [&str; 2] = ["true", "false"];

impl<'t, 'a> Take<'t, 'a> {
    /// Reads a flag that its format spells with these words; words of other formats are accepted with a remark.
    pub fn yes_or_no(&mut self, node: Option<Node<'t, 'a>>, words: [&str; 2], slot: &mut Option<Leaf<bool>>) {
        let Some(node) = node else { return };
        let first = slot.is_none();
        self.value(node, None, slot);
        let Some(leaf) = slot.as_ref().filter(|_| first) else { return };
        let found = trimmed(node.value());
        if words.contains(&found) {
            return;
        }
        // other words were already reported by the reader of flags
        let is_word = [YES_NO, TRUE_FALSE].as_flattened().iter().any(|word| found.eq_ignore_ascii_case(word));
        if is_word && !words.iter().any(|word| found.eq_ignore_ascii_case(word)) {
            let [yes, no] = words;
            let word = if leaf.value { yes } else { no };
            self.remark(node, "bool.lenient", found, format!("read a value of another format: {word}"));
        }
    }

    /// Takes the text of an element as a flag.
    pub fn flag_text(&mut self, element: Node<'t, 'a>, words: [&str; 2], slot: &mut Option<Leaf<bool>>) {
        self.known(element);
        self.yes_or_no(element.text(), words, slot);
    }

    /// Takes an attribute as a flag.
    #[inline]
    pub fn flag_attr(&mut self, element: Node<'t, 'a>, name: &str, words: [&str; 2], slot: &mut Option<Leaf<bool>>) {
        self.known(element);
        self.yes_or_no(element.attribute(name), words, slot);
    }

    /// Takes the text of an element as a date, with a remark if it is in the form of another format.
    pub fn date_text(&mut self, element: Node<'t, 'a>, form: DateForm, slot: &mut Option<Leaf<Date>>) {
        self.text(element, slot);
        let (Some(run), Some(leaf)) = (element.text(), &slot) else { return };
        if Date::form(run.value()) == form || !self.took(run, leaf.mark) {
            return;
        }
        match (form, Date::parse(run.value())) {
            (DateForm::W3c, _) => self.remark_form(run, &leaf.value),
            // unspecified forms were already reported by the reader of dates
            (DateForm::Rfc822, Some((date, None))) => {
                let done = format!("read an ISO 8601 date: {}", date.to_w3c());
                self.remark(run, "date.lenient", run.value().trim(), done);
            }
            (DateForm::Rfc822, _) => (),
        }
    }

    /// Takes an attribute as the tag of a language.
    #[inline]
    pub fn language_attr(&mut self, element: Node<'t, 'a>, name: &str, slot: &mut Option<Str<'a>>) {
        self.known(element);
        let attribute = element.attribute(name);
        self.found(attribute, slot);
        self.language(attribute, slot);
    }

    /// Takes `xml:lang`.
    pub fn xml_lang(&mut self, element: Node<'t, 'a>, slot: &mut Option<Str<'a>>) {
        self.known(element);
        let attribute = element.attribute_ns(Ns::Xml, "lang");
        self.found(attribute, slot);
        self.language(attribute, slot);
    }

    /// Takes the text of an element as the tag of a language.
    pub fn language_text(&mut self, element: Node<'t, 'a>, slot: &mut Option<Str<'a>>) {
        self.text(element, slot);
        self.language(element.text(), slot);
    }

    /// Repairs the language tag that was just taken from this node.
    pub fn language(&mut self, node: Option<Node<'t, 'a>>, slot: &mut Option<Str<'a>>) {
        let (Some(node), Some(leaf)) = (node, slot) else { return };
        if let Some(tag) = self.repaired_language(node, leaf.mark, &leaf.value) {
            leaf.value = Cow::Owned(tag);
        }
    }

    /// The repaired form of a language tag read from this node; `None` if the tag is valid or has no repair.
    pub(crate) fn repaired_language(&mut self, node: Node<'t, 'a>, mark: Mark, found: &str) -> Option<String> {
        if language::is_tag(found) || found.is_empty() || !self.took(node, mark) {
            return None;
        }
        let tag = language::repair(found);
        match &tag {
            Some(tag) => {
                self.remark(node, "language.lenient", found, format!("read with hyphens: {tag}"));
                self.adjusted(mark, Reason::LanguageTag);
            }
            None => self.remark(node, "language.unknown", found, "kept as written"),
        }
        tag
    }

    /// Takes an attribute as a position in a video.
    pub fn position_attr(&mut self, element: Node<'t, 'a>, name: &str, slot: &mut Option<Str<'a>>) {
        self.attr(element, name, slot);
        self.position(element.attribute(name), slot);
    }

    /// Takes the text of an element as a position in a video.
    pub fn position_text(&mut self, element: Node<'t, 'a>, slot: &mut Option<Str<'a>>) {
        self.text(element, slot);
        self.position(element.text(), slot);
    }

    fn position(&mut self, node: Option<Node<'t, 'a>>, slot: &Option<Str<'a>>) {
        let (Some(node), Some(leaf)) = (node, slot) else { return };
        if !Seconds::is_play_time(&leaf.value) && !leaf.value.trim().is_empty() && self.took(node, leaf.mark) {
            self.remark(node, "position.unknown", &leaf.value, "kept as written");
        }
    }

    /// Whether this value was read from this leaf.
    fn took(&self, node: Node<'t, 'a>, mark: Mark) -> bool {
        self.mark_of(node) == mark
    }

    /// Reads a list of countries. Codes and names that mean a country become its code of two letters; anything else is
    /// kept. `literals`: whether `all` and `none` are words of the format; other formats use them too.
    pub fn countries(&mut self, element: Node<'t, 'a>, literals: bool, list: &mut Vec<Str<'a>>) {
        self.known(element);
        let Some(run) = element.text() else { return };
        let before = list.len();
        self.parts(run, None, is_separator, list);
        let text = trimmed(run.value());
        if memchr::memchr3(b',', b';', b'|', text.as_bytes()).is_some() {
            self.remark(run, "list.lenient", text, "split at characters other than spaces");
        }
        for leaf in list.iter_mut().skip(before) {
            if region::is_literal(&leaf.value) {
                if !literals {
                    self.remark(run, "country.lenient", &leaf.value, "kept: a Media RSS value");
                }
                continue;
            }
            match region::country(&leaf.value) {
                Some(country) => {
                    let Some(note) = country.note else { continue };
                    let same = leaf.value.eq_ignore_ascii_case(country.code);
                    let done = if same { format!("kept: {note}") } else { format!("read as {}: {note}", country.code) };
                    self.remark(run, "country.lenient", &leaf.value, done);
                    if !same {
                        self.adjusted(leaf.mark, Reason::CountryCode);
                        leaf.value = Cow::Borrowed(country.code);
                    }
                }
                None => {
                    let done = "kept as written; omitted where only countries are allowed";
                    self.remark(run, "country.unknown", &leaf.value, done);
                }
            }
        }
    }

    /// Takes an attribute by its name or, with a remark, by one that is seen instead of it.
    #[inline]
    pub fn attr_alias<T: FromText<'a> + PartialEq, const N: usize>(
        &mut self,
        element: Node<'t, 'a>,
        names: [&str; N],
        slot: &mut Option<Leaf<T>>,
    ) {
        self.known(element);
        self.found_as(names.map(|name| (element.attribute(name), name)), slot);
    }

    /// The same for attributes that were looked for, each with its name.
    #[inline]
    pub(crate) fn found_as<T: FromText<'a> + PartialEq, const N: usize>(
        &mut self,
        named: [(Option<Node<'t, 'a>>, &str); N],
        slot: &mut Option<Leaf<T>>,
    ) {
        let usual = named.first().map_or("", |(_, name)| name);
        for (attribute, name) in named {
            let Some(attribute) = attribute else { continue };
            let first = slot.is_none();
            self.value(attribute, None, slot);
            if first && slot.is_some() && name != usual {
                self.remark(attribute, "markup.place", name, format!("read as {usual}"));
            }
        }
    }

    /// Reports an element without the prefix of the extension it belongs to.
    pub fn unprefixed(&mut self, element: Node<'t, 'a>, ns: Ns) {
        if element.ns() != ns {
            let name = element.name();
            self.remark(element, "ns.missing", name, format!("read as {}:{name}", ns.prefix()));
        }
    }

    /// Takes the text of an element for the attribute that it should have.
    pub fn text_for_attr<T: FromText<'a> + PartialEq>(
        &mut self,
        element: Node<'t, 'a>,
        name: &str,
        slot: &mut Option<Leaf<T>>,
    ) {
        let (None, Some(run)) = (&slot, element.text()) else { return };
        self.text(element, slot);
        if slot.is_some() {
            self.remark(run, "markup.place", run.value().trim(), format!("read as the attribute {name}"));
        }
    }
}

/// The elements with which HTML embeds a player.
const EMBEDDING: [&str; 2] = ["iframe", "embed"];

impl<'t, 'a> Take<'t, 'a> {
    /// Takes the URL from an embedding snippet given as markup where a URL belongs. The rest of the snippet is unknown
    /// markup.
    pub fn snippet(&mut self, element: Node<'t, 'a>, slot: &mut Option<Str<'a>>) {
        if slot.is_some() || !element.has_children() {
            return;
        }
        let is_snippet = |child: &Node<'t, 'a>| EMBEDDING.iter().any(|name| child.name().eq_ignore_ascii_case(name));
        let Some(snippet) = element.children().find(is_snippet) else { return };
        self.attr(snippet, "src", slot);
        if let Some(leaf) = slot {
            let done = format!("extracted the URL from an embed snippet: {}", leaf.value);
            self.remark(snippet, "url.lenient", snippet.name(), done);
        }
    }
}

/// Characters between the members of a list: spaces, and characters used in their place.
pub fn is_separator(c: char) -> bool {
    c.is_whitespace() || matches!(c, ',' | ';' | '|')
}
