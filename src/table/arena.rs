//! Values of an entry that are not a piece of its source: what repairs made of it.

/// Texts one behind the other.
#[derive(Clone, Default, Debug)]
pub(crate) struct TextArena(String);

/// Bytes kept for the next entry.
const KEPT: usize = 1 << 20;

impl TextArena {
    /// Adds a text; returns where it begins and ends. `None` if there is no number for that.
    pub fn push(&mut self, text: &str) -> Option<(u32, u32)> {
        let end = u32::try_from(self.0.len() + text.len()).ok()?;
        let start = self.0.len() as u32;
        self.0.push_str(text);
        Some((start, end))
    }

    /// The text between two places that [`push`](TextArena::push) returned.
    pub fn text(&self, start: u32, end: u32) -> &str {
        self.0.get(start as usize..end as usize).unwrap_or("")
    }

    pub fn clear(&mut self) {
        self.0.clear();
        self.0.shrink_to(KEPT);
    }
}
