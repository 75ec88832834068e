//! One entry of a catalogue: what it is about follows from the seed and its number, whatever the format.

use super::Recipe;

const LATIN: &str = "the film river stone light winter boat harbour music of and a in night keeper glass northern \
    water ferry signal evening crew story bridge weather long year camera wind small lamp tower with her they who came \
    before after island letters radio morning";
const CYRILLIC: &str = "сегодня новости вулкан остров маяк ночь и в на не о том как они река мост зимой команда \
    корабль пролив смена музыка погода ветер камера длинный вечер история свет лампа башня письма радио утром после \
    дома северный берег стекло";

/// What is wrong with an entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dirt {
    /// `&` as itself in an address.
    Ampersand,
    /// A date that is none.
    Date,
    /// An entity that nobody declared.
    Entity,
    /// `<` as itself in a title.
    Less,
}

/// An entry, and the source of its accidental details.
pub struct Entry {
    /// Its number in the document.
    pub number: u64,
    /// The number of the entry whose page it is on: its own, mostly.
    pub page: u64,
    /// Whether that is the page of an earlier one.
    pub shares: bool,
    /// What is to be repaired.
    pub dirt: Option<Dirt>,
    words: &'static [&'static str],
    state: u64,
}

impl Entry {
    /// Entry number `number` of a document.
    pub fn new(recipe: &Recipe, number: u64) -> Entry {
        let mut entry = Entry {
            number,
            page: number,
            shares: false,
            dirt: None,
            words: &[],
            state: recipe.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ number.wrapping_mul(0xD1B5_4A32_D192_ED03),
        };
        entry.words = words(entry.below(2) == 1);
        if entry.chance(recipe.shared) && !number.is_multiple_of(50) {
            entry.page = number / 50 * 50;
            entry.shares = true;
        }
        if entry.chance(recipe.dirty) {
            entry.dirt = Some([Dirt::Ampersand, Dirt::Date, Dirt::Entity, Dirt::Less][entry.below(4) as usize]);
        }
        entry
    }

    /// The next accident (splitmix64).
    pub fn random(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number less than `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.random() % n
    }

    /// True in that share of the cases.
    pub fn chance(&mut self, share: f64) -> bool {
        (self.random() >> 11) as f64 / ((1u64 << 53) as f64) < share
    }

    /// `n` words of running text.
    pub fn text(&mut self, n: u64, out: &mut String) {
        for k in 0..n {
            if k > 0 {
                out.push_str(if k % 11 == 0 { ", " } else { " " });
            }
            let word = self.words[self.below(self.words.len() as u64) as usize];
            out.push_str(word);
        }
    }

    /// Words, each another, with marks of their own between them: `ice, pilots`.
    pub fn list(&mut self, n: u64, between: &str, out: &mut String) {
        let from = self.below(self.words.len() as u64) as usize;
        for k in 0..n as usize {
            if k > 0 {
                out.push_str(between);
            }
            out.push_str(self.words[(from + k) % self.words.len()]);
        }
    }

    /// A title; it names the number of the entry, so titles differ.
    pub fn title(&mut self, out: &mut String) {
        self.text(4 + self.number % 5, out);
        if self.dirt == Some(Dirt::Less) {
            out.push_str(" 5 < 6");
        } else if self.number.is_multiple_of(7) {
            out.push_str(" &amp; more");
        }
        number(out, " ", self.number);
    }

    /// A text without markup, with what stands for a character here and there.
    pub fn prose(&mut self, n: u64, out: &mut String) {
        self.text(n, out);
        if self.dirt == Some(Dirt::Entity) {
            out.push_str(" &hellip2; ");
        } else if self.number.is_multiple_of(3) {
            out.push_str(" &amp; ");
        } else {
            out.push(' ');
        }
        self.text(3, out);
        out.push('.');
    }

    /// A text with markup, as it stands in CDATA.
    pub fn html(&mut self, n: u64, out: &mut String) {
        out.push_str("<p>");
        self.text(n / 2, out);
        number(out, ". <a href=\"https://www.example.com/people/", self.number % 977);
        out.push_str("?from=feed&lang=en\">");
        self.text(2, out);
        out.push_str("</a>.</p><p><em>");
        self.text(2, out);
        out.push_str("</em> ");
        self.text(n / 2, out);
        out.push_str(".</p>");
    }

    /// The `&` of an address.
    pub fn amp(&self) -> &'static str {
        if self.dirt == Some(Dirt::Ampersand) { "&" } else { "&amp;" }
    }

    /// The address of the page, as text (with `&` as itself).
    pub fn link(&self) -> String {
        let mut out = String::with_capacity(80);
        number(&mut out, "https://www.example.com/watch/", self.page);
        number(&mut out, "?list=", self.page % 31);
        out.push_str("&lang=en");
        out
    }

    /// The address of the page, as it stands in markup.
    pub fn link_escaped(&self, out: &mut String) {
        number(out, "https://www.example.com/watch/", self.page);
        number(out, "?list=", self.page % 31);
        out.push_str("&amp;lang=en");
    }

    /// A date as RSS writes it.
    pub fn rfc_822(&mut self, out: &mut String) {
        const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
        if self.dirt == Some(Dirt::Date) {
            out.push_str("2025-31-11 at noon");
            return;
        }
        let (year, month, day) = self.day();
        out.push_str(weekday(year, month, day));
        out.push_str(", ");
        two(out, day);
        out.push(' ');
        out.push_str(MONTHS[month as usize - 1]);
        number(out, " ", year);
        out.push(' ');
        self.clock(out);
        out.push_str(if self.number.is_multiple_of(3) { " GMT" } else { " +0200" });
    }

    /// A date as Atom and sitemaps write it.
    pub fn w3c(&mut self, out: &mut String) {
        if self.dirt == Some(Dirt::Date) {
            out.push_str("31.11.2025 noon");
            return;
        }
        let (year, month, day) = self.day();
        number(out, "", year);
        out.push('-');
        two(out, month);
        out.push('-');
        two(out, day);
        out.push('T');
        self.clock(out);
        out.push_str(if self.number.is_multiple_of(3) { "Z" } else { "+02:00" });
    }

    fn day(&self) -> (u64, u64, u64) {
        (2019 + self.number % 7, 1 + self.number / 7 % 12, 1 + self.number / 3 % 28)
    }

    fn clock(&self, out: &mut String) {
        two(out, self.number % 24);
        out.push(':');
        two(out, self.number / 5 % 60);
        out.push(':');
        two(out, self.number / 11 % 60);
    }
}

fn words(cyrillic: bool) -> &'static [&'static str] {
    use std::sync::LazyLock;
    static WORDS: LazyLock<[Vec<&'static str>; 2]> =
        LazyLock::new(|| [LATIN.split_whitespace().collect(), CYRILLIC.split_whitespace().collect()]);
    &WORDS[usize::from(cyrillic)]
}

/// Sakamoto's way.
fn weekday(year: u64, month: u64, day: u64) -> &'static str {
    const DAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
    const SHIFT: [u64; 12] = [0, 3, 2, 5, 0, 3, 5, 1, 4, 6, 2, 4];
    let year = if month < 3 { year - 1 } else { year };
    DAYS[((year + year / 4 - year / 100 + year / 400 + SHIFT[month as usize - 1] + day) % 7) as usize]
}

/// Two digits.
fn two(out: &mut String, n: u64) {
    out.push((b'0' + (n / 10 % 10) as u8) as char);
    out.push((b'0' + (n % 10) as u8) as char);
}

/// A text and a number after it.
pub fn number(out: &mut String, before: &str, n: u64) {
    out.push_str(before);
    let (mut digits, mut at, mut rest) = ([0u8; 20], 20, n);
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend(digits[at..].iter().map(|&digit| digit as char));
}
