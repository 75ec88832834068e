//! Whether both sides are the same, byte by byte. Entries that cannot be read are like nothing else, because nobody knows what
//! they say; but a document is the same as itself, also where it was cut off. Nothing is compared here but bytes.

use std::io::{self, BufRead, BufReader, Read};
use std::sync::OnceLock;

use crate::convert::Input;

/// The inputs of both sides.
pub(super) struct IdenticalInputs<'t, 'i> {
    a: &'t [&'i dyn Input],
    b: &'t [&'i dyn Input],
    are: OnceLock<bool>,
}

impl<'t, 'i> IdenticalInputs<'t, 'i> {
    /// Of these, which are not looked at yet.
    pub fn new(a: &'t [&'i dyn Input], b: &'t [&'i dyn Input]) -> IdenticalInputs<'t, 'i> {
        IdenticalInputs { a, b, are: OnceLock::new() }
    }

    /// Whether they are the same. Inputs that cannot be read are not; their next reader reports the error.
    pub fn are(&self) -> bool {
        *self.are.get_or_init(|| {
            let mut pairs = self.a.iter().zip(self.b);
            let same = |a: &dyn Input, b: &dyn Input| a.open().and_then(|a| same_bytes(a, b.open()?));
            self.a.len() == self.b.len() && pairs.all(|(a, b)| same(*a, *b).unwrap_or(false))
        })
    }
}

fn same_bytes(a: impl Read, b: impl Read) -> io::Result<bool> {
    let (mut a, mut b) = (BufReader::with_capacity(1 << 16, a), BufReader::with_capacity(1 << 16, b));
    loop {
        let (of_a, of_b) = (a.fill_buf()?, b.fill_buf()?);
        let length = of_a.len().min(of_b.len());
        if length == 0 {
            return Ok(of_a.len() == of_b.len());
        }
        if of_a[..length] != of_b[..length] {
            return Ok(false);
        }
        a.consume(length);
        b.consume(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_compared_to_the_end() {
        let long = vec![7; 200_000];
        let mut other = long.clone();
        other[199_999] = 8;
        for (a, b, same) in [
            (&b""[..], &b""[..], true),
            (b"a", b"", false),
            (b"a", b"b", false),
            (&long, &long, true),
            (&long, &other, false),
            (&long, &long[..199_999], false),
        ] {
            assert_eq!(same_bytes(a, b).expect("memory can be read"), same);
            // however much each read brings
            let slow = BufReader::with_capacity(3, b);
            assert_eq!(same_bytes(a, slow).expect("memory can be read"), same);
        }
    }
}
