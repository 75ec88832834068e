//! Option values from a table of names: the parser suggests near names, and shells get all names for completion.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, TypedValueParser};
use clap::{Arg, Command};

/// Reads a name and knows all of them.
#[derive(Clone)]
pub(super) struct KnownNames<P> {
    parse: P,
    names: fn() -> Vec<&'static str>,
}

/// A parser of names that also lists them for completion. The help of the option names the values itself.
pub(super) fn known<P>(parse: P, names: fn() -> Vec<&'static str>) -> KnownNames<P> {
    KnownNames { parse, names }
}

impl<P, T> TypedValueParser for KnownNames<P>
where
    P: Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static,
    T: Clone + Send + Sync + 'static,
{
    type Value = T;

    fn parse_ref(&self, command: &Command, arg: Option<&Arg>, value: &OsStr) -> Result<T, clap::Error> {
        TypedValueParser::parse_ref(&self.parse, command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new((self.names)().into_iter().map(PossibleValue::new)))
    }
}
