//! The input and output of a check: the context of its element, and the list of findings. The run adds their places.

use std::fmt::{self, Display};

use super::alternates::Alternates;
use super::check::value;
use super::levels::{ActiveLevels, VARIANTS};
use super::{Settings, Severity};
use crate::format::Format;
use crate::model::Date;
use crate::tree::{Node, Tree};
use crate::xml::names::Ns;
use crate::xml::split::Frame;

/// What is known around the element that a check looks at.
pub struct Cx<'x> {
    /// The format of the document.
    pub(crate) format: &'static Format,
    /// What was asked for.
    pub(crate) settings: &'x Settings,
    /// The pages of all documents of the set, and their alternates.
    pub(crate) alternates: Option<&'x Alternates>,
    /// The document without its entries.
    pub(crate) head: &'x Tree<'x>,
    /// The same with the places of its parts.
    pub(crate) frame: &'x Frame,
    /// Where the first entry begins.
    pub(crate) first_line: Option<(u32, u32)>,
    /// The number of the entry, from 0; none in the head.
    pub(crate) entry: Option<u64>,
    /// The first page of the document.
    pub(crate) first_page: Option<&'x str>,
}

impl Cx<'_> {
    /// The namespace in which rules name an element: the format's own, where documents omit or misspell it.
    pub(crate) fn canonical_namespace(&self, ns: Ns) -> Ns {
        self.format.family.canonical(ns)
    }

    /// Whether an element is where its format has such elements: those of sitemaps are in no extension.
    pub(crate) fn is_in_place(&self, node: Node<'_, '_>) -> bool {
        let is_ours = |node: Node<'_, '_>| self.canonical_namespace(node.ns()) == Ns::Sitemap;
        !self.format.family.is_xml_sitemap() || !is_ours(node) || node.parent().is_none_or(is_ours)
    }

    /// Whether an element has this name.
    pub(crate) fn is(&self, node: Node<'_, '_>, ns: Ns, name: &str) -> bool {
        node.name() == name && self.canonical_namespace(node.ns()) == ns
    }

    /// The elements of this name directly below it.
    pub(crate) fn children<'t, 'a>(
        &self,
        node: Node<'t, 'a>,
        ns: Ns,
        name: &'static str,
    ) -> impl Iterator<Item = Node<'t, 'a>> {
        node.children().filter(move |child| self.is(*child, ns, name))
    }

    /// The first of them.
    pub(crate) fn child<'t, 'a>(&self, node: Node<'t, 'a>, ns: Ns, name: &'static str) -> Option<Node<'t, 'a>> {
        self.children(node, ns, name).next()
    }

    /// The text of the first of them that has one.
    pub(crate) fn text<'t>(&self, node: Node<'t, '_>, ns: Ns, name: &'static str) -> Option<&'t str> {
        self.children(node, ns, name).map(Node::text_value).find(|text| !text.is_empty())
    }

    /// The element that contains all of the head: `channel`, `feed`, `urlset`.
    pub(crate) fn channel(&self) -> Option<Node<'_, '_>> {
        let root = self.head.root()?;
        let holder = self.format.family.holder.and_then(|name| root.children().find(|child| child.name() == name));
        holder.or(Some(root))
    }

    /// Where an element of the head begins.
    pub(crate) fn line_of(&self, node: Node<'_, '_>) -> Option<(u32, u32)> {
        self.entry.is_none().then(|| self.frame.place(node.raw().at as usize))
    }
}

/// What one check found at one place of a tree.
pub(crate) struct Hit {
    /// The number of the rule among those that are active.
    pub rule: usize,
    pub variant: u8,
    pub node: u32,
    /// The place, if it is not that of the node.
    pub at: Option<u32>,
    pub says: String,
    pub hint: String,
    pub value: Option<String>,
}

/// Findings of one rule in one entry that are listed; the others are counted.
const PER_ENTRY: u64 = 1000;

/// Where checks say what they found.
pub struct Hits<'h> {
    levels: &'h ActiveLevels,
    /// The rule whose check is running.
    pub(crate) rule: usize,
    pub(crate) found: Vec<Hit>,
    /// How many of each rule and variant, with those that are not listed.
    pub(crate) counts: Vec<[u64; VARIANTS]>,
    /// How many of each rule are listed, in all and in this entry.
    pub(crate) listed: Vec<(u64, u64)>,
    /// The date that was read last: several rules ask for one and the same.
    date: (String, Option<Date>),
}

impl<'h> Hits<'h> {
    pub(crate) fn new(levels: &'h ActiveLevels) -> Hits<'h> {
        let count = levels.most.len();
        Hits {
            levels,
            rule: 0,
            found: Vec::new(),
            counts: vec![[0; VARIANTS]; count],
            listed: vec![(0, 0); count],
            date: (String::new(), None),
        }
    }

    /// What a text means as a date; placeholders for a missing date are dates, too.
    pub(crate) fn date(&mut self, text: &str) -> Option<Date> {
        if self.date.0 != text {
            self.date.0.clear();
            self.date.0.push_str(text);
            self.date.1 = Date::read(text).map(|(date, _)| date);
        }
        self.date.1
    }

    /// Begins another entry.
    pub(crate) fn next_entry(&mut self) {
        self.listed.iter_mut().for_each(|listed| listed.1 = 0);
    }

    /// Reports that the rule is broken at this node: the case (`variant`), the problem, and the hint. The value at
    /// fault is that of the node.
    pub(crate) fn report(&mut self, variant: u8, node: Node<'_, '_>, says: impl Display, hint: impl Display) {
        self.report_value(variant, node, Some(value_of(node)), says, hint);
    }

    /// The same of a value that needs no more words than: `WHAT is "VALUE"`.
    pub(crate) fn report_wrong(&mut self, variant: u8, node: Node<'_, '_>, what: impl Display, hint: impl Display) {
        self.report(variant, node, format_args!("{what} is {}", QuotedValue(value_of(node))), hint);
    }

    /// The same, where something is missing rather than wrong.
    pub(crate) fn report_missing(&mut self, variant: u8, node: Node<'_, '_>, says: impl Display, hint: impl Display) {
        self.report_value(variant, node, None, says, hint);
    }

    /// The same with another value than that of the node.
    pub(crate) fn report_value(
        &mut self,
        variant: u8,
        node: Node<'_, '_>,
        value: Option<&str>,
        says: impl Display,
        hint: impl Display,
    ) {
        self.push(variant, (node.index, None), value, &says, &hint);
    }

    /// The same at another place of the source.
    pub(crate) fn report_at(&mut self, at: usize, variant: u8, node: Node<'_, '_>, says: impl Display, hint: &str) {
        let at = u32::try_from(at).unwrap_or(u32::MAX);
        self.push(variant, (node.index, Some(at)), Some(node.value()), &says, &hint);
    }

    /// Reports a text of a sitemap with more characters than these.
    pub(crate) fn report_longer(&mut self, node: Node<'_, '_>, name: &str, most: usize) {
        if let Some(count) = value::longer(&value::words_of_sitemap(node), most) {
            let says = format_args!("{name} has {count} characters");
            self.report(0, node, says, format_args!("truncate it to {most} characters"));
        }
    }

    /// Reports a date in the right form that programs write for a missing one, as the second case of a rule.
    pub(crate) fn report_placeholder(&mut self, node: Node<'_, '_>, name: &str, text: &str, date: Option<Date>) {
        if date.is_some_and(|date| date.is_zero()) {
            let says = format_args!("{name} is {}, a placeholder for a missing date", QuotedValue(text));
            self.report(1, node, says, "write the date, or remove it");
        }
    }

    /// What reading repaired at this place: what is wrong, what to do, and the value.
    pub(crate) fn repaired(&mut self, variant: u8, at: u32, (says, hint, value): (String, String, Option<String>)) {
        self.push(variant, (0, Some(at)), value.as_deref(), &says, &hint);
    }

    /// Whether a profile minds a rule in this of its ways, as more than good to know.
    pub(crate) fn is_required(&self, code: &str, variant: u8) -> bool {
        let level = self.levels.number(code).and_then(|rule| self.levels.level(rule, variant));
        level.is_some_and(|(severity, _)| severity > Severity::Info)
    }

    /// Counts a finding.
    pub(super) fn count(&mut self, rule: usize, variant: u8) {
        self.counts[rule][usize::from(variant).min(VARIANTS - 1)] += 1;
    }

    fn push(
        &mut self,
        variant: u8,
        (node, at): (u32, Option<u32>),
        value: Option<&str>,
        says: &dyn Display,
        hint: &dyn Display,
    ) {
        let rule = self.rule;
        if self.levels.level(rule, variant).is_none() {
            return;
        }
        self.count(rule, variant);
        let listed = &mut self.listed[rule];
        if listed.0 >= self.levels.most[rule] || listed.1 >= PER_ENTRY {
            return;
        }
        *listed = (listed.0 + 1, listed.1 + 1);
        let value = value.filter(|value| !value.is_empty()).map(|value| cut(value, 200));
        let (says, hint) = (says.to_string(), hint.to_string());
        self.found.push(Hit { rule, variant, node, at, says, hint, value });
    }
}

fn value_of<'t>(node: Node<'t, '_>) -> &'t str {
    if node.value().is_empty() { node.text_value() } else { node.value() }
}

/// The first characters of a text, with a sign that there are more.
pub(crate) fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// A value of the document in a sentence.
pub(crate) struct QuotedValue<'q>(pub &'q str);

impl Display for QuotedValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "\"{}\"", cut(self.0.trim(), 60))
    }
}
