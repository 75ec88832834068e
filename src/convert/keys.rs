//! Keys of pages while all entries are surveyed: 24 bytes each, in sorted runs, and the hashes they consist of. Which
//! values are hashed, and how entries with one key are joined, is defined elsewhere.

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::Path;

use xxhash_rust::xxh3::xxh3_128_with_secret;

use super::runs::Runs;

/// Computes hashes of 128 bits with a random secret, so that a document cannot be crafted to collide.
#[derive(Clone)]
pub(crate) struct Secret([u8; 192]);

impl Default for Secret {
    fn default() -> Secret {
        let mut secret = [0; 192];
        let random = RandomState::new();
        for (number, word) in secret.chunks_exact_mut(8).enumerate() {
            word.copy_from_slice(&random.hash_one(number).to_le_bytes());
        }
        Secret(secret)
    }
}

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret")
    }
}

impl Secret {
    /// The hash of bytes as one number.
    pub fn number(&self, bytes: &[u8]) -> u128 {
        xxh3_128_with_secret(bytes, &self.0)
    }

    /// The same as a key has it.
    pub fn hash(&self, bytes: &[u8]) -> [u64; 2] {
        let number = self.number(bytes);
        [(number >> 64) as u64, number as u64]
    }
}

/// An entry whose page has been seen before, and where.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct RepeatedPage {
    /// The entry.
    pub place: u64,
    /// The first with its page.
    pub first: u64,
}

/// Keys: a hash of a page's URL and the place of an entry. In sorted order, the first entry of a page comes first.
pub(crate) struct PageKeys<'d>(Runs<'d, 3>);

impl<'d> PageKeys<'d> {
    /// Keys that hold this many bytes, rounded up to a block, and put more of them into a temporary file in `dir`, or where the
    /// system keeps such.
    pub fn new(budget: usize, dir: Option<&'d Path>) -> PageKeys<'d> {
        PageKeys(Runs::new(budget, dir))
    }

    /// Notes that the entry at this place has a page with this hash.
    ///
    /// # Errors
    /// A temporary file that cannot be written.
    pub fn push(&mut self, hash: [u64; 2], place: u64) -> io::Result<()> {
        self.0.push([hash[0], hash[1], place])
    }

    /// The entries whose page has been seen before, in order of their places.
    ///
    /// # Errors
    /// A temporary file that cannot be read.
    pub fn returns(self) -> io::Result<Vec<RepeatedPage>> {
        let mut returns = Vec::new();
        self.each_return(&mut |found| returns.push(found))?;
        returns.sort_unstable();
        Ok(returns)
    }

    /// Shows the entries whose key has been seen before, in any order. Returns how many different keys there are.
    ///
    /// # Errors
    /// A temporary file that cannot be read.
    pub fn each_return(self, visit: &mut dyn FnMut(RepeatedPage)) -> io::Result<u64> {
        let mut different = 0;
        let mut first: Option<([u64; 2], u64)> = None;
        self.0.in_order(|[high, low, place]| {
            match first {
                Some((hash, first)) if hash == [high, low] => visit(RepeatedPage { place, first }),
                _ => {
                    different += 1;
                    first = Some(([high, low], place));
                }
            }
            Ok(())
        })?;
        Ok(different)
    }

    /// The hashes that were noted more than once, and how often.
    ///
    /// # Errors
    /// A temporary file that cannot be read.
    pub fn repeated(self) -> io::Result<HashMap<[u64; 2], u32>> {
        let mut repeated = HashMap::new();
        let mut last = None;
        self.0.in_order(|[high, low, _]| {
            let hash = [high, low];
            if last.replace(hash) == Some(hash) {
                *repeated.entry(hash).or_insert(1) += 1;
            }
            Ok(())
        })?;
        Ok(repeated)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BLOCK: usize = 1 << 16;
    const WIDTH: usize = 24;

    /// A hash for a page's number that is not in order.
    fn hash(page: u64) -> [u64; 2] {
        let mixed = page.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        [mixed, mixed.rotate_left(17)]
    }

    #[test]
    fn what_returns_is_the_same_in_memory_and_on_disk() {
        let count = 5 * BLOCK as u64 + 7;
        // every page comes again after half of the entries
        let page = |place: u64| place % (count / 2);
        let expected: Vec<RepeatedPage> =
            (count / 2..count).map(|place| RepeatedPage { place, first: page(place) }).collect();
        for budget in [usize::MAX, 2 * BLOCK * WIDTH, 0] {
            let mut keys = PageKeys::new(budget, None);
            (0..count).for_each(|place| keys.push(hash(page(place)), place).unwrap());
            assert!(keys.0.held() <= budget.saturating_add(BLOCK * WIDTH));
            assert_eq!(keys.0.is_on_disk(), budget < usize::MAX);
            assert_eq!(keys.returns().unwrap(), expected, "{budget}");
        }
    }

    #[test]
    fn nothing_returns_of_nothing() {
        assert_eq!(PageKeys::new(0, None).returns().unwrap(), []);
    }
}
