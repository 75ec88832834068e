//! Counts work, so that tests can hold it against the size of an input without a clock. A count is the same on every
//! machine and under every load.
//!
//! It is taken where no work on a document can get by: nodes of a tree that are visited, leaves of the model that are
//! walked, read as text, compared or copied, marks that the books are asked about, markup that is written; and in loops that
//! touch none of these. Release builds count nothing.

#[cfg(debug_assertions)]
thread_local! {
    static DONE: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// So much was done.
#[inline(always)]
pub(crate) fn count(done: usize) {
    #[cfg(debug_assertions)]
    DONE.with(|all| all.set(all.get() + done as u64));
    #[cfg(not(debug_assertions))]
    let _ = done;
}

/// What this thread has done so far; 0 in release builds.
#[doc(hidden)]
#[must_use]
pub fn done() -> u64 {
    #[cfg(debug_assertions)]
    return DONE.with(std::cell::Cell::get);
    #[cfg(not(debug_assertions))]
    0
}
