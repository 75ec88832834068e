//! Looking for bytes eight at a time, in values that are mostly too short for the vectors of `memchr`, and trimming with
//! a short look at what needs none. Nothing here knows what the bytes mean.

const LOW: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Marks the bytes of a block that are below a limit of at most 0x80. Only the first mark is reliable, so this finds
/// whether there is such a byte, and the first one.
#[inline]
pub(crate) const fn below(block: u64, limit: u8) -> u64 {
    block.wrapping_sub(LOW * limit as u64) & !block & HIGH
}

/// The same for bytes equal to this one, once the bits that `without` has are taken away from both: two bytes that differ
/// in one bit are found at once.
#[inline]
pub(crate) const fn equal(block: u64, byte: u8, without: u8) -> u64 {
    below((block & !(LOW * without as u64)) ^ (LOW * (byte & !without) as u64), 1)
}

/// Whether a test marks any of these bytes. It must not mark a NUL, unless NUL is one of those that are looked for.
#[inline]
pub(crate) fn any(bytes: &[u8], test: impl Fn(u64) -> u64) -> bool {
    let mut rest = bytes;
    while let Some((block, behind)) = rest.split_first_chunk::<8>() {
        if test(u64::from_le_bytes(*block)) != 0 {
            return true;
        }
        rest = behind;
    }
    match (rest, bytes.last_chunk::<8>()) {
        ([], _) => false,
        (_, Some(last)) => test(u64::from_le_bytes(*last)) != 0,
        (few, None) => {
            let mut block = [b'0'; 8];
            block.iter_mut().zip(few).for_each(|(to, from)| *to = *from);
            test(u64::from_le_bytes(block)) != 0
        }
    }
}

/// Whether a test is true of any of these bytes. The test must have no branches, then sixteen are looked at at once.
#[inline]
pub(crate) fn has(bytes: &[u8], test: impl Fn(u8) -> bool) -> bool {
    let in_block = |block: &[u8; 16]| block.iter().fold(false, |any, byte| any | test(*byte));
    let mut rest = bytes;
    while let Some((block, behind)) = rest.split_first_chunk::<16>() {
        if in_block(block) {
            return true;
        }
        rest = behind;
    }
    match (rest, bytes.last_chunk::<16>()) {
        ([], _) => false,
        (_, Some(last)) => in_block(last),
        (few, None) => few.iter().any(|byte| test(*byte)),
    }
}

/// What a test finds of these bytes, each with the one that follows it (the last one with NUL): the bits of all results. The
/// test must have no branches, then sixteen are looked at at once.
#[inline]
pub(crate) fn found(bytes: &[u8], test: impl Fn(u8, u8) -> u8) -> u8 {
    // by number: an iterator of pairs is not inlined in quick builds
    let in_block = |block: &[u8; 17]| {
        let mut found = 0;
        for at in 0..16 {
            found |= test(block[at], block[at + 1]);
        }
        found
    };
    let (mut rest, mut found) = (bytes, bytes.last().map_or(0, |last| test(*last, 0)));
    while let Some(block) = rest.first_chunk::<17>() {
        found |= in_block(block);
        rest = &rest[16..];
    }
    match bytes.last_chunk::<17>() {
        Some(last) => found | in_block(last),
        None => bytes.windows(2).fold(found, |found, pair| found | test(pair[0], pair[1])),
    }
}

/// How many bytes precede the first that a test marks, if it is found in whole blocks of eight; else the number of
/// bytes in these blocks.
#[inline]
pub(crate) fn before(bytes: &[u8], test: impl Fn(u64) -> u64) -> usize {
    let (blocks, _) = bytes.as_chunks::<8>();
    let mut at = 0;
    for block in blocks {
        match test(u64::from_le_bytes(*block)) {
            0 => at += 8,
            found => return at + found.trailing_zeros() as usize / 8,
        }
    }
    at
}

/// How many times this byte is repeated at the beginning.
#[inline]
pub(crate) fn many(bytes: &[u8], byte: u8) -> usize {
    let mut at = before(bytes, |block| block ^ (LOW * byte as u64));
    while bytes.get(at) == Some(&byte) {
        at += 1;
    }
    at
}

/// How many bytes are in the whole blocks of 32 before the first of them with a byte that a test marks: for long texts
/// in which there is hardly one. The test must not branch, so that a block is tested at once.
#[inline]
pub(crate) fn blocks_before(bytes: &[u8], test: impl Fn(u8) -> bool) -> usize {
    let blocks = bytes.chunks_exact(32);
    32 * blocks.take_while(|block| !block.iter().fold(false, |any, byte| any | test(*byte))).count()
}

/// `trim`, with a short look at what needs none.
#[inline]
pub(crate) fn trimmed(text: &str) -> &str {
    match text.as_bytes() {
        [] | [b'!'..=b'~'] | [b'!'..=b'~', .., b'!'..=b'~'] => text,
        _ => text.trim(),
    }
}

/// Adds what a text begins with, without white space, behind the first `filled` bytes; returns how many are filled then.
pub fn push_letters(text: &str, first: &mut [u8], filled: usize) -> usize {
    let mut filled = filled;
    for (at, byte) in text.bytes().enumerate() {
        let Some(slot) = first.get_mut(filled) else { break };
        match byte {
            b' ' | b'\t'..=b'\r' => continue,
            // white space outside ASCII begins with one of these
            0xc2 | 0xe1..=0xe3 => return push_wide_letters(&text[at..], first, filled),
            _ => *slot = byte,
        }
        filled += 1;
    }
    filled
}

/// The same for any text.
fn push_wide_letters(text: &str, first: &mut [u8], filled: usize) -> usize {
    let free = first.get_mut(filled..).unwrap_or_default().iter_mut();
    let letters = text.split_whitespace().flat_map(str::bytes);
    filled + free.zip(letters).map(|(slot, letter)| *slot = letter).count()
}

#[cfg(test)]
mod tests {
    use super::{before, below, blocks_before, equal, many, trimmed};
    use proptest::prelude::*;

    fn odd(block: u64) -> u64 {
        below(block, 0x20) | equal(block, b'<', 2) | equal(block, b'&', 0)
    }

    fn is_odd(byte: &u8) -> bool {
        *byte < 0x20 || matches!(byte, b'<' | b'>' | b'&')
    }

    proptest! {
        #[test]
        fn finds_what_a_look_at_each_byte_finds(bytes in proptest::collection::vec(any::<u8>(), 0..40)) {
            prop_assert_eq!(super::any(&bytes, odd), bytes.iter().any(is_odd));
            prop_assert_eq!(super::has(&bytes, |byte| is_odd(&byte)), bytes.iter().any(is_odd));
            let whole = bytes.len() / 8 * 8;
            let first = bytes[..whole].iter().position(is_odd).unwrap_or(whole);
            prop_assert_eq!(before(&bytes, odd), first);
        }

        #[test]
        fn pushes_what_is_no_white_space(text in "[a \t\u{a0}\u{e9}\u{2003}\u{3000}\u{4e00}]{0,12}", filled in 0..8_usize) {
            let (mut first, mut wide) = ([0; 8], [0; 8]);
            let count = super::push_letters(&text, &mut first, filled);
            prop_assert_eq!(count, super::push_wide_letters(&text, &mut wide, filled));
            prop_assert_eq!(first, wide);
        }

        #[test]
        fn finds_pairs_wherever_they_stand(text in "[abc]{0,20}c{0,20}[abc]{0,20}") {
            let pair = |is_pair: bool, is_end: bool| u8::from(is_pair) + 2 * u8::from(is_end);
            let test = |byte, next| pair((byte == b'a') & (next == b'b'), (byte == b'b') & (next == 0));
            let expected = pair(text.contains("ab"), text.ends_with('b'));
            prop_assert_eq!(super::found(text.as_bytes(), test), expected);
        }

        #[test]
        fn counts_what_a_look_at_each_byte_counts(bytes in proptest::collection::vec(b' '..b'#', 0..40)) {
            prop_assert_eq!(many(&bytes, b' '), bytes.iter().take_while(|byte| **byte == b' ').count());
        }

        #[test]
        fn finds_the_block_of_the_first_byte(bytes in proptest::collection::vec(0x1e_u8..0x80, 0..200)) {
            let odd = |byte: u8| (byte < 0x20) | (byte == b'<');
            let first = bytes.iter().position(|byte| odd(*byte)).unwrap_or(bytes.len());
            prop_assert_eq!(blocks_before(&bytes, odd), first / 32 * 32);
        }

        #[test]
        fn trims_as_the_library_does(text in "[ \t\u{a0}\u{3000}\u{85}aжя!~\u{7f}]{0,6}") {
            prop_assert_eq!(trimmed(&text), text.trim());
        }
    }
}
