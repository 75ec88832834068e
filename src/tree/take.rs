//! Takes leaves from a tree for the model; leaves not taken become foreign. A leaf is taken only if its text is
//! readable, so an unreadable number, an unknown attribute and a misplaced element all end in [`Take::rest`].

use std::borrow::Cow;
use std::collections::HashMap;

use super::steps::PathBuilder;
use super::{Node, NodeKind, Tree};
use crate::model::origin::{EntryRepair, GeneratedLeaf, LeafRecord, Origin, Preset, Role, SourceDocument};
use crate::model::page::is_technical;
use crate::model::value::{FromText, Note};
use crate::model::{EmptyContent, Field, Foreign, Leaf, Mark, Module, ModuleAttribute, Str, Text, TextKind};
use crate::reason::Reason;
use crate::text::bytes::trimmed;
use crate::text::html;
use crate::xml::names::Ns;
use crate::xml::{self, escape};

/// The reading of one tree: which leaves were taken, and as which values.
pub struct Take<'t, 'a> {
    tree: &'t Tree<'a>,
    marks: Vec<Mark>,
    /// Which nodes do not become foreign: understood elements and taken leaves. Bytes, so that the search for the other
    /// nodes is fast.
    settled: Vec<u8>,
    pub(super) origin: Origin<'a>,
    /// Of the elements that come again, those that are read: by the element above and the name.
    pub(super) chosen: HashMap<(u32, Ns, &'a str), u32>,
    /// Those that are read besides, because they have what that one lacks.
    pub(super) fillers: HashMap<(u32, Ns, &'a str), Vec<u32>>,
    /// Set in every mark that this reading gives: 0 or [`Mark::FEED`].
    side: u32,
    /// Markup that is escaped twice is decoded twice.
    decodes_twice: bool,
    /// Nodes that were taken as implied.
    implied: Vec<u32>,
    /// Nodes whose values could not be read, each with an example of a valid value.
    invalid: Vec<(u32, &'static str)>,
    /// Nodes without a readable value of a field.
    unreadable: HashMap<u32, Field>,
    /// Elements that become foreign with a name in place of their namespace.
    labels: Vec<(u32, &'static str)>,
    /// Memory for [`Take::rest`].
    spare: (Vec<u32>, PathBuilder),
}

/// Why a text is decoded twice, or might be.
const ESCAPED_TWICE: &str = "text.escaped_twice";

const OPEN: u8 = 0;
const SETTLED: u8 = 1;

/// Memory that one reading passes to the next.
#[derive(Default)]
pub struct SpareMemory {
    marks: Vec<Mark>,
    settled: Vec<u8>,
    records: Vec<LeafRecord>,
    left: Vec<u32>,
    steps: PathBuilder,
    invalid: Vec<(u32, &'static str)>,
}

impl SpareMemory {
    /// The values that the last reading could not read: node, number of its record, and an example of a valid value.
    pub(crate) fn invalid(&self) -> impl Iterator<Item = (u32, usize, &'static str)> {
        let record = |node: u32| self.marks.get(node as usize).filter(|mark| mark.is_some());
        self.invalid
            .iter()
            .filter_map(move |(node, specimen)| Some((*node, (record(*node)?.0 & !Mark::FEED) as usize, *specimen)))
    }

    /// The number of the value that the last reading took from a node.
    pub(super) fn mark_of(&self, node: u32) -> Mark {
        self.marks.get(node as usize).copied().unwrap_or_default()
    }

    /// Takes back the memory of records that are no longer needed.
    pub(crate) fn recycle(&mut self, mut records: Vec<LeafRecord>) {
        records.clear();
        self.records = records;
    }
}

impl<'t, 'a> Take<'t, 'a> {
    /// Starts to read an entry (or, with `feed`, a head).
    pub fn new(tree: &'t Tree<'a>, feed: bool) -> Take<'t, 'a> {
        Take::with(tree, feed, SpareMemory::default())
    }

    /// Like [`Take::new`], but reuses memory.
    pub fn with(tree: &'t Tree<'a>, feed: bool, spare: SpareMemory) -> Take<'t, 'a> {
        let SpareMemory { mut marks, mut settled, mut records, left, steps, mut invalid } = spare;
        invalid.clear();
        records.clear();
        records.reserve(tree.nodes.len());
        marks.clear();
        marks.resize(tree.nodes.len(), Mark::NONE);
        settled.clear();
        settled.resize(tree.own() as usize, OPEN);
        // what is lent is not left over
        settled.resize(tree.nodes.len(), SETTLED);
        let remarks = tree.repairs.iter().map(|repair| EntryRepair {
            code: repair.code,
            part: 0,
            at: repair.at,
            found: repair.found.clone(),
            done: repair.done.clone(),
        });
        Take {
            tree,
            marks,
            settled,
            spare: (left, steps),
            origin: Origin {
                remarks: remarks.collect(),
                records,
                unread_videos: tree.unread_videos.iter().map(|at| (0, *at)).collect(),
                ..Origin::default()
            },
            chosen: HashMap::new(),
            fillers: HashMap::new(),
            side: if feed { Mark::FEED } else { 0 },
            decodes_twice: false,
            implied: Vec::new(),
            unreadable: HashMap::new(),
            labels: Vec::new(),
            invalid,
        }
    }

    /// Decodes markup once more if it is escaped twice. This can make inert markup live, so it is done only on
    /// request.
    pub(crate) fn decoding_twice(mut self, twice: bool) -> Take<'t, 'a> {
        self.decodes_twice = twice;
        self
    }

    /// Numbers a value by hand: for readers that do not parse values from characters (JSON).
    #[inline]
    pub(crate) fn record(&mut self, node: Node<'t, 'a>, role: Role, preset: Preset) -> Mark {
        // records of a head refer to its values without the flag
        let plain = |mark: Mark| Mark(mark.0 & !Mark::FEED);
        let role = match role {
            Role::Part(of) => Role::Part(plain(of)),
            Role::Follows(of) => Role::Follows(plain(of)),
            role @ (Role::Leaf | Role::Silent | Role::Filled(_)) => role,
        };
        let preset = match preset {
            Preset::Merged(reason, with) => Preset::Merged(reason, plain(with)),
            preset @ (Preset::Open
            | Preset::Implied
            | Preset::Joined(..)
            | Preset::Adjusted(..)
            | Preset::Removed(..)
            | Preset::Unread(_)) => preset,
        };
        self.book(node, role, preset)
    }

    /// Like [`Take::record`], for a role and a preset that refer to no other marks.
    #[inline]
    fn book(&mut self, node: Node<'t, 'a>, role: Role, preset: Preset) -> Mark {
        let mark = Mark(self.origin.records.len() as u32 | self.side);
        let raw = node.raw();
        self.origin.records.push(LeafRecord { at: raw.at, role, preset });
        self.marks[node.index as usize] = mark;
        if raw.kind != NodeKind::Element {
            self.settled[node.index as usize] = SETTLED;
        }
        mark
    }

    /// Whether this leaf was taken.
    pub fn taken(&self, node: Node<'_, 'a>) -> bool {
        self.marks[node.index as usize].is_some()
    }

    /// The number of the value that was taken from this leaf.
    pub(crate) fn mark_of(&self, node: Node<'_, 'a>) -> Mark {
        self.marks[node.index as usize]
    }

    /// Where the leaf with this mark begins.
    pub(super) fn offset_of(&self, mark: Mark) -> Option<u32> {
        let record = self.origin.records.get((mark.0 & !Mark::FEED) as usize).filter(|_| mark.is_some())?;
        Some(record.at)
    }

    /// The field of the value that was taken from this leaf, or that replaces it.
    pub(crate) fn field_of(&self, node: Node<'_, 'a>, fields: &HashMap<u32, Field>) -> Option<Field> {
        let mark = self.mark_of(node);
        let number = (mark.0 & !Mark::FEED) as usize;
        let with = match self.origin.records.get(number).filter(|_| mark.is_some())?.preset {
            Preset::Merged(_, with) => with.0,
            _ => number as u32,
        };
        fields
            .get(&with)
            .copied()
            .filter(|field| !matches!(field, Field::Foreign | Field::FeedForeign | Field::Module | Field::FeedModule))
    }

    /// Undoes the taking of a value that is not a leaf: it turned out to have no meaning in this place.
    pub(crate) fn untake(&mut self, node: Node<'_, 'a>) {
        self.marks[node.index as usize] = Mark::NONE;
        if node.kind() != NodeKind::Element {
            self.settled[node.index as usize] = OPEN;
        }
    }

    /// Marks an element as understood: if it is empty, no information is lost.
    pub fn known(&mut self, element: Node<'t, 'a>) {
        if element.kind() == NodeKind::Element {
            self.settled[element.index as usize] = SETTLED;
        }
    }

    /// Keeps an element that was read as a foreign one without a value, which shows where it was.
    pub(crate) fn label(&mut self, element: Node<'t, 'a>, name: &'static str) {
        self.settled[element.index as usize] = OPEN;
        self.labels.push((element.index, name));
    }

    /// Records a repair or a guess at this node.
    pub fn remark(&mut self, node: Node<'t, 'a>, code: &'static str, found: &str, done: impl Into<Cow<'static, str>>) {
        // the head has no place among those of the entry
        if self.is_lent(node) {
            return;
        }
        let found = found.chars().take(200).collect();
        self.origin.remark(EntryRepair { code, part: 0, at: node.raw().at, found, done: done.into() });
    }

    /// Renumbers these values so that their marks ascend in this order. Returns the new mark of each.
    pub(crate) fn reorder(&mut self, marks: &[Mark]) -> HashMap<Mark, Mark> {
        let mut slots = marks.to_vec();
        slots.sort();
        slots.dedup();
        if slots.len() != marks.len() {
            return HashMap::new();
        }
        let index = |mark: Mark| (mark.0 & !Mark::FEED) as usize;
        let records: Vec<Option<LeafRecord>> =
            marks.iter().map(|mark| self.origin.records.get(index(*mark)).copied()).collect();
        for (slot, record) in slots.iter().zip(records) {
            if let (Some(place), Some(record)) = (self.origin.records.get_mut(index(*slot)), record) {
                *place = record;
            }
        }
        marks.iter().copied().zip(slots).collect()
    }

    /// Marks the value as a leaf after all.
    pub(crate) fn speaks(&mut self, mark: Mark) {
        if let Some(record) = self.origin.records.get_mut((mark.0 & !Mark::FEED) as usize) {
            (record.role, record.preset) = (Role::Leaf, Preset::Open);
        }
    }

    /// The source's description of the document that it was generated from.
    pub(crate) fn before(&mut self) -> &mut SourceDocument {
        &mut self.origin.before
    }

    /// The characters of an attribute or a run, trimmed, without copying what can be borrowed; those of a number in JSON
    /// without an exponent.
    fn characters(&self, node: Node<'t, 'a>) -> Cow<'a, str> {
        if self.tree.json
            && node.raw().uri == "number"
            && let Some(number) = without_exponent(node.value())
        {
            return Cow::Owned(number);
        }
        match &node.raw().value {
            Cow::Borrowed(text) => Cow::Borrowed(trimmed(text)),
            Cow::Owned(text) => Cow::Owned(trimmed(text).to_owned()),
        }
    }

    /// Takes the value of an attribute or of a run of text, if it is readable; `None` if not, and it stays.
    #[inline(never)]
    pub fn leaf<T: FromText<'a>>(&mut self, node: Node<'t, 'a>, via: Option<Ns>) -> Option<Leaf<T>> {
        if self.taken(node) {
            return None;
        }
        match self.take_fast(node) {
            Some((value, mark)) => Some(Leaf { value, mark, via }),
            None => self.unusual(node, via),
        }
    }

    /// Takes the value of a leaf that is not taken yet, if the fast path can parse it.
    // inlined by hand: runs for each leaf of a document and costs hardly more than a call
    #[inline(always)]
    fn take_fast<T: FromText<'a>>(&mut self, node: Node<'t, 'a>) -> Option<(T, Mark)> {
        let Cow::Borrowed(text) = &node.raw().value else { return None };
        let value = T::parse_fast(trimmed(text))?;
        Some((value, self.book(node, Role::Leaf, Preset::Open)))
    }

    /// The slow path of [`Take::leaf`].
    fn unusual<T: FromText<'a>>(&mut self, node: Node<'t, 'a>, via: Option<Ns>) -> Option<Leaf<T>> {
        let mut read = T::from_text(self.characters(node));
        if let Some((_, note @ None)) = read.as_mut().filter(|_| self.tree.json) {
            *note = T::other_form(node.value().trim());
        }
        self.remark_read(node, read.as_ref());
        let Some((value, note)) = read else {
            self.invalid.push((node.index, T::SPECIMEN));
            return None;
        };
        let cost = note.and_then(|note| Some(Preset::Adjusted(note.cost()?)));
        let mark = self.record(node, Role::Leaf, cost.unwrap_or(Preset::Open));
        Some(Leaf { value, mark, via })
    }

    /// Notes the repair of a leaf that is read as a value of this type, or why it is unreadable.
    pub(crate) fn remark_value<T: FromText<'a>>(&mut self, node: Node<'t, 'a>) {
        let read = T::from_text(self.characters(node));
        self.remark_read(node, read.as_ref());
    }

    /// Notes that a value of a vocabulary of the W3C is in a form of other formats.
    pub(crate) fn remark_form<T: FromText<'a>>(&mut self, node: Node<'t, 'a>, value: &T) {
        if let Some(note) = T::other_form(node.value().trim()) {
            self.remark(node, note.code, node.value().trim(), format!("{}: {}", note.said, value.shown()));
        }
    }

    fn remark_read<T: FromText<'a>>(&mut self, node: Node<'t, 'a>, read: Option<&(T, Option<Note>)>) {
        match read {
            Some((value, Some(note))) => {
                self.remark(node, note.code, node.value().trim(), format!("{}: {}", note.said, value.shown()));
            }
            Some((_, None)) => (),
            None => {
                if let Some(note) = T::refused(node.value()) {
                    self.remark(node, note.code, node.value().trim(), note.said);
                }
            }
        }
    }

    /// Takes a value into a slot. A full slot keeps its value; an equal value is a duplicate, and a different one
    /// is ignored. Both are merged.
    pub fn value<T: FromText<'a> + PartialEq>(
        &mut self,
        node: Node<'t, 'a>,
        via: Option<Ns>,
        slot: &mut Option<Leaf<T>>,
    ) {
        if slot.is_none()
            && !self.taken(node)
            && let Some((value, mark)) = self.take_fast(node)
        {
            *slot = Some(Leaf { value, mark, via });
            return;
        }
        match slot {
            Some(first) => self.second(node, first),
            None => *slot = self.leaf(node, via),
        }
    }

    /// Takes a value that was taken before once more, as the same one: for a leaf that several values refer to.
    pub(crate) fn again<T: FromText<'a>>(&self, node: Node<'t, 'a>) -> Option<Leaf<T>> {
        let mark = self.mark_of(node);
        let record = self.origin.records.get((mark.0 & !Mark::FEED) as usize).filter(|_| mark.is_some())?;
        let is_value = record.role == Role::Leaf && matches!(record.preset, Preset::Open | Preset::Adjusted(_));
        let (value, _) = T::from_text(self.characters(node)).filter(|_| is_value)?;
        Some(Leaf { value, mark, via: None })
    }

    /// Takes a part of a text as the value of the whole, into an empty slot.
    pub(crate) fn value_as<T: FromText<'a>>(&mut self, node: Node<'t, 'a>, part: &'t str, slot: &mut Option<Leaf<T>>) {
        if let Some((value, _)) = T::from_text(Cow::Owned(part.trim().to_owned()))
            && slot.is_none()
            && !self.taken(node)
        {
            let mark = self.record(node, Role::Leaf, Preset::Open);
            *slot = Some(Leaf { value, mark, via: None });
        }
    }

    fn second<T: FromText<'a> + PartialEq>(&mut self, node: Node<'t, 'a>, first: &Leaf<T>) {
        if self.taken(node) {
            return;
        }
        let Some((value, _)) = T::from_text(self.characters(node)) else {
            self.invalid.push((node.index, T::SPECIMEN));
            return;
        };
        let why = if value == first.value { Reason::SameValue } else { Reason::FirstWins };
        self.record(node, Role::Leaf, Preset::Merged(why, first.mark));
    }

    /// Takes the text of an element into a slot.
    pub fn text<T: FromText<'a> + PartialEq>(&mut self, element: Node<'t, 'a>, slot: &mut Option<Leaf<T>>) {
        self.text_via(element, None, slot);
    }

    /// Takes the text of an element that is not the concept's usual carrier.
    pub fn text_via<T: FromText<'a> + PartialEq>(
        &mut self,
        element: Node<'t, 'a>,
        via: Option<Ns>,
        slot: &mut Option<Leaf<T>>,
    ) {
        self.known(element);
        if is_unescaped(element) {
            return self.words(element, via, slot);
        }
        if let Some(text) = element.text() {
            self.value(text, via, slot);
        }
    }

    /// Takes the text of an element and appends it to a list.
    pub fn push<T: FromText<'a> + PartialEq>(
        &mut self,
        element: Node<'t, 'a>,
        via: Option<Ns>,
        slots: &mut Vec<Leaf<T>>,
    ) {
        let mut slot = None;
        self.text_via(element, via, &mut slot);
        slots.extend(slot);
    }

    /// Takes an attribute without a namespace into a slot.
    #[inline]
    pub fn attr<T: FromText<'a> + PartialEq>(&mut self, element: Node<'t, 'a>, name: &str, slot: &mut Option<Leaf<T>>) {
        self.known(element);
        if let Some(attribute) = element.attribute(name) {
            self.value(attribute, None, slot);
        }
    }

    /// Takes an attribute, if it was found, into a slot.
    #[inline]
    pub fn found<T: FromText<'a> + PartialEq>(&mut self, attribute: Option<Node<'t, 'a>>, slot: &mut Option<Leaf<T>>) {
        if let Some(attribute) = attribute {
            self.value(attribute, None, slot);
        }
    }

    /// Takes an attribute in a namespace into a slot.
    pub fn attr_ns<T: FromText<'a> + PartialEq>(
        &mut self,
        element: Node<'t, 'a>,
        ns: Ns,
        name: &str,
        slot: &mut Option<Leaf<T>>,
    ) {
        self.known(element);
        if let Some(attribute) = element.attribute_ns(ns, name) {
            self.value(attribute, None, slot);
        }
    }

    /// Takes the text of an element as a list; each member becomes a separate value, all of one leaf.
    pub fn list(
        &mut self,
        element: Node<'t, 'a>,
        via: Option<Ns>,
        split: impl Fn(char) -> bool,
        slots: &mut Vec<Str<'a>>,
    ) {
        self.known(element);
        if let Some(text) = element.text() {
            self.parts(text, via, split, slots);
        }
    }

    /// Takes a leaf as a list: its members, trimmed, without empty ones.
    pub fn parts(
        &mut self,
        node: Node<'t, 'a>,
        via: Option<Ns>,
        split: impl Fn(char) -> bool,
        slots: &mut Vec<Str<'a>>,
    ) {
        if self.taken(node) {
            return;
        }
        match self.characters(node) {
            Cow::Borrowed(text) => self.members(node, via, text.split(split).map(Cow::Borrowed), slots),
            Cow::Owned(text) => {
                self.members(node, via, text.split(split).map(|member| Cow::Owned(member.to_owned())), slots);
            }
        }
    }

    /// Like [`Take::parts`], for a list with other separators than certain characters.
    pub fn parts_of(
        &mut self,
        node: Node<'t, 'a>,
        via: Option<Ns>,
        part: impl for<'s> Fn(&'s str) -> Vec<&'s str>,
        slots: &mut Vec<Str<'a>>,
    ) {
        if self.taken(node) {
            return;
        }
        match self.characters(node) {
            Cow::Borrowed(text) => self.members(node, via, part(text).into_iter().map(Cow::Borrowed), slots),
            Cow::Owned(text) => {
                let members = part(&text).into_iter().map(|member| Cow::Owned(member.to_owned()));
                self.members(node, via, members, slots);
            }
        }
    }

    /// The members of a leaf that is a list.
    fn members(
        &mut self,
        node: Node<'t, 'a>,
        via: Option<Ns>,
        members: impl Iterator<Item = Cow<'a, str>>,
        slots: &mut Vec<Str<'a>>,
    ) {
        let mut leaf = Mark::NONE;
        for member in members {
            let value = match member {
                Cow::Borrowed(text) => Cow::Borrowed(trimmed(text)),
                Cow::Owned(text) => Cow::Owned(trimmed(&text).to_owned()),
            };
            if value.is_empty() {
                continue;
            }
            let mark = if leaf.is_some() { self.part(node, leaf) } else { self.record(node, Role::Leaf, Preset::Open) };
            slots.push(Leaf { value, mark, via });
            leaf = if leaf.is_some() { leaf } else { mark };
        }
        if leaf.is_some() {
            return;
        }
        match trimmed(&node.raw().value).is_empty() {
            true => _ = self.record(node, Role::Leaf, Preset::Implied),
            // separators alone are no list
            false => self.invalid.push((node.index, "a")),
        }
    }

    /// Records a further value of a leaf that is already taken.
    pub fn part(&mut self, node: Node<'t, 'a>, leaf: Mark) -> Mark {
        let mark = self.record(node, Role::Part(leaf), Preset::Open);
        self.marks[node.index as usize] = leaf;
        mark
    }

    /// A value of the model that is no leaf: the place of this node implies it.
    pub(crate) fn constant(&mut self, node: Node<'t, 'a>, value: &'static str) -> Str<'a> {
        let before = (self.marks[node.index as usize], self.settled[node.index as usize]);
        let mark = self.record(node, Role::Silent, Preset::Implied);
        (self.marks[node.index as usize], self.settled[node.index as usize]) = before;
        Leaf { value: Cow::Borrowed(value), mark, via: None }
    }

    /// Makes a value of the model without a leaf. The report has it as generated where a target writes it.
    pub(crate) fn generated(&mut self, node: Node<'t, 'a>, field: Field, why: Reason, text: String) -> Str<'a> {
        let leaf = self.constant(node, "");
        self.origin.generated.push(GeneratedLeaf { field, why, mark: leaf.mark, from: leaf.mark, text: text.clone() });
        Leaf { value: Cow::Owned(text), ..leaf }
    }

    /// Takes a leaf that the model implies: an explicit default or a known constant.
    /// An attribute follows the value of its element; they are tied at the end of the reading.
    pub fn implied(&mut self, node: Node<'t, 'a>) {
        if !self.taken(node) {
            self.record(node, Role::Leaf, Preset::Implied);
            self.implied.push(node.index);
        }
    }

    /// Marks the text of an element, which was taken unchanged, as an invalid value of this type.
    pub fn invalid<T: FromText<'a>>(&mut self, element: Node<'t, 'a>) {
        self.invalid.extend(element.text().map(|text| (text.index, T::SPECIMEN)));
    }

    /// Marks a leaf as an invalid value; this one is readable in its place.
    pub(crate) fn invalid_leaf(&mut self, node: Node<'t, 'a>, specimen: &'static str) {
        self.invalid.push((node.index, specimen));
    }

    /// Marks a value, with all that is below it, as no readable value of this field: it becomes foreign.
    pub(crate) fn unreadable(&mut self, node: Node<'t, 'a>, field: Field) {
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            self.unreadable.insert(node.index, field);
            open.extend(node.nodes());
        }
    }

    /// What is settled of a value that becomes foreign.
    fn preset_of_unread(&self, node: Node<'_, 'a>) -> Preset {
        match self.unreadable.is_empty() {
            true => Preset::Unread(None),
            false => Preset::Unread(self.unreadable.get(&node.index).copied()),
        }
    }

    /// Marks the text of an element, which was taken unchanged, as not understood.
    pub fn mark_unread(&mut self, element: Node<'t, 'a>) {
        let mark = element.text().map(|text| self.marks[text.index as usize]).filter(|mark| mark.is_some());
        let record = mark.and_then(|mark| self.origin.records.get_mut((mark.0 & !Mark::FEED) as usize));
        if let Some(record) = record.filter(|record| record.preset == Preset::Open) {
            record.preset = Preset::Unread(None);
        }
    }

    /// Marks a leaf that is copied unchanged as understood.
    pub(crate) fn understood(&mut self, mark: Mark) {
        if let Some(record) = self.origin.records.get_mut((mark.0 & !Mark::FEED) as usize) {
            record.preset = Preset::Open;
        }
    }

    /// Takes an attribute as implied if it has this value (compared without case).
    pub fn implied_attr(&mut self, element: Node<'t, 'a>, name: &str, value: &str) {
        self.known(element);
        if let Some(attribute) = element.attribute(name)
            && attribute.value().trim().eq_ignore_ascii_case(value)
        {
            self.implied(attribute);
        }
    }

    /// Takes a leaf that is kept or lost together with another one, because it adds nothing to the model: an attribute
    /// such as the `type` of a text.
    pub fn follow(&mut self, node: Node<'t, 'a>, leaf: Mark) {
        if !self.taken(node) && leaf.is_some() {
            let preset = if node.kind() == NodeKind::Attribute { Preset::Implied } else { Preset::Open };
            self.record(node, Role::Follows(leaf), preset);
        }
    }

    /// Like [`Take::follow`], for an attribute that is not interpreted literally.
    pub fn follow_otherwise(&mut self, node: Node<'t, 'a>, leaf: Mark, why: Reason) {
        if !self.taken(node) && leaf.is_some() {
            self.record(node, Role::Follows(leaf), Preset::Adjusted(why));
        }
    }

    /// Ties implied attributes to the value of their element, so that they are lost with it. Those of the root apply
    /// to the whole document or entry.
    fn tie_implied(&mut self) {
        for index in std::mem::take(&mut self.implied) {
            let node = self.tree.node(index);
            let Some(element) = self.tree.nodes.get(node.raw().parent as usize).filter(|_| !self.tree.json) else {
                continue;
            };
            if node.kind() != NodeKind::Attribute || element.parent as usize >= self.tree.nodes.len() {
                continue;
            }
            let element = self.tree.node(node.raw().parent);
            let addresses = ["href", "url", "src"].into_iter().filter_map(|name| element.attribute(name));
            let main = element.text().into_iter().chain(addresses).map(|main| self.mark_of(main));
            let plain = |mark: Mark| Mark(mark.0 & !Mark::FEED);
            let Some(main) = main.into_iter().find(|mark| mark.is_some()).map(plain) else { continue };
            let lead = match self.origin.records.get(main.0 as usize).map(|record| record.role) {
                Some(Role::Follows(lead) | Role::Part(lead)) => lead,
                _ => main,
            };
            let own = plain(self.mark_of(node));
            if let Some(record) = self.origin.records.get_mut(own.0 as usize).filter(|_| own != lead) {
                record.role = Role::Follows(lead);
            }
        }
    }

    /// Takes a leaf as a duplicate of another one that is in the model.
    pub fn merge(&mut self, node: Node<'t, 'a>, why: Reason, with: Mark) {
        if !self.taken(node) {
            self.record(node, Role::Leaf, Preset::Merged(why, with));
        }
    }

    /// Notes a video that is not read.
    pub(crate) fn leave_video(&mut self, video: Node<'t, 'a>) {
        self.origin.unread_videos.push((0, video.raw().at));
    }

    /// Whether a node is a copy of one in the head.
    pub(crate) fn is_lent(&self, node: Node<'t, 'a>) -> bool {
        node.index >= self.tree.own()
    }

    /// Makes a value that was taken a duplicate of another one that is in the model.
    pub(crate) fn fold(&mut self, mark: Mark, why: Reason, with: Mark) {
        if let Some(record) = self.origin.records.get_mut((mark.0 & !Mark::FEED) as usize) {
            record.preset = Preset::Merged(why, Mark(with.0 & !Mark::FEED));
        }
    }

    /// Makes a value that was taken one of this field that is only written back.
    pub(crate) fn pass_over(&mut self, mark: Mark, field: Field, why: Reason) {
        if let Some(record) = self.origin.records.get_mut((mark.0 & !Mark::FEED) as usize) {
            record.preset = Preset::Removed(field, why);
        }
    }

    /// Notes that the value with this mark differs in the model from the source.
    pub fn adjusted(&mut self, mark: Mark, why: Reason) {
        if let Some(record) = self.origin.records.get_mut((mark.0 & !Mark::FEED) as usize) {
            record.preset = Preset::Adjusted(why);
        }
    }

    /// Takes an empty element whose presence is its value (`mobile:mobile`) as a leaf.
    pub fn flag(&mut self, element: Node<'t, 'a>, slot: &mut Option<Leaf<bool>>) {
        self.known(element);
        match slot {
            None => {
                let mark = self.record(element, Role::Leaf, Preset::Open);
                *slot = Some(Leaf { value: true, mark, via: None });
            }
            Some(first) => {
                let with = first.mark;
                self.merge(element, Reason::SameValue, with);
            }
        }
    }

    /// Takes the text of an element as a text of this kind, with its `xml:lang` and `xml:base`. HTML may also occur
    /// as elements.
    pub fn construct(&mut self, element: Node<'t, 'a>, kind: TextKind, via: Option<Ns>, slot: &mut Option<Text<'a>>) {
        self.known(element);
        if is_unescaped(element) {
            note_unescaped(self, element, "HTML elements in a text, read as its markup");
            return self.markup(element, element, TextKind::Html, via, slot);
        }
        let Some(run) = element.text() else { return };
        match slot {
            Some(first) => {
                let value = first.value.clone();
                self.second(run, &value);
                self.take_text_attributes(element, None, value.mark);
            }
            None => {
                if let Some(value) = self.leaf(run, via) {
                    let mut text = Text::new(kind, value);
                    let mark = text.value.mark;
                    if kind == TextKind::Html
                        && let Some(markup) = html::escaped_twice(&text.value.value)
                    {
                        let done = "markup escaped twice, decoded again";
                        let found = run.value().trim();
                        if self.decodes_twice {
                            self.remark(run, ESCAPED_TWICE, found, format!("{done}: {markup}"));
                            self.adjusted(mark, Reason::AsHtml);
                            text.value.value = Cow::Owned(markup);
                        } else {
                            self.remark(run, ESCAPED_TWICE, found, "kept as written; --decode-twice decodes it again");
                        }
                    }
                    self.take_text_attributes(element, Some(&mut text), mark);
                    *slot = Some(text);
                }
            }
        }
    }

    /// Takes the words of a value with HTML elements in it, unless these have attributes: a link is more than its words.
    fn words<T: FromText<'a> + PartialEq>(
        &mut self,
        element: Node<'t, 'a>,
        via: Option<Ns>,
        slot: &mut Option<Leaf<T>>,
    ) {
        let is_bare = inside(element).all(|node| node.kind() != NodeKind::Attribute);
        let words = html::to_plain(&crate::xml::serialize::inner(element, TextKind::Html));
        let words = Some(words).filter(|words| is_bare && !words.is_empty());
        let Some((value, note)) = words.clone().and_then(|words| T::from_text(Cow::Owned(words))) else {
            return element.text().map_or((), |text| self.value(text, via, slot));
        };
        let first = slot
            .as_ref()
            .map(|first| (first.mark, if value == first.value { Reason::SameValue } else { Reason::FirstWins }));
        note_unescaped(self, element, "HTML elements in a value, read as its words");
        if let (Some(mark), None) = (self.below(element, first), first) {
            let cost = note.as_ref().and_then(|note| note.cost()).unwrap_or(Reason::AsPlainText);
            self.adjusted(mark, cost);
            if let Some(note) = note {
                let found = words.as_deref().unwrap_or_default();
                self.remark(element, note.code, found, format!("{}: {}", note.said, value.shown()));
            }
            *slot = Some(Leaf { value, mark, via });
        }
    }

    /// Takes an element with markup in it as one text: the XHTML below `inner`, serialised.
    pub fn xhtml(&mut self, element: Node<'t, 'a>, inner: Node<'t, 'a>, via: Option<Ns>, slot: &mut Option<Text<'a>>) {
        self.known(element);
        self.known(inner);
        self.markup(element, inner, TextKind::Xhtml, via, slot);
    }

    /// Takes the content of `inner` as one text; the attributes of `inner` itself are omitted.
    fn markup(
        &mut self,
        element: Node<'t, 'a>,
        inner: Node<'t, 'a>,
        kind: TextKind,
        via: Option<Ns>,
        slot: &mut Option<Text<'a>>,
    ) {
        let first = slot.as_ref().map(|first| (first.value.mark, Reason::FirstWins));
        if let (Some(mark), None) = (self.below(inner, first), first) {
            let value = Cow::Owned(crate::xml::serialize::inner(inner, kind));
            let mut text = Text::new(kind, Leaf { value, mark, via });
            self.take_text_attributes(element, Some(&mut text), mark);
            if inner.index != element.index {
                self.take_text_attributes(inner, Some(&mut text), mark);
            }
            *slot = Some(text);
        }
    }

    /// Takes all leaves below an element as one value, whose mark it returns: they follow the first run of text, or the
    /// first leaf if there is no text. If there is a `first` value, they are merged with it for this reason.
    fn below(&mut self, inner: Node<'t, 'a>, first: Option<(Mark, Reason)>) -> Option<Mark> {
        let mut lead = None;
        if first.is_none()
            && let Some(run) = inside(inner).find(|node| node.kind() == NodeKind::Text && !self.taken(*node))
        {
            lead = Some(self.record(run, Role::Leaf, Preset::Open));
        }
        for node in inside(inner) {
            if node.kind() == NodeKind::Element {
                self.known(node);
                continue;
            }
            if self.taken(node) {
                continue;
            }
            match (lead, first) {
                (Some(mark), _) => _ = self.record(node, Role::Follows(mark), Preset::Open),
                (None, None) => lead = Some(self.record(node, Role::Leaf, Preset::Open)),
                (None, Some((with, why))) => _ = self.record(node, Role::Leaf, Preset::Merged(why, with)),
            }
        }
        lead
    }

    /// Takes the attributes that every text may have.
    fn take_text_attributes(&mut self, element: Node<'t, 'a>, text: Option<&mut Text<'a>>, mark: Mark) {
        match text {
            Some(text) => {
                self.xml_lang(element, &mut text.lang);
                self.attr_ns(element, Ns::Xml, "base", &mut text.base);
            }
            None => {
                for name in ["lang", "base"] {
                    if let Some(attribute) = element.attribute_ns(Ns::Xml, name) {
                        self.merge(attribute, Reason::FirstWins, mark);
                    }
                }
            }
        }
    }

    /// Keeps an element of a known module for which the model has no better place: its text and its attributes
    /// without a namespace or of RDF. `name` is the element under its usual prefix.
    pub fn module(&mut self, element: Node<'t, 'a>, name: impl Into<Cow<'a, str>>, modules: &mut Vec<Module<'a>>) {
        if std::mem::replace(&mut self.settled[element.index as usize], SETTLED) == SETTLED {
            // already read
            return;
        }
        let mut module = Module { name: name.into(), ..Module::default() };
        if let Some(text) = element.text() {
            self.value(text, None, &mut module.value);
        }
        for attribute in element.attributes().filter(|attribute| matches!(attribute.ns(), Ns::None | Ns::Rdf)) {
            let mut value = None;
            self.value(attribute, None, &mut value);
            let name = match attribute.ns() {
                Ns::None => Cow::Borrowed(attribute.name()),
                ns => Cow::Owned(format!("{}:{}", ns.prefix(), attribute.name())),
            };
            module.attributes.push(ModuleAttribute { name, value });
        }
        if module.value.is_none() && module.attributes.is_empty() {
            // the leaf is the content of the element, not the element
            if element.nodes().next().is_some() {
                return;
            }
            self.flag(element, &mut module.flag);
        }
        modules.push(module);
    }

    /// Ends the reading: leaves that were not taken become foreign. Returns the places of the leaves.
    ///
    /// Paths of foreign leaves can be far longer than their source, because each names all enclosing elements; `room`
    /// limits their total size in bytes.
    ///
    /// # Errors
    /// The place of the first node whose path does not fit. Nothing is kept then: the caller has to report the whole
    /// entry as lost.
    pub fn rest(self, room: usize, foreign: &mut Vec<Foreign<'a>>) -> Result<Origin<'a>, usize> {
        self.rest_into(room, foreign, &mut SpareMemory::default())
    }

    /// Like [`Take::rest`], but hands the memory back.
    ///
    /// # Errors
    /// See [`Take::rest`].
    pub fn rest_into(
        mut self,
        room: usize,
        foreign: &mut Vec<Foreign<'a>>,
        spare: &mut SpareMemory,
    ) -> Result<Origin<'a>, usize> {
        self.tie_implied();
        let (mut left, mut steps) = std::mem::take(&mut self.spare);
        let done = self.leave_all(room, foreign, &mut left, &mut steps);
        *spare = SpareMemory {
            marks: self.marks,
            settled: self.settled,
            records: Vec::new(),
            left,
            steps,
            invalid: self.invalid,
        };
        done.map(|()| self.origin)
    }

    fn leave_all(
        &mut self,
        mut room: usize,
        foreign: &mut Vec<Foreign<'a>>,
        left: &mut Vec<u32>,
        steps: &mut PathBuilder,
    ) -> Result<(), usize> {
        self.left(left);
        if left.is_empty() {
            return Ok(());
        }
        steps.begin(self.tree);
        foreign.reserve(left.len());
        for &index in &*left {
            let kept = foreign.len();
            self.note_unknown(self.tree.node(index));
            self.leave(index, steps, foreign);
            for item in foreign.iter().skip(kept) {
                let fits = room.checked_sub(item.path.len());
                room = fits.ok_or(self.tree.node(index).raw().at as usize)?;
            }
        }
        Ok(())
    }

    /// Remarks an element that its vocabulary does not have, with the name that is nearest. Vocabularies that grow, and names
    /// without a namespace, may have more than is known.
    fn note_unknown(&mut self, element: Node<'t, 'a>) {
        let ns = element.ns();
        let is_left = element.kind() == NodeKind::Element && self.settled[element.index as usize] == OPEN;
        if !is_left || self.tree.json || ns == Ns::None || !xml::is_whole(ns) || xml::is_known(ns, element.name()) {
            return;
        }
        let done = match xml::near_name(ns, element.name()) {
            Some(near) => format!("not in {}, which has {near}", ns.uri()),
            None => format!("not in {}", ns.uri()),
        };
        self.remark(element, "markup.unknown", element.raw().qname, done);
    }

    /// Collects the leaves not taken, in document order, and the elements that begin with a text not taken. If other
    /// content of the element was read, only the text is kept: otherwise an empty shell of the element would be copied.
    fn left(&self, left: &mut Vec<u32>) {
        left.clear();
        let mut in_order = true;
        for index in memchr::memchr_iter(OPEN, &self.settled) {
            let raw = &self.tree.nodes[index];
            let (index, host) = (index as u32, raw.parent);
            if raw.kind == NodeKind::Text
                && self.settled.get(host as usize) == Some(&SETTLED)
                && self.own_run(self.tree.node(host)).is_some_and(|run| run.index == index)
                && !self.is_read(self.tree.node(host))
            {
                // attributes of the host may be in between
                in_order &= left.last().is_none_or(|last| *last < host);
                left.push(host);
            }
            left.push(index);
        }
        if !in_order {
            left.sort_unstable();
        }
    }

    /// Whether any content of an element was read.
    fn is_read(&self, element: Node<'t, 'a>) -> bool {
        element.nodes().any(|below| self.settled[below.index as usize] == SETTLED)
    }

    /// The text at the start of an element, if it was not taken. Text after a child keeps its place among the children.
    fn own_run(&self, element: Node<'t, 'a>) -> Option<Node<'t, 'a>> {
        let first = element.nodes().find(|below| below.kind() != NodeKind::Attribute);
        first.filter(|run| run.kind() == NodeKind::Text && !self.taken(*run) && !self.tree.json)
    }

    /// Adds a node to the foreign ones if it is not settled.
    fn leave(&mut self, index: u32, steps: &mut PathBuilder, foreign: &mut Vec<Foreign<'a>>) {
        let node = self.tree.node(index);
        let raw = node.raw();
        let tree = self.tree;
        let mut path = || Cow::Owned(steps.path(tree, index));
        let uri = match raw.uri {
            // in JSON, the namespace holds the kind of value; what is empty would not show whether it is a list
            uri if self.tree.typed => self.label_of(index).unwrap_or(json_type(uri)),
            "list" if self.tree.json && node.nodes().next().is_none() => raw.uri,
            _ if self.tree.json => "",
            "" if raw.ns != Ns::Unknown => raw.ns.uri(),
            uri => uri,
        };
        let mut named = || Foreign {
            path: path(),
            ns: escape::unescape_lenient(uri).0,
            name: Cow::Borrowed(raw.name),
            ..Foreign::default()
        };
        match node.kind() {
            NodeKind::Attribute if !self.taken(node) => {
                let value = self.unread(node);
                foreign.push(Foreign { value, ..named() });
            }
            NodeKind::Element => {
                let run = self.own_run(node);
                if self.settled[index as usize] == SETTLED && run.is_none() {
                    return;
                }
                let mut item = named();
                match run {
                    Some(run) => item.value = self.unread(run),
                    None if node.nodes().next().is_none() => {
                        let mark = self.record(node, Role::Leaf, self.preset_of_unread(node));
                        item.empty = Some(Leaf { value: EmptyContent, mark, via: None });
                    }
                    None => (),
                }
                foreign.push(item);
            }
            NodeKind::Text if !self.taken(node) => {
                let value = self.unread(node);
                // in JSON a string is the usual kind, and others are named
                let is_kind = tree.json && matches!(raw.uri, "number" | "boolean" | "null");
                let ns = Cow::Borrowed(match tree.typed {
                    true => uri,
                    false if is_kind => raw.uri,
                    false => "",
                });
                let name = Cow::Borrowed(raw.name);
                let path = Cow::Owned(steps.path(tree, index));
                foreign.push(Foreign { path, ns, value, name, ..Foreign::default() });
            }
            NodeKind::Attribute | NodeKind::Text => (),
        }
    }

    fn label_of(&self, index: u32) -> Option<&'static str> {
        self.labels.binary_search_by_key(&index, |(index, _)| *index).ok().map(|at| self.labels[at].1)
    }

    fn unread(&mut self, node: Node<'t, 'a>) -> Option<Str<'a>> {
        let value = match &node.raw().value {
            Cow::Borrowed(text) => Cow::Borrowed(*text),
            Cow::Owned(text) => Cow::Owned(text.clone()),
        };
        let raw = node.raw();
        let preset = match raw.kind == NodeKind::Attribute && is_technical(raw.uri, raw.name) {
            true => Preset::Open,
            false => self.preset_of_unread(node),
        };
        let mark = self.record(node, Role::Leaf, preset);
        Some(Leaf { value, mark, via: None })
    }
}

/// The largest exponent that is written out: the digits of any count of bytes or of seconds are fewer.
const EXPONENT: i32 = 32;

/// The same number as digits alone; `None` for one without an exponent, or with one that is out of all bounds.
fn without_exponent(number: &str) -> Option<String> {
    let (digits, exponent) = number.trim().split_once(['e', 'E'])?;
    let exponent: i32 = exponent.parse().ok().filter(|exponent| (-EXPONENT..=EXPONENT).contains(exponent))?;
    let (sign, digits) = digits.strip_prefix('-').map_or(("", digits), |digits| ("-", digits));
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let zeros = "0".repeat(EXPONENT.unsigned_abs() as usize);
    let all = format!("{zeros}{whole}{fraction}{zeros}");
    let point = i32::try_from(zeros.len() + whole.len()).ok()?.saturating_add(exponent);
    let (whole, fraction) = all.split_at_checked(usize::try_from(point).ok()?)?;
    let (whole, fraction) = (whole.trim_start_matches('0'), fraction.trim_end_matches('0'));
    let whole = if whole.is_empty() { "0" } else { whole };
    Some(if fraction.is_empty() { format!("{sign}{whole}") } else { format!("{sign}{whole}.{fraction}") })
}

/// The type of a value in JSON where its spelling does not show it: strings and objects have none.
fn json_type(kind: &str) -> &str {
    if matches!(kind, "string" | "object") { "" } else { kind }
}

/// All nodes inside an element, without its own attributes.
fn inside<'t, 'a>(element: Node<'t, 'a>) -> impl Iterator<Item = Node<'t, 'a>> {
    let tree = element.tree;
    let behind = (element.index + 1..tree.nodes.len() as u32).map(|index| tree.node(index));
    let below = behind.take_while(move |node| node.raw().at < element.raw().end);
    below.filter(move |node| node.kind() != NodeKind::Attribute || node.raw().parent != element.index)
}

/// Remarks the first element in a text.
fn note_unescaped<'t, 'a>(take: &mut Take<'t, 'a>, element: Node<'t, 'a>, done: &'static str) {
    if let Some(first) = element.children().next() {
        let found = format!("<{}>", first.raw().qname);
        take.remark(element, "text.markup", &found, done);
    }
}

/// Whether an element contains HTML as elements: all of its children are elements of HTML, not of
/// another vocabulary.
pub(crate) fn is_unescaped(element: Node<'_, '_>) -> bool {
    let is_html = |child: &Node<'_, '_>| {
        matches!(
            child.ns(),
            Ns::None
                | Ns::Xhtml
                | Ns::Sitemap
                | Ns::Ovs
                | Ns::Rss2
                | Ns::Rss10
                | Ns::Rss090
                | Ns::Rss11
                | Ns::YahooChannel
                | Ns::Atom
                | Ns::Atom03
        ) && html::is_in_texts(child.name())
    };
    let speaks = |child: Node<'_, '_>| child.nodes().next().is_some();
    element.has_children()
        && !element.tree.json
        && element.children().all(|child| is_html(&child))
        && (element.text().is_some() || element.children().any(speaks))
}
