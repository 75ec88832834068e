//! Revisions of an Atom entry: entries with one id. A conversion to a list of pages joins them, and all entries that
//! share a page with them, into one (rule A5). Here they get one key, that of the page they are joined under. `pages`
//! does the joining.

use std::collections::{BTreeMap, HashMap};
use std::io;

use super::hash::Hasher;
use super::ids::has;
use super::passes::{B, temporary};
use super::pick::{SecondPassResult, keys};
use super::project::{format_of, read_text};
use super::side::ComparedSide;
use super::texts::{Texts, raw};
use crate::convert::Runs;
use crate::diff::comparison::Comparison;
use crate::error::Error;
use crate::options::Options;
use crate::pages;

/// Entries that are one, by the first of them.
#[derive(Default)]
struct RevisionGroups(HashMap<u64, u64>);

impl RevisionGroups {
    fn root(&mut self, mut place: u64) -> u64 {
        while let Some(&parent) = self.0.get(&place).filter(|parent| **parent != place) {
            let above = self.0.get(&parent).copied().unwrap_or(parent);
            self.0.insert(place, above);
            place = parent;
        }
        place
    }

    fn unite(&mut self, places: &[u64]) {
        let Some(&first) = places.first() else { return };
        for &place in places {
            let (a, b) = (self.root(first), self.root(place));
            self.0.insert(a.max(b), a.min(b));
            self.0.entry(a.min(b)).or_insert(a.min(b));
        }
    }

    fn has(&self, place: u64) -> bool {
        self.0.contains_key(&place)
    }

    /// All of them, each in order.
    fn groups(mut self) -> BTreeMap<u64, Vec<u64>> {
        let mut places: Vec<u64> = self.0.keys().copied().collect();
        places.sort_unstable();
        let mut groups: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
        for place in places {
            groups.entry(self.root(place)).or_default().push(place);
        }
        groups
    }
}

/// Shows the places of each key of a table, and makes the table again.
fn each_group<'o>(
    table: Runs<'o, 3>,
    new: &dyn Fn() -> Runs<'o, 3>,
    show: &mut dyn FnMut(&[u64]) -> io::Result<()>,
) -> io::Result<Runs<'o, 3>> {
    let (mut again, mut hash, mut places) = (new(), [0; 2], Vec::new());
    table.in_order(|[high, low, place]| {
        if hash != [high, low] {
            show(&places)?;
            places.clear();
            hash = [high, low];
        }
        places.push(place);
        again.push([high, low, place])
    })?;
    show(&places)?;
    Ok(again)
}

/// Gives all entries that are one with others by their id the key of one page.
///
/// # Errors
/// A temporary file.
pub(super) fn unite<'o>(
    side: &ComparedSide<'_>,
    picked: SecondPassResult<'o>,
    comparison: &'o Comparison,
    hasher: &Hasher,
) -> Result<SecondPassResult<'o>, Error> {
    if !side.formats().into_iter().any(has) {
        return Ok(picked);
    }
    let options = &comparison.options;
    let new = || Runs::new(options.memory / 64, options.temp_dir.as_deref());
    let SecondPassResult { texts, keys: [bytes, by_page, by_id, by_title, by_content], keyless } = picked;
    let mut united = RevisionGroups::default();
    let mut revisions = |places: &[u64]| -> io::Result<()> {
        if places.len() < 2 {
            return Ok(());
        }
        let mut own = Vec::new();
        for place in places {
            let (label, ..) = texts.get(place & !B)?;
            let document = side.documents.get(label.document as usize);
            if document.is_some_and(|document| has(format_of(document))) {
                own.push(*place);
            }
        }
        if own.len() > 1 {
            united.unite(&own);
        }
        Ok(())
    };
    let by_id = each_group(by_id, &new, &mut revisions).map_err(temporary)?;
    if united.0.is_empty() {
        return Ok(SecondPassResult { texts, keys: [bytes, by_page, by_id, by_title, by_content], keyless });
    }
    let mut of_page = |places: &[u64]| -> io::Result<()> {
        if places.len() > 1 && places.iter().any(|place| united.has(*place)) {
            united.unite(places);
        }
        Ok(())
    };
    let by_page = each_group(by_page, &new, &mut of_page).map_err(temporary)?;
    let mut pages = new();
    let others = |row: [u64; 3]| if united.has(row[2]) { Ok(()) } else { pages.push(row) };
    by_page.in_order(others).map_err(temporary)?;
    for places in united.groups().into_values() {
        let page = page_of((side, &texts), &places, options, hasher).map_err(temporary)?;
        for place in places {
            if let Some([high, low]) = page {
                pages.push([high, low, place]).map_err(temporary)?;
            }
        }
    }
    Ok(SecondPassResult { texts, keys: [bytes, pages, by_id, by_title, by_content], keyless })
}

/// The key of the page under which entries are joined.
fn page_of(
    (side, texts): (&ComparedSide<'_>, &Texts),
    places: &[u64],
    options: &Options,
    hasher: &Hasher,
) -> io::Result<Option<[u64; 2]>> {
    let mut entries = Vec::new();
    for place in places {
        let (label, context, text) = texts.get(place & !B)?;
        let document = side.documents.get(label.document as usize);
        let read = document.map(|document| read_text(document, &raw(&label, &context, &text), options));
        entries.extend(read.and_then(Result::ok));
    }
    let mut entries = entries.into_iter();
    let Some(mut first) = entries.next() else { return Ok(None) };
    pages::join(&mut first, entries.collect(), true);
    let [_, page, ..] = keys(&first, &crate::format::atom::FAMILY, hasher);
    Ok(page)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_one_with_another_is_one_with_its_own() {
        let mut united = RevisionGroups::default();
        united.unite(&[4, 7]);
        united.unite(&[9, 2]);
        united.unite(&[7, 9, 11]);
        united.unite(&[20, 30]);
        assert!(united.has(2) && united.has(20) && !united.has(3));
        let groups: Vec<Vec<u64>> = united.groups().into_values().collect();
        assert_eq!(groups, [vec![2, 4, 7, 9, 11], vec![20, 30]]);
    }
}
