//! One value of the model with its mark: which leaf of the source gave it, and through which vocabulary.
//! Not the list of concepts (mod.rs) and not their names (field.rs).

use std::borrow::Cow;
use std::fmt;

use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::work;
use crate::xml::names::Ns;

/// The number of a value in its entry's [`Origin`](super::Origin): the books are kept by it.
///
/// Values that a user builds by hand carry [`Mark::NONE`] until the writer numbers them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord, Hash)]
pub struct Mark(pub u32);

impl Mark {
    /// Not numbered yet.
    pub const NONE: Mark = Mark(u32::MAX);
    /// Set in the marks of the head's values, so that an entry can hold one it inherits from the head.
    pub const FEED: u32 = 1 << 31;

    /// Whether the value belongs to the document's head.
    pub fn of_feed(self) -> bool {
        self != Mark::NONE && self.0 & Mark::FEED != 0
    }
    /// Whether the value has a number.
    pub fn is_some(self) -> bool {
        self != Mark::NONE
    }
}

impl Default for Mark {
    fn default() -> Mark {
        Mark::NONE
    }
}

/// A value, the source leaf it came from, and the vocabulary that carried it where that is not the usual one.
///
/// Equality and JSON see the value alone. `"text".into()` makes one by hand.
#[derive(Copy)]
pub struct Leaf<T> {
    /// The value itself.
    pub value: T,
    /// The number of its source leaf.
    pub mark: Mark,
    /// The namespace of the element it was read from, if another than the concept's own (`dc:date` for
    /// `published`). A target of the same family writes it back there (Dublin Core, iTunes and others).
    pub via: Option<Ns>,
}

/// A text without markup: a name, a URL, a token.
pub type Str<'a> = Leaf<Cow<'a, str>>;

impl<T> Leaf<T> {
    /// A value that no source leaf gave.
    pub fn new(value: T) -> Leaf<T> {
        Leaf { value, mark: Mark::NONE, via: None }
    }
    /// Whether an earlier conversion generated it because its target required one. It has no source, so it is only
    /// passed on within the family of that target.
    pub fn is_generated(&self) -> bool {
        self.via == Some(Ns::Transfeed)
    }
    /// Another value under the same mark: what a reader understands by the same leaf.
    pub fn with<U>(&self, value: U) -> Leaf<U> {
        Leaf { value, mark: self.mark, via: self.via }
    }
}

impl<'a> Leaf<Cow<'a, str>> {
    /// The text.
    pub fn as_str(&self) -> &str {
        work::count(1);
        &self.value
    }
}

// by hand only to count: a copy is work
#[allow(clippy::expl_impl_clone_on_copy, reason = "it copies and counts")]
impl<T: Clone> Clone for Leaf<T> {
    fn clone(&self) -> Leaf<T> {
        work::count(1);
        Leaf { value: self.value.clone(), mark: self.mark, via: self.via }
    }
}

impl<T> std::ops::Deref for Leaf<T> {
    type Target = T;
    fn deref(&self) -> &T {
        work::count(1);
        &self.value
    }
}

impl<T: PartialEq> PartialEq for Leaf<T> {
    fn eq(&self, other: &Leaf<T>) -> bool {
        work::count(1);
        self.value == other.value
    }
}

impl<T: fmt::Debug> fmt::Debug for Leaf<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.value.fmt(f)
    }
}

impl<'a> From<&'a str> for Str<'a> {
    fn from(text: &'a str) -> Str<'a> {
        Leaf::new(Cow::Borrowed(text))
    }
}

impl From<String> for Str<'_> {
    fn from(text: String) -> Self {
        Leaf::new(Cow::Owned(text))
    }
}

impl<T: Serialize> Serialize for Leaf<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

/// The name under which a [`Leaf`] asks its deserializer for a value together with its mark.
///
/// The model's own JSON reader answers with a sequence (value, mark); any other deserializer takes it for a
/// transparent newtype, and the mark stays [`Mark::NONE`].
pub(crate) const MARKED: &str = "$transfeed::marked";

struct LeafVisitor<T>(std::marker::PhantomData<T>);

impl<'de, T: Deserialize<'de>> Visitor<'de> for LeafVisitor<T> {
    type Value = Leaf<T>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }
    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Leaf<T>, D::Error> {
        T::deserialize(inner).map(Leaf::new)
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Leaf<T>, A::Error> {
        let missing = || de::Error::custom("no value");
        let value = seq.next_element()?.ok_or_else(missing)?;
        let mark = seq.next_element::<u32>()?.ok_or_else(missing)?;
        Ok(Leaf { value, mark: Mark(mark), via: None })
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Leaf<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Leaf<T>, D::Error> {
        deserializer.deserialize_newtype_struct(MARKED, LeafVisitor(std::marker::PhantomData))
    }
}

/// How the characters of a [`Text`] are to be understood (RFC 4287 section 3.1.1).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, serde::Serialize, serde::Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum TextKind {
    /// Characters that mean themselves.
    #[default]
    Plain,
    /// HTML as a string.
    Html,
    /// XHTML: the content of one `div`, serialised.
    Xhtml,
}

/// A text with its kind and language (RFC 4287 section 3.1; Media RSS `@type`).
#[derive(Clone, PartialEq, Debug)]
pub struct Text<'a> {
    /// How to understand it.
    pub kind: TextKind,
    /// The characters, after one decoding of the document's own escapes.
    pub value: Str<'a>,
    /// `xml:lang` of the element (BCP 47).
    pub lang: Option<Str<'a>>,
    /// `xml:base` of the element, which resolves relative URLs inside it.
    pub base: Option<Str<'a>>,
}

impl<'a> Text<'a> {
    /// A text without a language.
    pub fn new(kind: TextKind, value: Str<'a>) -> Text<'a> {
        Text { kind, value, lang: None, base: None }
    }
}

impl<'a> From<&'a str> for Text<'a> {
    fn from(text: &'a str) -> Text<'a> {
        Text::new(TextKind::Plain, text.into())
    }
}

impl Serialize for Text<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.kind == TextKind::Plain && self.lang.is_none() && self.base.is_none() {
            return self.value.serialize(serializer);
        }
        let mut map = serializer.serialize_struct("Text", 4)?;
        map.serialize_field("kind", &self.kind)?;
        map.serialize_field("value", &self.value)?;
        if let Some(lang) = &self.lang {
            map.serialize_field("lang", lang)?;
        }
        if let Some(base) = &self.base {
            map.serialize_field("base", base)?;
        }
        map.end()
    }
}

/// The name under which a [`Text`] asks for itself: a bare string comes as (value, mark), an object as a map.
pub(crate) const TEXT: &str = "$transfeed::text";

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text<'static>;
    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text, or an object with kind and value")
    }
    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Self::Value, D::Error> {
        inner.deserialize_any(TextVisitor)
    }
    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        Ok(Text::new(TextKind::Plain, Leaf::new(Cow::Owned(text.to_owned()))))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Self::Value, A::Error> {
        let missing = || de::Error::custom("no text");
        let value: String = seq.next_element()?.ok_or_else(missing)?;
        let mark = Mark(seq.next_element::<u32>()?.ok_or_else(missing)?);
        Ok(Text::new(TextKind::Plain, Leaf { value: Cow::Owned(value), mark, via: None }))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        let (mut kind, mut value, mut lang, mut base) = (TextKind::Plain, None, None, None);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "kind" => kind = map.next_value()?,
                "value" => value = Some(map.next_value()?),
                "lang" => lang = Some(map.next_value()?),
                "base" => base = Some(map.next_value()?),
                _ => {
                    map.next_value::<de::IgnoredAny>()?;
                }
            }
        }
        let value = value.ok_or_else(|| de::Error::missing_field("value"))?;
        Ok(Text { kind, value, lang, base })
    }
}

impl<'de> Deserialize<'de> for Text<'_> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_newtype_struct(TEXT, TextVisitor)
    }
}
