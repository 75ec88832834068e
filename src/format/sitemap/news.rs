//! What Google requires of an article, and how it names languages. How an article is written is in extensions.rs.

use crate::model::{News, Str};
use crate::text::language;

/// Whether an article has what Google requires of one.
pub(crate) fn is_article(news: &News<'_>) -> bool {
    !unfit(news)
}

/// Whether an article lacks a value that Google requires.
pub(crate) fn unfit(news: &News<'_>) -> bool {
    let lacks = |slot: &Option<Str<'_>>| slot.as_ref().is_none_or(|leaf| leaf.value.trim().is_empty());
    let is_known = |tag: &Str<'_>| language::is_of_news(&news_language(&tag.value));
    [&news.name, &news.language, &news.title].into_iter().any(lacks)
        || news.published.is_none()
        || !news.language.as_ref().is_some_and(is_known)
}

/// ISO 639, or the two forms of Chinese that Google distinguishes.
pub(crate) fn news_language(tag: &str) -> String {
    let tag = tag.to_ascii_lowercase().replace('_', "-");
    match tag.as_str() {
        "zh-cn" | "zh-tw" => tag,
        _ => tag.split('-').next().unwrap_or_default().to_owned(),
    }
}
