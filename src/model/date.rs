//! Dates as feeds write them: a civil date or moment with its precision and, if stated, its offset from UTC.
//!
//! Reads W3C-DTF, RFC 3339, RFC 822 and common deviations from them, and writes the four forms the formats require.
//! Precision and offset are never invented on reading. This is not a calendar library: no time zone rules, no
//! arithmetic, no clock.

use std::borrow::Cow;
use std::fmt;

use serde::de::{self, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::value::{self, CUT_FRACTION, Decimal, FromText, LEAP_SECOND, Note, Seconds};
use crate::text::bytes::trimmed;

/// How much of a date was stated. The order is from coarse to fine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Precision {
    /// `2024`
    Year,
    /// `2024-05`
    Month,
    /// `2024-05-01`
    Day,
    /// `2024-05-01T10:00`
    Minute,
    /// `2024-05-01T10:00:00`
    Second,
    /// `2024-05-01T10:00:00.5`
    Fraction,
}

/// The two families of forms that formats ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DateForm {
    /// RFC 822, with the month as a word.
    Rfc822,
    /// W3C-DTF and RFC 3339, the year first.
    W3c,
}

/// A date in the years 0001 to 9999 of the proleptic Gregorian calendar.
///
/// Fields finer than the precision hold their first value (January, the 1st, midnight). The offset is absent for
/// a day and coarser, and where the source named no zone or one that is not known.
#[derive(Clone, Copy, Debug)]
pub struct Date {
    year: u16,
    month: u8,
    day: u8,
    hour: u8,
    minute: u8,
    second: u8,
    /// How many digits the fraction was written with, 0 to 9. No part of equality: `.5` is `.500`.
    digits: u8,
    nanos: u32,
    offset: Option<i16>,
    precision: Precision,
}

impl Date {
    /// Reads a date in any accepted spelling, with a note when the spelling is not one of the specified ones.
    ///
    /// `None` means unreadable: an impossible date, an ambiguous one (`07/09/2002`, `07.09.2002`), or one of the
    /// stand-ins for "no date" (`0000-00-00`, the Unix epoch, and the start of year 1).
    pub fn parse(text: &str) -> Option<(Date, Option<Note>)> {
        Self::read(text).filter(|(date, _)| !date.is_zero())
    }

    /// The moment `secs` seconds after 1970-01-01T00:00:00Z; `None` outside the years 0001 to 9999.
    pub fn from_unix(secs: i64) -> Option<Date> {
        let (year, month, day) = civil(secs.div_euclid(86_400))?;
        let rest = secs.rem_euclid(86_400);
        Some(Date {
            hour: u8::try_from(rest / 3600).ok()?,
            minute: u8::try_from(rest / 60 % 60).ok()?,
            second: u8::try_from(rest % 60).ok()?,
            offset: Some(0),
            precision: Precision::Second,
            ..Self::ymd(year, month, day)?
        })
    }

    /// A day of the calendar; `None` if there is no such day.
    pub fn ymd(year: u16, month: u8, day: u8) -> Option<Date> {
        let known = (1..=9999).contains(&year) && (1..=12).contains(&month);
        (known && (1..=month_length(year, month)).contains(&day)).then_some(Date {
            year,
            month,
            day,
            hour: 0,
            minute: 0,
            second: 0,
            digits: 0,
            nanos: 0,
            offset: None,
            precision: Precision::Day,
        })
    }

    /// How much of the date was stated.
    pub fn precision(&self) -> Precision {
        self.precision
    }

    /// Minutes east of UTC, if known.
    pub fn offset(&self) -> Option<i16> {
        self.offset
    }

    /// Year, month and day as they were written; what was left unsaid is 1.
    pub fn civil(&self) -> (u16, u8, u8) {
        (self.year, self.month, self.day)
    }

    /// Nanoseconds since 1970-01-01T00:00:00Z of the first moment the date names; an absent offset counts as UTC.
    pub fn instant(&self) -> i128 {
        let local = self.days() * 86_400 + i64::from(self.seconds_of_day());
        let utc = local - i64::from(self.offset.unwrap_or(0)) * 60;
        i128::from(utc) * 1_000_000_000 + i128::from(self.nanos)
    }

    /// The date raised to seconds for a format that demands them: what was left unsaid becomes the first day, midnight,
    /// UTC.
    #[must_use]
    pub fn at_midnight_utc(&self) -> Date {
        Date { precision: self.precision.max(Precision::Second), offset: Some(self.offset.unwrap_or(0)), ..*self }
    }

    /// The date without parts finer than `precision`; unchanged if it has none.
    #[must_use]
    pub fn truncated(&self, precision: Precision) -> Date {
        if self.precision <= precision {
            return *self;
        }
        let keep = |finer: Precision, value: u8, first: u8| if precision >= finer { value } else { first };
        Date {
            month: keep(Precision::Month, self.month, 1),
            day: keep(Precision::Day, self.day, 1),
            hour: keep(Precision::Minute, self.hour, 0),
            minute: keep(Precision::Minute, self.minute, 0),
            second: keep(Precision::Second, self.second, 0),
            digits: 0,
            nanos: 0,
            offset: self.offset.filter(|_| precision >= Precision::Minute),
            precision,
            year: self.year,
        }
    }

    /// Whether its offset is one of the schemas of sitemaps, in which no place is more than 14 hours from UTC.
    pub(crate) fn is_near_utc(&self) -> bool {
        self.offset.is_none_or(|minutes| minutes.abs() <= 14 * 60)
    }

    /// The same moment in UTC, if it is far from there; `None` outside the years 0001 to 9999 too.
    pub(crate) fn far_in_utc(&self) -> Option<Date> {
        if self.is_near_utc() {
            return None;
        }
        let seconds = i64::try_from(self.instant().div_euclid(1_000_000_000)).ok()?;
        let Date { digits, nanos, precision, .. } = *self;
        Some(Date { digits, nanos, precision, ..Self::from_unix(seconds)? })
    }

    /// Compares at the precision of the coarser of both: a day is neither before nor after an hour of that day.
    pub fn compare(&self, other: &Date) -> std::cmp::Ordering {
        let precision = self.precision.min(other.precision);
        self.truncated(precision).instant().cmp(&other.truncated(precision).instant())
    }

    /// Whether both are the same instant at the precision of `self`, and `finer` is at least as precise.
    pub fn covers(&self, finer: &Date) -> bool {
        finer.precision >= self.precision && finer.truncated(self.precision).instant() == self.instant()
    }

    /// W3C-DTF with precision and offset unchanged; an offset of zero is `Z`, an absent one is omitted.
    pub fn to_w3c(&self) -> String {
        let mut out = String::with_capacity(LONGEST_WRITTEN);
        push_number(self.year.into(), 4, &mut out);
        if self.precision >= Precision::Month {
            out.push('-');
            push_number(self.month.into(), 2, &mut out);
        }
        if self.precision >= Precision::Day {
            out.push('-');
            push_number(self.day.into(), 2, &mut out);
        }
        if self.precision >= Precision::Minute {
            out.push('T');
            push_number(self.hour.into(), 2, &mut out);
            out.push(':');
            push_number(self.minute.into(), 2, &mut out);
        }
        if self.precision >= Precision::Second {
            out.push(':');
            push_number(self.second.into(), 2, &mut out);
        }
        if self.precision == Precision::Fraction {
            self.push_fraction(&mut out);
        }
        if self.precision >= Precision::Minute {
            self.push_zone("", &mut out);
        }
        out
    }

    /// RFC 822 with a four-digit year: `Sat, 07 Sep 2002 00:00:01 GMT`. What is unsaid is midnight GMT of the first day;
    /// a fraction is dropped.
    pub fn to_rfc822(&self) -> String {
        let mut out = String::with_capacity(LONGEST_WRITTEN);
        out.push_str(WEEKDAYS[weekday(self.days())].0);
        out.push_str(", ");
        push_number(self.day.into(), 2, &mut out);
        out.push(' ');
        out.push_str(MONTHS[usize::from(self.month - 1) % 12].0);
        out.push(' ');
        push_number(self.year.into(), 4, &mut out);
        out.push(' ');
        self.push_clock(&mut out);
        out.push(' ');
        match self.offset.unwrap_or(0) {
            0 => out.push_str("GMT"),
            offset => push_offset(offset, "", &mut out),
        }
        out
    }

    /// RFC 3339 with seconds, and a fraction only if there is one; an absent offset is `Z`.
    pub fn to_rfc3339(&self) -> String {
        let mut out = self.day_text();
        out.push('T');
        self.push_clock(&mut out);
        if self.precision == Precision::Fraction {
            self.push_fraction(&mut out);
        }
        self.push_zone("Z", &mut out);
        out
    }

    /// The two forms sitemaps take: `YYYY-MM-DD` for a day and coarser, else `YYYY-MM-DDThh:mm:ss±hh:mm`; a fraction is
    /// dropped and an absent offset is `+00:00`. So is one that the schemas of sitemaps do not allow.
    pub fn to_sitemap(&self) -> String {
        if let Some(utc) = self.far_in_utc() {
            return utc.to_sitemap();
        }
        let mut out = self.day_text();
        if self.precision > Precision::Day {
            out.push('T');
            self.push_clock(&mut out);
            push_offset(self.offset.unwrap_or(0), ":", &mut out);
        }
        out
    }

    /// The last day that a year or a month names, for a date until which something lasts; others as they are.
    #[must_use]
    pub fn last_day(&self) -> Date {
        let month = match self.precision {
            Precision::Year => 12,
            Precision::Month => self.month,
            _ => return *self,
        };
        Date { month, day: month_length(self.year, month), precision: Precision::Day, ..*self }
    }

    /// Nanoseconds since 1970-01-01T00:00:00Z of the last moment that the date names, for a date until which something
    /// lasts: the end of the last day, or the time that is stated.
    pub(crate) fn last_instant(&self) -> i128 {
        const DAY: i128 = 86_400_000_000_000;
        self.last_day().instant() + if self.precision <= Precision::Day { DAY - 1 } else { 0 }
    }

    /// Like [`Date::parse`], but accepts the epoch as a date.
    pub(crate) fn read(text: &str) -> Option<(Date, Option<Note>)> {
        let text = trimmed(text);
        if let Some(date) = usual(text) {
            return Some((date, None));
        }
        if text.len() > LONGEST || is_of_year_0(text) {
            return None;
        }
        let mut repair = DateNote(None);
        let date = match shape(text) {
            DateShape::Digits => digits_only(text, &mut repair),
            DateShape::Iso => iso(text, &mut repair),
            DateShape::Basic => basic(text, &mut repair),
            DateShape::Dotted => dotted(text, &mut repair),
            DateShape::Named => named(text, &mut repair),
        }?;
        Some((date, repair.0))
    }

    /// What is repaired when the model's own JSON is read, whose dates have the year first; with the date. Nothing is in
    /// a date as the model writes it, also where that has no zone.
    pub(crate) fn repaired(text: &str) -> Option<(Note, String)> {
        let (date, note) = Self::read(text).filter(|(date, _)| date.to_w3c() != text.trim())?;
        let note = note.or_else(|| (Self::form(text) != DateForm::W3c).then_some(READ_RFC822))?;
        Some((note, date.to_w3c()))
    }

    /// The form in which a date is written, for texts that are dates.
    pub fn form(text: &str) -> DateForm {
        let text = text.trim_start().as_bytes();
        let year = text.iter().take_while(|byte| byte.is_ascii_digit()).count() == 4;
        if year && matches!(text.get(4), None | Some(b'-')) { DateForm::W3c } else { DateForm::Rfc822 }
    }

    /// Whether a text means "no date": only zeros, or the instant that programs call zero.
    pub fn is_stand_in(text: &str) -> bool {
        let text = text.trim();
        let is_filler = |c: char| c == '0' || matches!(c, '-' | '/' | '.' | ':' | '+' | 'T' | 'Z' | ' ');
        let zeros = text == "0" || text.len() <= LONGEST && text.starts_with("00") && text.chars().all(is_filler);
        zeros || is_of_year_0(text) || Self::read(text).is_some_and(|(date, _)| date.is_zero())
    }

    /// Whether this is a stand-in for "no date": the start of 1970 or of year 1 (the zero of Go and .NET), in UTC or in
    /// its own offset.
    pub(crate) fn is_zero(&self) -> bool {
        const YEAR_1: i128 = -62_135_596_800_000_000_000;
        // the year alone decides for most dates
        if !matches!(self.year, 0..=1 | 1969..=1970) {
            return false;
        }
        let local = Date { offset: None, ..*self };
        let is_zero = |date: &Date| matches!(date.instant(), 0 | YEAR_1);
        self.precision >= Precision::Day && (is_zero(self) || is_zero(&local))
    }

    fn days(&self) -> i64 {
        days_from_civil(self.year, self.month, self.day)
    }

    fn seconds_of_day(&self) -> u32 {
        u32::from(self.hour) * 3600 + u32::from(self.minute) * 60 + u32::from(self.second)
    }

    fn day_text(&self) -> String {
        let mut out = String::with_capacity(LONGEST_WRITTEN);
        push_number(self.year.into(), 4, &mut out);
        out.push('-');
        push_number(self.month.into(), 2, &mut out);
        out.push('-');
        push_number(self.day.into(), 2, &mut out);
        out
    }

    fn push_clock(&self, out: &mut String) {
        push_number(self.hour.into(), 2, out);
        out.push(':');
        push_number(self.minute.into(), 2, out);
        out.push(':');
        push_number(self.second.into(), 2, out);
    }

    fn push_fraction(&self, out: &mut String) {
        let start = out.len() + 1;
        out.push('.');
        push_number(self.nanos, 9, out);
        out.truncate(start + usize::from(self.digits.clamp(1, 9)));
    }

    fn push_zone(&self, absent: &str, out: &mut String) {
        match self.offset {
            None => out.push_str(absent),
            Some(0) => out.push('Z'),
            Some(offset) => push_offset(offset, ":", out),
        }
    }

    fn key(&self) -> (u16, u8, u8, u32, u32, Option<i16>, Precision) {
        (self.year, self.month, self.day, self.seconds_of_day(), self.nanos, self.offset, self.precision)
    }
}

/// Equal when fields, precision and offset are; the same instant in two offsets is two dates (see [`Date::instant`]).
impl PartialEq for Date {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

impl Eq for Date {}

/// The W3C-DTF form, see [`Date::to_w3c`].
impl fmt::Display for Date {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&self.to_w3c())
    }
}

/// The note for a date of RFC 822 where dates of the W3C are the rule.
const READ_RFC822: Note = Note { code: "date.lenient", said: "read an RFC 822 date" };

impl<'a> FromText<'a> for Date {
    const SPECIMEN: &'static str = "2000-01-01T00:00:00Z";

    fn from_text(text: Cow<'a, str>) -> Option<(Self, Option<Note>)> {
        Self::parse(&text)
    }

    fn shown(&self) -> String {
        self.to_w3c()
    }

    fn other_form(text: &str) -> Option<Note> {
        let is_regular = Self::form(text) != DateForm::W3c && matches!(Self::parse(text), Some((_, None)));
        is_regular.then_some(READ_RFC822)
    }

    fn refused(text: &str) -> Option<Note> {
        Self::is_stand_in(text)
            .then_some(Note { code: "date.none", said: "a placeholder for a missing date; not read" })
    }
}

impl Serialize for Date {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.to_w3c())
    }
}

impl<'de> Deserialize<'de> for Date {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct DateVisitor;
        impl<'de> Visitor<'de> for DateVisitor {
            type Value = Date;
            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("a W3C date")
            }
            fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<Date, D::Error> {
                inner.deserialize_str(self)
            }
            fn visit_str<E: de::Error>(self, text: &str) -> Result<Date, E> {
                Date::read(text).map(|(date, _)| date).ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }
        deserializer.deserialize_newtype_struct(value::DATE, DateVisitor)
    }
}

/// No date with its comment is longer; spares the parsers a body text pasted into a date element.
const LONGEST: usize = 256;

/// The note of the value being read. The first repair wins: specific ones are noted before general ones.
struct DateNote(Option<Note>);

impl DateNote {
    fn note(&mut self, said: &'static str) {
        self.0.get_or_insert(Note { code: "date.lenient", said });
    }

    /// Notes that a part of the text is not in the date; this replaces any other note.
    fn costs(&mut self, said: &'static str) {
        self.0 = Some(Note { code: "date.lenient", said });
    }
}

/// Whether a date has the year -0001, as PHP writes `0000-00-00`: `Mon, 30 Nov -0001`, `-0001-11-30`.
fn is_of_year_0(text: &str) -> bool {
    // the same figures behind the time of day are an offset
    let (day, _) = split_time(text);
    day.match_indices("-0001").any(|(at, year)| {
        let is_sign = day[..at].chars().next_back().is_none_or(char::is_whitespace);
        is_sign && !day[at + year.len()..].starts_with(|c: char| c.is_ascii_digit())
    })
}

enum DateShape {
    /// `2024`, `20240501`, `1714557600`
    Digits,
    /// `2024-05…`
    Iso,
    /// `20240501T…`
    Basic,
    /// `24.12.2025…`, which has the day first.
    Dotted,
    /// With the month as a word.
    Named,
}

fn shape(text: &str) -> DateShape {
    let bytes = text.as_bytes();
    let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let next_is_digit = bytes.get(digits + 1).is_some_and(u8::is_ascii_digit);
    match (digits, bytes.get(digits)) {
        (_, None) => DateShape::Digits,
        (4, Some(b'-' | b'/')) if next_is_digit => DateShape::Iso,
        (8, Some(_)) => DateShape::Basic,
        (1 | 2, Some(b'.')) if next_is_digit => DateShape::Dotted,
        _ => DateShape::Named,
    }
}

/// A date in one of the two forms that nearly all have, to the second, with a zone: `2024-05-01T10:00:00Z` and
/// `Wed, 01 May 2024 10:00:00 GMT`, or with an offset in figures. `None` for everything else, and where anything is odd.
fn usual(text: &str) -> Option<Date> {
    let bytes = text.as_bytes();
    let (day, time, zone) = match *bytes.first_chunk::<20>()? {
        [y1, y2, y3, y4, b'-', m1, m2, b'-', d1, d2, b'T', ..] => {
            let (year, month) = (figures(&[y1, y2, y3, y4])?, figures(&[m1, m2])?);
            let day = Date::ymd(year, u8::try_from(month).ok()?, u8::try_from(figures(&[d1, d2])?).ok()?)?;
            let zone = match *bytes.get(19..)? {
                [b'Z'] => 0,
                [sign, h1, h2, b':', m1, m2] => minutes_east(sign, [h1, h2, m1, m2])?,
                _ => return None,
            };
            (day, bytes.get(11..19)?, zone)
        }
        [w1, w2, w3, b',', b' ', d1, d2, b' ', n1, n2, n3, b' ', y1, y2, y3, y4, b' ', ..] => {
            let month = MONTHS.iter().position(|(name, _)| name.as_bytes() == [n1, n2, n3])?;
            let (year, day) = (figures(&[y1, y2, y3, y4])?, figures(&[d1, d2])?);
            let day = Date::ymd(year, u8::try_from(month + 1).ok()?, u8::try_from(day).ok()?)?;
            if WEEKDAYS[weekday(day.days())].0.as_bytes() != [w1, w2, w3] {
                return None;
            }
            let zone = match *bytes.get(25..)? {
                [b' ', b'G', b'M', b'T'] => 0,
                [b' ', sign, h1, h2, m1, m2] => minutes_east(sign, [h1, h2, m1, m2])?,
                _ => return None,
            };
            (day, bytes.get(17..25)?, zone)
        }
        _ => return None,
    };
    let [h1, h2, b':', m1, m2, b':', s1, s2] = *time else { return None };
    let (hour, minute, second) = (figures(&[h1, h2])?, figures(&[m1, m2])?, figures(&[s1, s2])?);
    (hour < 24 && minute < 60 && second < 60).then_some(Date {
        hour: hour as u8,
        minute: minute as u8,
        second: second as u8,
        offset: Some(zone),
        precision: Precision::Second,
        ..day
    })
}

/// The number that these figures make.
fn figures(bytes: &[u8]) -> Option<u16> {
    bytes.iter().try_fold(0, |number, byte| byte.is_ascii_digit().then(|| number * 10 + u16::from(byte & 0xf)))
}

/// The minutes of an offset in figures.
fn minutes_east(sign: u8, [h1, h2, m1, m2]: [u8; 4]) -> Option<i16> {
    let (hours, minutes) = (figures(&[h1, h2])?, figures(&[m1, m2])?);
    let offset = i16::try_from(hours * 60 + minutes).ok().filter(|_| hours < 24 && minutes < 60)?;
    match sign {
        b'+' => Some(offset),
        b'-' => Some(-offset),
        _ => None,
    }
}

fn digits_only(text: &str, repair: &mut DateNote) -> Option<Date> {
    let value: u64 = text.parse().ok()?;
    let date = match text.len() {
        4 => return Some(Date { precision: Precision::Year, ..Date::ymd(u16::try_from(value).ok()?, 1, 1)? }),
        8 => {
            repair.note("read a date without separators");
            ymd_digits(value)?
        }
        10 => {
            repair.note("read Unix seconds");
            Date::from_unix(i64::try_from(value).ok()?)?
        }
        13 => {
            repair.note("read Unix milliseconds");
            let whole = Date::from_unix(i64::try_from(value / 1000).ok()?)?;
            match u32::try_from(value % 1000).ok()? {
                0 => whole,
                millis => Date { nanos: millis * 1_000_000, digits: 3, precision: Precision::Fraction, ..whole },
            }
        }
        _ => return None,
    };
    Some(date)
}

fn ymd_digits(value: u64) -> Option<Date> {
    let (year, month, day) = (value / 10_000, value / 100 % 100, value % 100);
    Date::ymd(u16::try_from(year).ok()?, u8::try_from(month).ok()?, u8::try_from(day).ok()?)
}

/// W3C-DTF, RFC 3339 and ISO 8601 in the extended format.
fn iso(text: &str, repair: &mut DateNote) -> Option<Date> {
    let (year, rest) = number(text, 4)?;
    let separator = rest.chars().next()?;
    if separator != '-' {
        repair.note("read '/' as '-'");
    }
    let (month, rest) = short_number(rest.strip_prefix(separator)?, repair)?;
    if rest.is_empty() {
        return Some(Date { precision: Precision::Month, ..Date::ymd(year, u8::try_from(month).ok()?, 1)? });
    }
    let (day, rest) = short_number(rest.strip_prefix(separator)?, repair)?;
    let date = Date::ymd(year, u8::try_from(month).ok()?, u8::try_from(day).ok()?)?;
    if rest.is_empty() {
        return Some(date);
    }
    if is_iso_zone(rest) {
        repair.costs("ignored a zone without a time of day");
        return Some(date);
    }
    let (clock, zone) = clock(iso_time(rest, repair)?, repair)?;
    moment(date, clock, zone, is_iso_zone, repair)
}

/// Day, month and year with dots between them, and perhaps a time of day: `24.12.2025`, `24.12.2025 14:30`.
fn dotted(text: &str, repair: &mut DateNote) -> Option<Date> {
    repair.note("read a date with the day first");
    let (day, rest) = short_number(text, repair)?;
    let (month, rest) = short_number(rest.strip_prefix('.')?, repair)?;
    let (year, rest) = number(rest.strip_prefix('.')?, 4)?;
    let (day, month) = (u8::try_from(day).ok()?, u8::try_from(month).ok()?);
    // a day that may be a month is not guessed
    let date = Date::ymd(year, month, day).filter(|_| day > 12 || day == month)?;
    if rest.is_empty() {
        return Some(date);
    }
    let (clock, zone) = clock(iso_time(rest.strip_prefix(',').unwrap_or(rest), repair)?, repair)?;
    moment(date, clock, zone, is_iso_zone, repair)
}

/// ISO 8601 in the basic format, as far as it has a time: `20240501T100000Z`.
fn basic(text: &str, repair: &mut DateNote) -> Option<Date> {
    repair.note("read a date without separators");
    let date = ymd_digits(text.get(..8)?.parse().ok()?)?;
    let time = iso_time(text.get(8..)?, repair)?;
    if time.as_bytes().get(..4).is_none_or(|start| !start.iter().all(u8::is_ascii_digit)) {
        let (clock, zone) = clock(time, repair)?;
        return moment(date, clock, zone, is_iso_zone, repair);
    }
    let (hour, rest) = number(time, 2)?;
    let (minute, rest) = number(rest, 2)?;
    let has_seconds = rest.starts_with(|c: char| c.is_ascii_digit());
    let (second, rest) = if has_seconds { number(rest, 2).map(|(s, rest)| (Some(s), rest))? } else { (None, rest) };
    let (clock, zone) = fraction(Clock { hour, minute, second, nanos: 0, digits: 0 }, rest, repair)?;
    moment(date, clock, zone, is_iso_zone, repair)
}

/// The text after the `T`, or after the space used in its place.
fn iso_time<'t>(rest: &'t str, repair: &mut DateNote) -> Option<&'t str> {
    if let Some(time) = rest.strip_prefix('T') {
        return Some(time);
    }
    repair.note("read a date and time not joined by 'T'");
    rest.strip_prefix('t').or_else(|| rest.starts_with(char::is_whitespace).then(|| rest.trim_start()))
}

/// RFC 822 and everything else that names its month.
fn named(text: &str, repair: &mut DateNote) -> Option<Date> {
    let (head, mut time) = split_time(text);
    let mut head = head_of(head, repair)?;
    if head.year.is_none() {
        let (before, year) = time.rsplit_once(char::is_whitespace)?;
        head.year = Some(year_of(year, repair)?);
        time = before;
    }
    let day = u8::try_from(head.day.unwrap_or(1)).ok()?;
    let date = Date::ymd(head.year?, head.month, day)?;
    if head.weekday.is_some_and(|said| usize::from(said) != weekday(date.days())) {
        repair.note("ignored a wrong weekday");
    }
    if time.is_empty() {
        repair.note("read a date without a time of day");
        return Some(if head.day.is_some() { date } else { Date { precision: Precision::Month, ..date } });
    }
    head.day?;
    let (clock, zone) = clock(time, repair)?;
    let date = moment(date, clock, zone, is_rfc822_zone, repair)?;
    if !is_rfc822(text) {
        repair.note("read a date without RFC 822 syntax");
    }
    Some(date)
}

/// Parts the text before the digits that precede the first colon.
fn split_time(text: &str) -> (&str, &str) {
    let colon = text.find(':').unwrap_or(text.len());
    let start =
        if colon == text.len() { colon } else { text[..colon].trim_end_matches(|c: char| c.is_ascii_digit()).len() };
    (&text[..start], &text[start..])
}

struct DayAndMonth {
    /// 0 is Sunday.
    weekday: Option<u8>,
    day: Option<u16>,
    month: u8,
    year: Option<u16>,
}

/// The date before a time of day: one or two numbers and one or two words, in any order that can mean one thing only.
fn head_of(head: &str, repair: &mut DateNote) -> Option<DayAndMonth> {
    let (mut numbers, mut words) = ([None; 2], [None; 2]);
    for token in head.split(|c: char| c.is_whitespace() || matches!(c, ',' | '-' | '/')) {
        let token = token.trim_end_matches('.');
        if token.is_empty() || FILLERS.contains(&token) {
            continue;
        }
        let slots = if token.starts_with(|c: char| c.is_ascii_digit()) { &mut numbers } else { &mut words };
        *slots.iter_mut().find(|slot| slot.is_none())? = Some(token);
    }
    let (weekday, month) = match words {
        [Some(weekday), Some(month)] => (Some(weekday), month),
        [month, _] => (None, month?),
    };
    let (day, year) = match numbers {
        [Some(year), day] if year.len() == 4 => (day, Some(year)),
        [day, year] => (Some(day?), year),
    };
    Some(DayAndMonth {
        weekday: if_there(weekday, |word| word_of(word, &WEEKDAYS, repair))?,
        month: word_of(month, &MONTHS, repair)? + 1,
        day: if_there(day, day_of)?,
        year: if_there(year, |year| year_of(year, repair))?,
    })
}

/// Reads a part that may be absent; `None` if it is there and unreadable.
fn if_there<'t, T>(part: Option<&'t str>, read: impl FnOnce(&'t str) -> Option<T>) -> Option<Option<T>> {
    match part {
        Some(part) => read(part).map(Some),
        None => Some(None),
    }
}

/// A day of the month, perhaps as an ordinal: `7`, `07`, `7th`, `1er`.
fn day_of(token: &str) -> Option<u16> {
    let digits = token.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let known = matches!(&token[digits.len()..], "" | "st" | "nd" | "rd" | "th" | "er");
    (known && digits.len() <= 2).then(|| digits.parse().ok())?
}

/// A year of four digits, or of two in the hundred years from 1970.
fn year_of(token: &str, repair: &mut DateNote) -> Option<u16> {
    let year: u16 = token.bytes().all(|byte| byte.is_ascii_digit()).then(|| token.parse().ok())??;
    match token.len() {
        4 => Some(year),
        2 => {
            repair.note("read a year of two digits as 1970 to 2069");
            Some(year + if year < 70 { 2000 } else { 1900 })
        }
        _ => None,
    }
}

/// The place of a word in a table of names.
fn word_of(word: &str, table: &[(&str, &[&str])], repair: &mut DateNote) -> Option<u8> {
    let place = match table.iter().position(|(short, _)| word.eq_ignore_ascii_case(short)) {
        Some(place) => place,
        None => {
            let word = word.to_lowercase();
            let place = table.iter().position(|(_, names)| names.contains(&word.as_str()))?;
            repair.note("read a month or weekday name outside RFC 822");
            place
        }
    };
    u8::try_from(place).ok()
}

struct Clock {
    hour: u16,
    minute: u16,
    second: Option<u16>,
    nanos: u32,
    digits: u8,
}

/// Reads `hh:mm[:ss[.f]]` and returns it with what follows.
fn clock<'t>(text: &'t str, repair: &mut DateNote) -> Option<(Clock, &'t str)> {
    let (hour, rest) = short_number(text, repair)?;
    let (minute, rest) = number(rest.strip_prefix(':')?, 2)?;
    let (second, rest) = match rest.strip_prefix(':') {
        Some(rest) => number(rest, 2).map(|(second, rest)| (Some(second), rest))?,
        None => (None, rest),
    };
    fraction(Clock { hour, minute, second, nanos: 0, digits: 0 }, rest, repair)
}

/// Reads the fraction of a second, if there is one, to nanoseconds.
fn fraction<'t>(clock: Clock, rest: &'t str, repair: &mut DateNote) -> Option<(Clock, &'t str)> {
    let Some(tail) = rest.strip_prefix(['.', ',']).filter(|_| clock.second.is_some()) else {
        return Some((clock, rest));
    };
    if rest.starts_with(',') {
        repair.note("read a decimal comma in the seconds");
    }
    let length = tail.bytes().take_while(u8::is_ascii_digit).count();
    if length > 9 {
        repair.costs(CUT_FRACTION);
    }
    let kept = tail.get(..length.min(9)).filter(|kept| !kept.is_empty())?;
    let digits = u8::try_from(kept.len()).ok()?;
    let nanos = kept.parse::<u32>().ok()? * 10_u32.pow(u32::from(9 - digits));
    Some((Clock { nanos, digits, ..clock }, tail.get(length..)?))
}

fn has_name_and_offset(zone: &str) -> bool {
    let rest = zone.trim().trim_start_matches(char::is_alphabetic);
    rest.len() < zone.trim().len() && rest.trim_start().starts_with(['+', '-'])
}

/// Joins a day, a time of day and the text of a zone.
fn moment(day: Date, clock: Clock, zone_text: &str, strict: fn(&str) -> bool, repair: &mut DateNote) -> Option<Date> {
    let (hour, zone_text) = twelve_hours(clock.hour, zone_text, repair)?;
    let offset = zone(zone_text, repair)?;
    if !strict(zone_text) {
        match offset {
            Some(_) => repair.note("read an unusual zone"),
            None if zone_text.trim().is_empty() => repair.note("the zone is missing"),
            None if has_name_and_offset(zone_text) => {
                repair.costs("ignored a zone whose name and offset differ");
            }
            None => repair.costs("the zone name is unknown"),
        }
    }
    let (day, hour) = if hour == 24 && (clock.minute, clock.second.unwrap_or(0), clock.nanos) == (0, 0, 0) {
        repair.note("read 24:00 as midnight of the next day");
        let (year, month, day) = civil(day.days() + 1)?;
        (Date::ymd(year, month, day)?, 0)
    } else {
        (day, hour)
    };
    let second = match clock.second {
        Some(60) => {
            repair.costs(LEAP_SECOND);
            59
        }
        second => second.unwrap_or(0),
    };
    let precision = match (clock.second, clock.digits) {
        (None, _) => Precision::Minute,
        (Some(_), 0) => Precision::Second,
        (Some(_), _) => Precision::Fraction,
    };
    (hour < 24 && clock.minute < 60 && second < 60).then_some(Date {
        hour: u8::try_from(hour).ok()?,
        minute: u8::try_from(clock.minute).ok()?,
        second: u8::try_from(second).ok()?,
        nanos: clock.nanos,
        digits: clock.digits,
        offset,
        precision,
        ..day
    })
}

/// Applies AM or PM, which would otherwise pass for the name of a zone.
fn twelve_hours<'t>(hour: u16, rest: &'t str, repair: &mut DateNote) -> Option<(u16, &'t str)> {
    let trimmed = rest.trim_start();
    let length = trimmed.find(|c: char| !c.is_ascii_alphabetic() && c != '.').unwrap_or(trimmed.len());
    let word = &trimmed[..length];
    let is = |names: [&str; 2]| names.iter().any(|name| word.eq_ignore_ascii_case(name));
    let (am, pm) = (is(["am", "a.m."]), is(["pm", "p.m."]));
    if !am && !pm {
        return Some((hour, rest));
    }
    repair.note("read a 12-hour time");
    (1..=12).contains(&hour).then(|| (hour % 12 + if pm { 12 } else { 0 }, &trimmed[length..]))
}

/// The offset that a zone names: `None` if the text is not a zone, `Some(None)` if the zone is absent or unknown.
fn zone(text: &str, repair: &mut DateNote) -> Option<Option<i16>> {
    let text = without_comment(text.trim(), repair)?;
    if text.is_empty() {
        return Some(None);
    }
    if text.starts_with(['+', '-']) {
        let (offset, name) = numeric_offset(text)?;
        if !name.is_empty() {
            repair.note("ignored a zone name after the offset");
        }
        return is_zone_name(name.trim()).then_some(Some(offset));
    }
    let length = text.find(|c: char| !c.is_alphabetic()).unwrap_or(text.len());
    let (name, rest) = (&text[..length], text[length..].trim_start());
    let known = ZONES.iter().find(|(zone, _)| name.eq_ignore_ascii_case(zone)).map(|(_, hours)| hours * 60);
    if length > 0 && rest.starts_with(['+', '-']) {
        let (offset, rest) = numeric_offset(rest)?;
        let is_utc = ["GMT", "UTC", "UT"].iter().any(|utc| name.eq_ignore_ascii_case(utc));
        repair.note("read a zone with name and offset");
        return rest.is_empty().then_some(Some(offset).filter(|_| is_utc || known == Some(offset)));
    }
    let offset = known.filter(|_| rest.is_empty());
    if offset.is_none() {
        repair.note("the zone name is unknown");
    }
    is_zone_name(text).then_some(offset)
}

/// Cuts off `(CET)` and `[Europe/Paris]` at the end.
fn without_comment<'t>(text: &'t str, repair: &mut DateNote) -> Option<&'t str> {
    let Some(start) = text.find(['(', '[']) else {
        return Some(text);
    };
    repair.note("ignored a comment after the time");
    text.ends_with([')', ']']).then(|| text[..start].trim_end())
}

fn is_zone_name(text: &str) -> bool {
    text.chars().all(|c| c.is_alphabetic() || matches!(c, '/' | '_' | ' '))
}

/// Reads `±hh:mm`, `±hhmm` or `±hh` in minutes and returns it with what follows.
fn numeric_offset(text: &str) -> Option<(i16, &str)> {
    let sign = if text.starts_with('-') { -1 } else { 1 };
    let rest = text.strip_prefix(['+', '-'])?;
    let length = rest.bytes().take_while(u8::is_ascii_digit).count();
    let value: i16 = rest.get(..length).filter(|_| length <= 4)?.parse().ok()?;
    let (hours, minutes, rest) = match (length, rest.get(length..)?) {
        (1 | 2, tail) if tail.starts_with(':') => {
            number(&tail[1..], 2).map(|(m, rest)| (value, i16::try_from(m), rest))?
        }
        (1 | 2, tail) => (value, Ok(0), tail),
        (4, tail) => (value / 100, Ok(value % 100), tail),
        _ => return None,
    };
    let minutes = minutes.ok()?;
    (hours < 24 && minutes < 60).then_some((sign * (hours * 60 + minutes), rest))
}

fn is_iso_zone(text: &str) -> bool {
    text == "Z"
        || matches!(text.as_bytes(), [b'+' | b'-', a, b, b':', c, d] if [a, b, c, d].iter().all(|byte| byte.is_ascii_digit()))
}

fn is_rfc822_zone(text: &str) -> bool {
    let text = text.trim();
    matches!(text.as_bytes(), [b'+' | b'-', a, b, c, d] if [a, b, c, d].iter().all(|byte| byte.is_ascii_digit()))
        || ZONES.iter().any(|(zone, _)| *zone == text && text != "UTC")
}

/// Whether the words of a parsed date are in the order and form of RFC 822; numbers and zone are checked elsewhere.
fn is_rfc822(text: &str) -> bool {
    let words: Vec<&str> = text.split(' ').filter(|word| !word.is_empty()).collect();
    let [weekday @ .., day, month, year, time, _zone] = words.as_slice() else {
        return false;
    };
    let weekday_fits = match weekday {
        [] => true,
        [word] => word.strip_suffix(',').is_some_and(|word| WEEKDAYS.iter().any(|(name, _)| *name == word)),
        _ => false,
    };
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    weekday_fits
        && is_number(day)
        && is_number(year)
        && MONTHS.iter().any(|(name, _)| name == month)
        && time.contains(':')
}

/// Reads exactly `length` digits and returns their value with what follows.
fn number(text: &str, length: usize) -> Option<(u16, &str)> {
    let (digits, rest) = text.split_at_checked(length)?;
    digits.bytes().all(|byte| byte.is_ascii_digit()).then(|| Some((digits.parse().ok()?, rest)))?
}

/// Reads two digits, or one with a note.
fn short_number<'t>(text: &'t str, repair: &mut DateNote) -> Option<(u16, &'t str)> {
    number(text, 2).or_else(|| {
        repair.note("read one digit instead of two");
        number(text, 1)
    })
}

fn push_offset(offset: i16, colon: &str, out: &mut String) {
    out.push(if offset < 0 { '-' } else { '+' });
    let minutes = u32::from(offset.unsigned_abs());
    push_number(minutes / 60, 2, out);
    out.push_str(colon);
    push_number(minutes % 60, 2, out);
}

/// The longest text that is written of a date, in bytes.
const LONGEST_WRITTEN: usize = 36;

/// Appends a number with at least so many digits. All of these numbers have few: no machinery is needed for them.
fn push_number(number: u32, least: u32, out: &mut String) {
    let mut unit = 10_u32.pow(least.saturating_sub(1).min(9));
    while number / 10 >= unit {
        unit *= 10;
    }
    while unit > 0 {
        let digit = number / unit % 10;
        out.push(char::from(b'0' + digit as u8));
        unit /= 10;
    }
}

fn month_length(year: u16, month: u8) -> u8 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 => 28 + u8::from(leap),
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Days since 1970-01-01. The year begins in March, so that the leap day is its last.
fn days_from_civil(year: u16, month: u8, day: u8) -> i64 {
    let year = i64::from(year) - i64::from(month <= 2);
    let day_of_year = (153 * ((i64::from(month) + 9) % 12) + 2) / 5 + i64::from(day) - 1;
    year * 365 + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + day_of_year - 719_468
}

/// The inverse of [`days_from_civil`]; `None` outside the years 0001 to 9999.
fn civil(days: i64) -> Option<(u16, u8, u8)> {
    let days = days.checked_add(719_468)?;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let march_month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * march_month + 2) / 5 + 1;
    let month = if march_month < 10 { march_month + 3 } else { march_month - 9 };
    let year = u16::try_from(year + era * 400 + i64::from(month <= 2)).ok().filter(|year| (1..=9999).contains(year))?;
    Some((year, u8::try_from(month).ok()?, u8::try_from(day).ok()?))
}

/// The weekday of a day since 1970-01-01, a Thursday; 0 is Sunday.
fn weekday(days: i64) -> usize {
    usize::try_from((days + 4).rem_euclid(7)).unwrap_or(0)
}

/// Hours east of UTC of the zones that RFC 822 defines, and UTC. Its military letters are absent but for Z: it gave them
/// the wrong sign, so that RFC 2822 calls them unknown.
const ZONES: [(&str, i16); 12] = [
    ("GMT", 0),
    ("UTC", 0),
    ("UT", 0),
    ("Z", 0),
    ("EST", -5),
    ("EDT", -4),
    ("CST", -6),
    ("CDT", -5),
    ("MST", -7),
    ("MDT", -6),
    ("PST", -8),
    ("PDT", -7),
];

/// Meaningless words between the parts of a date: Spanish, French, Russian, German, English.
const FILLERS: [&str; 10] = ["de", "del", "le", "el", "г", "года", "в", "den", "der", "um"];

/// RFC 822 names in order, each with its other spellings: English first, then German, French, Spanish, Russian.
#[rustfmt::skip]
const MONTHS: [(&str, &[&str]); 12] = [
    ("Jan", &["january", "januar", "jänner", "janvier", "janv", "enero", "ene", "январь", "января", "янв"]),
    ("Feb", &["february", "februar", "février", "fevrier", "févr", "fév", "febrero", "февраль", "февраля", "фев", "февр"]),
    ("Mar", &["march", "märz", "maerz", "mär", "mrz", "mars", "marzo", "март", "марта", "мар"]),
    ("Apr", &["april", "avril", "avr", "abril", "abr", "апрель", "апреля", "апр"]),
    ("May", &["mai", "mayo", "май", "мая"]),
    ("Jun", &["june", "juni", "juin", "junio", "июнь", "июня", "июн"]),
    ("Jul", &["july", "juli", "juillet", "juil", "julio", "июль", "июля", "июл"]),
    ("Aug", &["august", "août", "aout", "agosto", "ago", "август", "августа", "авг"]),
    ("Sep", &["september", "sept", "septembre", "septiembre", "сентябрь", "сентября", "сен", "сент"]),
    ("Oct", &["october", "oktober", "okt", "octobre", "octubre", "октябрь", "октября", "окт"]),
    ("Nov", &["november", "novembre", "noviembre", "ноябрь", "ноября", "ноя", "нояб"]),
    ("Dec", &["december", "dezember", "dez", "décembre", "decembre", "déc", "diciembre", "dic", "декабрь", "декабря", "дек"]),
];

/// As [`MONTHS`], from Sunday.
#[rustfmt::skip]
const WEEKDAYS: [(&str, &[&str]); 7] = [
    ("Sun", &["sunday", "sonntag", "so", "dimanche", "dim", "domingo", "dom", "воскресенье", "вс"]),
    ("Mon", &["monday", "montag", "mo", "lundi", "lun", "lunes", "понедельник", "пн"]),
    ("Tue", &["tuesday", "tues", "dienstag", "di", "mardi", "mar", "martes", "вторник", "вт"]),
    ("Wed", &["wednesday", "mittwoch", "mi", "mercredi", "mer", "miércoles", "mié", "среда", "ср"]),
    ("Thu", &["thursday", "thur", "thurs", "donnerstag", "do", "jeudi", "jeu", "jueves", "jue", "четверг", "чт"]),
    ("Fri", &["friday", "freitag", "fr", "vendredi", "ven", "viernes", "vie", "пятница", "пт"]),
    ("Sat", &["saturday", "samstag", "sa", "sonnabend", "samedi", "sam", "sábado", "sáb", "суббота", "сб"]),
];

/// The repair of a text when it is read as a value of this type, and the value as shown with it.
pub(crate) fn repaired(name: &str, text: &str) -> Option<(Note, String)> {
    match name {
        value::DATE => Date::repaired(text),
        value::DURATION => Seconds::parse(text).and_then(|(value, note)| Some((note?, value.to_string()))),
        value::DECIMAL => {
            Decimal::parse(Cow::Borrowed(text)).and_then(|(value, note)| Some((note?, value.to_string())))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn read(text: &str) -> Option<(String, &'static str)> {
        Date::parse(text).map(|(date, note)| (date.to_w3c(), note.map_or("", |note| note.said)))
    }

    #[test]
    fn specified_forms_read_without_a_note() {
        let cases = [
            ("2024", "2024"),
            ("1970", "1970"),
            ("2024-05", "2024-05"),
            ("2024-05-01", "2024-05-01"),
            ("0001-01-02", "0001-01-02"),
            (" 2024-02-29\n", "2024-02-29"),
            ("2024-05-01T10:00Z", "2024-05-01T10:00Z"),
            ("2024-05-01T10:00+03:00", "2024-05-01T10:00+03:00"),
            ("2024-05-01T10:00:05-00:30", "2024-05-01T10:00:05-00:30"),
            ("2024-05-01T10:00:05+00:00", "2024-05-01T10:00:05Z"),
            ("2024-05-01T10:00:05.5Z", "2024-05-01T10:00:05.5Z"),
            ("2024-05-01T10:00:05.000Z", "2024-05-01T10:00:05.000Z"),
            ("2024-05-01T10:00:05.123456789+05:45", "2024-05-01T10:00:05.123456789+05:45"),
            ("Sat, 07 Sep 2002 00:00:01 GMT", "2002-09-07T00:00:01Z"),
            ("Sat, 7 Sep 2002 00:00:01 +0300", "2002-09-07T00:00:01+03:00"),
            ("07 Sep 2002 00:00 EST", "2002-09-07T00:00-05:00"),
            ("07 Sep 2002 00:00:01 UT", "2002-09-07T00:00:01Z"),
            ("07 Sep 2002 00:00:01 Z", "2002-09-07T00:00:01Z"),
            ("07 Sep 2002 00:00:01 EDT", "2002-09-07T00:00:01-04:00"),
            ("07 Sep 2002 00:00:01 CST", "2002-09-07T00:00:01-06:00"),
            ("07 Sep 2002 00:00:01 CDT", "2002-09-07T00:00:01-05:00"),
            ("07 Sep 2002 00:00:01 MST", "2002-09-07T00:00:01-07:00"),
            ("07 Sep 2002 00:00:01 MDT", "2002-09-07T00:00:01-06:00"),
            ("07 Sep 2002 00:00:01 PST", "2002-09-07T00:00:01-08:00"),
            ("07 Sep 2002 00:00:01 PDT", "2002-09-07T00:00:01-07:00"),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text), Some((expected.to_string(), "")), "{text}");
        }
    }

    #[test]
    fn wild_forms_read_with_a_note() {
        let cases = [
            ("24.12.2025", "2025-12-24", "day first"),
            ("2.2.2026 14:30", "2026-02-02T14:30", "day first"),
            ("13.02.2026, 14:30:05", "2026-02-13T14:30:05", "day first"),
            ("2024-05-01T10:00:00", "2024-05-01T10:00:00", "missing"),
            ("2024-05-01T10:00", "2024-05-01T10:00", "missing"),
            ("2024-05-01 10:00:00+03:00", "2024-05-01T10:00:00+03:00", "'T'"),
            ("2024-05-01t10:00:00Z", "2024-05-01T10:00:00Z", "'T'"),
            ("2024-05-01T10:00:00z", "2024-05-01T10:00:00Z", "unusual zone"),
            ("2024-05-01T10:00:00 +03:00", "2024-05-01T10:00:00+03:00", "unusual zone"),
            ("2024-05-01T10:00:00+0300", "2024-05-01T10:00:00+03:00", "unusual zone"),
            ("2024-05-01T10:00:00-03", "2024-05-01T10:00:00-03:00", "unusual zone"),
            ("2024-05-01 10:00:00 UTC", "2024-05-01T10:00:00Z", "'T'"),
            ("2024-05-01T10:00:00,5Z", "2024-05-01T10:00:00.5Z", "comma"),
            ("2024-05-01T10:00:00.1234567899Z", "2024-05-01T10:00:00.123456789Z", "nanoseconds"),
            ("2024-05-01T10:00:00+02:00[Europe/Paris]", "2024-05-01T10:00:00+02:00", "comment"),
            ("2024-05-01+03:00", "2024-05-01", "without a time"),
            ("2024-5-1", "2024-05-01", "one digit"),
            ("2024/05/01", "2024-05-01", "'/'"),
            ("2024-12-31T24:00:00Z", "2025-01-01T00:00:00Z", "24:00"),
            ("2016-12-31T23:59:60Z", "2016-12-31T23:59:59Z", "leap"),
            ("2024-05-01T10:00:00 Europe/Moscow", "2024-05-01T10:00:00", "unknown"),
            ("20240501", "2024-05-01", "separators"),
            ("20240501T100000Z", "2024-05-01T10:00:00Z", "separators"),
            ("20240501T1000+0300", "2024-05-01T10:00+03:00", "separators"),
            ("20240501 10:00:00", "2024-05-01T10:00:00", "separators"),
            ("1714557600", "2024-05-01T10:00:00Z", "Unix seconds"),
            ("1714557600000", "2024-05-01T10:00:00Z", "Unix milliseconds"),
            ("1714557600250", "2024-05-01T10:00:00.250Z", "Unix milliseconds"),
            ("Saturday, 07 September 2002 00:00:01 GMT", "2002-09-07T00:00:01Z", "name"),
            ("Mon, 07 Sep 2002 00:00:01 GMT", "2002-09-07T00:00:01Z", "weekday"),
            ("Sat 07 Sep 2002 00:00:01 GMT", "2002-09-07T00:00:01Z", "RFC 822"),
            ("Sat,07 Sep 2002 00:00:01 GMT", "2002-09-07T00:00:01Z", "RFC 822"),
            ("Sat, 07 sep 2002 00:00:01 GMT", "2002-09-07T00:00:01Z", "RFC 822"),
            ("Sat, 07-Sep-2002 00:00:01 GMT", "2002-09-07T00:00:01Z", "RFC 822"),
            ("Sat, 07 Sept 2002 00:00:01 GMT", "2002-09-07T00:00:01Z", "name"),
            ("Sat, 07 Sep 2002 24:00 GMT", "2002-09-08T00:00Z", "24:00"),
            ("Sat, 07 Sep 2002 24:00:00 GMT", "2002-09-08T00:00:00Z", "24:00"),
            ("07 Sep 02 00:00:01 GMT", "2002-09-07T00:00:01Z", "two digits"),
            ("07 Sep 69 00:00:01 GMT", "2069-09-07T00:00:01Z", "two digits"),
            ("07 Sep 70 00:00:01 GMT", "1970-09-07T00:00:01Z", "two digits"),
            ("Sat, 07 Sep 2002 00:00:01 +0200 (CET)", "2002-09-07T00:00:01+02:00", "comment"),
            ("Sat, 07 Sep 2002 00:00:01 +0200 CEST", "2002-09-07T00:00:01+02:00", "after the offset"),
            ("Sat, 07 Sep 2002 00:00:01 GMT+02:00", "2002-09-07T00:00:01+02:00", "name and offset"),
            ("Sat, 07 Sep 2002 00:00:01 UTC-3", "2002-09-07T00:00:01-03:00", "name and offset"),
            ("Sat, 07 Sep 2002 00:00:01 EST -0500", "2002-09-07T00:00:01-05:00", "name and offset"),
            ("Sat, 07 Sep 2002 00:00:01 EST +0300", "2002-09-07T00:00:01", "name and offset"),
            ("Sat, 07 Sep 2002 00:00:01 +03:00", "2002-09-07T00:00:01+03:00", "unusual zone"),
            ("Sat, 07 Sep 2002 00:00:01 UTC", "2002-09-07T00:00:01Z", "unusual zone"),
            ("Sat, 07 Sep 2002 00:00:01 CEST", "2002-09-07T00:00:01", "unknown"),
            ("Sat, 07 Sep 2002 00:00:01 МСК", "2002-09-07T00:00:01", "unknown"),
            ("Sat, 07 Sep 2002 00:00:01 A", "2002-09-07T00:00:01", "unknown"),
            ("Sat, 07 Sep 2002 00:00:01", "2002-09-07T00:00:01", "missing"),
            ("Sat, 07 Sep 2002", "2002-09-07", "without a time"),
            ("September 7, 2002", "2002-09-07", "name"),
            ("Sep 2002", "2002-09", "without a time"),
            ("Sat Sep  7 00:00:01 2002", "2002-09-07T00:00:01", "missing"),
            ("Sat Sep 07 00:00:01 +0000 2002", "2002-09-07T00:00:01Z", "RFC 822"),
            ("Sep 7, 2002 1:05 PM", "2002-09-07T13:05", "one digit"),
            ("Sep 7, 2002 12:05 a.m. EST", "2002-09-07T00:05-05:00", "12-hour"),
            ("Сб, 7 сентября 2002 г. 10:00:00 +0300", "2002-09-07T10:00:00+03:00", "name"),
            ("5 мая 2024", "2024-05-05", "name"),
            ("7. März 2024 10:00", "2024-03-07T10:00", "name"),
            ("Samstag, 7. Dezember 2002 10:00:00 GMT", "2002-12-07T10:00:00Z", "name"),
            ("mar. 5 mars 2024 10:00:00 +0100", "2024-03-05T10:00:00+01:00", "name"),
            ("1er août 2024", "2024-08-01", "name"),
            ("7 de septiembre de 2002", "2002-09-07", "name"),
            ("miércoles, 05 jun 2024 10:00:00 GMT", "2024-06-05T10:00:00Z", "name"),
        ];
        for (text, expected, said) in cases {
            let (date, note) = read(text).unwrap_or_else(|| panic!("{text} is unreadable"));
            assert_eq!(date, expected, "{text}");
            assert!(note.contains(said), "{text}: {note}");
        }
    }

    #[test]
    fn the_rest_is_unreadable() {
        #[rustfmt::skip]
        let cases = [
            "", "now", "Sep", "12", "202405", "0000", "0000-00-00", "0000-00-00 00:00:00", "0000000000", "1970-01-01",
            "1970-01-01T00:00:00Z", "1970-01-01T00:00:00+03:00", "1970-01-01T03:00:00+03:00",
            "Thu, 01 Jan 1970 00:00:00 GMT", "0000000000000", "2024-02-30", "2023-02-29", "2024-13-01", "2024-00-01",
            "30 Feb 2024 10:00 GMT", "2024-W05", "2024-W05-1", "2024-051", "2024-0501", "07/09/2002", "07.09.2002",
            "2024-05-01T10Z", "2024-05-01T", "2024-05-01T10:60Z", "2024-05-01T25:00Z", "2024-05-01T24:01Z",
            "2024-05-01T10:00:61Z", "2024-05-01T10:00:00.Z", "2024-05-01T10:00:00+24:00", "2024-05-01T10:00:00+3:0",
            "2024-05-01T10:00:00:00", "9999-12-31T24:00:00Z", "07 Sep 102 00:00:01 GMT",
            "24.13.2025", "31.02.2026", "1.2.26", "1.2.2026.3", "Foo, 07 Sep 2002 00:00:01 GMT", "07 Foo 2002 00:00:01 GMT", "Sep 2002 10:00", "Sep 7, 2002 13:05 PM",
            "2024-05-01T10:00:00Z trailing 1", "99999999999999999999", "-1714557600", "2024-05-01 10:00 (",
            "2024-05-01+aa:00", "é024-05-01", "2024é05",
        ];
        for text in cases {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(read(&"2".repeat(100_000)), None);
    }

    #[test]
    fn each_form_is_written() {
        // source, W3C, RFC 822, RFC 3339, sitemap
        let cases = [
            ["2024", "2024", "Mon, 01 Jan 2024 00:00:00 GMT", "2024-01-01T00:00:00Z", "2024-01-01"],
            ["2024-05", "2024-05", "Wed, 01 May 2024 00:00:00 GMT", "2024-05-01T00:00:00Z", "2024-05-01"],
            ["2024-05-02", "2024-05-02", "Thu, 02 May 2024 00:00:00 GMT", "2024-05-02T00:00:00Z", "2024-05-02"],
            [
                "2024-05-02T10:07+03:00",
                "2024-05-02T10:07+03:00",
                "Thu, 02 May 2024 10:07:00 +0300",
                "2024-05-02T10:07:00+03:00",
                "2024-05-02T10:07:00+03:00",
            ],
            [
                "2024-05-02T10:07:09-04:30",
                "2024-05-02T10:07:09-04:30",
                "Thu, 02 May 2024 10:07:09 -0430",
                "2024-05-02T10:07:09-04:30",
                "2024-05-02T10:07:09-04:30",
            ],
            [
                "2024-05-02T10:07:09.120",
                "2024-05-02T10:07:09.120",
                "Thu, 02 May 2024 10:07:09 GMT",
                "2024-05-02T10:07:09.120Z",
                "2024-05-02T10:07:09+00:00",
            ],
        ];
        for [source, w3c, rfc822, rfc3339, sitemap] in cases {
            let (date, _) = Date::parse(source).unwrap();
            assert_eq!(
                [date.to_w3c(), date.to_rfc822(), date.to_rfc3339(), date.to_sitemap()],
                [w3c, rfc822, rfc3339, sitemap]
            );
        }
    }

    #[test]
    fn a_coarser_date_covers_a_finer_one() {
        let cases = [
            ("2024", "2024-05-01", true),
            ("2024-05-01", "2024-05-01T23:00:00+03:00", true),
            ("2024-05-01", "2024-05-02T01:00:00+03:00", false),
            ("2024-05-01T10:00Z", "2024-05-01T13:00:59+03:00", true),
            ("2024-05-01T10:00:00Z", "2024-05-01T10:00:00.999Z", true),
            ("2024-05-01T10:00:00Z", "2024-05-01T10:00Z", false),
            ("2024-05-01T10:00:00.5Z", "2024-05-01T10:00:00.500Z", true),
        ];
        for (coarse, fine, expected) in cases {
            let (coarse, fine) = (Date::parse(coarse).unwrap().0, Date::parse(fine).unwrap().0);
            assert_eq!(coarse.covers(&fine), expected, "{coarse} {fine}");
            assert!(coarse.covers(&coarse.at_midnight_utc()), "{coarse}");
        }
    }

    #[test]
    fn constructors_refuse_what_is_no_date() {
        assert_eq!(Date::ymd(2024, 2, 29).map(|date| date.to_w3c()).as_deref(), Some("2024-02-29"));
        assert_eq!(Date::ymd(1900, 2, 29), None);
        assert_eq!(Date::ymd(0, 1, 1), None);
        assert_eq!(Date::from_unix(i64::MAX), None);
        assert_eq!(Date::from_unix(i64::MIN), None);
        assert_eq!(Date::from_unix(-1).map(|date| date.to_w3c()).as_deref(), Some("1969-12-31T23:59:59Z"));
    }

    #[test]
    fn json_is_the_w3c_form_and_keeps_the_epoch() {
        let epoch = Date::from_unix(0).unwrap();
        let json = serde_json::to_string(&epoch).unwrap();
        assert_eq!(json, "\"1970-01-01T00:00:00Z\"");
        assert_eq!(serde_json::from_str::<Date>(&json).unwrap(), epoch);
        assert!(serde_json::from_str::<Date>("\"soon\"").is_err());
    }

    proptest! {
        #[test]
        fn arbitrary_text_does_no_harm(text in "\\PC*") {
            let _ = Date::parse(&text);
        }

        #[test]
        fn text_of_date_like_parts_does_no_harm(
            text in "((Sat|Sep|мая|2024|07|24|60|T|Z|GMT|PM|\\(|\\+03|[-+:/., é0-9])){0,16}",
        ) {
            if let Some((date, _)) = Date::parse(&text) {
                prop_assert_eq!(Date::parse(&date.to_w3c()).map(|(date, _)| date), Some(date));
            }
        }

        #[test]
        fn instants_agree_with_jiff(secs in -62_135_000_000_i64..253_402_200_000, nanos in 0_i32..1_000_000_000) {
            prop_assume!(secs != 0);
            let other = jiff::Timestamp::new(secs, nanos).unwrap();
            let (date, note) = Date::parse(&other.to_string()).unwrap();
            prop_assert_eq!(note, None);
            prop_assert_eq!(date.instant(), other.as_nanosecond());
            let back: jiff::Timestamp = date.to_rfc3339().parse().unwrap();
            prop_assert_eq!(back, other);
        }

        #[test]
        fn rfc_822_agrees_with_jiff(secs in -62_135_000_000_i64..253_402_200_000, offset in -1439_i16..=1439) {
            let date = Date { offset: Some(offset), ..Date::from_unix(secs).unwrap() };
            prop_assume!(!date.is_zero());
            let text = date.to_rfc822();
            let other = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(&text);
            // jiff ends a day before the year 9999 does.
            if let Ok(other) = other {
                prop_assert_eq!(date.instant(), other.as_nanosecond());
            }
            prop_assert_eq!(Date::parse(&text), Some((date, None)));
        }
    }
}
