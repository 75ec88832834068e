//! Options as data: the names and values that programs in other languages pass. The effects of options are described in options.rs.

use serde::de::{self, DeserializeOwned, Deserializer};
use serde::ser::Serializer;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::options::{Extensions, Limits, Options, RenditionRule};
use crate::text::nearest;
use crate::xml::decode::Caps;
use crate::xml::limits::TreeLimits;

/// An object with these names, or a message that names the wrong one.
fn members<T: DeserializeOwned + Serialize + Default>(given: Map<String, Value>, what: &str) -> Result<Value, String> {
    let Ok(Value::Object(known)) = serde_json::to_value(T::default()) else { return Ok(Value::Object(given)) };
    let Some(name) = given.keys().find(|name| !known.contains_key(*name)) else { return Ok(Value::Object(given)) };
    let names = || known.keys().map(String::as_str);
    Err(match nearest(name, names()) {
        Some(near) => format!("no {what} is called {name}; did you mean {near}?"),
        None => format!("no {what} is called {name}; there are {}", names().collect::<Vec<_>>().join(", ")),
    })
}

/// Reads the object; an error names the member that has it.
fn read<T>(value: Value, what: &str, deserialize: impl Fn(Value) -> Result<T, serde_json::Error>) -> Result<T, String> {
    deserialize(value.clone()).map_err(|error| {
        let Value::Object(members) = value else { return error.to_string() };
        let alone = |(name, value): (String, Value)| {
            let error = deserialize(Value::Object(Map::from_iter([(name.clone(), value)]))).err()?;
            Some(format!("cannot read the {what} {name}: {error}"))
        };
        members.into_iter().find_map(alone).unwrap_or_else(|| error.to_string())
    })
}

macro_rules! named_members {
    ($($type:ty: $what:literal;)*) => {$(
        impl Serialize for $type {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                <$type>::serialize(self, serializer)
            }
        }

        /// Missing members have their defaults. An unknown name is an error that names the nearest one.
        impl<'de> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$type, D::Error> {
                let given = Map::deserialize(deserializer)?;
                let value = members::<$type>(given, $what).map_err(de::Error::custom)?;
                read(value, $what, |value| <$type>::deserialize(value)).map_err(de::Error::custom)
            }
        }
    )*};
}

named_members! {
    Options: "option";
    Limits: "limit";
    TreeLimits: "limit";
    Caps: "limit";
}

/// A rendition rule as the command line takes it: `best`, `type=video/mp4`, `height<=720`.
impl Serialize for RenditionRule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for RenditionRule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<RenditionRule, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// A sitemap extension by its name.
#[derive(Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ExtensionName {
    Image,
    News,
    Alternates,
}

/// A list of names; an empty one turns all of them off.
impl Serialize for Extensions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Extensions { image, news, alternates } = *self;
        let all = [(image, ExtensionName::Image), (news, ExtensionName::News), (alternates, ExtensionName::Alternates)];
        serializer.collect_seq(all.iter().filter(|(is_in, _)| *is_in).map(|(_, name)| name))
    }
}

impl<'de> Deserialize<'de> for Extensions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Extensions, D::Error> {
        let names = Vec::<ExtensionName>::deserialize(deserializer)?;
        let has = |name| names.contains(&name);
        Ok(Extensions {
            image: has(ExtensionName::Image),
            news: has(ExtensionName::News),
            alternates: has(ExtensionName::Alternates),
        })
    }
}
