//! Rules about strings that several formats share: markup inside values, URLs, cutting, MIME types, country codes.
//! Pure functions over `&str`; nothing here knows a feed format, the model or the ledger.

pub(crate) mod bytes;
pub mod cut;
pub mod embed;
pub mod html;
pub mod language;
pub mod mime;
pub mod region;
pub(crate) mod relation;
pub mod site;
pub mod url;

/// Bytes as hexadecimal digits.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.filter_map(|digit| char::from_digit(digit.into(), 16)).collect()
}

/// The byte of two hexadecimal digits. A sign is no digit.
pub(crate) fn byte_of_hex(pair: &[u8]) -> Option<u8> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let [high, low] = pair else { return None };
    u8::try_from(digit(*high)? << 4 | digit(*low)?).ok()
}

/// The bytes of a text whose percent-escapes are resolved; what is no escape stays.
pub(crate) fn unescape_percent(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        let escaped = after.split_at_checked(2).filter(|_| byte == b'%');
        let escaped = escaped.and_then(|(pair, behind)| Some((byte_of_hex(pair)?, behind)));
        let (byte, behind) = escaped.unwrap_or((byte, after));
        bytes.push(byte);
        rest = behind;
    }
    bytes
}

/// A number with its thousands apart.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// So many of a thing: `1 entry`, `1,200 entries`.
pub(crate) fn many(count: u64, one: &str, more: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { more })
}

/// Some of all things of a kind, with the verb: `1 of 2 parts is`, `1,200 of 50,000 parts are`.
#[cfg(feature = "cli")]
pub(crate) fn some_of(count: usize, all: usize, one: &str, more: &str) -> String {
    let is = if count == 1 { "is" } else { "are" };
    format!("{} of {} {is}", grouped(count as u64), many(all as u64, one, more))
}

/// `1.4 MB`, in powers of ten.
pub(crate) fn size(bytes: u64) -> String {
    let mut rest = bytes as f64;
    for unit in ["B", "kB", "MB", "GB", "TB"] {
        if rest < 999.5 || unit == "TB" {
            return if unit == "B" || rest >= 99.95 {
                format!("{rest:.0} {unit}")
            } else {
                format!("{rest:.1} {unit}")
            };
        }
        rest /= 1000.0;
    }
    format!("{bytes} B")
}

/// The name that is nearly the one given: at most two letters off, and half of them.
pub(crate) fn nearest<'n>(given: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let (off, near) = names.into_iter().map(|name| (distance(given, name), name)).min()?;
    (off <= 2 && off * 2 <= given.chars().count()).then_some(near)
}

/// How many letters must change to make one word of another.
pub(crate) fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().take(64).enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let cost = corner + usize::from(x != *y);
            corner = row[j + 1];
            row[j + 1] = cost.min(corner + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_two_digits() {
        for (text, bytes) in [("a%20b", "a b"), ("%+1%2", "%+1%2"), ("%", "%"), ("%zz%41", "%zzA"), ("", "")] {
            assert_eq!(unescape_percent(text), bytes.as_bytes(), "{text}");
        }
        assert_eq!((byte_of_hex(b"fF"), byte_of_hex(b"+f"), byte_of_hex(b"f")), (Some(255), None, None));
    }
}
