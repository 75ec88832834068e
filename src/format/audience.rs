//! Whom a video is fit for, by the rating schemes that decide it (A10). What a target writes for that is for its writer to say.

use std::borrow::Cow;

use crate::model::episode::is_explicit;
use crate::model::{Audience, Str};

/// The values of a rating.
pub(super) fn leaves_of<'r, 'e>(rating: &'r Audience<'e>) -> impl Iterator<Item = &'r Str<'e>> {
    rating.value.iter().chain(&rating.scheme)
}

/// Its scheme, in small letters.
pub(super) fn scheme_of<'r>(rating: &'r Audience<'_>) -> Cow<'r, str> {
    let said = rating.scheme.as_ref().map(|scheme| scheme.value.trim()).filter(|scheme| !scheme.is_empty());
    said.map_or("urn:simple".into(), lower)
}

/// Most words are in small letters already.
pub(super) fn lower(text: &str) -> Cow<'_, str> {
    match text.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => Cow::Owned(text.to_ascii_lowercase()),
        false => Cow::Borrowed(text),
    }
}

/// Whether a rating is family-friendly (A10); `None` if it cannot be decided.
pub(super) fn age_fitness(rating: &Audience<'_>) -> Option<bool> {
    let value = lower(rating.value.as_ref()?.value.trim());
    match (&*scheme_of(rating), &*value) {
        ("urn:simple", "nonadult") => Some(true),
        ("urn:simple", "adult") => Some(false),
        ("urn:mpaa", "g" | "pg" | "pg-13") => Some(true),
        ("urn:mpaa", "nc-17" | "x") => Some(false),
        ("urn:v-chip", "tv-y" | "tv-y7" | "tv-y7-fv" | "tv-g" | "tv-pg" | "tv-14") => Some(true),
        ("urn:itunes", word) => is_explicit(word).map(|explicit| !explicit),
        _ => None,
    }
}
