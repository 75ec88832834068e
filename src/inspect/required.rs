//! The fields that a target requires of each entry, and how many entries of a document have them.

use super::found::{ForecastSummary, InspectedInput};
use crate::model::Field;

/// Fields any of which will do.
type Choice = &'static [Field];

const VIDEOS: &[Choice] = &[
    &[Field::VideoTitle, Field::Title],
    &[Field::VideoDescription, Field::Summary],
    &[Field::VideoThumbnailUrl],
    &[Field::VideoFileUrl, Field::VideoPlayerUrl],
];

/// The fields that a target requires of each entry (Google: video sitemaps; RSS 2.0: elements of `item`; RFC 4287,
/// section 4.1.2).
fn requirements(to: &str, profile: &str) -> Vec<Choice> {
    let all = |own: &[Choice], videos: bool| {
        own.iter().chain(if videos { VIDEOS } else { &[] }).copied().collect::<Vec<Choice>>()
    };
    match (to, profile) {
        ("video-sitemap", _) => all(&[&[Field::Loc]], true),
        ("mrss", "google") => all(&[&[Field::Loc]], true),
        ("sitemap" | "text", _) => all(&[&[Field::Loc]], false),
        ("rss" | "mrss" | "rss-podcast", _) => all(&[&[Field::Title, Field::Summary]], false),
        ("atom" | "atom-media", _) => all(&[&[Field::Id], &[Field::Title], &[Field::Updated, Field::Published]], false),
        _ => Vec::new(),
    }
}

/// Fields that targets require, any of which will do.
pub(crate) struct Coverage {
    /// Their names.
    pub names: Vec<&'static str>,
    /// Entries that have one of them.
    pub entries: u64,
    /// The targets.
    pub targets: Vec<&'static str>,
}

/// The fields that some target requires, those that most entries lack first.
pub(crate) fn coverage(found: &InspectedInput, forecasts: &[&ForecastSummary]) -> Vec<Coverage> {
    let mut all: Vec<(Choice, Coverage)> = Vec::new();
    for forecast in forecasts.iter().filter(|forecast| forecast.refused.is_none()) {
        for choice in requirements(forecast.to, forecast.profile) {
            match all.iter_mut().find(|(known, _)| *known == choice) {
                Some((_, coverage)) => coverage.targets.push(forecast.to),
                None => {
                    let names: Vec<&str> = choice.iter().map(|field| field.name()).collect();
                    let of = found.fields.iter().filter(|field| names.contains(&field.field));
                    let entries = of.map(|field| field.entries).max().unwrap_or(0);
                    all.push((choice, Coverage { names, entries, targets: vec![forecast.to] }));
                }
            }
        }
    }
    let mut all: Vec<Coverage> = all.into_iter().map(|(_, coverage)| coverage).collect();
    all.sort_by_key(|coverage| coverage.entries);
    all
}
