//! What every part of the model can do, and the macro that writes it from one declaration of a struct.
//!
//! A field is declared once, with the name (`Field`) its leaves bear; the walk, the numbering, `into_owned`, the
//! emptiness test and the JSON form follow. A field without a place in the walk does not compile.

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;
use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};

use super::date::Date;
use super::field::Field;
use super::leaf::{Leaf, Mark, Text, TextKind};
use super::refers::{UrlContent, refers};
use super::value::{Decimal, Seconds};
use crate::work;
use crate::xml::names::Ns;

/// One leaf as the walk shows it.
#[derive(Clone, Copy)]
pub struct LeafView<'e> {
    /// Its field.
    pub field: Field,
    /// The number of its source leaf.
    pub mark: Mark,
    /// The vocabulary that carried it, if not the usual one.
    pub via: Option<Ns>,
    /// The element that contained it, or that element's path, where its field covers many elements (modules, unknown
    /// markup).
    pub within: Option<&'e str>,
    /// How to understand its characters, where it is a text with a kind.
    pub kind: Option<TextKind>,
    /// Its value.
    pub value: Value<'e>,
}

/// A leaf's value, borrowed, whatever its type.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value<'e> {
    /// Characters (texts, URLs, tokens).
    Str(&'e str),
    /// A point in time.
    Date(&'e Date),
    /// A length of time.
    Seconds(Seconds),
    /// A decimal number as written.
    Decimal(&'e Decimal<'e>),
    /// A count.
    Count(u64),
    /// Yes or no.
    Flag(bool),
    /// An element whose only value is its name.
    Nothing,
}

impl fmt::Display for Value<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Str(text) => f.write_str(text),
            Value::Date(date) => f.write_str(&date.to_w3c()),
            Value::Seconds(seconds) => seconds.fmt(f),
            Value::Decimal(decimal) => f.write_str(decimal.as_str()),
            Value::Count(count) => count.fmt(f),
            Value::Flag(flag) => flag.fmt(f),
            Value::Nothing => Ok(()),
        }
    }
}

/// The type of the values of a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueType {
    /// Characters.
    Text,
    /// A point in time.
    Date,
    /// A length of time.
    Seconds,
    /// A number.
    Number,
    /// Yes or no.
    Flag,
    /// None: what counts is that the element is there.
    Nothing,
}

/// A type that a [`Leaf`] can hold.
pub trait LeafType {
    /// The type of the value.
    const TYPE: ValueType;
    /// The value, borrowed.
    fn value(&self) -> Value<'_>;
    /// Takes another text, where the value is one.
    fn rewrite(&mut self, text: String) {
        let _ = text;
    }
}

impl LeafType for Cow<'_, str> {
    const TYPE: ValueType = ValueType::Text;
    #[inline]
    fn value(&self) -> Value<'_> {
        Value::Str(self)
    }
    fn rewrite(&mut self, text: String) {
        *self = Cow::Owned(text);
    }
}
impl LeafType for Date {
    const TYPE: ValueType = ValueType::Date;
    #[inline]
    fn value(&self) -> Value<'_> {
        Value::Date(self)
    }
}
impl LeafType for Seconds {
    const TYPE: ValueType = ValueType::Seconds;
    #[inline]
    fn value(&self) -> Value<'_> {
        Value::Seconds(*self)
    }
}
impl LeafType for Decimal<'_> {
    const TYPE: ValueType = ValueType::Number;
    #[inline]
    fn value(&self) -> Value<'_> {
        Value::Decimal(self)
    }
}
impl LeafType for u64 {
    const TYPE: ValueType = ValueType::Number;
    #[inline]
    fn value(&self) -> Value<'_> {
        Value::Count(*self)
    }
}
impl LeafType for bool {
    const TYPE: ValueType = ValueType::Flag;
    #[inline]
    fn value(&self) -> Value<'_> {
        Value::Flag(*self)
    }
}

/// One step of a walk that shows how the leaves hang together: what `diff` compares by.
#[derive(Clone, Copy)]
pub enum WalkStep<'e> {
    /// The member with this name begins.
    Member(&'static str),
    /// One of a list begins.
    Item,
    /// What began last ends.
    End,
    /// A leaf.
    Leaf(LeafView<'e>),
    /// The leaf of a text, and how its characters are to be understood.
    Text(TextKind, LeafView<'e>),
    /// A structural string: the name of a module's element, the path of unknown markup.
    Word(&'e str),
}

/// A part of the model whose leaves can be walked. `Names` gives the field names of its leaves, which depend on where
/// the part is used.
pub trait Walk {
    /// The names of its leaves, given by the part that contains it.
    type Names: Copy;
    /// Visits every leaf once, in model order.
    fn walk<'e>(&'e self, names: Self::Names, visit: &mut dyn FnMut(LeafView<'e>));
    /// Visits every leaf once, in model order, along with the members and lists that contain it.
    fn outline<'e>(&'e self, names: Self::Names, visit: &mut dyn FnMut(WalkStep<'e>));
    /// Visits every leaf that may be a URL, in the same order; a returned text replaces it.
    fn addresses(&mut self, names: Self::Names, visit: &mut dyn FnMut(LeafView<'_>) -> Option<String>);
    /// Visits every mark, in the same order, to number or to move them.
    fn marks(&mut self, visit: &mut dyn FnMut(&mut Mark));
    /// Visits the carrier of every leaf, in the same order.
    fn carriers(&mut self, visit: &mut dyn FnMut(&mut Option<Ns>));
    /// Removes the leaves of the fields that are `wanted`, with the parts that this empties, and notes them; true if
    /// nothing is left.
    fn prune(&mut self, names: Self::Names, wanted: &dyn Fn(Field) -> bool, removed: &mut Vec<(Mark, Field)>) -> bool;
    /// Visits the type of every field that a leaf can have, in parts of parts down to this depth of boxes: a video has
    /// that of its item.
    fn types(names: Self::Names, depth: u8, visit: &mut dyn FnMut(Field, ValueType));
    /// Whether it holds no leaf at all.
    fn is_blank(&self) -> bool;
}

impl<T: LeafType> Walk for Leaf<T> {
    type Names = Field;
    #[inline]
    fn walk<'e>(&'e self, field: Field, visit: &mut dyn FnMut(LeafView<'e>)) {
        work::count(1);
        let value = self.value.value();
        visit(LeafView { field, mark: self.mark, via: self.via, within: None, kind: None, value });
    }
    fn outline<'e>(&'e self, field: Field, visit: &mut dyn FnMut(WalkStep<'e>)) {
        self.walk(field, &mut |seen| visit(WalkStep::Leaf(seen)));
    }
    // which fields are none is known where the part is declared, so that most of this is not even compiled
    #[inline]
    fn addresses(&mut self, field: Field, visit: &mut dyn FnMut(LeafView<'_>) -> Option<String>) {
        work::count(1);
        if refers(field) == UrlContent::Never {
            return;
        }
        let value = self.value.value();
        if matches!(value, Value::Str(_))
            && let Some(text) =
                visit(LeafView { field, mark: self.mark, via: self.via, within: None, kind: None, value })
        {
            self.value.rewrite(text);
        }
    }
    fn marks(&mut self, visit: &mut dyn FnMut(&mut Mark)) {
        work::count(1);
        visit(&mut self.mark);
    }
    fn carriers(&mut self, visit: &mut dyn FnMut(&mut Option<Ns>)) {
        work::count(1);
        visit(&mut self.via);
    }
    fn prune(&mut self, field: Field, wanted: &dyn Fn(Field) -> bool, removed: &mut Vec<(Mark, Field)>) -> bool {
        work::count(1);
        let is_wanted = wanted(field);
        removed.extend(is_wanted.then_some((self.mark, field)));
        is_wanted
    }
    fn types(field: Field, _: u8, visit: &mut dyn FnMut(Field, ValueType)) {
        visit(field, T::TYPE);
    }
    fn is_blank(&self) -> bool {
        false
    }
}

impl Walk for Text<'_> {
    type Names = Field;
    #[inline]
    fn walk<'e>(&'e self, field: Field, visit: &mut dyn FnMut(LeafView<'e>)) {
        let Text { kind, value, lang, base } = self;
        value.walk(field, &mut |seen| visit(LeafView { kind: Some(*kind), ..seen }));
        lang.walk(Field::TextLang, visit);
        base.walk(Field::TextBase, visit);
    }
    fn outline<'e>(&'e self, field: Field, visit: &mut dyn FnMut(WalkStep<'e>)) {
        let Text { kind, value, lang, base } = self;
        value.walk(field, &mut |seen| visit(WalkStep::Text(*kind, seen)));
        lang.outline(Field::TextLang, visit);
        base.outline(Field::TextBase, visit);
    }
    #[inline]
    fn addresses(&mut self, field: Field, visit: &mut dyn FnMut(LeafView<'_>) -> Option<String>) {
        let Text { kind: _, value, lang, base } = self;
        value.addresses(field, visit);
        lang.addresses(Field::TextLang, visit);
        base.addresses(Field::TextBase, visit);
    }
    fn marks(&mut self, visit: &mut dyn FnMut(&mut Mark)) {
        let Text { kind: _, value, lang, base } = self;
        value.marks(visit);
        lang.marks(visit);
        base.marks(visit);
    }
    fn carriers(&mut self, visit: &mut dyn FnMut(&mut Option<Ns>)) {
        let Text { kind: _, value, lang, base } = self;
        value.carriers(visit);
        lang.carriers(visit);
        base.carriers(visit);
    }
    fn prune(&mut self, field: Field, wanted: &dyn Fn(Field) -> bool, removed: &mut Vec<(Mark, Field)>) -> bool {
        // what describes a text goes with it
        let is_wanted = wanted(field);
        let of_text = |of: Field| is_wanted || wanted(of);
        let Text { kind: _, value, lang, base } = self;
        value.prune(field, wanted, removed);
        lang.prune(Field::TextLang, &of_text, removed);
        base.prune(Field::TextBase, &of_text, removed);
        is_wanted
    }
    fn types(field: Field, _: u8, visit: &mut dyn FnMut(Field, ValueType)) {
        visit(field, ValueType::Text);
        visit(Field::TextLang, ValueType::Text);
        visit(Field::TextBase, ValueType::Text);
    }
    fn is_blank(&self) -> bool {
        false
    }
}

impl<W: Walk> Walk for Option<W> {
    type Names = W::Names;
    #[inline]
    fn walk<'e>(&'e self, names: W::Names, visit: &mut dyn FnMut(LeafView<'e>)) {
        if let Some(part) = self {
            part.walk(names, visit);
        }
    }
    fn outline<'e>(&'e self, names: W::Names, visit: &mut dyn FnMut(WalkStep<'e>)) {
        if let Some(part) = self {
            part.outline(names, visit);
        }
    }
    #[inline]
    fn addresses(&mut self, names: W::Names, visit: &mut dyn FnMut(LeafView<'_>) -> Option<String>) {
        if let Some(part) = self {
            part.addresses(names, visit);
        }
    }
    fn marks(&mut self, visit: &mut dyn FnMut(&mut Mark)) {
        if let Some(part) = self {
            part.marks(visit);
        }
    }
    fn carriers(&mut self, visit: &mut dyn FnMut(&mut Option<Ns>)) {
        if let Some(part) = self {
            part.carriers(visit);
        }
    }
    fn prune(&mut self, names: W::Names, wanted: &dyn Fn(Field) -> bool, removed: &mut Vec<(Mark, Field)>) -> bool {
        let is_emptied = self.as_mut().is_some_and(|part| part.prune(names, wanted, removed));
        if is_emptied {
            *self = None;
        }
        is_emptied
    }
    fn types(names: W::Names, depth: u8, visit: &mut dyn FnMut(Field, ValueType)) {
        W::types(names, depth, visit);
    }
    fn is_blank(&self) -> bool {
        self.as_ref().is_none_or(Walk::is_blank)
    }
}

impl<W: Walk> Walk for Vec<W> {
    type Names = W::Names;
    #[inline]
    fn walk<'e>(&'e self, names: W::Names, visit: &mut dyn FnMut(LeafView<'e>)) {
        work::count(self.len());
        for part in self {
            part.walk(names, visit);
        }
    }
    fn outline<'e>(&'e self, names: W::Names, visit: &mut dyn FnMut(WalkStep<'e>)) {
        work::count(self.len());
        for part in self {
            visit(WalkStep::Item);
            part.outline(names, visit);
            visit(WalkStep::End);
        }
    }
    #[inline]
    fn addresses(&mut self, names: W::Names, visit: &mut dyn FnMut(LeafView<'_>) -> Option<String>) {
        work::count(self.len());
        for part in self {
            part.addresses(names, visit);
        }
    }
    fn marks(&mut self, visit: &mut dyn FnMut(&mut Mark)) {
        work::count(self.len());
        for part in self {
            part.marks(visit);
        }
    }
    fn carriers(&mut self, visit: &mut dyn FnMut(&mut Option<Ns>)) {
        work::count(self.len());
        for part in self {
            part.carriers(visit);
        }
    }
    fn prune(&mut self, names: W::Names, wanted: &dyn Fn(Field) -> bool, removed: &mut Vec<(Mark, Field)>) -> bool {
        let before = self.len();
        work::count(before);
        self.retain_mut(|part| !part.prune(names, wanted, removed));
        self.is_empty() && before > 0
    }
    fn types(names: W::Names, depth: u8, visit: &mut dyn FnMut(Field, ValueType)) {
        W::types(names, depth, visit);
    }
    fn is_blank(&self) -> bool {
        self.is_empty()
    }
}

impl<W: Walk> Walk for Box<W> {
    type Names = W::Names;
    fn walk<'e>(&'e self, names: W::Names, visit: &mut dyn FnMut(LeafView<'e>)) {
        (**self).walk(names, visit);
    }
    fn outline<'e>(&'e self, names: W::Names, visit: &mut dyn FnMut(WalkStep<'e>)) {
        (**self).outline(names, visit);
    }
    #[inline]
    fn addresses(&mut self, names: W::Names, visit: &mut dyn FnMut(LeafView<'_>) -> Option<String>) {
        (**self).addresses(names, visit);
    }
    fn marks(&mut self, visit: &mut dyn FnMut(&mut Mark)) {
        (**self).marks(visit);
    }
    fn carriers(&mut self, visit: &mut dyn FnMut(&mut Option<Ns>)) {
        (**self).carriers(visit);
    }
    fn prune(&mut self, names: W::Names, wanted: &dyn Fn(Field) -> bool, removed: &mut Vec<(Mark, Field)>) -> bool {
        (**self).prune(names, wanted, removed)
    }
    fn types(names: W::Names, depth: u8, visit: &mut dyn FnMut(Field, ValueType)) {
        if let Some(depth) = depth.checked_sub(1) {
            W::types(names, depth, visit);
        }
    }
    fn is_blank(&self) -> bool {
        (**self).is_blank()
    }
}

/// Joins two parts of a kind, member by member.
pub(crate) trait PartJoiner {
    /// A single value.
    fn one<W: Walk + PartialEq>(&mut self, slot: &mut Option<W>, other: Option<W>);
    /// A list, the member with this name.
    fn list<W: Walk + PartialEq + Serialize>(&mut self, name: &'static str, slots: &mut Vec<W>, others: Vec<W>);
}

/// A member that can be joined with that of another part. Structure stays as it is.
pub(crate) trait JoinMember: Sized {
    /// Adds another one to it.
    fn join<J: PartJoiner>(&mut self, _other: Self, _name: &'static str, _joiner: &mut J) {}
}

impl<W: Walk + PartialEq> JoinMember for Option<W> {
    fn join<J: PartJoiner>(&mut self, other: Self, _: &'static str, joiner: &mut J) {
        joiner.one(self, other);
    }
}

impl<W: Walk + PartialEq + Serialize> JoinMember for Vec<W> {
    fn join<J: PartJoiner>(&mut self, others: Self, name: &'static str, joiner: &mut J) {
        joiner.list(name, self, others);
    }
}

impl JoinMember for Cow<'_, str> {}

/// Members that are not leaves: structure that the source expresses by nesting. Their name in a declaration is `()`.
macro_rules! shape {
    ($($type:ty),*) => {$(
        impl Walk for $type {
            type Names = ();
            fn walk<'e>(&'e self, (): (), _: &mut dyn FnMut(LeafView<'e>)) {}
            fn outline<'e>(&'e self, (): (), _: &mut dyn FnMut(WalkStep<'e>)) {}
            fn addresses(&mut self, (): (), _: &mut dyn FnMut(LeafView<'_>) -> Option<String>) {}
            fn marks(&mut self, _: &mut dyn FnMut(&mut Mark)) {}
            fn carriers(&mut self, _: &mut dyn FnMut(&mut Option<Ns>)) {}
            fn prune(&mut self, (): (), _: &dyn Fn(Field) -> bool, _: &mut Vec<(Mark, Field)>) -> bool {
                false
            }
            fn types((): (), _: u8, _: &mut dyn FnMut(Field, ValueType)) {}
            fn is_blank(&self) -> bool {
                *self == <$type>::default()
            }
        }
        impl JoinMember for $type {}
    )*};
}
shape!(bool, u32, Mark);

impl Walk for Cow<'_, str> {
    type Names = ();
    fn walk<'e>(&'e self, (): (), _: &mut dyn FnMut(LeafView<'e>)) {}
    fn outline<'e>(&'e self, (): (), visit: &mut dyn FnMut(WalkStep<'e>)) {
        visit(WalkStep::Word(self));
    }
    fn addresses(&mut self, (): (), _: &mut dyn FnMut(LeafView<'_>) -> Option<String>) {}
    fn marks(&mut self, _: &mut dyn FnMut(&mut Mark)) {}
    fn carriers(&mut self, _: &mut dyn FnMut(&mut Option<Ns>)) {}
    fn prune(&mut self, (): (), _: &dyn Fn(Field) -> bool, _: &mut Vec<(Mark, Field)>) -> bool {
        false
    }
    fn types((): (), _: u8, _: &mut dyn FnMut(Field, ValueType)) {}
    fn is_blank(&self) -> bool {
        self.is_empty()
    }
}

/// From a part of the model that borrows from its source to one that owns all it holds.
pub trait IntoOwned {
    /// The owning type.
    type Owned;
    /// Copies what is borrowed.
    fn into_owned(self) -> Self::Owned;
}

macro_rules! owned_already {
    ($($type:ty),*) => {$(
        impl IntoOwned for $type {
            type Owned = $type;
            fn into_owned(self) -> $type {
                self
            }
        }
    )*};
}
owned_already!(bool, u32, u64, Date, Seconds, Mark);

impl IntoOwned for Cow<'_, str> {
    type Owned = Cow<'static, str>;
    fn into_owned(self) -> Cow<'static, str> {
        Cow::Owned(Cow::into_owned(self))
    }
}
impl IntoOwned for Decimal<'_> {
    type Owned = Decimal<'static>;
    fn into_owned(self) -> Decimal<'static> {
        Decimal::into_owned(self)
    }
}
impl<T: IntoOwned> IntoOwned for Leaf<T> {
    type Owned = Leaf<T::Owned>;
    fn into_owned(self) -> Leaf<T::Owned> {
        Leaf { value: self.value.into_owned(), mark: self.mark, via: self.via }
    }
}
impl IntoOwned for Text<'_> {
    type Owned = Text<'static>;
    fn into_owned(self) -> Text<'static> {
        Text {
            kind: self.kind,
            value: self.value.into_owned(),
            lang: self.lang.into_owned(),
            base: self.base.into_owned(),
        }
    }
}
impl<T: IntoOwned> IntoOwned for Option<T> {
    type Owned = Option<T::Owned>;
    fn into_owned(self) -> Self::Owned {
        self.map(T::into_owned)
    }
}
impl<T: IntoOwned> IntoOwned for Vec<T> {
    type Owned = Vec<T::Owned>;
    fn into_owned(self) -> Self::Owned {
        self.into_iter().map(T::into_owned).collect()
    }
}
impl<T: IntoOwned> IntoOwned for Box<T> {
    type Owned = Box<T::Owned>;
    fn into_owned(self) -> Self::Owned {
        Box::new((*self).into_owned())
    }
}

/// How a member is read from JSON. One bad value costs that value: a deserializer that is not human readable (the
/// model's own, which works on a tree it has in memory) turns an unreadable member into an absent one and keeps
/// the leaf as not understood; any other reports the error.
pub(crate) trait Member<'de>: Sized {
    fn member<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error>;
}

impl<'de, T: Deserialize<'de>> Member<'de> for Option<T> {
    fn member<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return Option::deserialize(deserializer);
        }
        Ok(T::deserialize(deserializer).ok())
    }
}

impl<'de, T: Deserialize<'de>> Member<'de> for Vec<T> {
    fn member<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        if deserializer.is_human_readable() {
            return Vec::deserialize(deserializer);
        }
        Ok(deserializer.deserialize_seq(ListVisitor(std::marker::PhantomData)).unwrap_or_default())
    }
}

macro_rules! shape_member {
    ($($type:ty),*) => {$(
        impl<'de> Member<'de> for $type {
            fn member<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                if deserializer.is_human_readable() {
                    return <$type>::deserialize(deserializer);
                }
                Ok(<$type>::deserialize(deserializer).unwrap_or_default())
            }
        }
    )*};
}
shape_member!(bool, u32, Mark, Cow<'_, str>);

impl<'de> Deserialize<'de> for Mark {
    fn deserialize<D: Deserializer<'de>>(_: D) -> Result<Mark, D::Error> {
        Ok(Mark::NONE)
    }
}

struct ListVisitor<T>(std::marker::PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for ListVisitor<T> {
    type Value = Vec<T>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Vec<T>, A::Error> {
        let mut items = Vec::new();
        while let Some(item) = seq.next_element::<LenientItem<T>>()? {
            items.extend(item.0);
        }
        Ok(items)
    }
}

struct LenientItem<T>(Option<T>);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for LenientItem<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(LenientItem(T::deserialize(deserializer).ok()))
    }
}

pub(crate) fn member<'de, D: Deserializer<'de>, T: Member<'de>>(deserializer: D) -> Result<T, D::Error> {
    T::member(deserializer)
}

/// Declares a part of the model: `name: Type = names`, where `names` are the fields of the member's leaves. `(Fields as
/// f)` after the name takes them from the part that contains it. `within member` is the member with the name of the
/// leaves' element.
macro_rules! record {
    ($(#[$doc:meta])* pub struct $name:ident($names:ty as $given:ident) $(within $element:ident)? {
        $($(#[$member_doc:meta])* $member:ident: $type:ty = $field:expr,)*
    }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(test, derive(schemars::JsonSchema))]
        #[serde(default)]
        pub struct $name<'a> {
            $(
                $(#[$member_doc])*
                #[serde(skip_serializing_if = "Walk::is_blank", deserialize_with = "crate::model::record::member")]
                pub $member: $type,
            )*
        }

        impl<'a> Walk for $name<'a> {
            type Names = $names;
            #[allow(unused_variables, reason = "a part with fixed names takes none")]
            fn walk<'e>(&'e self, $given: $names, visit: &mut dyn FnMut(LeafView<'e>)) {
                let $name { $($member),* } = self;
                $(
                    let element: &'e str = $element;
                    let visit = &mut |seen: LeafView<'e>| visit(LeafView { within: Some(element), ..seen });
                )?
                $($member.walk($field, visit);)*
            }
            #[allow(unused_variables, reason = "a part with fixed names takes none")]
            fn outline<'e>(&'e self, $given: $names, visit: &mut dyn FnMut(crate::model::record::WalkStep<'e>)) {
                let $name { $($member),* } = self;
                $(if !$member.is_blank() {
                    visit(crate::model::record::WalkStep::Member(stringify!($member)));
                    $member.outline($field, visit);
                    visit(crate::model::record::WalkStep::End);
                })*
            }
            #[allow(unused_variables, reason = "a part with fixed names takes none")]
            fn addresses(&mut self, $given: $names, visit: &mut dyn FnMut(LeafView<'_>) -> Option<String>) {
                let $name { $($member),* } = self;
                $($member.addresses($field, visit);)*
            }
            fn marks(&mut self, visit: &mut dyn FnMut(&mut Mark)) {
                let $name { $($member),* } = self;
                $($member.marks(visit);)*
            }
            fn carriers(&mut self, visit: &mut dyn FnMut(&mut Option<crate::xml::names::Ns>)) {
                let $name { $($member),* } = self;
                $($member.carriers(visit);)*
            }
            #[allow(unused_variables, reason = "a part with fixed names takes none")]
            fn prune(
                &mut self,
                $given: $names,
                wanted: &dyn Fn(crate::model::Field) -> bool,
                removed: &mut Vec<(Mark, crate::model::Field)>,
            ) -> bool {
                let $name { $($member),* } = self;
                let before = removed.len();
                $($member.prune($field, wanted, removed);)*
                removed.len() > before && {
                    let mut has_leaf = false;
                    Walk::walk(&*self, $given, &mut |_| has_leaf = true);
                    !has_leaf
                }
            }
            #[allow(unused_variables, reason = "a part with fixed names takes none")]
            fn types(
                $given: $names,
                depth: u8,
                visit: &mut dyn FnMut(crate::model::Field, crate::model::record::ValueType),
            ) {
                $(<$type as Walk>::types($field, depth, visit);)*
            }
            fn is_blank(&self) -> bool {
                let $name { $($member),* } = self;
                $($member.is_blank())&&*
            }
        }

        impl $name<'_> {
            /// Adds another part of this kind, member by member.
            #[allow(dead_code, reason = "asked of pages and their videos only")]
            pub(crate) fn join<J: crate::model::record::PartJoiner>(&mut self, other: Self, joiner: &mut J) {
                let $name { $($member),* } = other;
                $(crate::model::record::JoinMember::join(&mut self.$member, $member, stringify!($member), joiner);)*
            }

            /// Visits the leaves of the members that are equal in another part, but come from other leaves there, each with
            /// its mark there.
            #[allow(dead_code, unused_variables, reason = "asked of the video only, which has several levels")]
            pub(crate) fn walk_shared<'e>(
                &'e self,
                other: &Self,
                $given: $names,
                visit: &mut dyn FnMut(LeafView<'e>, Mark),
            ) {
                $(if self.$member == other.$member {
                    let (mut own, mut others) = (Mark::NONE, Vec::new());
                    self.$member.walk($field, &mut |seen| own = own.min(seen.mark));
                    other.$member.walk($field, &mut |seen| others.push(seen.mark));
                    if others.iter().min().is_some_and(|first| *first != own) {
                        let mut others = others.into_iter();
                        self.$member.walk($field, &mut |seen| others.next().into_iter().for_each(|mark| visit(seen, mark)));
                    }
                })*
            }

            /// The names of the members that are equal to those of another part, and not empty.
            #[allow(dead_code, reason = "asked of the video only, which has several levels")]
            pub(crate) fn shared(&self, other: &Self) -> Vec<&'static str> {
                let mut names = Vec::new();
                $(if !self.$member.is_blank() && self.$member == other.$member {
                    names.push(stringify!($member));
                })*
                names
            }

            /// Exchanges the member with this name with that of another.
            #[allow(dead_code, reason = "asked of the video only, whose members are inherited by name")]
            pub(crate) fn swap(&mut self, member: &str, other: &mut Self) {
                match member {
                    $(stringify!($member) => std::mem::swap(&mut self.$member, &mut other.$member),)*
                    _ => (),
                }
            }

            /// Empties the member with this name; false if there is none.
            #[allow(dead_code, reason = "asked of the video only, whose members are inherited by name")]
            pub(crate) fn forget(&mut self, member: &str) -> bool {
                match member {
                    $(stringify!($member) => self.$member = Default::default(),)*
                    _ => return false,
                }
                true
            }
        }

        impl IntoOwned for $name<'_> {
            type Owned = $name<'static>;
            fn into_owned(self) -> $name<'static> {
                let $name { $($member),* } = self;
                $name { $($member: IntoOwned::into_owned($member)),* }
            }
        }
    };
    ($(#[$doc:meta])* pub struct $name:ident $(within $element:ident)? { $($body:tt)* }) => {
        record! { $(#[$doc])* pub struct $name(() as none) $(within $element)? { $($body)* } }
    };
}
pub(crate) use record;
