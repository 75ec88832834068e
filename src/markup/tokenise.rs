//! Fills a table from the markup of one entry in one pass. Markup that takes a repair, or passes a limit, is left to
//! the repairing parser, which makes the same tree of everything that is read here.

use memchr::memmem;

use super::naming;
use super::scan::{self, ScannedText};
use crate::table::leaves::is_blank;
use crate::table::paths::{PathRole, PathTable};
use crate::table::{LeafForm, LeafTable, NONE};
use crate::xml::aside;
use crate::xml::limits::TreeLimits;
use crate::xml::scan::has_noncharacter;
use crate::xml::scan::{is_space, tag_end};

/// An element that is not closed yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnclosedElement {
    path: u32,
    element: u32,
}

/// A run of text that may continue behind a comment or a CDATA section.
#[derive(Clone, Copy)]
struct TextRun {
    start: usize,
    end: usize,
    form: LeafForm,
    /// Whether it is known to be a value (true) or white space (false).
    is_solid: Option<bool>,
}

/// The reading of one entry.
pub(super) struct EntryPass<'m, 'r> {
    pub paths: &'m mut PathTable,
    pub table: &'m mut LeafTable,
    pub open: &'m mut Vec<UnclosedElement>,
    /// Counts tags, to find an attribute that is in one twice.
    pub serial: &'m mut u32,
    pub around: u32,
    pub raw: &'r str,
    pub limits: &'m TreeLimits,
    run: Option<TextRun>,
    is_done: bool,
}

impl<'m, 'r> EntryPass<'m, 'r> {
    pub fn new(
        (paths, table): (&'m mut PathTable, &'m mut LeafTable),
        (open, serial): (&'m mut Vec<UnclosedElement>, &'m mut u32),
        around: u32,
        raw: &'r str,
        limits: &'m TreeLimits,
    ) -> EntryPass<'m, 'r> {
        open.clear();
        EntryPass { paths, table, open, serial, around, raw, limits, run: None, is_done: false }
    }

    fn bytes(&self) -> &'r [u8] {
        self.raw.as_bytes()
    }

    /// Reads the whole entry; `None` if it cannot be read as it is.
    pub fn read(&mut self) -> Option<()> {
        if self.bytes().first() != Some(&b'<') || u32::try_from(self.raw.len()).is_err() {
            return None;
        }
        if has_noncharacter(self.raw) {
            return None;
        }
        let mut at = 0;
        loop {
            let (lt, form) = scan::text(self.raw, at)?;
            let Some(next) = self.bytes().get(lt + 1) else { break };
            let is_markup = matches!(next, b'!' | b'?');
            match form {
                ScannedText::Nothing => (),
                ScannedText::Blank if !is_markup && self.run.is_none() && lt - at <= self.limits.text => (),
                ScannedText::Blank => self.text(at, lt, LeafForm::Plain, is_markup)?,
                ScannedText::Written(form) => self.text(at, lt, form, is_markup)?,
            }
            at = match next {
                b'/' => self.end(lt)?,
                b'!' | b'?' => self.beside(lt)?,
                _ => self.start(lt)?,
            };
        }
        (self.is_done && self.bytes()[at..].iter().all(|byte| is_space(*byte))).then_some(())
    }

    /// A piece of text. With `may_continue`, its run may not be over behind it.
    #[inline(always)]
    fn text(&mut self, start: usize, end: usize, form: LeafForm, may_continue: bool) -> Option<()> {
        if end - start > self.limits.text {
            return None;
        }
        let is_solid = scan::is_solid(&self.bytes()[start..end]);
        if self.open.is_empty() {
            return (is_solid == Some(false)).then_some(());
        }
        let run = TextRun { start, end, form, is_solid };
        match self.run.is_none() && !may_continue {
            true => self.add(run),
            false => self.more(run),
        }
        Some(())
    }

    #[cold]
    #[inline(never)]
    fn more(&mut self, piece: TextRun) {
        let Some(run) = &mut self.run else {
            self.run = Some(piece);
            return;
        };
        // pieces begin and end with the marks of their sections
        if run.form == LeafForm::Section {
            run.start -= "<![CDATA[".len();
        }
        run.end = if piece.form == LeafForm::Section { piece.end + "]]>".len() } else { piece.end };
        run.form = LeafForm::Pieces;
        run.is_solid = match (run.is_solid, piece.is_solid) {
            (Some(true), _) | (_, Some(true)) => Some(true),
            (Some(false), Some(false)) => Some(false),
            (None, _) | (_, None) => None,
        };
    }

    /// Adds a run of text, unless it is blank.
    #[inline(always)]
    fn add(&mut self, run: TextRun) {
        let is_solid = run.is_solid.unwrap_or_else(|| !is_blank(&self.raw[run.start..run.end], run.form));
        if is_solid && let Some(top) = self.open.last() {
            self.table.push(top.path, run.form, (run.start, run.end), top.element);
        }
    }

    #[inline(always)]
    fn end_run(&mut self) -> Option<()> {
        let Some(run) = self.run.take() else { return Some(()) };
        if run.end - run.start > self.limits.text {
            return None;
        }
        self.add(run);
        Some(())
    }

    /// A comment, a processing instruction, a CDATA section. Returns where it ends.
    fn beside(&mut self, lt: usize) -> Option<usize> {
        let rest = &self.bytes()[lt..];
        if rest.starts_with(b"<![CDATA[") {
            return self.section(lt + "<![CDATA[".len());
        }
        let (opening, closing): (usize, &[u8]) = match rest {
            [b'<', b'?', first, ..] if first.is_ascii_alphabetic() => (2, b"?>"),
            [b'<', b'!', b'-', b'-', ..] => (4, b"-->"),
            _ => return None,
        };
        let start = lt + opening;
        let length = memmem::find(&self.bytes()[start..], closing)?;
        let end = start + length + closing.len();
        aside::fault(&self.raw[lt..end]).is_none().then_some(end)
    }

    fn section(&mut self, start: usize) -> Option<usize> {
        let text = &self.raw[start..];
        let text = &text[..super::scan::section_end(text)?];
        let end = start + text.len();
        if self.open.is_empty() || scan::has_control(text.as_bytes()) {
            return None;
        }
        // a reference is none in a section
        let is_solid = scan::is_solid(text.as_bytes()).or(Some(true));
        let has_line_ends = memchr::memchr(b'\r', text.as_bytes()).is_some();
        match has_line_ends {
            false => self.more(TextRun { start, end, form: LeafForm::Section, is_solid }),
            true => {
                let (start, end) = (start - "<![CDATA[".len(), end + "]]>".len());
                self.more(TextRun { start, end, form: LeafForm::Pieces, is_solid });
            }
        }
        Some(end + "]]>".len())
    }

    fn end(&mut self, lt: usize) -> Option<usize> {
        self.end_run()?;
        let open = self.open.pop()?;
        let bytes = self.bytes();
        let mut at = self.paths.end_of_name(open.path, bytes, lt + "</".len())?;
        while is_space(*bytes.get(at)?) {
            at += 1;
        }
        (bytes[at] == b'>').then_some(())?;
        self.close(open.element, at + 1);
        Some(at + 1)
    }

    #[inline(always)]
    fn close(&mut self, element: u32, end: usize) {
        self.table.close(element, end);
        self.is_done |= self.open.is_empty();
    }

    /// A start tag, or one of an empty element. Returns where it ends.
    #[inline(always)]
    fn start(&mut self, lt: usize) -> Option<usize> {
        self.end_run()?;
        if self.is_done {
            return None;
        }
        let above = self.open.last().map_or(UnclosedElement { path: self.around, element: NONE }, |open| *open);
        let before = self.paths.hot(above.path).last;
        let path = match self.paths.expected(above.path, &self.bytes()[lt + 1..]) {
            Some(path) => path,
            None => naming::unexpected_element(self.paths, above.path, &self.raw[lt + 1..])?,
        };
        match self.tag(lt, path, above.element)? {
            Some(end) => Some(end),
            None => self.declaring(lt, before, above),
        }
    }

    /// Reads a tag that declares other namespaces than the last one of its name.
    #[cold]
    #[inline(never)]
    fn declaring(&mut self, lt: usize, before: u32, above: UnclosedElement) -> Option<usize> {
        self.paths.hot(above.path).last = before;
        let path = naming::declaring(self.paths, above.path, &self.raw[lt + 1..], self.limits)?;
        self.tag(lt, path, above.element)?
    }

    /// Reads the tag at `lt` as one of this path. `Some(None)` if its declarations are not those of the path; then
    /// nothing was added.
    #[inline(always)]
    fn tag(&mut self, lt: usize, path: u32, parent: u32) -> Option<Option<usize>> {
        let bytes = self.bytes();
        *self.serial = self.serial.wrapping_add(1);
        let serial = *self.serial;
        let begun = self.table.lengths();
        let hot = self.paths.hot(path);
        if hot.is_odd {
            return self.declares(lt, begun);
        }
        hot.last = NONE;
        let (mut expected, declares) = (hot.attribute, hot.declares);
        let mut at = lt + 1 + hot.len();
        let element = self.table.open(path, parent, lt);
        let (mut last, mut declared) = (NONE, 0);
        let is_empty = loop {
            let before = at;
            while is_space(*bytes.get(at)?) {
                at += 1;
            }
            match &bytes[at..] {
                [b'>', ..] => break false,
                [b'/', b'>', ..] => break true,
                _ if at == before => return None,
                _ => (),
            }
            last = match self.paths.get(expected) {
                Some(hot) if hot.begins(&bytes[at..]) => expected,
                _ => match self.attribute(at, path, last) {
                    Some(attribute) => attribute,
                    None => return self.declares(lt, begun),
                },
            };
            let hot = self.paths.hot(last);
            if std::mem::replace(&mut hot.serial, serial) == serial {
                return None;
            }
            expected = hot.next;
            let (role, quote) = (hot.role, at + hot.len());
            let (end, form) = scan::value(self.raw, quote)?;
            at = end + 1;
            if role == PathRole::Declaration {
                if self.paths.uri(last) != &self.raw[quote + 1..end] {
                    return self.undo(begun);
                }
                declared += 1;
                continue;
            }
            if end - quote > self.limits.attribute {
                return None;
            }
            self.table.push(last, form, (quote + 1, end), element);
        };
        if declared != declares {
            return self.undo(begun);
        }
        if declares > 0 && self.paths.name(path).in_scope as usize > self.limits.namespaces {
            return None;
        }
        let end = at + if is_empty { "/>".len() } else { ">".len() };
        let (elements, leaves) = self.table.lengths();
        if leaves - begun.1 > self.limits.attributes
            || elements + leaves > self.limits.nodes
            || self.open.len() >= self.limits.depth
        {
            return None;
        }
        match is_empty {
            true => self.close(element, end),
            false => self.open.push(UnclosedElement { path, element }),
        }
        Some(Some(end))
    }

    /// The attribute at `at`, which is not the expected one. `None` if its name cannot be read as it is.
    #[cold]
    #[inline(never)]
    fn attribute(&mut self, at: usize, path: u32, last: u32) -> Option<u32> {
        let rest = self.raw.get(at..)?;
        let declaration = naming::declaration(self.paths, path, rest);
        let attribute = match declaration {
            Some(declaration) => {
                match last {
                    NONE => self.paths.hot(path).attribute = declaration,
                    last => self.paths.hot(last).next = declaration,
                }
                declaration
            }
            None => naming::unexpected_attribute(self.paths, path, last, rest)?,
        };
        let length = self.paths.hot(attribute).len();
        (rest.as_bytes().get(length - 1) == Some(&b'=')).then_some(attribute)
    }

    #[cold]
    fn undo(&mut self, begun: (usize, usize)) -> Option<Option<usize>> {
        self.table.truncate(begun);
        Some(None)
    }

    /// `Some(None)` if the tag at `lt`, which cannot be read as it is, declares namespaces.
    #[cold]
    #[inline(never)]
    fn declares(&mut self, lt: usize, begun: (usize, usize)) -> Option<Option<usize>> {
        let rest = self.raw.get(lt..)?;
        let tag = rest.get(..tag_end(rest)?)?;
        memmem::find(tag.as_bytes(), b"xmlns")?;
        self.undo(begun)
    }
}
