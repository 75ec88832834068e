//! Hashes of 128 bits with a secret of the run: of raw text, of keys, and of the content of an entry. Entries with
//! equal hashes are treated as equal; different hashes call for a comparison.

use super::tree::{MemberNode, Order, order, signature, signature_of};
use super::values::ComparedLeaf;
use crate::convert::Secret;
use crate::format::Family;
use crate::model::{Entry, Restriction, Walk, WalkStep};

/// 128 bits.
pub(super) type Hash128 = [u64; 2];

/// A random secret, so that a document cannot be crafted to collide.
pub(super) struct Hasher {
    secret: Secret,
}

impl Hasher {
    /// A new secret.
    pub fn new() -> Hasher {
        Hasher { secret: Secret::default() }
    }

    /// Of bytes.
    pub fn bytes(&self, bytes: &[u8]) -> Hash128 {
        self.secret.hash(bytes)
    }

    /// Of raw text in this context, which may change its meaning.
    pub fn raw(&self, ground: Hash128, text: &str) -> Hash128 {
        let [high, low] = self.bytes(text.as_bytes());
        [high ^ ground[0], low.wrapping_add(ground[1])]
    }

    /// Of the content of an entry: equal if the comparison finds the entries equal. The same as the hash of the entry's
    /// tree, without building the tree.
    pub fn entry(&self, entry: &Entry<'_>, family: &'static Family) -> Hash128 {
        // the tree has what its words mean
        if restrictions(entry).any(|restriction| !restriction.is_plain()) {
            return self.node_with(&MemberNode::of_entry(entry, family), &mut Vec::new());
        }
        let mut open = vec![OpenMember::default()];
        let mut buffer = Vec::new();
        entry.outline((), &mut |step| match step {
            WalkStep::Member(name) => open.push(OpenMember { name, ..OpenMember::default() }),
            WalkStep::Item => open.push(OpenMember::default()),
            WalkStep::End => {
                if let Some(done) = open.pop()
                    && let Some(above) = open.last_mut()
                {
                    self.close(done, above, &mut buffer);
                }
            }
            WalkStep::Leaf(seen) => {
                let said = ComparedLeaf::new(&seen, None, element(&open));
                self.leaf(said, family, &mut open, &mut buffer);
            }
            WalkStep::Text(kind, seen) => {
                let said = ComparedLeaf::new(&seen, Some(kind), element(&open));
                self.leaf(said, family, &mut open, &mut buffer);
            }
            WalkStep::Word(word) => {
                if let Some(last) = open.last_mut() {
                    last.word = Some(word);
                }
            }
        });
        open.pop().map_or([0; 2], |root| halves(self.member_hash(&root)))
    }

    fn leaf(&self, said: ComparedLeaf<'_>, family: &'static Family, open: &mut [OpenMember<'_>], buffer: &mut Vec<u8>) {
        if let Some(last) = open.last_mut().filter(|_| !said.is_default(family)) {
            last.sum = last.sum.wrapping_add(self.hash_leaf(&said, buffer));
        }
    }

    fn hash_leaf(&self, said: &ComparedLeaf<'_>, buffer: &mut Vec<u8>) -> u128 {
        buffer.clear();
        buffer.push(said.kind.map_or(0, |kind| kind as u8 + 1));
        buffer.extend_from_slice(&(said.field as u16).to_le_bytes());
        buffer.extend_from_slice(said.reads().as_bytes());
        self.secret.number(buffer)
    }

    /// Adds a member, or one of a list, to what it is in.
    fn close<'e>(&self, done: OpenMember<'e>, above: &mut OpenMember<'e>, buffer: &mut Vec<u8>) {
        let own = halves(self.member_hash(&done));
        match done.name {
            "" => {
                let own = match signature_of(done.words.iter().copied(), above.name) {
                    Some(name) => halves(self.mixed(&name, own, buffer)),
                    None => own,
                };
                match order(above.name) {
                    Order::Free | Order::Set => above.sum = above.sum.wrapping_add(self.mixed("item", own, buffer)),
                    Order::Counts => above.items.extend(own.into_iter().flat_map(u64::to_le_bytes)),
                }
            }
            // inherited values count where they are defined
            "inherited" => (),
            name => {
                above.sum = above.sum.wrapping_add(self.mixed(name, own, buffer));
                above.words.extend(done.word.map(|word| (name, word)));
            }
        }
    }

    fn member_hash(&self, done: &OpenMember<'_>) -> u128 {
        match order(done.name) {
            Order::Free | Order::Set => done.sum,
            Order::Counts => done.sum.wrapping_add(self.secret.number(&done.items)),
        }
    }

    /// The same of a tree.
    fn node_with(&self, node: &MemberNode<'_>, buffer: &mut Vec<u8>) -> Hash128 {
        let mut open = OpenMember { name: node.name, ..OpenMember::default() };
        for said in &node.leaves {
            open.sum = open.sum.wrapping_add(self.hash_leaf(said, buffer));
        }
        for member in &node.members {
            let own = self.node_with(member, buffer);
            open.sum = open.sum.wrapping_add(self.mixed(member.name, own, buffer));
        }
        for item in &node.items {
            let own = self.item_with(item, node.name, buffer);
            match order(node.name) {
                Order::Free | Order::Set => open.sum = open.sum.wrapping_add(self.mixed("item", own, buffer)),
                Order::Counts => open.items.extend(own.into_iter().flat_map(u64::to_le_bytes)),
            }
        }
        halves(self.member_hash(&open))
    }

    /// Of a member, with its name.
    pub fn member(&self, member: &MemberNode<'_>) -> Hash128 {
        let mut buffer = Vec::new();
        let own = self.node_with(member, &mut buffer);
        halves(self.mixed(member.name, own, &mut buffer))
    }

    /// Of one of a list, with the name of the list.
    pub fn item_of(&self, item: &MemberNode<'_>, list: &str) -> Hash128 {
        let mut buffer = Vec::new();
        let own = self.item_with(item, list, &mut buffer);
        halves(self.mixed(list, own, &mut buffer))
    }

    /// Of one of a list, with what it is called there.
    pub fn item(&self, item: &MemberNode<'_>, list: &str) -> Hash128 {
        self.item_with(item, list, &mut Vec::new())
    }

    fn item_with(&self, item: &MemberNode<'_>, list: &str, buffer: &mut Vec<u8>) -> Hash128 {
        let own = self.node_with(item, buffer);
        match signature(item, list) {
            Some(name) => halves(self.mixed(&name, own, buffer)),
            None => own,
        }
    }

    fn mixed(&self, name: &str, [high, low]: Hash128, buffer: &mut Vec<u8>) -> u128 {
        buffer.clear();
        buffer.extend_from_slice(&high.to_le_bytes());
        buffer.extend_from_slice(&low.to_le_bytes());
        buffer.extend_from_slice(name.as_bytes());
        self.secret.number(buffer)
    }
}

/// A member, or one of a list, that is not complete.
#[derive(Default)]
struct OpenMember<'e> {
    /// The member's name; empty for one of a list.
    name: &'static str,
    sum: u128,
    /// A structural string.
    word: Option<&'e str>,
    /// Those of its members.
    words: Vec<(&'static str, &'e str)>,
    /// The hashes of what a list holds whose order counts.
    items: Vec<u8>,
}

/// The restrictions of countries of the videos of an entry, and of their files.
fn restrictions<'e>(entry: &'e Entry<'_>) -> impl Iterator<Item = &'e Restriction<'e>> {
    entry.videos.iter().flat_map(|video| {
        let of_files = video.files.iter().filter_map(|file| file.media.as_ref()?.restriction.as_ref());
        video.restriction.iter().chain(of_files)
    })
}

/// The name of the part whose member is open.
fn element<'e>(open: &[OpenMember<'e>]) -> Option<&'e str> {
    open.iter().nth_back(1)?.words.iter().find(|(member, _)| *member == "name").map(|(_, word)| *word)
}

fn halves(hash: u128) -> Hash128 {
    [(hash >> 64) as u64, hash as u64]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::convert::{Bytes, Entries};

    #[test]
    fn an_entry_has_the_hash_of_its_tree() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
        let hasher = Hasher::new();
        let mut seen = std::collections::HashSet::new();
        for folder in ["samples", "tests/fixtures/specimen"] {
            for file in std::fs::read_dir(root.join(folder)).expect("the folder is there").flatten() {
                let bytes = std::fs::read(file.path()).unwrap_or_default();
                let input = Bytes { name: "", bytes: &bytes };
                let Ok(entries) = Entries::open(&input, None) else { continue };
                let family = entries.format().family;
                for entry in entries.flatten() {
                    let hash = hasher.entry(&entry, family);
                    assert_eq!(
                        hash,
                        hasher.node_with(&MemberNode::of_entry(&entry, family), &mut Vec::new()),
                        "{:?}",
                        file.path()
                    );
                    seen.insert(hash);
                }
            }
        }
        assert!(seen.len() > 20, "only {} different entries", seen.len());
    }
}
