//! Selects the inputs for one machine of several, by a hash of their names. It depends only on the name, so that
//! machines need not communicate.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use super::{bytes_of, digest};

/// One of several shares, counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// Which one.
    pub number: u32,
    /// Of how many.
    pub of: u32,
}

impl Shard {
    /// Whether the input with this path is in it.
    pub fn holds(&self, path: &Path) -> bool {
        let hash = u64::from_str_radix(&digest(bytes_of(path), 16), 16).unwrap_or(0);
        hash % u64::from(self.of) == u64::from(self.number - 1)
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Shard, String> {
        let number = |text: &str| text.parse::<u32>().ok();
        let shard = text.split_once('/').and_then(|(k, n)| Some(Shard { number: number(k)?, of: number(n)? }));
        shard
            .filter(|shard| shard.number >= 1 && shard.number <= shard.of)
            .ok_or_else(|| "expected a shard such as 1/4 or 4/4".to_owned())
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_path_is_in_one_share() {
        let mut counts = [0; 3];
        for n in 0..300 {
            let path = format!("a/{n}.xml");
            let holding: Vec<usize> =
                (0..3).filter(|k| Shard { number: *k as u32 + 1, of: 3 }.holds(Path::new(&path))).collect();
            assert_eq!(holding.len(), 1);
            counts[holding[0]] += 1;
        }
        assert!(counts.iter().all(|count| *count > 50), "{counts:?}");
    }

    #[test]
    fn the_hash_never_changes() {
        let held: Vec<u32> =
            (1..=16).filter(|number| Shard { number: *number, of: 16 }.holds(Path::new("a/b.xml"))).collect();
        // sha256("a/b.xml") begins with these 64 bits
        let bits = u64::from_str_radix(&digest(b"a/b.xml", 16), 16).expect("digits");
        assert_eq!(held, [(bits % 16) as u32 + 1]);
        assert_eq!(digest(b"abc", 16), "ba7816bf8f01cfea");
    }

    #[test]
    fn shares_are_read() {
        assert_eq!("2/3".parse(), Ok(Shard { number: 2, of: 3 }));
        for wrong in ["0/3", "4/3", "1", "1/0", "a/b", "-1/2", "1/2/3"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
