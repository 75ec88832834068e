//! Values that the target has no element for, and whose text is in the output of the same entry under another name: they are
//! merged with that one, not lost. Only texts, URLs and lengths of time are compared: that two widths, or two words of a
//! closed list, are equal is chance. What a writer merges by itself is its own to settle (books.rs).

use std::borrow::Cow;
use std::collections::HashMap;

use super::books::{BookSide, Books, GeneratedValue, LeafDetail, ValueState};
use crate::code::Code;
use crate::fate::{Fate, FateTable};
use crate::model::origin::{LeafRecord, Preset, Role};
use crate::model::refers::{UrlContent, refers};
use crate::model::{Field, LeafView, Mark, Seconds, TextKind, Value};
use crate::reason::Reason;
use crate::text::bytes::{self, trimmed};
use crate::text::{html, url};

/// A value that may be equal to another one of its entry.
#[derive(Clone, Copy)]
pub(super) struct EqualityCandidate<'e> {
    mark: Mark,
    field: Field,
    sort: TextSort,
    text: Value<'e>,
}

/// What equal values have in common.
#[derive(PartialEq, Eq, Hash)]
enum EqualityKey<'k> {
    Words(Topic, Cow<'k, str>),
    /// A text with its markup.
    Markup(Topic, &'k str),
    Address(&'k str),
    Length(Seconds),
}

/// Bits of what some values begin or end with: values whose bits are not in it are equal to none of them.
#[derive(Default)]
struct EqualitySketch([u64; 4]);

impl EqualitySketch {
    fn add(&mut self, hash: u64) {
        self.0[(hash >> 62) as usize] |= 1 << (hash >> 56 & 63);
    }

    fn has(&self, hash: u64) -> bool {
        self.0[(hash >> 62) as usize] & 1 << (hash >> 56 & 63) != 0
    }
}

/// Spreads eight bytes; anybody may choose texts that collide, which costs no more than comparing them.
fn spread(sort: u8, bytes: [u8; 8]) -> u64 {
    (u64::from_le_bytes(bytes).rotate_left(3) ^ u64::from(sort)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

impl<'e> EqualityCandidate<'e> {
    pub(super) fn from_leaf(seen: &LeafView<'e>) -> Option<EqualityCandidate<'e>> {
        let sort = match seen.value {
            Value::Str(text) => sort_of(seen).filter(|_| !trimmed(text).is_empty())?,
            Value::Seconds(_) if matches!(seen.field, Field::VideoDuration | Field::VideoFileDuration) => {
                TextSort::Length
            }
            _ => return None,
        };
        Some(EqualityCandidate { mark: seen.mark, field: seen.field, sort, text: seen.value })
    }

    /// How many bytes of words it has.
    fn words(&self, to: Option<&str>) -> usize {
        match (self.sort, self.text) {
            (TextSort::Words(..), Value::Str(text)) => to.unwrap_or(text).len(),
            _ => 0,
        }
    }

    /// Visits numbers that it has in common with the values that equal it, made of a few of its bytes; `to` is the value
    /// as written, if known.
    fn sketch(&self, to: Option<&str>, visit: &mut dyn FnMut(u64)) {
        match (self.sort, self.text) {
            (TextSort::Words(about, _), Value::Str(text)) => {
                let text = trimmed(to.unwrap_or(text));
                let mut first = [0; 8];
                let marked = memchr::memchr2(b'<', b'&', text.as_bytes());
                let plain = bytes::push_letters(&text[..marked.unwrap_or(text.len())], &mut first, 0);
                // the words alone begin in the same way if markup comes later
                let begins_marked = marked.is_some() && plain < first.len();
                if let (true, Some(at)) = (begins_marked, marked) {
                    bytes::push_letters(&text[at..], &mut first, plain);
                }
                visit(spread(about as u8, first));
                if begins_marked {
                    visit(spread(about as u8, html::first_letters(text)));
                }
            }
            (TextSort::Address, Value::Str(text)) => {
                // most begin alike
                visit(spread(u8::MAX, last_bytes(trimmed(text))));
                if let Some(to) = to {
                    visit(spread(u8::MAX, last_bytes(trimmed(to))));
                }
            }
            _ => visit(0),
        }
    }

    /// Visits the keys that it is found by; `to` is the value as written, if known. A text with markup longer than
    /// `most` bytes gets no key without markup.
    fn keys<'k>(&self, to: Option<&'k str>, most: usize, visit: &mut dyn FnMut(EqualityKey<'k>))
    where
        'e: 'k,
    {
        match (self.sort, self.text) {
            (TextSort::Words(about, kind), Value::Str(text)) => {
                let words = |text: &str| (text.len() <= most).then(|| html::words_alone(text)).flatten();
                let (text, kind) = as_written(trimmed(text), kind, to.map(trimmed), words);
                let is_marked = memchr::memchr2(b'<', b'&', text.as_bytes()).is_some();
                let is_markup = kind != Some(TextKind::Plain) && is_marked;
                if !is_markup || kind.is_none() {
                    visit(EqualityKey::Words(about, Cow::Borrowed(text)));
                }
                if is_markup {
                    visit(EqualityKey::Markup(about, text));
                    if let Some(words) = words(text) {
                        visit(EqualityKey::Words(about, Cow::Owned(words)));
                    }
                }
            }
            (TextSort::Address, Value::Str(text)) => {
                // a respelt URL is the same one
                if to.is_none_or(|to| url::key(to) == url::key(text)) {
                    visit(EqualityKey::Address(trimmed(text)));
                }
                if let Some(to) = to {
                    visit(EqualityKey::Address(trimmed(to)));
                }
            }
            (TextSort::Length, Value::Str(text)) => {
                for (length, _) in [Some(text), to].into_iter().flatten().filter_map(Seconds::parse) {
                    visit(EqualityKey::Length(length));
                }
            }
            (TextSort::Length, Value::Seconds(length)) => {
                // the same length, rounded or not
                visit(EqualityKey::Length(length));
                if let Some((to, _)) = to.and_then(Seconds::parse) {
                    visit(EqualityKey::Length(to));
                }
            }
            _ => (),
        }
    }
}

/// A text as it is written, and its kind if that is known: the words show whether the kind was changed.
fn as_written<'k>(
    text: &'k str,
    kind: Option<TextKind>,
    to: Option<&'k str>,
    words: impl Fn(&str) -> Option<String>,
) -> (&'k str, Option<TextKind>) {
    let Some(to) = to.filter(|to| *to != text) else { return (text, kind) };
    let kind = match kind {
        Some(TextKind::Plain) if words(to).as_deref() == Some(text) => Some(TextKind::Html),
        Some(TextKind::Plain) => Some(TextKind::Plain),
        _ => words(text).filter(|words| words == to).map(|_| TextKind::Plain),
    };
    (to, kind)
}

#[derive(Clone, Copy)]
enum TextSort {
    /// With the kind of the text, if it has one.
    Words(Topic, Option<TextKind>),
    Address,
    Length,
}

/// The topic of a text. Texts on different topics are equal by chance: a credit is not a title.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Topic {
    /// What a page, a video or a feed shows: titles and descriptions.
    Subject,
    Author,
    Category,
    Rights,
    Place,
}

/// What sort of text a value is; nothing for words of closed lists, numbers and the like.
fn sort_of(seen: &LeafView<'_>) -> Option<TextSort> {
    if refers(seen.field) == UrlContent::Always {
        return Some(TextSort::Address);
    }
    let words = |topic| TextSort::Words(topic, seen.kind);
    Some(match seen.field {
        Field::Id | Field::FeedId | Field::SourceId | Field::VideoIdsValue => TextSort::Address,
        Field::Title
        | Field::Summary
        | Field::Content
        | Field::LinkTitle
        | Field::EnclosureTitle
        | Field::AlternateTitle
        | Field::ImageCaption
        | Field::ImageTitle
        | Field::NewsTitle
        | Field::VideoTitle
        | Field::VideoDescription
        | Field::VideoFileTitle
        | Field::VideoTvEpisodeTitle
        | Field::FeedTitle
        | Field::FeedSubtitle
        | Field::FeedImageTitle
        | Field::FeedImageDescription => words(Topic::Subject),
        Field::AuthorName | Field::VideoUploaderName | Field::FeedAuthorName => words(Topic::Author),
        Field::CategoryTerm
        | Field::CategoryLabel
        | Field::VideoTag
        | Field::VideoTagWeightTag
        | Field::VideoCategoryTerm
        | Field::VideoCategoryLabel
        | Field::FeedCategoryTerm
        | Field::FeedCategoryLabel => words(Topic::Category),
        Field::Rights | Field::VideoCopyrightText | Field::FeedRights => words(Topic::Rights),
        Field::ImageGeoLocation | Field::LocationName | Field::VideoLocationDescription => words(Topic::Place),
        Field::Module | Field::FeedModule => {
            let (_, element) = seen.within?.split_once(':')?;
            match element {
                "title" | "subtitle" | "summary" | "description" => words(Topic::Subject),
                "author" | "creator" => words(Topic::Author),
                "rights" => words(Topic::Rights),
                "duration" => TextSort::Length,
                _ => return None,
            }
        }
        _ => return None,
    })
}

/// Whether a value is lost for want of an element alone, and not because the target refuses it or its whole object.
fn wants_place(code: Code) -> bool {
    use Code::{AttributeDropped, ColumnNotChosen, LabelDropped, ListReduced, NoCarrier, Shadowed};
    matches!(code, NoCarrier | ColumnNotChosen | AttributeDropped | LabelDropped | ListReduced | Shadowed)
}

/// How many times as long as the longest text that it may be equal to a text with markup is, of which the words are looked
/// at: what that costs stays in proportion to what may come of it.
const MARKUP: usize = 4;

/// Settles lost values as merged if their text is in the output anyway. `is_alone` returns whether a leaf gave only one
/// value.
pub(super) fn merge(
    books: &mut Books,
    records: &[LeafRecord],
    table: FateTable,
    candidates: &[EqualityCandidate<'_>],
    is_alone: impl Fn(usize) -> bool,
) {
    let is_lost = |candidate: &&EqualityCandidate<'_>| {
        let index = candidate.mark.0 as usize;
        let Some(record) = records.get(index) else { return false };
        let wants_place = match books.own.states.get(index) {
            Some(ValueState::Open) => matches!(table(candidate.field), Fate::Lost(why) if wants_place(why.code())),
            Some(ValueState::Lost(of)) => {
                books.own.details.get(*of as usize).is_some_and(|detail| wants_place(detail.why.code()))
            }
            _ => false,
        };
        // files of one length need not be those of one video
        wants_place
            && candidate.field != Field::VideoFileDuration
            && record.role == Role::Leaf
            && record.preset == Preset::Open
            && is_alone(index)
    };
    let lost: Vec<&EqualityCandidate<'_>> = candidates.iter().filter(is_lost).collect();
    if lost.is_empty() {
        return;
    }
    let mut same = found(books, &lost, candidates);
    same.extend(lost.iter().filter_map(|candidate| generated(books, candidate)));
    for (candidate, field, to) in same {
        let lost = match (books.own.states[candidate.mark.0 as usize], table(candidate.field)) {
            (ValueState::Lost(of), _) => books.own.details.get(of as usize).map(|detail| detail.why),
            (_, Fate::Lost(why)) => Some(why),
            _ => None,
        };
        let more = LeafDetail { to: Some(to), same: Some(field), lost, ..LeafDetail::default() };
        let of = books.own.own_reason(Reason::SameElsewhere, more);
        books.own.states[candidate.mark.0 as usize] = ValueState::Merged(of);
    }
}

/// A lost value that the target has whole as a value it required, with the field of that one.
fn generated<'l, 'e>(
    books: &Books,
    candidate: &&'l EqualityCandidate<'e>,
) -> Option<(&'l EqualityCandidate<'e>, Field, String)> {
    let Value::Str(text) = candidate.text else { return None };
    let is_whole = |made: &&GeneratedValue| {
        made.from == Some(candidate.mark) && !trimmed(text).is_empty() && trimmed(&made.to) == trimmed(text)
    };
    let made = books.made.iter().take(GENERATED).find(is_whole)?;
    Some((*candidate, made.field, made.to.clone()))
}

/// How many generated values are compared with: few entries get more.
const GENERATED: usize = 64;

/// The lost values that equal a written one, with the field and the output of the written one.
fn found<'l, 'e>(
    books: &Books,
    lost: &[&'l EqualityCandidate<'e>],
    all: &[EqualityCandidate<'e>],
) -> Vec<(&'l EqualityCandidate<'e>, Field, String)> {
    let written = |candidate: &EqualityCandidate<'_>| {
        written_as(if candidate.mark.of_feed() { &books.feed } else { &books.own }, candidate.mark)
    };
    let longest = |words: &mut dyn Iterator<Item = usize>| words.max().unwrap_or(0).saturating_mul(MARKUP);
    let most_lost = longest(&mut all.iter().filter_map(|candidate| Some(candidate.words(written(candidate)?))));
    let most_written = longest(&mut lost.iter().map(|candidate| candidate.words(None)));
    // few values have anything in common with another, and nearly all others show it in a few bytes
    let (mut wanted, mut near) = (EqualitySketch::default(), EqualitySketch::default());
    let mut sketches: Vec<(usize, u64)> = Vec::with_capacity(2 * lost.len());
    for (index, candidate) in lost.iter().enumerate() {
        candidate.sketch(None, &mut |hash| {
            wanted.add(hash);
            sketches.push((index, hash));
        });
    }
    let mut known: HashMap<EqualityKey<'_>, (Field, Cow<'_, str>)> = HashMap::new();
    for candidate in all {
        let Some(to) = written(candidate) else { continue };
        let mut is_near = false;
        candidate.sketch(to, &mut |hash| {
            if wanted.has(hash) {
                near.add(hash);
                is_near = true;
            }
        });
        if !is_near {
            continue;
        }
        let text = || match (to, candidate.text) {
            (Some(to), _) => Cow::Borrowed(to),
            (None, Value::Str(text)) => Cow::Borrowed(text),
            (None, other) => Cow::Owned(other.to_string()),
        };
        candidate.keys(to, most_written, &mut |key| _ = known.entry(key).or_insert_with(|| (candidate.field, text())));
    }
    if known.is_empty() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut nearest: Vec<usize> =
        sketches.into_iter().filter(|(_, hash)| near.has(*hash)).map(|(index, _)| index).collect();
    nearest.dedup();
    for candidate in nearest.into_iter().filter_map(|index| lost.get(index)) {
        let mut same = None;
        candidate.keys(None, most_lost, &mut |key| {
            same = same.take().or_else(|| known.get(&key));
        });
        found.extend(same.map(|(field, to)| (*candidate, *field, to.to_string())));
    }
    found
}

/// The bytes that a text ends with.
fn last_bytes(text: &str) -> [u8; 8] {
    let mut bytes = [0; 8];
    let length = text.len().min(8);
    bytes[..length].copy_from_slice(&text.as_bytes()[text.len() - length..]);
    bytes
}

/// Whether a value is in the output, and how, where that is known.
fn written_as(side: &BookSide, mark: Mark) -> Option<Option<&str>> {
    match side.states.get((mark.0 & !Mark::FEED) as usize)? {
        ValueState::Kept => Some(None),
        ValueState::Changed(of) => {
            let detail = side.details.get(*of as usize)?;
            Some(side.more(detail).and_then(|more| more.to.as_deref()))
        }
        ValueState::Open | ValueState::Lost(_) | ValueState::Merged(_) => None,
    }
}
