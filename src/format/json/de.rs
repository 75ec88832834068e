//! A serde deserializer over the tree of a piece of JSON: the model's own `Deserialize` reads it, and every value that
//! was read is marked as taken, with the number of its leaf. Other values stay in the tree and become foreign. Strings
//! that only describe structure (`path`, `kind`, `inherited`) are taken without a leaf. Members that need more than
//! their type are in read.rs.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap, HashSet};

use std::sync::OnceLock;

use serde::Deserialize as _;
use serde::de::value::{BorrowedStrDeserializer, Error, U32Deserializer};
use serde::de::{self, DeserializeSeed, Deserializer, Error as _, IntoDeserializer, MapAccess, SeqAccess, Visitor};

use crate::format::ns::media::{in_part, meant};
use crate::json::parse::{ANY, ANY_TEXT, BOOLEAN, LIST, NULL, NUMBER, OBJECT, STRING};
use crate::model::Entry;
use crate::model::date::repaired;
use crate::model::leaf::{MARKED, TEXT};
use crate::model::origin::{Preset, Role};
use crate::model::value::DATE;
use crate::tree::{Node, NodeKind, Take};
use crate::xml::limits::TreeLimits;
use crate::xml::names::{Ns, is_ncname, is_qname};
use crate::xml::parse;
use crate::xml::scope::Scope;

/// Whether an entry has a member of this name.
pub(super) fn is_entry_member(name: &str) -> bool {
    static MEMBERS: OnceLock<&[&str]> = OnceLock::new();
    let members = MEMBERS.get_or_init(|| {
        let mut members: &[&str] = &[];
        // only the names are used
        let _ = Entry::deserialize(MemberNames(&mut members));
        members
    });
    members.contains(&name)
}

/// Notes the members that a struct asks for, and gives none.
struct MemberNames<'m>(&'m mut &'static [&'static str]);

impl<'de> Deserializer<'de> for MemberNames<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("nothing is here"))
    }
    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        members: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        *self.0 = members;
        self.deserialize_any(visitor)
    }
    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit unit_struct
        newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// How deep videos may be nested: a video, and the values of one of its renditions.
const VIDEOS: u8 = 2;

/// The reading of one piece of JSON.
pub struct JsonReading<'c, 't, 'a> {
    take: RefCell<&'c mut Take<'t, 'a>>,
    limits: TreeLimits,
}

impl<'c, 't, 'a> JsonReading<'c, 't, 'a> {
    /// Starts reading; `limits` apply to markup inside texts too.
    pub fn new(take: &'c mut Take<'t, 'a>, limits: TreeLimits) -> Self {
        JsonReading { take: RefCell::new(take), limits }
    }

    /// A deserializer of this node.
    pub fn at(&self, node: Node<'t, 'a>) -> NodeDeserializer<'_, 'c, 't, 'a> {
        NodeDeserializer {
            reading: self,
            node,
            kind: node.raw().uri,
            inside: "",
            videos: 0,
            copy: false,
            own: usize::MAX,
            bare: false,
        }
    }
}

/// A deserializer of one node.
pub struct NodeDeserializer<'r, 'c, 't, 'a> {
    reading: &'r JsonReading<'c, 't, 'a>,
    node: Node<'t, 'a>,
    /// What kind of value the node is.
    kind: &'a str,
    /// The struct that it is a member of.
    inside: &'static str,
    /// How many videos contain it.
    videos: u8,
    /// It repeats a value of another level and is not a leaf.
    copy: bool,
    /// If it is a list, how many of its members are no such copies.
    own: usize,
    /// The value of a leaf, which is numbered only once it proves readable.
    bare: bool,
}

impl<'r, 'c, 't, 'a> Clone for NodeDeserializer<'r, 'c, 't, 'a> {
    fn clone(&self) -> Self {
        *self
    }
}
impl Copy for NodeDeserializer<'_, '_, '_, '_> {}

impl<'r, 'c, 't, 'a> NodeDeserializer<'r, 'c, 't, 'a> {
    fn text(self) -> &'t str {
        &self.node.raw().value
    }

    fn below(self, node: Node<'t, 'a>) -> Self {
        NodeDeserializer { node, kind: node.raw().uri, own: usize::MAX, bare: false, ..self }
    }

    fn known(self) {
        self.reading.take.borrow_mut().known(self.node);
    }

    fn record(self, role: Role, preset: Preset) -> u32 {
        let role = if self.copy { Role::Silent } else { role };
        self.reading.take.borrow_mut().record(self.node, role, preset).0
    }

    /// Marks a string or a flag as read that is not a leaf.
    fn silent(self) {
        if !self.bare {
            self.record(Role::Silent, Preset::Implied);
        }
    }

    fn wrong<T>(self, expected: &str) -> Result<T, Error> {
        Err(Error::custom(format_args!("not {expected}")))
    }

    fn string(self) -> Result<&'t str, Error> {
        match self.kind {
            STRING | ANY => {
                self.silent();
                Ok(self.text())
            }
            _ => self.wrong("a string"),
        }
    }

    fn number<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Error> {
        let text = self.text();
        if !matches!(self.kind, NUMBER | ANY) {
            return self.wrong("a number");
        }
        if let Ok(number) = text.parse::<u64>() {
            return visitor.visit_u64(number);
        }
        if let Ok(number) = text.parse::<i64>() {
            return visitor.visit_i64(number);
        }
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => visitor.visit_f64(number),
            _ => self.wrong("a number of this size"),
        }
    }

    /// Reports a repair in the spelling of a value. A copy is skipped: its original is reported.
    fn note_repair(self, name: &str) {
        let text = match self.text().parse::<f64>() {
            // as `number` reads it
            Ok(number) if self.kind == NUMBER && self.text().contains(['e', 'E']) => Cow::Owned(number.to_string()),
            _ => Cow::Borrowed(self.text()),
        };
        // a number is not a date
        let found = repaired(name, &text).filter(|_| !self.copy && (self.kind == STRING || name != DATE));
        if let Some((note, told)) = found {
            let done = format!("{}: {told}", note.said);
            self.reading.take.borrow_mut().remark(self.node, note.code, self.text().trim(), done);
        }
    }

    /// Whether it is a video of an entry: only these hold copies of what other levels say.
    fn is_video(self) -> bool {
        let parent = self.node.raw().parent;
        self.inside == "Entry"
            && (parent as usize) < self.node.tree.nodes.len()
            && self.node.tree.node(parent).name() == "videos"
    }

    /// The value of a member of an object, if it is a string.
    fn member(self, name: &str) -> Option<&'t str> {
        member(self.node, name)
    }

    /// Whether the writers of markup can write what this object names.
    fn is_nameable(self, name: &str) -> bool {
        let known = |name: &str| {
            let (prefix, _) = name.split_once(':')?;
            Ns::by_prefix(prefix)
        };
        match name {
            "Module" | "Flag" => self.member("name").is_some_and(|name| {
                is_qname(name) && (!name.contains(':') || known(name).is_some_and(|ns| ns != Ns::Xml))
            }),
            // attributes of links bear a prefix (`thr:count`)
            "ModuleAttribute" => self.member("name").is_some_and(|name| match name.contains(':') {
                true => is_qname(name) && known(name).is_some_and(|ns| ns != Ns::Xml),
                false => is_ncname(name) && name != "xmlns",
            }),
            _ => true,
        }
    }

    fn members(self, name: &'static str, fields: &'static [&'static str]) -> Members<'r, 'c, 't, 'a> {
        let videos = self.videos + u8::from(name == "Video");
        let copies = name == "Video" && self.is_video();
        let inherited: BTreeSet<&'t str> = match self.node.nodes().find(|node| node.name() == "inherited" && copies) {
            Some(list) => {
                let names: Vec<&'t str> =
                    list.nodes().filter(|node| node.raw().uri == STRING).map(Node::value).collect();
                meant(names.into_iter())
            }
            None => BTreeSet::new(),
        };
        let partly = inherited.iter().filter_map(|name| in_part(name)).collect();
        Members {
            at: NodeDeserializer { inside: name, videos, bare: false, ..self },
            fields,
            read: 0,
            last: 0,
            next: self.node.nodes().next(),
            value: None,
            copies,
            inherited,
            partly,
        }
    }
}

/// The value of a member, if it is a string.
pub fn member<'t>(node: Node<'t, '_>, name: &str) -> Option<&'t str> {
    node.nodes().find(|node| node.name() == name && node.raw().uri == STRING).map(Node::value)
}

impl<'r, 'c, 't, 'a> Deserializer<'t> for NodeDeserializer<'r, 'c, 't, 'a> {
    type Error = Error;

    fn is_human_readable(&self) -> bool {
        false
    }

    fn deserialize_any<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.kind {
            STRING | ANY => visitor.visit_borrowed_str(self.string()?),
            BOOLEAN => self.deserialize_bool(visitor),
            // digits stay digits: a float would not hold every amount
            NUMBER if !self.text().contains(['e', 'E']) => visitor.visit_borrowed_str(self.text()),
            NUMBER => self.number(visitor),
            LIST => self.deserialize_seq(visitor),
            OBJECT => self.deserialize_map(visitor),
            _ => self.wrong("a value"),
        }
    }

    fn deserialize_bool<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.kind {
            BOOLEAN | ANY => {
                self.silent();
                visitor.visit_bool(self.text() != "false")
            }
            _ => self.wrong("true or false"),
        }
    }

    fn deserialize_str<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_borrowed_str(self.string()?)
    }

    fn deserialize_string<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_borrowed_str(self.string()?)
    }

    fn deserialize_u64<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Error> {
        self.number(visitor)
    }

    fn deserialize_option<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.kind {
            NULL => visitor.visit_none(),
            _ => visitor.visit_some(self),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'t>>(self, name: &'static str, visitor: V) -> Result<V::Value, Error> {
        match (name, self.kind) {
            (MARKED, _) if self.node.kind() == NodeKind::Text => visitor.visit_seq(MarkedLeaf { at: self, given: 0 }),
            (TEXT, STRING | ANY) => visitor.visit_seq(MarkedLeaf { at: self, given: 0 }),
            (TEXT, OBJECT) if self.member("value").is_some() => {
                self.known();
                visitor.visit_map(self.members("Text", &["kind", "value", "lang", "base"]))
            }
            (MARKED | TEXT, _) => {
                if self.node.kind() == NodeKind::Text {
                    self.reading.take.borrow_mut().invalid_leaf(self.node, ANY_TEXT);
                }
                self.wrong("a value")
            }
            (name, STRING | NUMBER) => {
                self.note_repair(name);
                visitor.visit_newtype_struct(self)
            }
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_seq<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Error> {
        let (next, alone) = match self.kind {
            LIST => (self.node.nodes().next(), false),
            OBJECT | STRING => (Some(self.node), true),
            _ => return self.wrong("a list"),
        };
        self.known();
        visitor.visit_seq(ListItems { at: self, next, alone, names: HashSet::new(), given: 0 })
    }

    fn deserialize_map<V: Visitor<'t>>(self, _: V) -> Result<V::Value, Error> {
        self.wrong("a value of the model")
    }

    fn deserialize_struct<V: Visitor<'t>>(
        self,
        name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        if self.kind != OBJECT || !self.is_nameable(name) {
            return self.wrong("an object of this type");
        }
        self.known();
        visitor.visit_map(self.members(name, fields))
    }

    fn deserialize_enum<V: Visitor<'t>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_enum(self.string()?.into_deserializer())
    }

    fn deserialize_ignored_any<V: Visitor<'t>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    serde::forward_to_deserialize_any! {
        <V: Visitor<'t>>
        i8 i16 i32 i64 i128 u8 u16 u32 u128 f32 f64 char bytes byte_buf unit unit_struct tuple tuple_struct identifier
    }
}

/// A leaf as a sequence of its value and its number. The number is given, and the leaf taken, after the value
/// proved readable.
struct MarkedLeaf<'r, 'c, 't, 'a> {
    at: NodeDeserializer<'r, 'c, 't, 'a>,
    given: u8,
}

impl<'t> SeqAccess<'t> for MarkedLeaf<'_, '_, 't, '_> {
    type Error = Error;
    fn next_element_seed<T: DeserializeSeed<'t>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        self.given += 1;
        match self.given {
            1 => {
                let read = seed.deserialize(NodeDeserializer { bare: true, ..self.at });
                if read.is_err() {
                    self.at.reading.take.borrow_mut().invalid_leaf(self.at.node, ANY_TEXT);
                }
                read.map(Some)
            }
            2 => seed.deserialize(U32Deserializer::new(self.at.record(Role::Leaf, Preset::Open))).map(Some),
            _ => Ok(None),
        }
    }
}

/// The members of a list.
struct ListItems<'r, 'c, 't, 'a> {
    at: NodeDeserializer<'r, 'c, 't, 'a>,
    next: Option<Node<'t, 'a>>,
    /// A value is in the place of the list, which is a list of it.
    alone: bool,
    /// Names that the attributes of a module have already.
    names: HashSet<&'t str>,
    /// How many were read.
    given: usize,
}

impl<'t> SeqAccess<'t> for ListItems<'_, '_, 't, '_> {
    type Error = Error;
    fn next_element_seed<T: DeserializeSeed<'t>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let attributes = self.at.inside == "Module" && self.at.node.name() == "attributes";
        while let Some(node) = self.next {
            self.next = node.following().filter(|_| !self.alone);
            if attributes && member(node, "name").is_some_and(|name| !self.names.insert(name)) {
                continue;
            }
            let mut at = self.at.below(node);
            at.copy |= self.given >= self.at.own;
            self.given += 1;
            let read = seed.deserialize(at)?;
            if self.alone && (at.kind == OBJECT || at.reading.take.borrow().taken(node)) {
                let found = if at.kind == STRING { at.text() } else { node.name() };
                at.reading.take.borrow_mut().remark(node, "json.list", found, "read as a list of one");
            }
            return Ok(Some(read));
        }
        Ok(None)
    }
}

/// The members of an object that the model knows, each the first of its name. Others stay.
struct Members<'r, 'c, 't, 'a> {
    at: NodeDeserializer<'r, 'c, 't, 'a>,
    fields: &'static [&'static str],
    /// A bit for each field that was read.
    read: u128,
    /// The field that was found last: the next one usually follows it.
    last: usize,
    next: Option<Node<'t, 'a>>,
    value: Option<(NodeDeserializer<'r, 'c, 't, 'a>, Option<&'static str>)>,
    /// Whether it may hold copies of what other levels give.
    copies: bool,
    /// The members that the other levels give.
    inherited: BTreeSet<&'t str>,
    /// The lists that they give in part, with the number of the first such member.
    partly: HashMap<&'t str, usize>,
}

impl<'r, 'c, 't, 'a> Members<'r, 'c, 't, 'a> {
    /// The number of a field, of which a struct has fewer than 128.
    fn field(&self, name: &str) -> Option<usize> {
        let (before, behind) = self.fields.split_at_checked(self.last)?;
        let place = |fields: &[&str]| fields.iter().position(|field| *field == name);
        place(behind).map(|at| self.last + at).or_else(|| place(before))
    }

    /// Whether the member may be read; with what in the place of its value.
    fn admits(&self, at: NodeDeserializer<'r, 'c, 't, 'a>) -> Option<Option<&'static str>> {
        let yes = |yes: bool| yes.then_some(None);
        match (at.inside, at.node.name()) {
            // read by hand: a place may be too deep, and an empty element's leaf is its name
            ("Feed" | "Entry", "foreign") => None,
            ("Video", "inherited") => yes(self.copies),
            ("Video", "files") => yes(at.videos < VIDEOS),
            ("Text", "kind") => match at.text() {
                "xhtml" if at.kind == STRING => Some(self.unlike_xhtml().then_some("html")),
                kind => yes(at.kind == STRING && matches!(kind, "plain" | "html")),
            },
            ("Text", _) => yes(at.kind == STRING),
            ("Location", "shape") => yes(matches!(at.text(), "line" | "polygon" | "box" | "circle")),
            _ => Some(None),
        }
    }

    /// A text that calls itself XHTML and is not would break the documents it is written into.
    fn unlike_xhtml(&self) -> bool {
        let value = self.at.member("value").unwrap_or("");
        let wrapped = format!("<div xmlns=\"{}\">{value}</div>", Ns::Xhtml.uri());
        let found = parse::parse(&wrapped, &Scope::default(), &self.at.reading.limits);
        let is = found.is_ok_and(|tree| {
            let whole = tree.nodes.first().is_some_and(|root| root.end as usize == wrapped.len());
            whole && tree.repairs.is_empty()
        });
        if !is {
            let done = "read as html, since it is not well-formed";
            self.at.reading.take.borrow_mut().remark(self.at.node, "json.xhtml", value, done);
        }
        !is
    }
}

impl<'t> MapAccess<'t> for Members<'_, '_, 't, '_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'t>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        while let Some(node) = self.next {
            self.next = node.following();
            let Some(field) = self.field(node.name()) else { continue };
            let mut at = self.at.below(node);
            at.copy |= self.inherited.contains(node.name());
            at.own = self.partly.get(node.name()).copied().unwrap_or(usize::MAX);
            if self.read >> field & 1 == 1 {
                continue;
            }
            if at.kind == NULL {
                at.record(Role::Leaf, Preset::Implied);
                continue;
            }
            let Some(instead) = self.admits(at) else { continue };
            self.read |= 1 << field;
            self.last = field;
            self.value = Some((at, instead));
            return seed.deserialize(BorrowedStrDeserializer::new(self.fields[field])).map(Some);
        }
        Ok(None)
    }

    fn next_value_seed<V: DeserializeSeed<'t>>(&mut self, seed: V) -> Result<V::Value, Error> {
        match self.value.take() {
            Some((at, None)) => seed.deserialize(at),
            Some((at, Some(instead))) => {
                at.silent();
                seed.deserialize(BorrowedStrDeserializer::new(instead))
            }
            None => Err(de::Error::custom("a value without a name")),
        }
    }
}
