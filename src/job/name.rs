//! Names of outputs: a template is filled in for each input, limited to characters that all file systems allow, and
//! made unique if two inputs would get the same name. Existing files are not considered here.

use std::collections::{HashMap, HashSet};
use std::ffi::{OsStr, OsString};
use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

use unicode_normalization::UnicodeNormalization;

use super::{bytes_of, digest, from_bytes, shown};
use crate::format::{self, Format};
use crate::report::unseen;

/// Maximum bytes of a name; suffixes for parts and `.gz` are added to it, and file systems allow 255.
const LONGEST: usize = 220;

/// Bytes that a title may take of it.
const TITLE: usize = 120;

/// How the outputs are named (`--name`).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Template(Vec<TemplatePiece>);

#[derive(Clone, PartialEq, Eq, Debug)]
enum TemplatePiece {
    Text(String),
    Of(TemplatePart),
}

/// The parts of a template.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum TemplatePart {
    Dir,
    Stem,
    Ext,
    Number,
    Format,
    Title,
    Date,
}

/// The words for them.
const PARTS: [(&str, TemplatePart); 7] = [
    ("dir", TemplatePart::Dir),
    ("stem", TemplatePart::Stem),
    ("ext", TemplatePart::Ext),
    ("n", TemplatePart::Number),
    ("format", TemplatePart::Format),
    ("title", TemplatePart::Title),
    ("date", TemplatePart::Date),
];

impl Default for Template {
    fn default() -> Template {
        let text = |text: &str| TemplatePiece::Text(text.to_owned());
        Template(vec![
            TemplatePiece::Of(TemplatePart::Dir),
            text("/"),
            TemplatePiece::Of(TemplatePart::Stem),
            text("."),
            TemplatePiece::Of(TemplatePart::Ext),
        ])
    }
}

impl FromStr for Template {
    type Err = String;

    fn from_str(text: &str) -> Result<Template, String> {
        if text.starts_with('/')
            || text.split(['/', '\\']).any(|step| matches!(step, "." | ".."))
            || text.contains('\0')
        {
            return Err("expected a name below --out, without .. or a leading slash".to_owned());
        }
        let mut pieces = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('{') {
            let (word, after) = after.split_once('}').ok_or("unclosed { in the name")?;
            let known = || PARTS.map(|(word, _)| format!("{{{word}}}")).join(" ");
            let part = PARTS.iter().find(|(name, _)| *name == word).map(|(_, part)| *part);
            pieces.push(TemplatePiece::Text(before.to_owned()));
            pieces.push(TemplatePiece::Of(
                part.ok_or_else(|| format!("unknown placeholder {{{word}}}; placeholders are {}", known()))?,
            ));
            rest = after;
        }
        pieces.push(TemplatePiece::Text(rest.to_owned()));
        pieces.retain(|piece| *piece != TemplatePiece::Text(String::new()));
        if rest.ends_with('/')
            || pieces.is_empty()
            || matches!(pieces.last(), Some(TemplatePiece::Of(TemplatePart::Dir)))
        {
            return Err("expected a file name, not a folder; the default is {dir}/{stem}.{ext}".to_owned());
        }
        Ok(Template(pieces))
    }
}

/// What an input gives to the name of its output.
#[derive(Clone, Copy, Debug)]
pub struct NameSource<'g> {
    /// The path of the input, below its source.
    pub path: &'g Path,
    /// The ending of the target.
    pub ext: &'g str,
    /// Its number, from 1.
    pub number: usize,
    /// The name of its format.
    pub format: &'g str,
    /// What the document is called.
    pub title: Option<&'g str>,
    /// The day it was last changed.
    pub date: Option<&'g str>,
}

impl Template {
    /// Whether a document must be opened to name its output.
    pub fn asks_document(&self) -> bool {
        self.has(TemplatePart::Format) || self.has(TemplatePart::Title) || self.has(TemplatePart::Date)
    }

    /// Whether all outputs would have one name.
    pub fn is_fixed(&self) -> bool {
        [TemplatePart::Stem, TemplatePart::Number, TemplatePart::Title, TemplatePart::Date, TemplatePart::Dir]
            .iter()
            .all(|part| !self.has(*part))
    }

    /// The template of names that say whether files are compressed: `.gz` at its end asks for that as `--gzip` does, and
    /// what `--gzip` compresses gets the ending, if the target's does not bring it.
    #[must_use]
    pub fn settle_gzip(mut self, gzip: &mut bool) -> Template {
        const GZ: &str = ".gz";
        let at_gz = |text: &str| {
            let at = text.len().checked_sub(GZ.len())?;
            text.get(at..)?.eq_ignore_ascii_case(GZ).then_some(at)
        };
        let end = match self.0.last_mut() {
            Some(TemplatePiece::Text(text)) => at_gz(text).map(|at| text.split_off(at)),
            Some(TemplatePiece::Of(_)) | None => None,
        };
        *gzip |= end.is_some();
        self.0.retain(|piece| *piece != TemplatePiece::Text(String::new()));
        if *gzip && !matches!(self.0.last(), Some(TemplatePiece::Of(TemplatePart::Ext))) {
            self.0.push(TemplatePiece::Text(end.unwrap_or_else(|| GZ.to_owned())));
        }
        self
    }

    fn has(&self, part: TemplatePart) -> bool {
        self.0.contains(&TemplatePiece::Of(part))
    }

    /// The path of the output, below the folder of outputs.
    pub fn path(&self, given: &NameSource<'_>) -> PathBuf {
        let mut steps = PathSteps(vec![OsString::new()]);
        for piece in &self.0 {
            match piece {
                TemplatePiece::Text(text) => steps.text(text),
                TemplatePiece::Of(TemplatePart::Dir) => steps.folders(given.path),
                TemplatePiece::Of(TemplatePart::Stem) => steps.push(stem(given.path)),
                TemplatePiece::Of(TemplatePart::Ext) => steps.push(given.ext),
                TemplatePiece::Of(TemplatePart::Number) => steps.push(format!("{:04}", given.number)),
                TemplatePiece::Of(TemplatePart::Format) => steps.push(plain(given.format)),
                TemplatePiece::Of(TemplatePart::Title) => {
                    match given.title.map(plain).filter(|title| !title.is_empty()) {
                        Some(title) => steps.push(title),
                        None => steps.push(stem(given.path)),
                    }
                }
                TemplatePiece::Of(TemplatePart::Date) => steps.push(given.date.map_or("undated".to_owned(), plain)),
            }
        }
        steps.path(given.ext)
    }
}

/// The steps of a path while they are put together.
struct PathSteps(Vec<OsString>);

impl PathSteps {
    fn push(&mut self, text: impl AsRef<OsStr>) {
        if let Some(last) = self.0.last_mut() {
            last.push(text);
        }
    }

    /// Text of the template, with its slashes.
    fn text(&mut self, text: &str) {
        for (number, part) in text.split('/').enumerate() {
            if number > 0 {
                self.0.push(OsString::new());
            }
            self.push(part);
        }
    }

    /// The folders that a path is in.
    fn folders(&mut self, path: &Path) {
        let folders = path.parent().into_iter().flat_map(Path::components);
        let folders = folders.filter_map(|step| match step {
            Component::Normal(name) => Some(name),
            Component::Prefix(_) | Component::RootDir | Component::CurDir | Component::ParentDir => None,
        });
        for (number, folder) in folders.enumerate() {
            if number > 0 {
                self.0.push(OsString::new());
            }
            self.push(folder);
        }
    }

    fn path(self, ext: &str) -> PathBuf {
        let mut steps: Vec<OsString> = self.0.into_iter().filter(|step| !step.is_empty()).collect();
        // a path without a name cannot be an input's, but a name is still needed
        let last = steps.pop().unwrap_or_else(|| OsString::from("unnamed"));
        let folders = steps.into_iter().map(|step| harmless(cut(visible(&step), "")));
        let mut path: PathBuf = folders.collect();
        path.push(harmless(cut(visible(&last), ext)));
        path
    }
}

/// A step that is not a name with another meaning: the folder itself, the one above, one of ours.
fn harmless(step: OsString) -> OsString {
    let bytes = step.as_encoded_bytes();
    let ours = bytes.starts_with(b".transfeed");
    if !ours && !bytes.iter().all(|byte| *byte == b'.') {
        return step;
    }
    let mut dots = 0;
    let escaped = bytes.iter().flat_map(|byte| {
        dots += usize::from(*byte == b'.');
        if *byte == b'.' && dots <= 2 { &b"%2E"[..] } else { std::slice::from_ref(byte) }
    });
    os_string(escaped.copied().collect())
}

/// Percent-encodes control and invisible characters in a step. Bytes that are not UTF-8 stay.
pub fn visible(step: &OsStr) -> OsString {
    let mut bytes = Vec::with_capacity(step.len());
    for chunk in step.as_encoded_bytes().utf8_chunks() {
        for c in chunk.valid().chars() {
            let mut buffer = [0; 4];
            let encoded = c.encode_utf8(&mut buffer).bytes();
            match unseen(c) {
                true => bytes.extend(encoded.flat_map(|byte| format!("%{byte:02X}").into_bytes())),
                false => bytes.extend(encoded),
            }
        }
        bytes.extend(chunk.invalid());
    }
    os_string(bytes)
}

/// The bytes as a step of a path; approximated on systems where paths are not bytes.
fn os_string(bytes: Vec<u8>) -> OsString {
    let text = String::from_utf8_lossy(&bytes).into_owned();
    from_bytes(bytes).unwrap_or_else(|| OsString::from(text))
}

/// The name of a file without the extension of its format.
fn stem(path: &Path) -> OsString {
    let name = Path::new(path.file_name().unwrap_or_default());
    let name = if name.extension().is_some_and(|ext| ext == "gz") {
        Path::new(name.file_stem().unwrap_or_default())
    } else {
        name
    };
    name.file_stem().unwrap_or_default().to_owned()
}

/// Text of a document as a piece of a name: letters, digits, `.`, `_` and `-`; a space becomes `-`, anything else is
/// percent-encoded. It is not a name that some system reserves, and does not begin or end with a dot.
pub fn plain(text: &str) -> String {
    let mut name = String::new();
    let words: Vec<&str> = text.split_whitespace().collect();
    for byte in words.join("-").bytes() {
        let before = name.len();
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'.' | b'_' | b'-' => name.push(char::from(byte)),
            _ => name.push_str(&format!("%{byte:02X}")),
        }
        if name.len() > TITLE {
            name.truncate(before);
            break;
        }
    }
    if let Some(rest) = name.strip_prefix('.') {
        name = format!("%2E{rest}");
    }
    if let Some(rest) = name.strip_suffix('.') {
        name = format!("{rest}%2E");
    }
    let base = name.split('.').next().unwrap_or_default().to_ascii_uppercase();
    let numbered =
        |word: &str| base.strip_prefix(word).is_some_and(|n| n.len() == 1 && n.bytes().all(|n| n.is_ascii_digit()));
    if matches!(base.as_str(), "CON" | "PRN" | "AUX" | "NUL") || numbered("COM") || numbered("LPT") {
        name.insert(0, '_');
    }
    name
}

/// Cuts a name that is too long and appends a hash of the whole name.
fn cut(step: OsString, ext: &str) -> OsString {
    cut_to(step, ext, LONGEST)
}

/// The same for a name of at most so many bytes.
pub fn cut_to(step: OsString, ext: &str, longest: usize) -> OsString {
    let bytes = step.as_encoded_bytes();
    if bytes.len() <= longest {
        return step;
    }
    let mark = format!("-{}", digest(bytes, 8));
    let (bare, ending) = split_ending(bytes, ext);
    let mut end = longest.saturating_sub(mark.len() + ending.len()).min(bare.len());
    // a character is not cut in two
    while end > 0 && bare.get(end).is_some_and(|byte| byte & 0xC0 == 0x80) {
        end -= 1;
    }
    os_string([bare.get(..end).unwrap_or_default(), mark.as_bytes(), ending].concat())
}

/// A name and its ending, if it is this one.
fn split_ending<'n>(name: &'n [u8], ext: &str) -> (&'n [u8], &'n [u8]) {
    let at = name.len().saturating_sub(ext.len() + 1);
    match name.split_at_checked(at) {
        Some((bare, ending))
            if !bare.is_empty() && !ext.is_empty() && ending.strip_prefix(b".") == Some(ext.as_bytes()) =>
        {
            (bare, ending)
        }
        _ => (name, b""),
    }
}

/// The name of an index of the parts of this output, counted from 0: the first has that of the output.
pub fn index_name(path: &Path, gzip: bool, number: usize) -> PathBuf {
    match number {
        0 => path.to_owned(),
        _ => numbered(path, None, gzip, &format!("-index-{:04}", number + 1)),
    }
}

/// The name of an output with a mark before its ending: NAME-0001.xml of NAME.xml, or NAME-0001.xml.gz. One without an ending
/// gets that of its format.
pub fn numbered(path: &Path, format: Option<&Format>, gzip: bool, mark: &str) -> PathBuf {
    let mut bare = path.to_owned();
    if bare.extension().is_some_and(|extension| extension == "gz") {
        bare.set_extension("");
    }
    let extension = match (bare.extension(), format) {
        (Some(own), _) => own.to_owned(),
        (None, Some(format)) if !format.family.is_markup() => format.family.extension.unwrap_or(format.id).into(),
        (None, _) => "xml".into(),
    };
    let mut name = bare.file_stem().unwrap_or_default().to_owned();
    name.push(mark);
    name.push(".");
    name.push(extension);
    if gzip {
        name.push(".gz");
    }
    path.with_file_name(name)
}

/// The name of the output that a file of this name could be a part of, or an index of parts.
pub fn whole_of(path: &Path, format: &Format, gzip: bool) -> Option<PathBuf> {
    let plain = numbered(path, Some(format), gzip, "");
    let stem = numbered(path, Some(format), false, "");
    let stem = stem.file_stem()?.as_encoded_bytes();
    let digits = stem.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let bare = stem.get(..stem.len() - digits)?.strip_suffix(b"-").filter(|_| digits >= 4)?;
    let bare = bare.strip_suffix(b"-index").unwrap_or(bare);
    let ending = plain.file_name()?.as_encoded_bytes().get(stem.len()..)?;
    Some(path.with_file_name(os_string([bare, ending].concat())))
}

/// The endings that name a target. Those of other formats are of several.
const ENDINGS: [(&str, &str); 8] = [
    ("rss", "rss"),
    ("mrss", "mrss"),
    ("atom", "atom"),
    ("txt", "text"),
    ("csv", "csv"),
    ("json", "json"),
    ("jsonl", "jsonl"),
    ("jsonld", "jsonld"),
];

/// The target that this ending names.
pub fn target_of(ending: &str) -> Option<&'static Format> {
    ENDINGS.iter().find(|(known, _)| *known == ending).and_then(|(_, id)| format::by_id(id))
}

/// The ending that names this format.
pub fn own_ending(format: &Format) -> Option<&'static str> {
    ENDINGS.iter().find(|(_, id)| *id == format.id).map(|(ending, _)| *ending)
}

/// The ending of names of this format.
pub fn extension(format: &Format, gzip: bool) -> String {
    let ext = format.family.extension.unwrap_or(format.id);
    if gzip { format!("{ext}.gz") } else { ext.to_owned() }
}

/// What a path is for a file system that knows neither case nor forms of Unicode.
pub fn folded(path: &Path) -> String {
    let mut text = String::new();
    for chunk in bytes_of(path).utf8_chunks() {
        text.push_str(chunk.valid());
        // invalid bytes are kept distinct
        text.extend(chunk.invalid().iter().filter_map(|byte| char::from_u32(0x0010_FF00 + u32::from(*byte))));
    }
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    let composed: String = text.nfc().collect();
    composed.to_uppercase().to_lowercase().nfc().collect()
}

/// Two inputs that wanted one name, and the names they have now.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RenamedInput {
    /// The place among the names.
    pub index: usize,
    /// The name that it would have had.
    pub wanted: PathBuf,
}

/// What the parts of outputs are called, which are names that are taken as well.
pub trait PartNames {
    /// The common stem of the names of its parts.
    fn stem(&self, output: &Path) -> PathBuf;

    /// The output that a file of this name may be a part of.
    fn whole(&self, path: &Path) -> Option<PathBuf>;
}

/// Outputs that are one file each.
pub struct NoParts;

impl PartNames for NoParts {
    fn stem(&self, output: &Path) -> PathBuf {
        output.to_owned()
    }

    fn whole(&self, _: &Path) -> Option<PathBuf> {
        None
    }
}

/// Makes the names of all outputs unique, also on file systems that ignore case or Unicode forms, and where one name
/// would be the folder of another or may be one of its parts. The suffix of an output depends only on its input, so
/// that it stays the same whatever other inputs there are.
///
/// # Errors
/// Names that cannot be made unique.
pub fn settle(
    outputs: &mut [PathBuf],
    inputs: &[&Path],
    ext: &str,
    parts: &impl PartNames,
) -> Result<Vec<RenamedInput>, String> {
    let mut renamed = Vec::new();
    for digits in [8, 16] {
        let clashes = clashing(outputs, parts);
        if clashes.is_empty() {
            return Ok(renamed);
        }
        for index in clashes {
            let (Some(output), Some(input)) = (outputs.get_mut(index), inputs.get(index)) else { continue };
            let before = output.clone();
            let (bare, ending) = split_ending(output.file_name().unwrap_or_default().as_encoded_bytes(), ext);
            let mark = format!("-{}", digest(bytes_of(input), digits));
            let name = os_string([bare, mark.as_bytes(), ending].concat());
            output.set_file_name(name);
            if !renamed.iter().any(|other: &RenamedInput| other.index == index) {
                renamed.push(RenamedInput { index, wanted: before });
            }
        }
    }
    let still = clashing(outputs, parts);
    let one = still.first().and_then(|index| outputs.get(*index));
    one.map_or(Ok(renamed), |name| Err(format!("cannot write {}: two outputs have this name", shown(name))))
}

/// The places of all names that are not the only ones of their kind.
pub fn clashing(outputs: &[PathBuf], parts: &impl PartNames) -> Vec<usize> {
    let key = |output: &Path| folded(&parts.stem(output));
    let whole = |output: &Path| parts.whole(output).map(|whole| key(&whole));
    let mut folders = HashSet::new();
    let mut known: HashMap<String, usize> = HashMap::with_capacity(outputs.len());
    let mut last = None;
    for output in outputs {
        *known.entry(key(output)).or_default() += 1;
        let parent = output.parent();
        // most are in the folder of the one before
        if parent != last {
            folders.extend(output.ancestors().skip(1).map(folded));
            last = parent;
        }
    }
    let wholes = outputs.iter().filter_map(|output| whole(output)).filter(|whole| known.contains_key(whole));
    let in_parts: HashSet<String> = wholes.collect();
    let clashes = |output: &PathBuf| {
        let key = key(output);
        known.get(&key).is_some_and(|count| *count > 1)
            || in_parts.contains(&key)
            || whole(output).is_some_and(|whole| in_parts.contains(&whole))
            || folders.contains(&folded(output))
    };
    (0..outputs.len()).filter(|index| outputs.get(*index).is_some_and(clashes)).collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn named(template: &str, path: &str, title: Option<&str>) -> String {
        let template: Template = template.parse().expect("a template");
        let given = NameSource {
            path: Path::new(path),
            ext: "xml",
            number: 7,
            format: "mrss",
            title,
            date: Some("2026-05-01"),
        };
        template.path(&given).display().to_string()
    }

    #[test]
    fn templates_are_filled_in() {
        for (template, path, name) in [
            ("{dir}/{stem}.{ext}", "a/b/feed.rss", "a/b/feed.xml"),
            ("{dir}/{stem}.{ext}", "feed.xml.gz", "feed.xml"),
            ("{stem}-{n}.{ext}", "a/b/feed", "feed-0007.xml"),
            ("{format}/{date}/{title}.{ext}", "a.rss", "mrss/2026-05-01/Pond-Post.xml"),
            ("x{dir}y/{stem}", "a/b/c.xml", "xa/by/c"),
            ("{dir}//{stem}.{ext}", ".../..xml", "%2E%2E./..xml"),
            ("{stem}", "..x", "%2E"),
            ("{stem}", ".transfeed.x", "%2Etransfeed"),
            ("{dir}/{stem}.{ext}", "a\tb/new\nline\u{202e} é.rss", "a%09b/new%0Aline%E2%80%AE é.xml"),
        ] {
            assert_eq!(named(template, path, Some("Pond  Post")), name, "{template} {path}");
        }
        assert_eq!(
            named("{title}.{ext}", "b.rss", Some("../../etc/пруд\n")),
            "%2E./../etc/%D0%BF".replace("/", "%2F").to_owned() + "%D1%80%D1%83%D0%B4.xml"
        );
        assert_eq!(named("{title}.{ext}", "b.rss", Some("con")), "_con.xml");
        assert_eq!(named("{title}.{ext}", "b.rss", None), "b.xml");
    }

    #[test]
    fn templates_that_cannot_be() {
        for wrong in ["", "/x", "../x", "a/../b", "a\\..\\b", "{dir}", "a/", "{what}", "{stem", "."] {
            assert!(wrong.parse::<Template>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn long_names_are_cut_and_told_apart() {
        let long = |end: &str| format!("a/{}{end}.rss", "ж".repeat(126));
        let (one, two) = (named("{dir}/{stem}.{ext}", &long("1"), None), named("{dir}/{stem}.{ext}", &long("2"), None));
        assert!(one.len() <= LONGEST + 2 && one.ends_with(".xml") && one != two, "{one}");
    }

    fn settled(inputs: &[&str]) -> Vec<String> {
        let template = Template::default();
        let paths: Vec<&Path> = inputs.iter().map(Path::new).collect();
        let given = |path| NameSource { path, ext: "xml", number: 1, format: "", title: None, date: None };
        let mut outputs: Vec<PathBuf> = paths.iter().map(|path| template.path(&given(path))).collect();
        settle(&mut outputs, &paths, "xml", &NoParts).expect("names");
        outputs.iter().map(|output| output.display().to_string()).collect()
    }

    #[test]
    fn one_name_is_never_two() {
        let marked = |name: &str, input: &str| name.replace(".xml", &format!("-{}.xml", digest(input.as_bytes(), 8)));
        assert_eq!(settled(&["a.rss", "b.rss"]), ["a.xml", "b.xml"]);
        assert_eq!(settled(&["a.rss", "a.atom"]), [marked("a.xml", "a.rss"), marked("a.xml", "a.atom")]);
        assert_eq!(settled(&["a.atom", "b.x", "a.rss"])[2], settled(&["a.rss", "a.atom"])[0]);
        assert_ne!(settled(&["a\n.rss", "a%0A.rss"])[0], "a%0A.xml");
        // case, and é in two forms
        for (one, two) in
            [("A.rss", "a.rss"), ("\u{e9}.rss", "e\u{301}.rss"), ("\u{c9}.rss", "e\u{301}.rss"), ("ß.rss", "SS.rss")]
        {
            assert_ne!(settled(&[one, two])[0], format!("{}xml", one.trim_end_matches("rss")), "{one} {two}");
        }
        // a folder is no file
        assert_eq!(settled(&["a.xml/b.rss", "a.rss"]), ["a.xml/b.xml".to_owned(), marked("a.xml", "a.rss")]);
    }

    #[test]
    fn parts_are_names_too() {
        let jsonl = crate::format::by_id("jsonl").expect("a format");
        struct Lines(&'static Format);
        impl PartNames for Lines {
            fn stem(&self, output: &Path) -> PathBuf {
                numbered(output, Some(self.0), false, "")
            }
            fn whole(&self, path: &Path) -> Option<PathBuf> {
                whole_of(path, self.0, false)
            }
        }
        let parts = Lines(jsonl);
        let (one, two) = (Path::new("all.xml"), Path::new("all.jsonl.xml"));
        let mut outputs = vec![PathBuf::from("all"), PathBuf::from("all.jsonl")];
        settle(&mut outputs, &[one, two], "jsonl", &parts).expect("names");
        assert_eq!(outputs[1], Path::new(&format!("all-{}.jsonl", digest(b"all.jsonl.xml", 8))));
        assert_ne!(parts.stem(&outputs[0]), parts.stem(&outputs[1]));
        let mut outputs = ["a.jsonl", "a-0001.jsonl", "b-0001.jsonl"].map(PathBuf::from);
        let inputs = ["a.rss", "a-0001.rss", "b-0001.rss"].map(Path::new);
        settle(&mut outputs, &inputs, "jsonl", &parts).expect("names");
        let marked = ["a", "a-0001"].map(|name| {
            let mark = digest(format!("{name}.rss").as_bytes(), 8);
            PathBuf::from(format!("{name}-{mark}.jsonl"))
        });
        assert_eq!(outputs[..2], marked);
        assert_eq!(outputs[2], Path::new("b-0001.jsonl"));
        for (name, whole) in [
            ("a/x-0001.jsonl", Some("a/x.jsonl")),
            ("x-index-0002.jsonl", Some("x.jsonl")),
            ("x-12345.json", Some("x.json")),
            ("x-001.jsonl", None),
            ("x.jsonl", None),
        ] {
            assert_eq!(whole_of(Path::new(name), jsonl, false).as_deref(), whole.map(Path::new), "{name}");
        }
        assert_eq!(whole_of(Path::new("x-0001.xml.gz"), jsonl, true), Some(PathBuf::from("x.xml.gz")));
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_no_text_stay_what_they_are() {
        let name = |bytes: &[u8]| PathBuf::from(from_bytes(bytes.to_vec()).expect("a path"));
        let outputs = [name(b"\xff.xml"), name(b"\xfe.xml")];
        assert_eq!(clashing(&outputs, &NoParts), [0; 0]);
        let (mut both, inputs) = ([outputs[0].clone(), outputs[0].clone()], [Path::new("a"), Path::new("b")]);
        settle(&mut both, &inputs, "xml", &NoParts).expect("names");
        assert!(both.iter().all(|name| bytes_of(name).starts_with(b"\xff-")), "{both:?}");
        let given = NameSource { path: Path::new(""), ext: "xml", number: 1, format: "", title: None, date: None };
        let long = Template::default().path(&NameSource { path: &name(&[b'\xff'; 230]), ..given });
        assert!(bytes_of(&long).starts_with(b"\xff\xff") && bytes_of(&long).ends_with(b".xml"), "{long:?}");
        let ours = Template::default().path(&NameSource { path: &name(b".transfeed\xff"), ..given });
        assert_eq!(ours, name(b"%2Etransfeed\xff%2Exml"));
    }

    #[test]
    fn what_cannot_be_told_apart_is_refused() {
        let same = Path::new("a.rss");
        let mut outputs = vec![PathBuf::from("a.xml"), PathBuf::from("a.xml")];
        assert!(settle(&mut outputs, &[same, same], "xml", &NoParts).is_err());
    }

    proptest! {
        #[test]
        fn nothing_leaves_the_folder(path in "\\PC{0,20}(/\\PC{0,9}){0,3}", title in "\\PC{0,200}|[./\\\\]{0,9}") {
            for template in ["{dir}/{stem}.{ext}", "{title}", "{title}/{stem}", "{dir}{title}.{ext}", "{stem}"] {
                let name = named(template, &path, Some(&title));
                let normal = |step: Component<'_>| matches!(step, Component::Normal(name) if name.len() <= LONGEST + 8);
                prop_assert!(!name.is_empty() && Path::new(&name).components().all(normal), "{} {:?}", template, name);
                prop_assert!(Path::new(&name).is_relative());
            }
        }
    }
}
