//! Pages.
use crate::model::Entry;
/// The address of the page.
pub(crate) fn page<'e>(entry: &'e Entry<'_>) -> Option<&'e str> {
    entry.loc.as_ref().map(|loc| loc.as_str())
}
/// Its key.
pub(crate) fn key(entry: &Entry<'_>) -> Option<String> {
    page(entry).map(|loc| crate::text::url::key(loc).into_owned())
}
/// Joins.
pub(crate) fn join(_first: &mut Entry<'static>, _other: Entry<'static>) {}
