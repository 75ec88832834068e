//! Dates as sitemaps have them.

use crate::model::{Date, Precision};
use crate::reason::{Reason, ValueChange};

/// A date until which something lasts, as sitemaps spell it: the last day that it names.
pub(super) fn end_date(end: &Date) -> (String, ValueChange) {
    match end.precision() {
        Precision::Year | Precision::Month => (end.last_day().to_sitemap(), Some(Reason::MorePrecise)),
        _ => date(end),
    }
}

/// A date as sitemaps spell it: a day, or seconds with a zone.
pub(in crate::format) fn date(date: &Date) -> (String, ValueChange) {
    let change = match date.precision() {
        Precision::Year | Precision::Month => Some(Reason::MorePrecise),
        Precision::Day => None,
        Precision::Minute | Precision::Second | Precision::Fraction if date.offset().is_none() => Some(Reason::AsUtc),
        _ if date.far_in_utc().is_some() => Some(Reason::FarOffset),
        Precision::Minute => Some(Reason::MorePrecise),
        Precision::Second => None,
        Precision::Fraction => Some(Reason::LessPrecise),
    };
    (date.to_sitemap(), change)
}
