//! Applies the tables to an entry: copies the values of unknown elements into the model, under the marks of those
//! elements. A value already in the usual place wins; an equal copy is merged with it, a different one is ignored.
//! Before the entry is written in its own family, where the elements go back unchanged, the copies are removed.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::ops::Range;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use super::by_namespace;
use super::host::{self, SEARCHED, VideosByHost, ends_as};
use super::row::{Dialect, DialectRow, LIVE_ITEM, ValueForm};
use crate::format::contract::{ForeignHandling, ReadContext};
use crate::format::family::Family;
use crate::format::ns::media;
use crate::model::origin::{EntryRepair, LeafRecord, Origin, Preset, Role};
use crate::model::value::{FromText, Note};
use crate::model::{
    Category, Credit, Date, Decimal, Entry, Field, File, Foreign, Hash, Leaf, LeafView, License, Mark, Module, Price,
    Scene, Seconds, Str, Subtitle, Text, TextKind, Thumbnail, Uploader, Video, VideoLocation, Walk,
};
use crate::reason::Reason;
use crate::text::{html, mime, url};
use crate::xml::names::Ns;

/// An element of a dialect, with the leaves it has.
struct DialectElement<'s, 'a> {
    dialect: &'static Dialect,
    element: &'s str,
    /// The media object of the entry that contains it.
    host: Option<&'s str>,
    /// How many steps it is below the entry.
    depth: usize,
    text: Option<&'s Str<'a>>,
    attributes: Vec<(&'s str, &'s Str<'a>)>,
}

impl<'s, 'a> DialectElement<'s, 'a> {
    /// The rows that speak of it, each with the leaf it speaks of.
    fn rows(&self) -> impl Iterator<Item = (&'static DialectRow, &'s Str<'a>)> + '_ {
        let is_file = |row: &DialectRow| row.means == Field::VideoFileUrl && row.attribute.contains('@');
        let files = self.dialect.rows.iter().any(|row| row.element == self.element && is_file(row));
        let film = !files || self.is_typed();
        let fits = move |row: &&DialectRow| film && row.element == self.element && self.is_one_of(row);
        self.dialect.rows.iter().filter(fits).filter_map(|row| Some((row, self.leaf(row.attribute)?)))
    }

    /// Whether its MIME type is that of a video.
    fn is_typed(&self) -> bool {
        let kind = self.leaf("type").filter(|kind| kind.value.contains('/'));
        kind.is_some_and(|kind| mime::medium_of_type(kind.value.trim()) == Some(mime::Medium::Video))
    }

    /// Whether its file is a sound, by its type or else by its name.
    fn is_sound(&self) -> bool {
        let medium = |field: Field, medium_of: fn(&str) -> Option<mime::Medium>| {
            let (row, leaf) = self.rows().find(|(row, _)| row.means == field)?;
            medium_of(usual(&leaf.value, row.form)?.0.trim())
        };
        let by_name = || medium(Field::VideoFileUrl, mime::medium_of_url);
        medium(Field::VideoFileType, mime::medium_of_type).or_else(by_name) == Some(mime::Medium::Audio)
    }

    /// Whether it is a separate video, not a part of one.
    fn is_separate(&self) -> bool {
        self.host.is_none() && self.dialect.videos.contains(&self.element)
    }

    /// The URL of its file, if it has one.
    fn file(&self) -> Option<&'s str> {
        let urls = self.rows().filter(|(row, _)| row.means == Field::VideoFileUrl);
        urls.map(|(_, url)| url.value.trim()).find(|url| !url.is_empty())
    }

    /// The URL of its file, if it is a separate video.
    fn own_film(&self) -> Option<&'s str> {
        self.file().filter(|_| self.is_separate())
    }

    fn leaf(&self, attribute: &str) -> Option<&'s Str<'a>> {
        match attribute {
            "" => self.text,
            name => self.attributes.iter().find(|(known, _)| *known == name).map(|(_, leaf)| *leaf),
        }
    }

    fn is_one_of(&self, row: &DialectRow) -> bool {
        row.only.is_none_or(|(attribute, values)| {
            let said = self.leaf(attribute).map_or("", |leaf| leaf.as_str().trim());
            let mut words = said.split_ascii_whitespace().chain([said]);
            words.any(|word| values.iter().any(|value| value.eq_ignore_ascii_case(word)))
        })
    }
}

/// The dialects' elements among the unknown markup and the module elements of an entry.
fn elements<'s, 'a>(foreign: &'s [Foreign<'a>], modules: &'s [Module<'a>]) -> Vec<DialectElement<'s, 'a>> {
    let mut found = Vec::new();
    let mut last: (&str, Option<&'static Dialect>) = ("", None);
    for (index, item) in foreign.iter().enumerate() {
        if item.ns.is_empty() {
            // as of all attributes
            continue;
        }
        if item.ns != last.0 {
            last = (&item.ns, by_namespace(&item.ns));
        }
        let Some(dialect) = last.1.filter(|_| is_in_entry(&item.path)) else { continue };
        let below = foreign[index + 1..].iter().map_while(|below| {
            let rest = below.path.strip_prefix(&*item.path)?.strip_prefix('/')?;
            Some((rest, below))
        });
        let attribute = |(rest, below): (&'s str, &'s Foreign<'a>)| {
            let name = rest.strip_prefix('@').filter(|_| below.ns.is_empty())?;
            Some((name, below.value.as_ref()?))
        };
        let own = below.clone().take_while(|(rest, _)| rest.starts_with('@')).filter_map(attribute);
        let attributes: Vec<_> = own.collect();
        let (host, depth) = (host::media_object(&item.path), item.path.matches('/').count());
        let text = item.value.as_ref();
        let said = DialectElement { dialect, element: &item.name, host, depth, text, attributes };
        match children(&said, below) {
            all if all.is_empty() => found.push(said),
            all => found.extend(all.into_iter().map(|child| DialectElement {
                attributes: child.into_iter().chain(said.attributes.iter().copied()).collect(),
                ..said
            })),
        }
    }
    for module in modules {
        let Some((prefix, element)) = module.name.split_once(':') else { continue };
        let Some(dialect) = Ns::by_prefix(prefix).and_then(|ns| by_namespace(ns.uri())) else { continue };
        let leaf =
            |attribute: &'s crate::model::ModuleAttribute<'a>| Some((&*attribute.name, attribute.value.as_ref()?));
        let attributes = module.attributes.iter().filter_map(leaf).collect();
        let (host, depth, text) = (None, 1, module.value.as_ref());
        found.push(DialectElement { dialect, element, host, depth, text, attributes });
    }
    found
}

/// How many children of one element are read; each is combined with the attributes of the element.
const CHILDREN: usize = 64;

/// The attributes of the children of an element that rows speak of, child by child. The first child in the table is what the
/// element has several of; what others say is true of each of these.
fn children<'s, 'a>(
    said: &DialectElement<'s, 'a>,
    below: impl Iterator<Item = (&'s str, &'s Foreign<'a>)>,
) -> Vec<Vec<(&'s str, &'s Str<'a>)>>
where
    'a: 's,
{
    let rows = said.dialect.rows.iter().filter(|row| row.element == said.element);
    let names = rows.flat_map(|row| [Some(row.attribute), row.only.map(|(attribute, _)| attribute)]).flatten();
    let nested = names.filter_map(|name| Some((name, name.split_once('@')?)));
    let mut found: Vec<Vec<(&'s str, &'s Str<'a>)>> = Vec::new();
    let mut shared = Vec::new();
    let Some((_, (first, _))) = nested.clone().next() else { return Vec::new() };
    let mut open: (&str, &str) = ("", "");
    for (rest, item) in below {
        match rest.split_once('/') {
            None if item.name == first && found.len() >= CHILDREN => open = ("", ""),
            None if !rest.starts_with('@') => {
                open = (rest, &item.name);
                found.extend((item.name == first).then(Vec::new));
            }
            Some((step, name)) if step == open.0 => {
                let of_child =
                    |(_, (child, own)): &(&str, (&str, &str))| *child == open.1 && name.strip_prefix('@') == Some(*own);
                let row = nested.clone().find(of_child);
                let (Some((attribute, (child, _))), Some(value)) = (row, &item.value) else { continue };
                match found.last_mut().filter(|_| child == first) {
                    Some(own) => own.push((attribute, value)),
                    None => shared.push((attribute, value)),
                }
            }
            _ => (),
        }
    }
    if found.is_empty() && !shared.is_empty() {
        found.push(Vec::new());
    }
    found.iter_mut().for_each(|own| own.extend(shared.iter().copied()));
    found
}

/// Whether this is the path of an element that is a child of the entry, or of a media object in it.
fn is_in_entry(path: &str) -> bool {
    let mut steps = path.rsplit('/');
    let own = steps.next().is_some_and(|step| !step.starts_with('@') && step != "text()");
    let host = steps.next().unwrap_or("");
    let host = host.split('[').next().unwrap_or("");
    own && matches!(host, "item" | "entry" | "media:group" | "media:content" | "podcast:liveItem")
}

/// Whether this is the path of an element that is a child of an entry or of a head.
fn has_modules(path: &str) -> bool {
    let mut steps = path.rsplit('/');
    let own = steps.next().is_some_and(|step| !step.starts_with('@') && step != "text()");
    let host = steps.next().unwrap_or("");
    let host = host.split('[').next().unwrap_or("");
    own && matches!(host, "item" | "entry" | "podcast:liveItem" | "channel" | "feed")
}

/// The member that holds a field, where the item's level gives it to all videos as a whole.
fn shared(field: Field, level: &Video<'_>, videos: &[Video<'_>]) -> Option<&'static str> {
    let (member, is_there) = match field {
        Field::VideoRatingAverage | Field::VideoRatingCount | Field::VideoRatingMin | Field::VideoRatingMax => {
            ("rating", level.rating.is_some())
        }
        Field::VideoAvailableStart | Field::VideoAvailableEnd => ("available", level.available.is_some()),
        _ => return None,
    };
    let inherits = |video: &Video<'_>| video.inherited.iter().any(|name| name == member);
    (is_there && videos.iter().all(inherits)).then_some(member)
}

/// Gives the model what the dialects' elements of the entry mean.
pub fn apply<'a>(entry: &mut Entry<'a>, family: &'static Family, around: ReadContext<'a>) {
    if entry.foreign.is_empty() && entry.modules.is_empty() {
        return;
    }
    let (foreign, modules) = (std::mem::take(&mut entry.foreign), std::mem::take(&mut entry.modules));
    let mut said = elements(&foreign, &modules);
    if !said.is_empty() {
        let marks = if family.is_model() { marks_of(&foreign, &modules) } else { HashSet::new() };
        let origin = std::mem::take(&mut entry.origin);
        let (hosts, films, wholes) = (VideosByHost::new(), HashMap::new(), HashMap::new());
        let mut reading = DialectReader { origin, json: family.is_model(), marks, hosts, films, wholes };
        reading.note_films(&said, entry);
        reading.make_videos(&said, entry, around);
        reading.find_hosts(&said, entry);
        // the deepest level comes first (A1)
        said.sort_by_key(|element| Reverse(element.depth));
        for element in &said {
            reading.element(element, entry);
        }
        if reading.json {
            reading.own(entry);
        }
        entry.origin = reading.origin;
    }
    drop(said);
    (entry.foreign, entry.modules) = (foreign, modules);
}

/// Notes what is in elements that a dialect has no field for: it is not unknown. `field` is that of the markup.
pub fn note_known(foreign: &[Foreign<'_>], field: Field, origin: &mut Origin<'_>) {
    let mut known: Option<&str> = None;
    let mut last: (&str, Option<&'static Dialect>) = ("", None);
    for item in foreign {
        let is_below = |path: &str| item.path.strip_prefix(path).is_some_and(|rest| rest.starts_with('/'));
        if !known.is_some_and(is_below) {
            if !item.ns.is_empty() && item.ns != last.0 {
                last = (&item.ns, by_namespace(&item.ns));
            }
            let dialect = last.1.filter(|_| !item.ns.is_empty() && has_modules(&item.path));
            known = dialect.filter(|dialect| dialect.known.contains(&&*item.name)).map(|_| &*item.path);
        }
        if known.is_some() {
            item.walk(field, &mut |seen| {
                let record = origin.records.get_mut((seen.mark.0 & !Mark::FEED) as usize);
                if let Some(record) = record.filter(|record| record.preset == Preset::Unread(None)) {
                    record.preset = Preset::Removed(field, Reason::NoElement);
                }
            });
        }
    }
}

fn marks_of(foreign: &[Foreign<'_>], modules: &[Module<'_>]) -> HashSet<Mark> {
    let mut marks = HashSet::new();
    let mut note = |seen: crate::model::LeafView<'_>| {
        marks.insert(seen.mark);
    };
    foreign.iter().for_each(|item| item.walk(Field::Foreign, &mut note));
    modules.iter().for_each(|module| module.walk(Field::Module, &mut note));
    marks
}

/// What came of one value.
#[derive(Clone, Copy)]
enum ValueOutcome {
    /// Nothing: there is nothing it could speak of.
    Not,
    /// Nothing: it is not readable.
    Invalid,
    /// It was added to the model.
    New,
    /// It was added to the model as a resolved URL.
    Resolved,
    /// An equal value with this mark already exists.
    Same(Mark),
    /// A different value with this mark already exists.
    Late(Mark),
}

impl ValueOutcome {
    /// The better of two, where a value goes into several places.
    fn or(self, other: ValueOutcome) -> ValueOutcome {
        let rank = |taken: &ValueOutcome| match taken {
            ValueOutcome::New | ValueOutcome::Resolved => 0,
            ValueOutcome::Same(_) => 1,
            ValueOutcome::Late(_) => 2,
            ValueOutcome::Invalid => 3,
            ValueOutcome::Not => 4,
        };
        if rank(&other) < rank(&self) { other } else { self }
    }
}

/// How a value was changed on its way into the model.
type MappingChange = Option<Reason>;

/// A value converted to the notation of the model, with the change.
fn usual<'a>(value: &Cow<'a, str>, form: ValueForm) -> Option<(Cow<'a, str>, MappingChange)> {
    let text = value.trim();
    let meant = |words: &[(&str, &'static str)]| {
        let (_, meant) = words.iter().find(|(said, _)| said.eq_ignore_ascii_case(text))?;
        Some((Cow::Borrowed(*meant), Some(Reason::UsualTerm)))
    };
    match form {
        ValueForm::Plain | ValueForm::List => Some((value.clone(), None)),
        ValueForm::Millis => {
            let millis: u64 = text.parse().ok()?;
            let said = Seconds::from_micros(millis.checked_mul(1000)?).to_string();
            Some((Cow::Owned(said), Some(Reason::UsualUnit)))
        }
        ValueForm::Epoch => {
            // 0 means no date
            let seconds: i64 = text.parse().ok().filter(|seconds| *seconds > 0)?;
            let said = Date::from_unix(seconds)?.to_w3c();
            Some((Cow::Owned(said), Some(Reason::UsualUnit)))
        }
        ValueForm::Bits => {
            let (bits, _) = Decimal::parse(Cow::Borrowed(text))?;
            let thousandth = Decimal::from_scaled(bits.scaled(3)?, 6)?;
            let said = thousandth.as_str().trim_end_matches('0').trim_end_matches('.').to_owned();
            Some((Cow::Owned(said), Some(Reason::UsualUnit)))
        }
        ValueForm::Whole => (!has_fraction(text)).then(|| (value.clone(), None)),
        ValueForm::Bytes => (!is_unknown(text)).then(|| (value.clone(), None)),
        ValueForm::Geo => {
            let (point, _) = text.strip_prefix("geo:")?.split_once(';').unwrap_or((&text[4..], ""));
            let mut numbers = point.split(',').map(str::trim);
            let (latitude, longitude) = (numbers.next()?, numbers.next()?);
            let is_number = |text: &str| text.parse::<f64>().is_ok_and(f64::is_finite);
            let whole = is_number(latitude) && is_number(longitude);
            whole.then(|| (Cow::Owned(format!("{latitude} {longitude}")), Some(Reason::UsualTerm)))
        }
        ValueForm::Integrity => Some((Cow::Owned(checksum(text)?), Some(Reason::UsualTerm))),
        ValueForm::Words(words) => Some(meant(words).unwrap_or_else(|| (value.clone(), None))),
        ValueForm::OnlyWords(words) => meant(words),
    }
}

/// Whether a text is a number that is not whole.
fn has_fraction(text: &str) -> bool {
    let number = Decimal::parse(Cow::Borrowed(text));
    text.contains('.') && number.is_some_and(|(number, _)| number.scaled(0).is_none())
}

/// Whether a number of bytes means that it is not known.
fn is_unknown(bytes: &str) -> bool {
    bytes == "0"
}

/// The algorithms of Subresource Integrity, as the model has them, and the bytes of their checksums.
const ALGORITHMS: [(&str, &str, usize); 3] =
    [("sha256", "sha-256", 32), ("sha384", "sha-384", 48), ("sha512", "sha-512", 64)];

/// The algorithm and the hexadecimal digits of a checksum as Subresource Integrity has it, with a space between.
fn checksum(text: &str) -> Option<String> {
    let (name, value) = text.split_once('-')?;
    let (_, algo, length) = ALGORITHMS.into_iter().find(|(known, ..)| name.eq_ignore_ascii_case(known))?;
    let bytes = STANDARD.decode(value).ok().filter(|bytes| bytes.len() == length)?;
    let mut said = format!("{algo} ");
    for byte in bytes {
        // writing to memory does not fail
        let _ = write!(said, "{byte:02x}");
    }
    Some(said)
}

/// The reading of the dialects' elements of one entry.
struct DialectReader<'a> {
    origin: Origin<'a>,
    /// The entry was JSON, which already has the copies.
    json: bool,
    /// Then, the marks of the unknown markup and the module elements.
    marks: HashSet<Mark>,
    /// Where the entry has several videos, those with a media object.
    hosts: VideosByHost,
    /// Where elements are separate videos, the numbers of the videos by the keys of the URLs of their files.
    films: HashMap<String, usize>,
    /// The dialects that gave values of parts that are one element elsewhere.
    wholes: HashMap<Mark, &'static str>,
}

impl<'a> DialectReader<'a> {
    /// Notes which videos the entry has, if there are elements of separate ones.
    fn note_films(&mut self, said: &[DialectElement<'_, 'a>], entry: &Entry<'a>) {
        if said.iter().all(|element| element.own_film().is_none()) {
            return;
        }
        for (number, video) in entry.videos.iter().enumerate() {
            for url in video.files.iter().filter_map(|file| file.url.as_ref()) {
                self.films.entry(url::key(&url.value).into_owned()).or_insert(number);
            }
        }
    }

    /// An entry whose only renditions are a dialect's gets a video for them, and one that is live and has no file at all
    /// (A2.5); any entry gets one for each element that is a separate video. JSON has these already.
    fn make_videos(&mut self, said: &[DialectElement<'_, 'a>], entry: &mut Entry<'a>, around: ReadContext<'a>) {
        if self.json && !entry.videos.is_empty() {
            return;
        }
        // what is a video by its own word is one beside a sound file too
        let is_film = |element: &DialectElement<'_, 'a>| element.file().is_some() && element.is_typed();
        let says_live = |(row, leaf): (&DialectRow, &Str<'a>)| {
            row.means == Field::VideoLive && usual(&leaf.value, row.form).is_some()
        };
        let is_live = |element: &DialectElement<'_, 'a>| element.rows().any(says_live);
        // no enclosure is a film, if the entry has no video
        let alone = entry.enclosures.is_empty();
        let may_be_film = |element: &DialectElement<'_, 'a>| element.file().is_some() && (alone || !element.is_sound());
        let made = said.iter().any(|element| is_film(element) || may_be_film(element) || alone && is_live(element));
        let mut count = entry.videos.len();
        for address in said.iter().filter(|element| may_be_film(element)).filter_map(DialectElement::own_film) {
            self.films.entry(url::key(address).into_owned()).or_insert_with(|| {
                count += 1;
                count - 1
            });
        }
        if entry.videos.is_empty() && made {
            count = count.max(1);
        }
        if count > entry.videos.len() {
            self.add_videos(count - entry.videos.len(), entry, around);
        }
    }

    /// Adds empty videos to an entry, which have what its levels say.
    fn add_videos(&self, count: usize, entry: &mut Entry<'a>, around: ReadContext<'a>) {
        let mut own = std::mem::take(&mut entry.videos);
        if let [video] = own.as_mut_slice()
            && video.files.len() == 1
        {
            media::detach(video);
        }
        entry.videos.resize_with(count, Video::default);
        match own.is_empty() {
            _ if self.json => (),
            true => media::finish(entry, around),
            false => media::hand_down(entry, around),
        }
        entry.videos.splice(..0, own);
    }

    /// Finds the videos of the media objects that have elements.
    fn find_hosts(&mut self, said: &[DialectElement<'_, 'a>], entry: &Entry<'a>) {
        if entry.videos.len() < 2 || said.iter().all(|element| element.host.is_none()) {
            return;
        }
        self.hosts = if self.json {
            let rows = said.iter().flat_map(|element| element.rows().map(move |said| (element.host, said)));
            let values = rows.filter_map(|(host, (row, leaf))| {
                let (text, _) = usual(&leaf.value, row.form)?;
                Some((host?, row.means, text))
            });
            let is_copy = |seen: &LeafView<'_>| seen.via == Some(Ns::Dialect) && !self.marks.contains(&seen.mark);
            host::in_model(values, &entry.videos, is_copy)
        } else {
            host::in_source(&entry.videos, &self.origin)
        };
    }

    /// The videos that an element speaks of: that of its media object or its file, or all; `None` if that is no video.
    fn videos_of(&self, element: &DialectElement<'_, 'a>, entry: &Entry<'a>) -> Option<Range<usize>> {
        let one = |number: usize| number..number + 1;
        match (element.host, element.own_film()) {
            _ if entry.videos.is_empty() => Some(0..0),
            (_, Some(address)) => self.film(address, &entry.videos).map(one),
            (_, None) if element.is_separate() => None,
            (Some(host), None) if entry.videos.len() > 1 => self.hosts.get(host).copied().map(one),
            (_, None) => Some(0..entry.videos.len()),
        }
    }

    /// The number of the video with this file. JSON has resolved URLs.
    fn film(&self, address: &str, videos: &[Video<'a>]) -> Option<usize> {
        let known = self.films.get(&*url::key(address)).copied();
        let find = |is_it: &dyn Fn(&File<'a>) -> bool| {
            videos.iter().take(SEARCHED).position(|video| video.files.iter().any(is_it))
        };
        let is_resolved = |file: &File<'a>| file.url.as_ref().is_some_and(|url| self.is_resolved(url, address));
        let in_json = || find(&|file| self.names(&file.url, address)).or_else(|| find(&is_resolved));
        known.or_else(|| in_json().filter(|_| self.json))
    }

    fn element(&mut self, element: &DialectElement<'_, 'a>, entry: &mut Entry<'a>) {
        let videos = self.videos_of(element, entry);
        let mut rows: Vec<(&'static DialectRow, &Str<'a>)> = element.rows().collect();
        if let Some(child) = source_of_peers(&rows) {
            rows.retain(|(row, _)| row.attribute.split_once('@').is_some_and(|(host, _)| host == child));
        }
        let mut tied = false;
        for (row, leaf) in &rows {
            if matches!(row.form, ValueForm::Bytes) && is_unknown(leaf.value.trim()) {
                let url = rows.iter().find(|(row, _)| row.means == Field::VideoFileUrl);
                url.iter().for_each(|(_, url)| self.record(leaf.mark, Role::Follows(url.mark), Preset::Open));
            }
            let Some((text, change)) = usual(&leaf.value, row.form) else {
                match row.form {
                    // no date at all
                    ValueForm::Epoch if leaf.value.trim() == "0" => self.record(leaf.mark, Role::Leaf, Preset::Implied),
                    // other words mean nothing of the field
                    ValueForm::OnlyWords(_) | ValueForm::Bytes | ValueForm::Whole => (),
                    _ => self.invalid(leaf.mark, row.means),
                }
                continue;
            };
            let value = NormalizedValue { text, mark: leaf.mark, change, dialect: element.dialect.name };
            let taken = self.take(row.means, &value, &rows, videos.clone(), entry);
            if matches!(taken, ValueOutcome::Invalid) {
                self.invalid(value.mark, row.means);
            }
            if !self.book(&value, taken) {
                continue;
            }
            // the attribute that selected the row follows the URL, or else the first value; that of a child its own
            let is_nested = row.means != Field::VideoFileUrl && row.attribute.contains('@');
            if !is_nested && std::mem::replace(&mut tied, true) && row.means != Field::VideoFileUrl {
                continue;
            }
            if let Some(word) = row.only.and_then(|(attribute, _)| element.leaf(attribute)) {
                let (role, preset) = match row.adds {
                    true => (Role::Leaf, Preset::Removed(row.means, Reason::NoElement)),
                    // it is true of the value in any notation
                    false => (Role::Follows(leaf.mark), Preset::Implied),
                };
                self.record(word.mark, role, preset);
            }
        }
    }

    /// Settles what became of the leaf of a value; false if it was not taken.
    fn book(&mut self, value: &NormalizedValue<'a>, taken: ValueOutcome) -> bool {
        let own = |mark: Mark| if mark.of_feed() { value.mark } else { mark };
        let preset = match (taken, value.change) {
            (ValueOutcome::Not | ValueOutcome::Invalid, _) => return false,
            // a value shared by the children of one element is already in the model
            (ValueOutcome::Same(mark) | ValueOutcome::Late(mark), _) if mark == value.mark => return true,
            (ValueOutcome::New, None) => Preset::Open,
            (ValueOutcome::Resolved, _) => Preset::Adjusted(Reason::ResolvedUrl),
            (ValueOutcome::New, Some(why)) => Preset::Adjusted(why),
            (ValueOutcome::Same(mark), _) => Preset::Merged(Reason::SameValue, own(mark)),
            (ValueOutcome::Late(mark), _) => Preset::Merged(Reason::FirstWins, own(mark)),
        };
        self.record(value.mark, Role::Leaf, preset);
        true
    }

    /// The value stays in its element, as it is none of this field.
    fn invalid(&mut self, mark: Mark, field: Field) {
        let record = self.origin.records.get_mut(mark.0 as usize);
        if let Some(record) = record.filter(|record| matches!(record.preset, Preset::Open | Preset::Unread(None))) {
            record.preset = Preset::Unread(Some(field));
        }
    }

    fn record(&mut self, mark: Mark, role: Role, preset: Preset) {
        if let Some(record) = self.origin.records.get_mut(mark.0 as usize) {
            (record.role, record.preset) = (role, preset);
        }
    }

    fn take(
        &mut self,
        field: Field,
        value: &NormalizedValue<'a>,
        rows: &[(&'static DialectRow, &Str<'a>)],
        videos: Option<Range<usize>>,
        entry: &mut Entry<'a>,
    ) -> ValueOutcome {
        match field {
            Field::Title => self.text(value, &mut entry.title),
            Field::Summary => self.text(value, &mut entry.summary),
            Field::Content => self.text(value, &mut entry.content),
            Field::Created => self.slot(value, &mut entry.created),
            Field::CommentCount => self.slot(value, &mut entry.comment_count),
            field => videos.map_or(ValueOutcome::Not, |videos| self.of_video(field, value, rows, videos, entry)),
        }
    }

    /// A value that speaks of these videos: of the only one, or of each where all can have it; of the level of the entry
    /// where there is none.
    fn of_video(
        &mut self,
        field: Field,
        value: &NormalizedValue<'a>,
        rows: &[(&'static DialectRow, &Str<'a>)],
        videos: Range<usize>,
        entry: &mut Entry<'a>,
    ) -> ValueOutcome {
        let is_of_all = videos.len() == entry.videos.len();
        match (&mut entry.videos[videos], field) {
            ([], _) => {
                let mut level = entry.media.take().unwrap_or_default();
                let taken = self.of_each(field, value, rows, &mut level);
                entry.media = Some(level).filter(|level| !level.is_blank());
                taken
            }
            ([video], Field::VideoId) => self.slot(value, &mut video.id),
            ([video], Field::VideoDuration) => self.slot(value, &mut video.duration),
            ([video], Field::VideoPublished) => self.slot(value, &mut video.published),
            (videos, Field::VideoFileUrl) => self.file_url(value, videos),
            (videos, Field::VideoHashValue) => self.hash(value, rows, videos),
            (videos, field) if is_of_file(field) => self.of_file(field, value, rows, videos),
            (videos, field) => {
                if let Some(level) = entry.media.as_deref_mut().filter(|_| is_of_all)
                    && let Some(member) = shared(field, level, videos)
                {
                    // the value belongs to the item, which gives it to all its videos
                    let taken = self.common(field, value, level);
                    for video in videos {
                        match member {
                            "rating" => video.rating.clone_from(&level.rating),
                            _ => video.available.clone_from(&level.available),
                        }
                    }
                    return taken;
                }
                let each = |taken: ValueOutcome, video| taken.or(self.of_each(field, value, rows, video));
                videos.iter_mut().fold(ValueOutcome::Not, each)
            }
        }
    }

    /// A value that every video of an entry can have, each the same.
    fn of_each(
        &mut self,
        field: Field,
        value: &NormalizedValue<'a>,
        rows: &[(&'static DialectRow, &Str<'a>)],
        video: &mut Video<'a>,
    ) -> ValueOutcome {
        let aside = named_member(field).and_then(|member| HeadMember::take(member, video));
        let taken = match field {
            field if is_of_part(field) => self.of_part(field, value, rows, video),
            field => self.common(field, value, video),
        };
        if let Some(aside) = aside.filter(|_| !matches!(taken, ValueOutcome::New | ValueOutcome::Resolved)) {
            aside.put_back(video);
        }
        taken
    }

    /// What every video of an entry can have, each the same.
    fn common(&mut self, field: Field, value: &NormalizedValue<'a>, video: &mut Video<'a>) -> ValueOutcome {
        let inherits = |member: &str| inherits(video, member);
        match field {
            Field::VideoThumbnailUrl => {
                if inherits("thumbnails") {
                    let known = video.thumbnails.iter().filter_map(|part| part.url.as_ref());
                    return self.beside(value, known, Self::is_address);
                }
                self.member(value, &mut video.thumbnails, |part: &mut Thumbnail<'a>| &mut part.url, Self::is_address)
            }
            Field::VideoCategoryTerm if !inherits("categories") => {
                self.member(value, &mut video.categories, |part: &mut Category<'a>| &mut part.term, Self::is_word)
            }
            Field::VideoCategoryTerm => {
                let own = own_categories(video);
                let mut copies = video.categories.iter_mut().take(own).filter_map(|part| part.term.as_mut());
                if let Some(copy) = copies.find(|term| self.is_copy(term) && term.value == value.characters()) {
                    return self.again(copy, value);
                }
                let known = video.categories.iter().filter_map(|part| part.term.as_ref());
                match self.beside(value, known, Self::is_word) {
                    // categories are those of all levels (A1.4)
                    ValueOutcome::Late(_) => one_more_category(value, video),
                    taken => taken,
                }
            }
            Field::VideoSubtitleHref => self.subtitle(value, video),
            Field::VideoCreditName => {
                self.own_member(value, inherits("credits"), &mut video.credits, |part| &mut part.name)
            }
            Field::VideoLicenseText => {
                self.own_member(value, inherits("license"), &mut video.license, |part| &mut part.text)
            }
            Field::VideoLocationDescription => {
                self.own_member(value, inherits("location"), &mut video.location, |place| &mut place.description)
            }
            Field::VideoSceneStart => {
                self.own_member(value, inherits("scenes"), &mut video.scenes, |part| &mut part.start)
            }
            Field::VideoTag => self.tags(value, &mut video.tags),
            Field::VideoViews => self.slot(value, &mut video.views),
            Field::VideoFavorites => self.slot(value, &mut video.favorites),
            Field::VideoAllowEmbed => self.slot(value, &mut video.allow_embed),
            Field::VideoLive if !inherits("live") => self.slot(value, &mut video.live),
            Field::VideoUploaderName => self.part(value, &mut video.uploader, |part: &mut Uploader<'a>| &mut part.name),
            Field::VideoRatingAverage => {
                self.part_of_whole(value, inherits("rating"), &mut video.rating, |part| &mut part.average)
            }
            Field::VideoRatingCount => {
                self.part_of_whole(value, inherits("rating"), &mut video.rating, |part| &mut part.count)
            }
            Field::VideoRatingMin => {
                self.part_of_whole(value, inherits("rating"), &mut video.rating, |part| &mut part.min)
            }
            Field::VideoRatingMax => {
                self.part_of_whole(value, inherits("rating"), &mut video.rating, |part| &mut part.max)
            }
            Field::VideoAvailableStart => {
                self.part_of_whole(value, inherits("available"), &mut video.available, |part| &mut part.start)
            }
            Field::VideoAvailableEnd => {
                self.part_of_whole(value, inherits("available"), &mut video.available, |part| &mut part.end)
            }
            Field::VideoTvShowTitle => self.part(value, &mut video.tv, |part| &mut part.show_title),
            Field::VideoTvSeason => self.part(value, &mut video.tv, |part| &mut part.season),
            Field::VideoTvEpisode => self.part(value, &mut video.tv, |part| &mut part.episode),
            Field::VideoTvPremiere => self.part(value, &mut video.tv, |part| &mut part.premiere),
            _ => ValueOutcome::Not,
        }
    }

    // --- places of one value ---

    /// Puts a value into its field.
    fn slot<T: FromText<'a> + PartialEq>(
        &mut self,
        value: &NormalizedValue<'a>,
        slot: &mut Option<Leaf<T>>,
    ) -> ValueOutcome {
        let Some((read, note)) = T::from_text(value.characters()) else { return ValueOutcome::Invalid };
        match slot {
            Some(leaf) if leaf.value == read && self.is_copy(leaf) => {
                self.link(leaf, value.mark);
                ValueOutcome::New
            }
            Some(leaf) if leaf.value == read => ValueOutcome::Same(leaf.mark),
            Some(leaf) => ValueOutcome::Late(leaf.mark),
            None => {
                if let Some(note) = note {
                    self.remark(value, note);
                }
                *slot = Some(value.copy(read));
                ValueOutcome::New
            }
        }
    }

    /// The same for a text, which is markup if it looks like it.
    fn text(&mut self, value: &NormalizedValue<'a>, slot: &mut Option<Text<'a>>) -> ValueOutcome {
        match slot {
            Some(text) if text.value.value != value.characters() => ValueOutcome::Late(text.value.mark),
            Some(text) if self.is_copy(&text.value) => {
                self.link(&mut text.value, value.mark);
                ValueOutcome::New
            }
            Some(text) => ValueOutcome::Same(text.value.mark),
            None => {
                let kind = if html::is_markup(&value.text) { TextKind::Html } else { TextKind::Plain };
                *slot = Some(Text::new(kind, value.copy(value.characters())));
                ValueOutcome::New
            }
        }
    }

    /// A member of a part that may not be there yet.
    fn part<P: Walk + Default, T: FromText<'a> + PartialEq>(
        &mut self,
        value: &NormalizedValue<'a>,
        part: &mut Option<P>,
        member: impl FnOnce(&mut P) -> &mut Option<Leaf<T>>,
    ) -> ValueOutcome {
        let taken = self.slot(value, member(part.get_or_insert_default()));
        if part.as_ref().is_some_and(Walk::is_blank) {
            *part = None;
        }
        taken
    }

    /// The same of a part that is one element elsewhere (A1.1): what another level or another vocabulary gives stays as it
    /// is there.
    fn part_of_whole<P: Walk<Names = ()> + Default, T: FromText<'a> + PartialEq>(
        &mut self,
        value: &NormalizedValue<'a>,
        inherited: bool,
        part: &mut Option<P>,
        member: impl FnOnce(&mut P) -> &mut Option<Leaf<T>>,
    ) -> ValueOutcome {
        let mut other = None;
        if let Some(part) = part {
            let is_other = |seen: &LeafView<'_>| inherited || !self.is_of_dialect(seen, value.dialect);
            part.walk((), &mut |seen| other = other.or(is_other(&seen).then_some(seen.mark)));
        }
        match (part, other) {
            (Some(given), Some(other)) => match member(given) {
                slot @ Some(_) => self.slot(value, slot),
                None => ValueOutcome::Late(other),
            },
            (part, _) => {
                self.wholes.insert(value.mark, value.dialect);
                self.part(value, part, member)
            }
        }
    }

    /// Whether a value of a part was given by this dialect.
    fn is_of_dialect(&self, seen: &LeafView<'_>, dialect: &'static str) -> bool {
        let is_copy = self.json && seen.via == Some(Ns::Dialect) && !self.marks.contains(&seen.mark);
        is_copy || self.wholes.get(&seen.mark) == Some(&dialect)
    }

    /// A member of a list; one more where none is the same.
    fn member<P: Default>(
        &mut self,
        value: &NormalizedValue<'a>,
        list: &mut Vec<P>,
        name: impl Fn(&mut P) -> &mut Option<Str<'a>>,
        same: impl Fn(&Self, &Str<'a>, &str) -> bool,
    ) -> ValueOutcome {
        let text = value.characters();
        if text.is_empty() {
            return ValueOutcome::Not;
        }
        let mut find = |is_it: &dyn Fn(&Str<'a>) -> bool| {
            list.iter_mut().take(SEARCHED).position(|part| name(part).as_ref().is_some_and(is_it))
        };
        let at = find(&|leaf| same(self, leaf, &text)).or_else(|| find(&|leaf| self.is_resolved(leaf, &text)));
        if let Some(leaf) = at.and_then(|at| name(&mut list[at]).as_mut()) {
            return self.again(leaf, value);
        }
        let mut part = P::default();
        *name(&mut part) = Some(value.copy(text));
        list.push(part);
        ValueOutcome::New
    }

    /// A member of a list of words, which another level may give as a whole.
    fn own_member<P: Default>(
        &mut self,
        value: &NormalizedValue<'a>,
        inherited: bool,
        list: &mut Vec<P>,
        name: impl Fn(&mut P) -> &mut Option<Str<'a>>,
    ) -> ValueOutcome {
        if inherited {
            let known = list.iter_mut().filter_map(|part| name(part).as_ref());
            return self.beside(value, known, Self::is_word);
        }
        self.member(value, list, name, Self::is_word)
    }

    /// A member of a list that another level gives as a whole: it stays as that level has it.
    fn beside<'l>(
        &self,
        value: &NormalizedValue<'a>,
        known: impl Iterator<Item = &'l Str<'a>>,
        same: impl Fn(&Self, &Str<'a>, &str) -> bool,
    ) -> ValueOutcome
    where
        'a: 'l,
    {
        let text = value.characters();
        let mut first = None;
        for leaf in known.take(SEARCHED) {
            if same(self, leaf, &text) {
                return ValueOutcome::Same(leaf.mark);
            }
            first = first.or(Some(leaf.mark));
        }
        first.filter(|_| !text.is_empty()).map_or(ValueOutcome::Not, ValueOutcome::Late)
    }

    /// A value that is the same as one in the model.
    fn again(&mut self, leaf: &mut Str<'a>, value: &NormalizedValue<'a>) -> ValueOutcome {
        if !self.is_copy(leaf) {
            return ValueOutcome::Same(leaf.mark);
        }
        self.link(leaf, value.mark);
        if leaf.value == value.text.trim() { ValueOutcome::New } else { ValueOutcome::Resolved }
    }

    /// Whether a value is this word.
    fn is_word(&self, leaf: &Str<'a>, word: &str) -> bool {
        leaf.value == word
    }

    /// Whether a value is this URL. JSON has resolved URLs, so a copy there matches if it ends with this URL.
    fn is_address(&self, leaf: &Str<'a>, address: &str) -> bool {
        url::key(&leaf.value) == url::key(address) || self.is_copy(leaf) && ends_as(&leaf.value, address)
    }

    /// Whether a value of JSON may be this URL, resolved: where no other value is.
    fn is_resolved(&self, leaf: &Str<'a>, address: &str) -> bool {
        self.json && url::is_http(&leaf.value) && ends_as(&leaf.value, address)
    }

    /// Tags, if the video has none.
    fn tags(&mut self, value: &NormalizedValue<'a>, tags: &mut Vec<Str<'a>>) -> ValueOutcome {
        let NormalizedValue { mark, .. } = *value;
        let words = media::tags_in(&value.text);
        if let Some(first) = tags.first() {
            let same = words.eq(tags.iter().map(Leaf::as_str));
            let first = first.mark;
            if same && tags.iter().all(|tag| self.is_copy(tag)) {
                for (index, tag) in tags.iter_mut().enumerate() {
                    match index {
                        0 => self.link(tag, mark),
                        _ => self.record(tag.mark, Role::Part(mark), Preset::Open),
                    }
                }
                return ValueOutcome::New;
            }
            return if same { ValueOutcome::Same(first) } else { ValueOutcome::Late(first) };
        }
        let words: Vec<String> = words.map(str::to_owned).collect();
        if words.len() > 1 && !value.text.contains(',') {
            self.remark(value, Note { code: "list.lenient", said: "split at the semicolons into several tags" });
        }
        for (index, word) in words.into_iter().enumerate() {
            let mark = if index == 0 { mark } else { self.one_more(mark) };
            tags.push(Leaf { value: Cow::Owned(word), mark, via: Some(Ns::Dialect) });
        }
        if tags.is_empty() { ValueOutcome::Not } else { ValueOutcome::New }
    }

    /// A further value of this leaf.
    fn one_more(&mut self, of: Mark) -> Mark {
        let at = self.origin.record(of).map_or(0, |record| record.at);
        self.origin.records.push(LeafRecord { at, role: Role::Part(of), preset: Preset::Open });
        Mark(self.origin.records.len() as u32 - 1)
    }

    // --- files ---

    /// A rendition that no other element names.
    fn file_url(&mut self, value: &NormalizedValue<'a>, videos: &mut [Video<'a>]) -> ValueOutcome {
        let address = value.characters();
        if let Some(leaf) = self.find_file(&address, videos).and_then(|file| file.url.as_mut()) {
            return self.again(leaf, value);
        }
        match videos {
            [video] if !address.is_empty() => {
                video.files.push(File { url: Some(value.copy(address)), ..File::default() });
                if video.files.len() == 2 {
                    media::detach(video);
                }
                ValueOutcome::New
            }
            _ => ValueOutcome::Not,
        }
    }

    /// A value of a rendition other than its URL.
    fn of_file(
        &mut self,
        field: Field,
        value: &NormalizedValue<'a>,
        rows: &[(&'static DialectRow, &Str<'a>)],
        videos: &mut [Video<'a>],
    ) -> ValueOutcome {
        let address = rows.iter().find(|(row, _)| row.means == Field::VideoFileUrl);
        let of_all = videos.iter().flat_map(|video| &video.files).take(SEARCHED);
        let default = of_all.filter_map(|file| file.is_default.as_ref()).find(|said| said.value).map(|said| said.mark);
        let file = address.and_then(|(_, address)| self.find_file(address.value.trim(), videos));
        let Some(file) = file else { return ValueOutcome::Not };
        match (field, default) {
            // of several files one is the default
            (Field::VideoFileIsDefault, Some(first)) if file.is_default.is_none() && value.text == "true" => {
                return ValueOutcome::Late(first);
            }
            _ => (),
        }
        match field {
            Field::VideoFileType => self.slot(value, &mut file.kind),
            Field::VideoFileIsDefault => self.slot(value, &mut file.is_default),
            Field::VideoFileWidth => self.slot(value, &mut file.width),
            Field::VideoFileHeight => self.slot(value, &mut file.height),
            Field::VideoFileSize => self.slot(value, &mut file.size),
            Field::VideoFileBitrate => self.slot(value, &mut file.bitrate),
            Field::VideoFileLang => self.slot(value, &mut file.lang),
            Field::VideoFileCodecs => self.slot(value, &mut file.codecs),
            Field::VideoFileTitle => self.slot(value, &mut file.title),
            _ => ValueOutcome::Not,
        }
    }

    /// The checksum of a rendition.
    fn hash(
        &mut self,
        value: &NormalizedValue<'a>,
        rows: &[(&'static DialectRow, &Str<'a>)],
        videos: &mut [Video<'a>],
    ) -> ValueOutcome {
        let address = rows.iter().find(|(row, _)| row.means == Field::VideoFileUrl);
        let file = address.and_then(|(_, address)| self.find_file(address.value.trim(), videos));
        let (Some(file), Some((algo, digits))) = (file, value.text.split_once(' ')) else { return ValueOutcome::Not };
        let hashes = &mut file.media.get_or_insert_default().hashes;
        let is_it =
            |hash: &&mut Hash<'a>| hash.algo.as_ref().is_some_and(|known| known.value.eq_ignore_ascii_case(algo));
        let known = hashes.iter_mut().take(SEARCHED).find(is_it);
        if let Some(Hash { algo: Some(algo), value: Some(known) }) = known {
            return match known.value.eq_ignore_ascii_case(digits) {
                true if self.is_copy(known) => {
                    self.record(algo.mark, Role::Part(value.mark), Preset::Open);
                    self.link(known, value.mark);
                    ValueOutcome::New
                }
                true => ValueOutcome::Same(known.mark),
                false => ValueOutcome::Late(known.mark),
            };
        }
        let mark = self.one_more(value.mark);
        let algo = Leaf { value: Cow::Owned(algo.to_owned()), mark, via: Some(Ns::Dialect) };
        hashes.push(Hash { algo: Some(algo), value: Some(value.copy(Cow::Owned(digits.to_owned()))) });
        ValueOutcome::New
    }

    /// A value of a member of a list other than the one that names it: it belongs to the member that the element names.
    fn of_part(
        &mut self,
        field: Field,
        value: &NormalizedValue<'a>,
        rows: &[(&'static DialectRow, &Str<'a>)],
        video: &mut Video<'a>,
    ) -> ValueOutcome {
        let said = |field: Field| {
            let leaf = rows.iter().find(|(row, _)| row.means == field).map(|(_, leaf)| *leaf);
            leaf.map_or("", |leaf| leaf.value.trim())
        };
        let has_word = |slot: &Option<Str<'a>>, word: &str| slot.as_ref().is_some_and(|leaf| leaf.value == word);
        let inherits = |name: &str, list: &str| !name.is_empty() && inherits(video, list);
        match field {
            Field::VideoThumbnailWidth | Field::VideoThumbnailHeight => {
                let address = said(Field::VideoThumbnailUrl);
                let whole = inherits(address, "thumbnails");
                let is_it = |reading: &Self, part: &Thumbnail<'a>| reading.names(&part.url, address);
                self.of_member(value, whole, &mut video.thumbnails, is_it, |part| match field {
                    Field::VideoThumbnailWidth => &mut part.width,
                    _ => &mut part.height,
                })
            }
            Field::VideoSubtitleType | Field::VideoSubtitleLang => {
                let address = said(Field::VideoSubtitleHref);
                let whole = inherits(address, "subtitles");
                let is_it = |reading: &Self, part: &Subtitle<'a>| reading.names(&part.href, address);
                self.of_member(value, whole, &mut video.subtitles, is_it, |part| match field {
                    Field::VideoSubtitleType => &mut part.kind,
                    _ => &mut part.lang,
                })
            }
            Field::VideoCreditRole => {
                let name = said(Field::VideoCreditName);
                let whole = inherits(name, "credits");
                let is_it = |_: &Self, part: &Credit<'a>| has_word(&part.name, name);
                self.of_member(value, whole, &mut video.credits, is_it, |part| &mut part.role)
            }
            Field::VideoLicenseHref => {
                let name = said(Field::VideoLicenseText);
                let whole = inherits(name, "license");
                let is_it = |_: &Self, part: &License<'a>| has_word(&part.text, name);
                let found = video.license.iter_mut().take(SEARCHED).find(|part| is_it(self, part));
                if let Some(License { href: Some(leaf), .. }) = found
                    && self.is_copy(leaf)
                    && self.is_address(leaf, value.text.trim())
                {
                    self.link(leaf, value.mark);
                    return ValueOutcome::New;
                }
                self.of_member(value, whole, &mut video.license, is_it, |part| &mut part.href)
            }
            Field::VideoPriceAmount | Field::VideoPriceCurrency => self.price(field, value, rows, video),
            Field::VideoSceneTitle => {
                let start = said(Field::VideoSceneStart);
                let whole = inherits(start, "scenes");
                let is_it = |_: &Self, part: &Scene<'a>| has_word(&part.start, start);
                self.of_member(value, whole, &mut video.scenes, is_it, |part| &mut part.title)
            }
            Field::VideoLocationPoint => {
                let name = said(Field::VideoLocationDescription);
                let whole = inherits(name, "location");
                let is_it = |_: &Self, part: &VideoLocation<'a>| has_word(&part.description, name);
                self.of_member(value, whole, &mut video.location, is_it, |part| &mut part.point)
            }
            _ => ValueOutcome::Not,
        }
    }

    /// A value of the member that `is_it`; a list that another level gives as a `whole` stays as that level has it.
    fn of_member<P: Walk<Names = ()>, T: FromText<'a> + PartialEq>(
        &mut self,
        value: &NormalizedValue<'a>,
        whole: bool,
        list: &mut [P],
        is_it: impl Fn(&Self, &P) -> bool,
        member: impl FnOnce(&mut P) -> &mut Option<Leaf<T>>,
    ) -> ValueOutcome {
        let at = list.iter().take(SEARCHED).position(|part| is_it(self, part));
        let first = if whole { list.get(at.unwrap_or(0)).and_then(first_mark) } else { None };
        match (at.map(|at| member(&mut list[at])), first) {
            (Some(slot @ Some(_)), _) | (Some(slot), None) => self.slot(value, slot),
            (_, Some(first)) => ValueOutcome::Late(first),
            (None, None) => ValueOutcome::Not,
        }
    }

    /// A value of a price. A price is the same as another if its amount and its currency are.
    fn price(
        &mut self,
        field: Field,
        value: &NormalizedValue<'a>,
        rows: &[(&'static DialectRow, &Str<'a>)],
        video: &mut Video<'a>,
    ) -> ValueOutcome {
        let said = |field: Field| rows.iter().find(|(row, _)| row.means == field).map(|(_, leaf)| *leaf);
        let Some(amount) = said(Field::VideoPriceAmount) else { return ValueOutcome::Not };
        let currency = said(Field::VideoPriceCurrency).map(|leaf| leaf.value.trim());
        let Some((number, _)) = Decimal::parse(Cow::Borrowed(amount.value.trim())) else {
            return if field == Field::VideoPriceAmount { ValueOutcome::Invalid } else { ValueOutcome::Not };
        };
        let inherited = inherits(video, "prices");
        let is_own = |price: &Price<'a>| price.amount.as_ref().is_some_and(|leaf| leaf.mark == amount.mark);
        let is_same = |price: &Price<'a>| {
            price.amount.as_ref().is_some_and(|leaf| leaf.value == number)
                && price.currency.as_ref().map(Leaf::as_str) == currency
        };
        let known = video.prices.iter().take(SEARCHED).position(is_same);
        let own = video.prices.len().checked_sub(1).filter(|last| is_own(&video.prices[*last]));
        let mut slot_of = |price: &mut Price<'a>| match field {
            Field::VideoPriceAmount => self.slot(value, &mut price.amount),
            _ => self.slot(value, &mut price.currency),
        };
        match own.or(known) {
            Some(at) => slot_of(&mut video.prices[at]),
            None if inherited => {
                video.prices.first().and_then(first_mark).map_or(ValueOutcome::Not, ValueOutcome::Late)
            }
            None if field == Field::VideoPriceAmount => {
                let mut price = Price::default();
                let taken = slot_of(&mut price);
                video.prices.push(price);
                taken
            }
            None => ValueOutcome::Not,
        }
    }

    /// Whether a URL of the model is the one that an element gives.
    fn names(&self, url: &Option<Str<'a>>, address: &str) -> bool {
        let is_it = |url: &Str<'a>| self.is_address(url, address) || self.json && linked(url, address);
        url.as_ref().is_some_and(is_it)
    }

    fn find_file<'v>(&self, address: &str, videos: &'v mut [Video<'a>]) -> Option<&'v mut File<'a>> {
        let files = || videos.iter().flat_map(|video| &video.files).take(SEARCHED);
        let is_resolved = |file: &File<'a>| file.url.as_ref().is_some_and(|url| self.is_resolved(url, address));
        let at = files().position(|file| self.names(&file.url, address)).or_else(|| files().position(is_resolved))?;
        videos.iter_mut().flat_map(|video| &mut video.files).nth(at)
    }

    fn subtitle(&mut self, value: &NormalizedValue<'a>, video: &mut Video<'a>) -> ValueOutcome {
        if inherits(video, "subtitles") {
            let known = video.subtitles.iter().filter_map(|part| part.href.as_ref());
            return self.beside(value, known, Self::is_address);
        }
        self.member(value, &mut video.subtitles, |part: &mut Subtitle<'a>| &mut part.href, Self::is_address)
    }

    // --- JSON, which already has the copies ---

    /// Whether a value is a copy that is not linked with its element yet.
    fn is_copy<T>(&self, leaf: &Leaf<T>) -> bool {
        self.json && leaf.via == Some(Ns::Dialect) && !self.marks.contains(&leaf.mark)
    }

    /// Links a copy from JSON with this element's leaf again, so that it is not a leaf itself.
    fn link<T>(&mut self, leaf: &mut Leaf<T>, mark: Mark) {
        let place = self.origin.place(leaf.mark);
        self.origin.stood.extend(place.map(|place| (mark, place)));
        self.record(leaf.mark, Role::Silent, Preset::Implied);
        leaf.mark = mark;
    }

    /// Values marked as copies without an original in the model become values in their own right.
    fn own(&self, entry: &mut Entry<'a>) {
        let of = |mark: &Mark| match self.origin.record(*mark).map(|record| record.role) {
            Some(Role::Part(of)) => of,
            _ => *mark,
        };
        let mut linked = Vec::new();
        entry.marks(&mut |mark| linked.push(self.marks.contains(&of(mark))));
        let mut linked = linked.into_iter();
        entry.carriers(&mut |via| {
            if linked.next() == Some(false) && *via == Some(Ns::Dialect) {
                *via = None;
            }
        });
    }

    fn remark(&mut self, value: &NormalizedValue<'a>, note: Note) {
        let at = self.origin.record(value.mark).map_or(0, |record| record.at);
        let found = value.text.chars().take(200).collect();
        self.origin.remarks.push(EntryRepair { code: note.code, part: 0, at, found, done: note.said.into() });
    }
}

/// A member that a video has only from the channel, set aside while an element of the item is read.
struct HeadMember<'a> {
    member: &'static str,
    /// The place of its name among those of the members that the video inherits.
    at: usize,
    values: Box<Video<'a>>,
}

impl<'a> HeadMember<'a> {
    fn take(member: &'static str, video: &mut Video<'a>) -> Option<HeadMember<'a>> {
        let at = video.inherited.iter().position(|name| name == member)?;
        let mut values = Box::<Video<'a>>::default();
        values.swap(member, video);
        let mut of_head = true;
        values.marks(&mut |mark| of_head &= mark.of_feed());
        if !of_head {
            values.swap(member, video);
            return None;
        }
        video.inherited.remove(at);
        Some(HeadMember { member, at, values })
    }

    fn put_back(mut self, video: &mut Video<'a>) {
        self.values.swap(self.member, video);
        video.inherited.insert(self.at, Cow::Borrowed(self.member));
    }
}

/// The member of a video that a value begins or, of a part, belongs to. Categories are those of all levels (A1.4).
fn named_member(field: Field) -> Option<&'static str> {
    Some(match field {
        Field::VideoThumbnailUrl => "thumbnails",
        Field::VideoSubtitleHref => "subtitles",
        Field::VideoCreditName => "credits",
        Field::VideoLicenseText => "license",
        Field::VideoLocationDescription => "location",
        Field::VideoPriceAmount => "prices",
        Field::VideoSceneStart => "scenes",
        Field::VideoTag => "tags",
        Field::VideoViews => "views",
        Field::VideoFavorites => "favorites",
        Field::VideoUploaderName => "uploader",
        Field::VideoRatingAverage | Field::VideoRatingCount | Field::VideoRatingMin | Field::VideoRatingMax => "rating",
        Field::VideoAvailableStart | Field::VideoAvailableEnd => "available",
        _ => return None,
    })
}

/// Adds a category after the video's own, before those inherited from other levels.
fn one_more_category<'a>(value: &NormalizedValue<'a>, video: &mut Video<'a>) -> ValueOutcome {
    let own = own_categories(video).min(video.categories.len());
    video.categories.insert(own, Category { term: Some(value.copy(value.characters())), ..Category::default() });
    label_categories(video, own + 1);
    ValueOutcome::New
}

fn first_mark<P: Walk<Names = ()>>(part: &P) -> Option<Mark> {
    let mut first = None;
    part.walk((), &mut |seen| first = first.or(Some(seen.mark)));
    first
}

/// Whether another level gives a member of the video, or the end of a list.
fn inherits(video: &Video<'_>, member: &str) -> bool {
    video.inherited.iter().any(|name| media::in_part(name).map_or(&**name, |(list, _)| list) == member)
}

/// How many categories of a video are its own, by the name under which it inherits the rest.
fn own_categories(video: &Video<'_>) -> usize {
    let parts = video.inherited.iter().filter_map(|name| media::in_part(name));
    parts.filter(|(list, _)| *list == "categories").map(|(_, own)| own).next().unwrap_or(0)
}

fn label_categories(video: &mut Video<'_>, own: usize) {
    let of_them = |name: &&mut Cow<'_, str>| {
        &***name == "categories" || media::in_part(name).is_some_and(|(list, _)| list == "categories")
    };
    if let Some(name) = video.inherited.iter_mut().find(of_them) {
        *name = if own == 0 { Cow::Borrowed("categories") } else { Cow::Owned(format!("categories[{own}]")) };
    }
}

/// The child whose URL is that of a torrent: what the element has for all its children describes the file itself.
fn source_of_peers(rows: &[(&'static DialectRow, &Str<'_>)]) -> Option<&'static str> {
    let (row, address) = rows.iter().find(|(row, _)| row.means == Field::VideoFileUrl)?;
    let (child, _) = row.attribute.split_once('@')?;
    let address = address.value.trim();
    let is_magnet = url::scheme(address).is_some_and(|scheme| scheme.eq_ignore_ascii_case("magnet"));
    let by_name = url::extension(address).is_some_and(|name| name.eq_ignore_ascii_case("torrent"));
    (is_magnet || by_name).then_some(child)
}

/// A value in the notation of the model, with its leaf.
struct NormalizedValue<'a> {
    text: Cow<'a, str>,
    mark: Mark,
    change: MappingChange,
    dialect: &'static str,
}

impl<'a> NormalizedValue<'a> {
    fn characters(&self) -> Cow<'a, str> {
        match &self.text {
            Cow::Borrowed(text) => Cow::Borrowed(text.trim()),
            Cow::Owned(text) => Cow::Owned(text.trim().to_owned()),
        }
    }
    fn copy<T>(&self, value: T) -> Leaf<T> {
        Leaf { value, mark: self.mark, via: Some(Ns::Dialect) }
    }
}

/// Whether a linked copy ends with this relative URL.
fn linked(url: &Str<'_>, address: &str) -> bool {
    url.via == Some(Ns::Dialect) && ends_as(&url.value, address)
}

/// Values of a member of a list that another value of the same element names, which precedes them in the table, and prices,
/// which two values name.
fn is_of_part(field: Field) -> bool {
    matches!(
        field,
        Field::VideoThumbnailWidth
            | Field::VideoThumbnailHeight
            | Field::VideoSubtitleType
            | Field::VideoSubtitleLang
            | Field::VideoCreditRole
            | Field::VideoLicenseHref
            | Field::VideoLocationPoint
            | Field::VideoPriceAmount
            | Field::VideoPriceCurrency
            | Field::VideoSceneTitle
    )
}

fn is_of_file(field: Field) -> bool {
    matches!(
        field,
        Field::VideoFileType
            | Field::VideoFileIsDefault
            | Field::VideoFileWidth
            | Field::VideoFileHeight
            | Field::VideoFileSize
            | Field::VideoFileBitrate
            | Field::VideoFileLang
            | Field::VideoFileCodecs
            | Field::VideoFileTitle
    )
}

// --- before writing ---

/// Makes an entry ready for its target.
pub fn settle(entry: &mut Entry<'_>, unknown: ForeignHandling) {
    if entry.foreign.is_empty() && entry.modules.is_empty() {
        return;
    }
    let live = if unknown == ForeignHandling::BackAsItems { unlink_live(entry) } else { Vec::new() };
    let (foreign, modules) = (std::mem::take(&mut entry.foreign), std::mem::take(&mut entry.modules));
    let said = elements(&foreign, &modules);
    let leaves = said.iter().flat_map(|element| {
        element.text.into_iter().chain(element.attributes.iter().map(|(_, leaf)| *leaf)).map(|leaf| leaf.mark)
    });
    match unknown {
        _ if said.is_empty() => (),
        ForeignHandling::Back | ForeignHandling::BackAsItems => {
            keep_as_read(leaves.clone(), &mut entry.origin);
            unrepaired(leaves, &mut entry.origin);
            forget(entry);
        }
        ForeignHandling::Beside => keep_as_read(leaves, &mut entry.origin),
        ForeignHandling::Dropped => entry.carriers(&mut |via| {
            if *via == Some(Ns::Dialect) {
                *via = None;
            }
        }),
    }
    drop(said);
    (entry.foreign, entry.modules) = (foreign, modules);
    entry.modules.extend(live);
}

/// Takes the modules of an item for a live stream out of the entry, and makes what is read of them its own.
fn unlink_live<'a>(entry: &mut Entry<'a>) -> Vec<Module<'a>> {
    let (live, others): (Vec<_>, Vec<_>) =
        std::mem::take(&mut entry.modules).into_iter().partition(|module| module.name == LIVE_ITEM);
    entry.modules = others;
    if !live.is_empty() {
        // rename the paths below the element to those of an item
        for item in &mut entry.foreign {
            if let Some(rest) = item.path.strip_prefix(LIVE_ITEM) {
                item.path = Cow::Owned(format!("item{rest}"));
            }
        }
    }
    let marks = marks_of(&[], &live);
    let levels = entry.videos.iter_mut().chain(entry.media.as_deref_mut());
    for leaf in levels.filter_map(|level| level.live.as_mut()).filter(|leaf| marks.contains(&leaf.mark)) {
        leaf.via.take_if(|via| *via == Ns::Dialect);
    }
    live
}

/// These leaves are written as they were, whatever the model makes of them.
fn keep_as_read(leaves: impl Iterator<Item = Mark>, origin: &mut Origin<'_>) {
    for mark in leaves {
        if let Some(record) = origin.records.get_mut(mark.0 as usize)
            && matches!(record.preset, Preset::Adjusted(..))
        {
            record.preset = Preset::Open;
        }
    }
}

/// What was repaired in the copies of these leaves is not repaired in the output.
fn unrepaired(leaves: impl Iterator<Item = Mark>, origin: &mut Origin<'_>) {
    if origin.remarks.is_empty() {
        return;
    }
    let places: HashSet<u32> = leaves.filter_map(|mark| origin.record(mark)).map(|record| record.at).collect();
    origin.remarks.retain(|remark| !places.contains(&remark.at));
}

/// Takes the copies out of the model.
fn forget(entry: &mut Entry<'_>) {
    let Entry { title, summary, content, created, comment_count, media, videos, .. } = entry;
    for text in [title, summary, content] {
        text.take_if(|text| text.value.via == Some(Ns::Dialect));
    }
    gone(created);
    gone(comment_count);
    if let Some(level) = media {
        forget_video(level, &mut entry.origin);
    }
    media.take_if(|level| level.is_blank());
    let mut kept = Vec::with_capacity(videos.len());
    for mut video in videos.drain(..) {
        let copied = forget_video(&mut video, &mut entry.origin);
        if !(copied && has_no_values(&video)) {
            kept.push(video);
        }
    }
    *videos = kept;
}

/// Removes the copies from members of lists. A member with another value stays.
fn forget_parts(video: &mut Video<'_>, origin: &mut Origin<'_>) {
    forget_members(&mut video.thumbnails, |part| {
        gone(&mut part.url);
        gone(&mut part.width);
        gone(&mut part.height);
    });
    forget_members(&mut video.subtitles, |part| {
        gone(&mut part.href);
        gone(&mut part.kind);
        gone(&mut part.lang);
    });
    forget_members(&mut video.credits, |part| {
        gone(&mut part.name);
        gone(&mut part.role);
    });
    forget_members(&mut video.license, |part| {
        gone(&mut part.text);
        gone(&mut part.href);
    });
    forget_members(&mut video.location, |part| {
        gone(&mut part.description);
        gone(&mut part.point);
    });
    forget_members(&mut video.prices, |part| {
        gone(&mut part.amount);
        gone(&mut part.currency);
    });
    forget_members(&mut video.scenes, |part| {
        gone(&mut part.title);
        gone(&mut part.start);
    });
    forget_members(&mut video.files, |file| {
        gone(&mut file.url);
        gone(&mut file.kind);
        gone(&mut file.is_default);
        gone(&mut file.width);
        gone(&mut file.height);
        gone(&mut file.size);
        gone(&mut file.bitrate);
        gone(&mut file.lang);
        gone(&mut file.codecs);
        gone(&mut file.title);
        if let Some(media) = &mut file.media {
            forget_members(&mut media.hashes, |hash| {
                silence(hash.algo.as_ref(), origin);
                gone(&mut hash.algo);
                gone(&mut hash.value);
            });
        }
        file.media.take_if(|media| media.is_blank());
    });
}

/// The further value of a leaf whose copy is taken out.
fn silence(leaf: Option<&Str<'_>>, origin: &mut Origin<'_>) {
    let mark = leaf.filter(|leaf| leaf.via == Some(Ns::Dialect)).map(|leaf| leaf.mark.0 as usize);
    if let Some(record) = mark.and_then(|mark| origin.records.get_mut(mark))
        && matches!(record.role, Role::Part(_))
    {
        (record.role, record.preset) = (Role::Silent, Preset::Implied);
    }
}

fn forget_members<P: Walk>(list: &mut Vec<P>, mut forget: impl FnMut(&mut P)) {
    list.retain_mut(|part| {
        let was_blank = part.is_blank();
        forget(part);
        was_blank || !part.is_blank()
    });
}

fn gone<T>(slot: &mut Option<Leaf<T>>) {
    slot.take_if(|leaf| leaf.via == Some(Ns::Dialect));
}

/// Whether all values of a video are inherited from other levels.
fn has_no_values(video: &Video<'_>) -> bool {
    let mut own = video.clone();
    for name in std::mem::take(&mut own.inherited) {
        own.forget(&name);
    }
    own.is_blank()
}

/// Takes the copies out of a level; whether it may have been made for one of them.
fn forget_video(video: &mut Video<'_>, origin: &mut Origin<'_>) -> bool {
    let is_copy = |leaf: &Str<'_>| leaf.via == Some(Ns::Dialect);
    let files = video.files.len();
    gone(&mut video.id);
    gone(&mut video.duration);
    gone(&mut video.published);
    gone(&mut video.views);
    gone(&mut video.favorites);
    gone(&mut video.allow_embed);
    let was_live = video.live.is_some();
    gone(&mut video.live);
    let was_live = was_live && video.live.is_none();
    let categories = video.categories.len();
    video.categories.retain(|part| !part.term.as_ref().is_some_and(is_copy));
    let gone_of_own = categories - video.categories.len();
    if gone_of_own > 0 {
        label_categories(video, own_categories(video).saturating_sub(gone_of_own));
    }
    forget_parts(video, origin);
    video.tags.iter().for_each(|tag| silence(Some(tag), origin));
    video.tags.retain(|tag| !is_copy(tag));
    if let Some(part) = &mut video.uploader {
        gone(&mut part.name);
    }
    if let Some(part) = &mut video.rating {
        gone(&mut part.average);
        gone(&mut part.count);
        gone(&mut part.min);
        gone(&mut part.max);
    }
    if let Some(part) = &mut video.available {
        gone(&mut part.start);
        gone(&mut part.end);
    }
    if let Some(part) = &mut video.tv {
        gone(&mut part.show_title);
        gone(&mut part.season);
        gone(&mut part.episode);
        gone(&mut part.premiere);
    }
    video.uploader.take_if(|part| part.is_blank());
    video.rating.take_if(|part| part.is_blank());
    video.available.take_if(|part| part.is_blank());
    video.tv.take_if(|part| part.is_blank());
    was_live || video.files.len() < files
}
