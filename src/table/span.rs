//! Where a leaf and an element are in the source: what a table holds.

/// Bits of a number that are the path.
const PATH_BITS: u32 = 29;

const _: () = assert!(size_of::<LeafSpan>() == 16);

/// A value: an attribute's, a run of text, or an element that has neither and no element in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct LeafSpan {
    /// The number of its path, and above it the form of its value.
    path: u32,
    start: u32,
    end: u32,
    /// The element that it belongs to.
    pub element: u32,
}

/// How the value of a leaf is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u32)]
pub enum LeafForm {
    /// In the source; every byte means itself, and none needs escaping in markup.
    Plain,
    /// In the source, with references or line ends to be decoded as in text.
    Text,
    /// The same as in the value of an attribute.
    Attribute,
    /// In one CDATA section of the source, without its marks: every byte means itself.
    Section,
    /// In the source: texts and CDATA sections, and between them comments and instructions that are no part of it.
    Pieces,
    /// In the arena, decoded.
    Arena,
    /// No characters: the leaf is an element without content, from its start to its end.
    Empty,
}

const FORMS: [LeafForm; 7] = [
    LeafForm::Plain,
    LeafForm::Text,
    LeafForm::Attribute,
    LeafForm::Section,
    LeafForm::Pieces,
    LeafForm::Arena,
    LeafForm::Empty,
];

impl LeafSpan {
    /// A leaf of this path, whose value is here.
    #[inline(always)]
    pub(super) fn new(path: u32, form: LeafForm, (start, end): (usize, usize), element: u32) -> LeafSpan {
        LeafSpan { path: path | (form as u32) << PATH_BITS, start: start as u32, end: end as u32, element }
    }

    /// The number of its path: of an attribute its own, else that of its element.
    pub fn path(&self) -> u32 {
        self.path & ((1 << PATH_BITS) - 1)
    }

    /// How its value is written.
    pub fn form(&self) -> LeafForm {
        FORMS[(self.path >> PATH_BITS) as usize % FORMS.len()]
    }

    /// Where its value is, in the source or in the arena.
    pub fn span(&self) -> (usize, usize) {
        (self.start as usize, self.end as usize)
    }
}

impl std::fmt::Debug for LeafSpan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} {}..{} of path {}, element {}", self.form(), self.start, self.end, self.path(), self.element)
    }
}

/// An element. Those below it have the numbers that follow its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ElementSpan {
    /// Its path.
    pub path: u32,
    /// The element around it; [`NONE`](super::paths::NONE) for an outermost one.
    pub parent: u32,
    /// Where its start tag begins in the source.
    pub at: u32,
    /// Where it ends, with its end tag.
    pub end: u32,
    /// The first of the leaves in it and below it.
    pub leaves: u32,
    /// The end of these leaves.
    pub leaves_end: u32,
}
