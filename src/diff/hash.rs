//! Hashes of 128 bits with a secret of the run: of raw text, of keys, and of what an entry says. Equal hashes mean that
//! nothing is to be told; different ones, that it is worth a look.

use super::compare::{Order, order, signature};
use super::tree::Node;
use crate::convert::Secret;

/// 128 bits.
pub(super) type Hash = [u64; 2];

/// A secret that nobody can guess who makes a document.
pub(super) struct Hasher {
    secret: Secret,
}

impl Hasher {
    /// A new secret.
    pub fn new() -> Hasher {
        Hasher { secret: Secret::default() }
    }

    /// Of bytes.
    pub fn bytes(&self, bytes: &[u8]) -> Hash {
        self.secret.hash(bytes)
    }

    /// Of raw text on this ground: what stands around it and counts for what it means.
    pub fn raw(&self, ground: Hash, text: &str) -> Hash {
        let [high, low] = self.bytes(text.as_bytes());
        [high ^ ground[0], low.wrapping_add(ground[1])]
    }

    /// Of what an entry says, so that equal hashes are those of entries that the comparison finds equal.
    pub fn node(&self, node: &Node<'_>) -> Hash {
        let mut sum: u128 = 0;
        for said in &node.leaves {
            let mut bytes = vec![said.kind.map_or(0, |kind| kind as u8 + 1)];
            bytes.extend_from_slice(&(said.field as u16).to_le_bytes());
            bytes.extend_from_slice(said.reads().as_bytes());
            sum = sum.wrapping_add(self.secret.number(&bytes));
        }
        for member in &node.members {
            sum = sum.wrapping_add(self.mixed(member.name, self.node(member)));
        }
        match order(node.name) {
            Order::Free => {
                for item in &node.items {
                    sum = sum.wrapping_add(self.mixed("item", self.item(item, node.name)));
                }
            }
            Order::Counts => {
                let items = node.items.iter().flat_map(|item| self.item(item, node.name));
                let bytes: Vec<u8> = items.flat_map(u64::to_le_bytes).collect();
                sum = sum.wrapping_add(self.secret.number(&bytes));
            }
        }
        halves(sum)
    }

    /// Of one of a list, with what it is called there.
    pub fn item(&self, item: &Node<'_>, list: &str) -> Hash {
        match signature(item, list) {
            Some(name) => {
                let own = self.node(item);
                halves(self.mixed(&name, own))
            }
            None => self.node(item),
        }
    }

    fn mixed(&self, name: &str, [high, low]: Hash) -> u128 {
        let mut bytes = Vec::with_capacity(name.len() + 16);
        bytes.extend_from_slice(&high.to_le_bytes());
        bytes.extend_from_slice(&low.to_le_bytes());
        bytes.extend_from_slice(name.as_bytes());
        self.secret.number(&bytes)
    }
}

fn halves(hash: u128) -> Hash {
    [(hash >> 64) as u64, hash as u64]
}
