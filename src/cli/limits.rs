//! The limits of the input as options, shared by all commands that read. Their effects are in `diagnostic.rs`.

use std::fmt;
use std::str::FromStr;

use super::argument::count;
use clap::Args;

use crate::options::Limits;
use crate::xml::decode::Caps;
use crate::xml::limits::TreeLimits;

/// What a document may ask of this program. SIZE is a number of bytes, or one with KiB, MiB or GiB.
#[derive(Args, Clone)]
#[command(next_help_heading = "Limits (SIZE in bytes, or with KiB, MiB, GiB)")]
pub struct LimitArgs {
    /// Size of an entry; larger entries are skipped
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, default_value_t = Size::from_bytes(Limits::default().entry), hide_short_help = true)]
    max_entry: Size,
    /// Size of a text; the entry is skipped
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, default_value_t = Size::from_bytes(TreeLimits::default().text), hide_short_help = true)]
    max_text: Size,
    /// Size of an attribute value; the entry is skipped
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, default_value_t = Size::from_bytes(TreeLimits::default().attribute), hide_short_help = true)]
    max_attribute: Size,
    /// Nesting depth of elements; the entry is skipped
    #[arg(long, value_name = "N", default_value_t = TreeLimits::default().depth, allow_negative_numbers = true, value_parser = count::<usize>, hide_short_help = true)]
    max_depth: usize,
    /// Attributes of an element; the entry is skipped
    #[arg(long, value_name = "N", default_value_t = TreeLimits::default().attributes, allow_negative_numbers = true, value_parser = count::<usize>, hide_short_help = true)]
    max_attributes: usize,
    /// Namespace bindings in scope; the entry is skipped
    #[arg(long, value_name = "N", default_value_t = TreeLimits::default().namespaces, allow_negative_numbers = true, value_parser = count::<usize>, hide_short_help = true)]
    max_namespaces: usize,
    /// Length of a line in a list of URLs; longer lines are skipped
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, default_value_t = Size::from_bytes(Limits::default().line), hide_short_help = true)]
    max_line: Size,
    /// Size of the document without its entries; more is an error
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, default_value_t = Size::from_bytes(Limits::default().head), hide_short_help = true)]
    max_head: Size,
    /// Size after decompression; more is an error
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, default_value_t = Size(Caps::default().inflated), hide_short_help = true)]
    max_inflated: Size,
    /// Compression ratio, checked above 100 MiB; more is an error
    #[arg(long, value_name = "N", default_value_t = Caps::default().ratio, allow_negative_numbers = true, value_parser = count::<u64>, hide_short_help = true)]
    max_ratio: u64,
}

impl LimitArgs {
    /// The limits that were asked for.
    pub fn limits(&self) -> Limits {
        Limits {
            entry: self.max_entry.bytes(),
            head: self.max_head.bytes(),
            line: self.max_line.bytes(),
            tree: TreeLimits {
                depth: self.max_depth,
                attributes: self.max_attributes,
                namespaces: self.max_namespaces,
                text: self.max_text.bytes(),
                attribute: self.max_attribute.bytes(),
                nodes: TreeLimits::nodes_of(self.max_entry.bytes().max(1 << 20)),
            },
            gzip: Caps { inflated: self.max_inflated.0, ratio: self.max_ratio, ..Caps::default() },
            ..Limits::default()
        }
    }
}

/// A number of bytes, as people write it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(u64);

/// Units, the largest first.
const UNITS: [(&str, u64); 4] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10), ("B", 1)];

impl Size {
    fn from_bytes(bytes: usize) -> Size {
        Size(bytes as u64)
    }

    /// The number itself.
    pub fn count(self) -> u64 {
        self.0
    }

    /// As many bytes as this machine can count.
    pub fn bytes(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Size, String> {
        let digits = text.trim_end_matches(|c: char| !c.is_ascii_digit());
        let unit = text[digits.len()..].trim();
        let scale = match unit {
            "" => Some(1),
            _ => UNITS.iter().find(|(name, _)| name.eq_ignore_ascii_case(unit)).map(|(_, scale)| *scale),
        };
        let number = digits.parse::<u64>().ok();
        let size = number.zip(scale).and_then(|(number, scale)| number.checked_mul(scale));
        size.map(Size).ok_or_else(|| "expected a size such as 500000, 512KiB, 64MiB or 4GiB".to_owned())
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match UNITS.iter().find(|(_, scale)| *scale > 1 && self.0 > 0 && self.0.is_multiple_of(*scale)) {
            Some((name, scale)) => write!(f, "{}{name}", self.0 / scale),
            None => write!(f, "{}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_and_shown() {
        for (text, bytes, shown) in [
            ("64MiB", 64 << 20, "64MiB"),
            ("10000", 10_000, "10000"),
            ("1 kib", 1024, "1KiB"),
            ("4GiB", 4 << 30, "4GiB"),
            ("12B", 12, "12"),
            ("0", 0, "0"),
        ] {
            assert_eq!(text.parse(), Ok(Size(bytes)), "{text}");
            assert_eq!(Size(bytes).to_string(), shown);
        }
        for text in ["", "MiB", "1MB", "-1", "1.5MiB", "99999999999GiB", "1 2"] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
    }
}
