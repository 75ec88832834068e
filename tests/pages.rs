//! Pages for people made of documents by strangers: nothing of them is markup, nothing is fetched, and a browser is told
//! so. What is written here into the target folder is opened in a browser by tests/browser.

#![cfg(feature = "html")]

use std::path::{Path, PathBuf};

use base64::Engine;
use sha2::{Digest, Sha256};
use transfeed::code::{Class, Code, LossKind};
use transfeed::convert::{Bytes, Conversion, Fetched};
use transfeed::diff::{
    ChangedEntry, ComparedValue, DiffSums, Difference, FieldChange, FoldedField, InputRemark, MovedEntry,
    NotComparable, SideInfo, UnpairedEntry,
};
use transfeed::html::{self, CheckedDocument, MigratedFile, MigrationResult};
use transfeed::inspect::{
    Dates, Duplicate, Encoding, Extreme, FieldStatistics, ForecastSummary, HeadValue, Host, InspectOptions,
    InspectedInput, Inspection, Namespace, RefusedInput, RepairGroup, Repeat, Selection, UnreadMarkup, ValueCount,
};
use transfeed::ledger::{Diagnostic, Example, Totals};
use transfeed::reason::Reason;
use transfeed::rules::{self, Check, Excerpt, Finding, FindingCounts, Profile, Settings, Severity};

/// What a stranger would like to have in somebody else's page.
const CANARIES: &[&str] = &[
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)' x='",
    "</title></style></script><svg onload=alert(1)>",
    "javascript:alert(1)",
    "https://pond.example/a?b=\"onclick=alert(1)&c=<d>",
    "https://pond.example/plain",
    "data:text/html,<script>alert(1)</script>",
    "a\u{202e}gpj.exe\u{2066}b\u{200b}c\u{feff}",
    "\u{1b}[31mred\u{7}\u{9b}",
    "=cmd|'/c calc'!A0",
    "::error file=x::y",
    "line\u{2028}another\u{2029}one\r\nmore",
    "{{ 7*7 }}{% include \"/etc/passwd\" %}${alert(1)}",
    "<!-- <b> --> &lt;i&gt; ]]>",
    "\u{0}\u{1}\u{7f}\u{85}\u{ad}\u{61c}\u{e0041}",
];

/// Documents at URLs that redirect to what a stranger would like.
fn hostile_urls() -> Vec<Fetched> {
    let url = |canary: &&str| Fetched {
        url: (*canary).to_owned(),
        status: 200,
        final_url: Some((*canary).to_owned()),
        moved_to: Some((*canary).to_owned()),
        repeated: 2,
        bytes: 9_999,
        seconds: 1.5,
        ..Fetched::default()
    };
    CANARIES.iter().map(url).collect()
}

/// A fresh place for the pages of one test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("pages").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("the target folder can be written in");
    folder
}

fn keep(folder: &Path, name: &str, page: &[u8]) -> String {
    std::fs::write(folder.join(name), page).expect("the target folder can be written in");
    String::from_utf8(page.to_vec()).expect("pages are UTF-8")
}

/// A tag of a page with its attributes.
struct Tag<'p> {
    name: &'p str,
    attributes: Vec<(&'p str, &'p str)>,
}

/// The tags of a page, and its text. Written for this test alone: `<` begins a tag and nothing else, a tag ends at the
/// first `>` outside of quotes, all values are quoted.
fn tags(page: &str) -> (Vec<Tag<'_>>, String) {
    let mut tags = Vec::new();
    let mut text = String::new();
    let mut rest = page;
    while let Some(start) = rest.find('<') {
        text.push_str(&rest[..start]);
        rest = &rest[start + 1..];
        let mut quoted = false;
        let end = rest.find(|c: char| {
            quoted ^= c == '"';
            c == '>' && !quoted
        });
        let (tag, after) = rest.split_at(end.expect("a tag ends"));
        rest = &after[1..];
        let (name, mut attributes) = tag.split_once([' ', '\n']).unwrap_or((tag, ""));
        let mut found = Vec::new();
        while let Some((attribute, value)) = attributes.split_once("=\"") {
            let (value, more) = value.split_once('"').expect("a value ends");
            // attributes without a value stand before
            found.extend(attribute.split_whitespace().map(|name| (name, "")));
            if let Some(last) = found.last_mut() {
                last.1 = value;
            }
            attributes = more;
        }
        found.extend(attributes.split_whitespace().map(|name| (name, "")));
        tags.push(Tag { name, attributes: found });
        if name == "style" || name == "script" {
            let end = rest.find("</").expect("a style or a script ends");
            rest = &rest[end..];
        }
    }
    text.push_str(rest);
    (tags, text)
}

const ELEMENTS: &[&str] = &[
    "!DOCTYPE",
    "a",
    "b",
    "bdi",
    "body",
    "button",
    "caption",
    "code",
    "dd",
    "del",
    "details",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "head",
    "header",
    "html",
    "input",
    "ins",
    "label",
    "legend",
    "li",
    "main",
    "mark",
    "meta",
    "nav",
    "option",
    "output",
    "p",
    "rect",
    "script",
    "section",
    "select",
    "span",
    "style",
    "summary",
    "svg",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "title",
    "tr",
    "ul",
];

const ATTRIBUTES: &[&str] = &[
    "aria-hidden",
    "aria-label",
    "aria-labelledby",
    "aria-live",
    "autocomplete",
    "charset",
    "class",
    "colspan",
    "content",
    "data-field",
    "data-first",
    "data-for",
    "data-kind",
    "data-sort",
    "data-unit",
    "data-v",
    "focusable",
    "height",
    "hidden",
    "href",
    "html",
    "http-equiv",
    "id",
    "lang",
    "name",
    "open",
    "placeholder",
    "preserveAspectRatio",
    "rel",
    "role",
    "scope",
    "spellcheck",
    "target",
    "type",
    "value",
    "viewBox",
    "width",
    "x",
    "y",
];

/// Fails where anything of a document came into the page as more than text.
fn inert(page: &str, name: &str) {
    let (tags, text) = tags(page);
    let unseen = |c: char| {
        c != '\n'
            && c != '\t'
            && (c.is_control() || "\u{202e}\u{2066}\u{200b}\u{feff}\u{2028}\u{2029}\u{ad}\u{61c}".contains(c))
    };
    assert!(!page.contains(unseen), "{name}: a character that nobody sees");
    let mut ids = std::collections::HashSet::new();
    for tag in &tags {
        let element = tag.name.trim_start_matches('/').trim_end_matches('/');
        assert!(ELEMENTS.contains(&element), "{name}: <{}>", tag.name);
        for (attribute, value) in tag.attributes.iter().filter(|(attribute, _)| *attribute != "/") {
            assert!(ATTRIBUTES.contains(attribute), "{name}: <{} {attribute}>", tag.name);
            match *attribute {
                "href" if value.starts_with("http") => {
                    let rel = tag.attributes.iter().find(|(name, _)| *name == "rel");
                    assert_eq!(rel.map(|(_, value)| *value), Some("noreferrer noopener"), "{name}: {value}");
                    assert!(value.starts_with("https://") || value.starts_with("http://"), "{name}: {value}");
                }
                "href" => assert!(value.starts_with('#') || value.starts_with("./"), "{name}: {value}"),
                "id" => assert!(ids.insert(*value), "{name}: {value} twice"),
                _ => (),
            }
        }
    }
    assert!(!text.contains('>'), "{name}: a tag that no tag began");
    for target in tags.iter().flat_map(|tag| &tag.attributes).filter(|(attribute, _)| *attribute == "href") {
        if let Some(id) = target.1.strip_prefix('#') {
            assert!(ids.contains(id), "{name}: a link to #{id}, which is nowhere");
        }
    }
    policy(page, name);
}

/// The sums in the policy are those of what stands in the page, and nothing else may run.
fn policy(page: &str, name: &str) {
    let between = |start: &str, end: &str| {
        let (_, rest) = page.split_once(start).unwrap_or_else(|| panic!("{name}: no {start}"));
        rest.split_once(end).unwrap_or_else(|| panic!("{name}: no {end}")).0
    };
    let mut allowed = String::from("default-src 'none';");
    for (element, directive, count) in [("style", "style-src", 1), ("script", "script-src", 2)] {
        assert_eq!(page.matches(&format!("<{element}")).count(), count, "{name}: {element}");
        allowed.push_str(&format!(" {directive}"));
        for piece in page.split(&format!("<{element}>")).skip(1) {
            let code = piece.split_once(&format!("</{element}>")).expect("an end").0;
            let sum = base64::engine::general_purpose::STANDARD.encode(Sha256::digest(code));
            allowed.push_str(&format!(" 'sha256-{sum}'"));
        }
        allowed.push(';');
    }
    allowed.push_str(" base-uri 'none'; form-action 'none'");
    let said = between("http-equiv=\"Content-Security-Policy\" content=\"", "\"").replace("&#39;", "'");
    assert_eq!(said, allowed, "{name}");
}

/// A document with its values replaced by those of a stranger.
fn poisoned(document: &str) -> String {
    let mut canaries = CANARIES.iter().cycle();
    let mut next = move |raw: &mut String| {
        let canary = canaries.next().unwrap_or(&"");
        for c in canary.chars() {
            match c {
                '<' => raw.push_str("&lt;"),
                '&' => raw.push_str("&amp;"),
                '"' => raw.push_str("&quot;"),
                // what no XML document can hold is left to the pages that no document stands behind
                '\0' => (),
                c => raw.push(c),
            }
        }
    };
    let mut poisoned = String::new();
    let mut rest = document;
    while let Some(start) = rest.find('<') {
        let (text, tag) = rest.split_at(start);
        match text.trim().is_empty() {
            true => poisoned.push_str(text),
            false => next(&mut poisoned),
        }
        let end = tag.find('>').map_or(tag.len(), |end| end + 1);
        let (tag, after) = tag.split_at(end);
        for (at, piece) in tag.split('"').enumerate() {
            let quoted = at % 2 == 1;
            if at > 0 {
                poisoned.push('"');
            }
            let name = poisoned.trim_end_matches("=\"").rsplit([' ', '\n', '\t']).next().unwrap_or_default();
            let own = name.starts_with("xmlns") || name == "version" || tag.starts_with("<?");
            if quoted && !own { next(&mut poisoned) } else { poisoned.push_str(piece) }
        }
        rest = after;
    }
    poisoned + rest
}

/// Documents with every element of their formats.
fn documents() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/specimen");
    let entries = std::fs::read_dir(folder).expect("specimens");
    let mut found: Vec<(String, String)> = entries
        .map(|entry| {
            let path = entry.expect("a specimen").path();
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).expect("specimens are UTF-8"))
        })
        .collect();
    found.sort();
    found
}

/// The class of the first reason with a code.
fn class_of(kind: LossKind, code: Code) -> Class {
    let reason = Reason::ALL.iter().find(|reason| reason.code() == code);
    reason.map_or(Class::Technical, |reason| reason.class_as(kind))
}

#[test]
fn a_conversion_of_hostile_documents_is_an_inert_page() {
    let folder = folder("losses");
    let mut pages = 0;
    for (name, document) in documents() {
        let document = poisoned(&document);
        for target in transfeed::format::targets() {
            let input = Bytes { name: "</title><script>alert(1)</script>\u{202e}.xml", bytes: document.as_bytes() };
            let mut out = Vec::new();
            let summary = match Conversion::to(target).run(&[&input], &mut out, None) {
                Ok(summary) => summary,
                Err(_) => continue,
            };
            let mut page = Vec::new();
            let beside = ["<b>.json".to_owned()];
            html::losses(&summary, target, "none", &beside, &mut page).expect("memory can be written to");
            let page = keep(&folder, &format!("{name}-{}.html", target.id), &page);
            inert(&page, &format!("{name} to {}", target.id));
            pages += 1;
        }
    }
    assert!(pages > 30, "only {pages} pages");
}

#[test]
fn the_figures_of_a_page_are_those_of_the_books() {
    let sample = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("samples/catalogue.mrss")).expect("a sample");
    let target = &transfeed::format::sitemap::VIDEO;
    let mut out = Vec::new();
    let input = Bytes { name: "catalogue.mrss", bytes: &sample };
    let summary = Conversion::to(target).run(&[&input], &mut out, None).expect("samples can be converted");
    let mut page = Vec::new();
    html::losses(&summary, target, "google", &[], &mut page).expect("memory can be written to");
    let page = String::from_utf8(page).expect("pages are UTF-8");
    let totals = summary.ledger.totals();
    let objects = &summary.objects;
    let (all, written, dropped) = (objects.videos, objects.videos_written, objects.videos_dropped());
    assert!(page.contains(&format!("<h1>{written} of {all} videos written; {dropped} dropped</h1>")));
    let values =
        format!("{} values: {} kept, {} changed, {} lost", totals.leaves, totals.kept, totals.changed, totals.lost);
    assert!(page.contains(&values), "{values}");
    // the columns of the table of fields add up to the totals; values without a field are kept ones
    let table = page
        .split_once("id=\"t-fields\"")
        .and_then(|(_, rest)| rest.split_once("</table>\n</section>"))
        .expect("a table")
        .0;
    let (head, body) = table.split_once("</thead>").expect("a head");
    let figures = |row: &str| -> Vec<u64> {
        let cells = row.split("<td class=\"num").skip(1);
        let digits = cells.map(|cell| cell.split(['>', '<']).nth(1).expect("a figure").replace(',', ""));
        digits.map(|digits| digits.parse().expect("a figure")).collect()
    };
    let add = |sums: &mut [u64], row: &str| sums.iter_mut().zip(figures(row)).for_each(|(sum, figure)| *sum += figure);
    let heads: Vec<&str> =
        head.split("data-sort=\"number\">").skip(1).map(|head| head.split('<').next().unwrap_or("")).collect();
    let mut sums = vec![0; heads.len()];
    let mut groups = 0;
    for item in body.split("<tr><th scope=\"row\">video.file.*</th>").enumerate() {
        let (at, mut item) = item;
        if at > 0 {
            // the fields of files are one row, which adds up those under it
            let (row, members) = item.split_once("<table class=\"members\">").expect("members");
            let (members, rest) = members.split_once("</table>").expect("an end");
            let mut inner = vec![0; heads.len()];
            members.split("<tr>").skip(2).for_each(|row| add(&mut inner, row));
            assert_eq!(inner, figures(row));
            add(&mut sums, row);
            (groups, item) = (groups + 1, rest);
        }
        item.split("<tr>").skip(1).for_each(|row| add(&mut sums, row));
    }
    assert_eq!(groups, 1);
    let column = |name| heads.iter().position(|head| *head == name).map(|at| sums[at]);
    let named = [
        ("Changed", totals.changed),
        ("Merged", totals.merged),
        ("Unread", totals.unread),
        ("Lost", totals.lost),
        ("Generated", totals.made),
    ];
    for (name, count) in named {
        // a column of zeros is not there
        assert_eq!(column(name), Some(count).filter(|count| *count > 0), "{name}");
    }
    let of_fields: u64 = summary.ledger.kept().map(|(_, count)| count).sum();
    assert_eq!(column("Kept"), Some(of_fields));
    assert!(of_fields <= totals.kept && of_fields > 0);
}

fn examples() -> Vec<Example> {
    let example = |(at, canary): (usize, &&str)| Example {
        input: (at % 2 == 0).then(|| (*canary).to_owned()),
        entry: Some(at as u64),
        line: Some(at as u32),
        column: Some(1),
        path: Some(format!("rss/channel/{canary}")),
        from: Some((*canary).to_owned()),
        to: Some((*canary).to_owned()),
        is_beside: false,
    };
    CANARIES.iter().enumerate().map(example).collect()
}

fn totals(seed: u64) -> Totals {
    let (kept, changed, lost, unread, merged) = (seed * 7 % 91, seed % 13, seed * 3 % 17, seed % 3, seed % 2);
    Totals { leaves: kept + changed + lost + unread + merged, kept, changed, lost, unread, merged, made: seed % 5 }
}

#[test]
fn a_migration_of_hostile_files_is_an_inert_page() {
    let folder = folder("files");
    let states = [
        html::FileState::Done,
        html::FileState::Failed,
        html::FileState::Skipped,
        html::FileState::Unchanged,
        html::FileState::Remaining,
    ];
    for count in [0, 1, 60, 5000, 12_000] {
        let files: Vec<MigratedFile<'_>> = (0..count)
            .map(|at| {
                let canary = CANARIES[at % CANARIES.len()];
                let state = if at % 7 == 0 { states[at % 5] } else { html::FileState::Done };
                let says = if state == html::FileState::Failed { canary } else { "" };
                MigratedFile {
                    name: format!("client-{at}/{canary}.xml").into(),
                    state,
                    says: says.into(),
                    damage: if at % 11 == 3 { canary.into() } else { "".into() },
                    empty: at % 13 == 1,
                    format: "mrss".into(),
                    bytes: at as u64 * 977,
                    entries: at as u64 % 50,
                    videos: at as u64 % 9,
                    videos_written: at as u64 % 3,
                    totals: totals(at as u64),
                    micros: at as u64 * 997 % 1_999_000,
                    report: Some(format!("{canary}.html").into()),
                }
            })
            .collect();
        let of = |state| (state, files.iter().filter(|file| file.state == state).count() as u64);
        let frequent = |(at, field): (usize, &&'static str)| html::FrequentEvent {
            kind: LossKind::ALL[at % 5],
            code: Code::ALL[at % Code::ALL.len()],
            class: class_of(LossKind::ALL[at % 5], Code::ALL[at % Code::ALL.len()]),
            field,
            why: field,
            count: 10_000 / (at as u64 + 1),
            files: at as u64,
            example: (*field).into(),
        };
        let hostile_urls = hostile_urls();
        let migration = MigrationResult {
            from: CANARIES[0],
            to: CANARIES[1],
            target: CANARIES[8],
            dry: count == 60,
            interrupted: Some(CANARIES[3].into()),
            counts: states.map(of).to_vec(),
            totals: totals(count as u64),
            entries: 7,
            dropped: 1,
            videos: 7,
            videos_written: 5,
            videos_dropped: CANARIES.iter().map(|canary| (*canary, 2, canary.to_string())).collect(),
            entries_dropped: CANARIES.iter().map(|canary| (*canary, 2, canary.to_string())).collect(),
            bytes: 1 << 30,
            written: 1 << 29,
            now: 1 << 30,
            millis: 61_000,
            frequent: CANARIES.iter().enumerate().map(frequent).collect(),
            notes: CANARIES.to_vec(),
            fetched: hostile_urls.iter().collect(),
            beside: vec![CANARIES[2]],
            untold: 0,
            files,
        };
        let mut page = Vec::new();
        html::files(&migration, &mut page).expect("memory can be written to");
        let page = keep(&folder, &format!("{count}.html"), &page);
        inert(&page, &format!("{count} files"));
        let rows = page.split_once("id=\"t-files\"").expect("a table").1.matches("<tr data-kind").count();
        assert_eq!(rows, count.min(html::LISTED));
        assert_eq!(page.contains("2,000 more files"), count == 12_000);
    }
}

#[test]
fn a_comparison_of_hostile_documents_is_an_inert_page() {
    let folder = folder("changes");
    for count in [0_usize, 1, 40, 30_000] {
        let canary = |at: usize| CANARIES[at % CANARIES.len()].to_owned();
        let value = |at: usize| ComparedValue::One(format!("the same words, {} and the same end", canary(at)));
        let field = |at: usize| FieldChange {
            field: ["title", "video.title", "loc"][at % 3].to_owned(),
            path: Some(canary(at)),
            a: (at % 5 != 1).then(|| value(at)),
            b: (at % 5 != 2).then(|| value(at + 1)),
        };
        let title = |at: usize| (!at.is_multiple_of(3)).then(|| canary(at + 2));
        let lone = |at: usize| UnpairedEntry {
            key: canary(at),
            title: title(at),
            line: at as u32,
            file: Some(canary(3)),
            video: at.is_multiple_of(5).then(|| canary(at + 1)),
            why: (at % 4 == 2).then_some(CANARIES[at % CANARIES.len()]),
            ..UnpairedEntry::default()
        };
        let found = |at: usize| match at % 4 {
            0 => Difference::Changed(ChangedEntry {
                key: canary(at),
                title: title(at),
                a_line: at as u32,
                b_line: at as u32,
                a_file: Some(canary(3)),
                b_file: Some(canary(at)),
                fields: (0..3).map(|n| field(at + n)).collect(),
            }),
            1 => Difference::Added(lone(at)),
            2 => Difference::Removed(lone(at)),
            _ => Difference::Moved(MovedEntry {
                key: canary(at),
                title: title(at),
                field: "loc",
                a: canary(at),
                b: canary(at + 1),
                a_line: at as u32,
                b_line: at as u32,
                a_file: Some(canary(3)),
                b_file: None,
            }),
        };
        let found: Vec<(String, Difference)> = (0..count).map(|at| (canary(at + 5), found(at))).collect();
        let side = |name: &str, format: &str, fetched| SideInfo {
            name: name.to_owned(),
            format: format.to_owned(),
            entries: 7,
            fetched,
        };
        let sums = DiffSums {
            a: side(CANARIES[0], "mrss", hostile_urls()),
            b: side(CANARIES[8], CANARIES[1], Vec::new()),
            same: 3,
            added: count as u64 / 4,
            removed: count as u64 / 4,
            moved: count as u64 / 4,
            changed: count as u64 - 3 * (count as u64 / 4),
            fields: [("title", 9), ("video.title", 4), ("loc", 1)].map(|(name, count)| (name.to_owned(), count)).into(),
            folded: vec![FoldedField { field: "video.title".to_owned(), entries: 40, of: 41, a: None, b: None }],
            not_comparable: CANARIES
                .iter()
                .map(|canary| NotComparable { field: canary, why: (*canary).to_owned() })
                .collect(),
            remarks: CANARIES
                .iter()
                .map(|canary| InputRemark {
                    name: (*canary).to_owned(),
                    line: 7,
                    code: "xml.mismatch",
                    says: (*canary).to_owned(),
                })
                .collect(),
            ..DiffSums::default()
        };
        let mut page = Vec::new();
        html::changes(&sums, &found, &mut page).expect("memory can be written to");
        let page = keep(&folder, &format!("{count}.html"), &page);
        inert(&page, &format!("{count} differences"));
        let rows = page.matches("<tbody data-kind").count() + page.matches("<th scope=\"row\">").count();
        assert!(rows <= 2 * html::LISTED + 100, "{rows} rows");
        assert_eq!(page.contains("that this page has no room for"), count == 30_000);
    }
}

#[test]
fn an_inspection_of_hostile_documents_is_an_inert_page() {
    let folder = folder("contents");
    let examples = examples();
    let repairs: Vec<Diagnostic> = CANARIES
        .iter()
        .map(|canary| Diagnostic {
            input: Some((*canary).to_owned()),
            code: "xml.mismatch",
            severity: "error",
            line: 3,
            column: 4,
            found: (*canary).to_owned(),
            done: (*canary).to_owned(),
        })
        .collect();
    let input = Bytes { name: "harbour.mrss", bytes: harbour(20, |at| at > 15).into_bytes().leak() };
    let targets = [&transfeed::format::sitemap::VIDEO, &transfeed::format::text::TEXT];
    let real = InspectOptions::default().to(&targets).document(&input).expect("a feed");
    let extreme = |canary: &str, characters| Extreme { value: canary.to_owned(), characters, entry: 0, line: 3 };
    let count_of = |canary: &&str| ValueCount { value: (*canary).to_owned(), count: 9 };
    let repeat = Repeat {
        different: 7,
        again: 70,
        examples: CANARIES
            .iter()
            .map(|canary| Duplicate { value: (*canary).to_owned(), ..Duplicate::default() })
            .collect(),
    };
    let forecast = |(at, found): (usize, &ForecastSummary)| ForecastSummary {
        profile: CANARIES[at],
        refused: (at == 1).then(|| CANARIES[0].to_owned()),
        ..found.clone()
    };
    for count in [0_usize, 1, 3, 60] {
        let field = |(at, canary): (usize, &&'static str)| FieldStatistics {
            field: canary,
            element: at.is_multiple_of(4).then(|| (*canary).to_owned()),
            entries: at as u64,
            values: 9,
            distinct: 4,
            estimated: at.is_multiple_of(2),
            least: (at % 3 == 1).then(|| extreme(canary, None)),
            greatest: (at % 3 == 1).then(|| extreme(canary, None)),
            shortest: (at % 3 == 2).then(|| extreme(canary, Some(3))),
            longest: (at % 3 == 2).then(|| extreme(canary, Some(90))),
            frequent: CANARIES.iter().map(count_of).collect(),
            at_least: true,
            examples: examples.clone(),
            ..FieldStatistics::default()
        };
        let canary = |at: usize| CANARIES[at % CANARIES.len()].to_owned();
        let document = |at: usize| InspectedInput {
            name: canary(at),
            format: canary(at + 1),
            version: canary(at + 2),
            dialect: canary(at + 3),
            encoding: Encoding { real: canary(at + 4), declared: Some(canary(at + 5)), byte_order_mark: true },
            selected: if at.is_multiple_of(2) { Selection::First } else { Selection::Sample },
            bytes: Some(12_345),
            looked_at: 20,
            videos: 9,
            fetched: Some(hostile_urls()[at % CANARIES.len()].clone()),
            dates: Some(Dates {
                earliest: canary(at + 6),
                latest: canary(at + 7),
                entries: (2001..2026).map(|year: u64| (format!("{year}{}", CANARIES[1]), year * 7 % 31)).collect(),
            }),
            head: CANARIES
                .iter()
                .map(|canary| HeadValue { field: canary, element: None, value: (*canary).to_owned(), line: Some(3) })
                .collect(),
            fields: CANARIES.iter().enumerate().map(field).collect(),
            forecast: real.forecast.iter().enumerate().map(forecast).collect(),
            pages: repeat.clone(),
            languages: CANARIES.iter().map(count_of).collect(),
            hosts: CANARIES.iter().map(|canary| Host { role: canary, host: (*canary).to_owned(), count: 9 }).collect(),
            namespaces: CANARIES
                .iter()
                .map(|canary| Namespace {
                    prefix: (*canary).to_owned(),
                    uri: (*canary).to_owned(),
                    ..Namespace::default()
                })
                .collect(),
            foreign: CANARIES
                .iter()
                .map(|canary| UnreadMarkup {
                    path: (*canary).to_owned(),
                    count: 9,
                    example: Some((*canary).to_owned()),
                    line: Some(1),
                    ..UnreadMarkup::default()
                })
                .collect(),
            diagnostics: vec![RepairGroup {
                code: "xml.mismatch",
                severity: "error",
                count: 99,
                examples: repairs.clone(),
            }],
            repairs: 99,
            ..InspectedInput::default()
        };
        let refused = RefusedInput { name: CANARIES[0].to_owned(), error: CANARIES[1].to_owned() };
        let found = Inspection {
            inputs: (0..count).map(document).collect(),
            errors: if count == 3 { vec![refused] } else { Vec::new() },
            ..Inspection::default()
        };
        let mut page = Vec::new();
        html::contents(&found, &mut page).expect("memory can be written to");
        let page = keep(&folder, &format!("{count}.html"), &page);
        inert(&page, &format!("{count} documents"));
        assert_eq!(page.matches("id=\"t-required-").count(), count.min(50));
    }
}

#[test]
fn a_check_of_hostile_documents_is_an_inert_page() {
    let folder = folder("findings");
    let codes = ["V05", "U01", "D01", "M06", "R09"];
    for count in [0_usize, 1, 60, 12_000] {
        let finding = |at: usize| {
            let canary = CANARIES[at % CANARIES.len()];
            let text = format!("before {canary} behind");
            let mark = ("before ".len(), "before ".len() + canary.len());
            Finding {
                code: codes[at % codes.len()],
                severity: Severity::ALL[at % 3],
                profile: Profile::Google,
                message: canary.to_owned(),
                hint: canary.to_owned(),
                line: at as u32,
                column: 3,
                path: if at % 4 == 1 { String::new() } else { format!("urlset/url/{canary}") },
                entry: Some(at as u64),
                value: Some(canary.to_owned()),
                fingerprint: 0,
                excerpt: (at % 5 != 1).then_some(Excerpt {
                    text,
                    mark,
                    cut_before: at.is_multiple_of(2),
                    cut_after: at.is_multiple_of(3),
                }),
            }
        };
        let found: Vec<_> = (0..count).map(|at| (at % 3, finding(at))).collect();
        let mut totals = rules::FindingTotals::default();
        let mut rules = FindingCounts::new();
        for (_, finding) in &found {
            totals.add(finding.severity, 1);
            *rules.entry((finding.code, finding.severity)).or_default() += 1;
        }
        let document = |at: usize| CheckedDocument {
            name: CANARIES[at].into(),
            format: CANARIES[at + 1],
            profiles: vec![Profile::Google, Profile::Sitemaps],
            entries: 20,
            totals,
        };
        let check = html::ValidationResult {
            documents: (0..if count == 1 { 1 } else { 3 }).map(document).collect(),
            untold: u64::from(count == 60),
            refused: if count == 60 { vec![(CANARIES[0].into(), CANARIES[1].into())] } else { Vec::new() },
            totals,
            rules,
            found,
            fetched: hostile_urls(),
        };
        let mut page = Vec::new();
        html::findings(&check, &mut page).expect("memory can be written to");
        let page = keep(&folder, &format!("{count}.html"), &page);
        inert(&page, &format!("{count} findings"));
        let rows = page.matches("data-field=\"").count() - page.matches("<a href=\"#found\" data-field").count();
        assert_eq!(rows, count.min(html::LISTED));
        assert_eq!(page.contains("2,000 more findings"), count == 12_000);
        // the worst are among those that are listed
        assert_eq!(page.matches("<tbody data-kind=\"error\" data-field").count(), count.div_ceil(3));
    }
}

#[test]
fn a_page_of_a_check_is_that_of_its_document() {
    let folder = folder("validate");
    for (name, bytes) in [("videos.xml", true), ("catalogue.mrss", true), ("urls.txt", false)] {
        let sample = std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("samples").join(name)).expect("a sample");
        let text = String::from_utf8(sample).expect("samples are UTF-8");
        let text = if bytes { text.replace("https://", "//") } else { text };
        let settings = Settings { excerpts: true, ..Settings::default() };
        let check = Check { settings, ..Check::default() };
        let mut found = Vec::new();
        let checked = check.run(&Bytes { name, bytes: text.as_bytes() }, &mut found).expect("a check");
        let page = html::ValidationResult {
            documents: vec![CheckedDocument {
                name: name.into(),
                format: checked.format.id,
                profiles: checked.profiles.clone(),
                entries: checked.entries,
                totals: checked.totals,
            }],
            totals: checked.totals,
            rules: checked.rules,
            found: found.into_iter().map(|finding| (0, finding)).collect(),
            ..html::ValidationResult::default()
        };
        let mut out = Vec::new();
        html::findings(&page, &mut out).expect("memory can be written to");
        let out = keep(&folder, &format!("{name}.html"), &out);
        inert(&out, name);
    }
}

/// A feed of so many videos, of which the ones with these numbers have no thumbnail. Every seventh date is invalid.
fn harbour(count: usize, bare: impl Fn(usize) -> bool) -> String {
    let item = |at: usize| {
        let thumbnail =
            format!("<media:thumbnail url=\"https://cdn.harbour.example/{at}.jpg\" width=\"640\" height=\"360\"/>");
        let day = if at.is_multiple_of(7) { "Tue" } else { "Mon" };
        let file = |high: u32| {
            format!(
                "<media:content url=\"https://cdn.harbour.example/{at}-{high}.mp4\" type=\"video/mp4\" medium=\"video\" \
                 height=\"{high}\" width=\"1280\" bitrate=\"900\" fileSize=\"12345\" duration=\"61\"/>"
            )
        };
        format!(
            "<item>\n<title>Ferry, part {at}</title><link>https://harbour.example/{at}</link>\n<guid \
             isPermaLink=\"false\">hb-{at}</guid><pubDate>{day}, 01 Jan 2024 00:00:00 +0000</pubDate>\n\
             <description>The ferry at work.</description><media:group>{}{}</media:group>{}\n</item>\n",
            file(1080),
            file(720),
            if bare(at) { "" } else { &thumbnail }
        )
    };
    let items: String = (1..=count).map(item).collect();
    format!(
        "<rss version=\"2.0\" xmlns:media=\"http://search.yahoo.com/mrss/\"><channel>\n<title>Harbour</title>\n\
         <link>https://harbour.example/</link><description>Videos</description>\n{items}</channel></rss>"
    )
}

fn converted(feed: &str, target: &'static transfeed::format::Format) -> String {
    let input = Bytes { name: "harbour.mrss", bytes: feed.as_bytes() };
    let mut out = Vec::new();
    let summary = Conversion::to(target).run(&[&input], &mut out, None).expect("a feed");
    let mut page = Vec::new();
    html::losses(&summary, target, "google", &[], &mut page).expect("memory can be written to");
    String::from_utf8(page).expect("pages are UTF-8")
}

/// The titles of the sections in their order.
fn headings(page: &str) -> Vec<&str> {
    let all = page.split("<h2 id=\"").skip(1);
    all.filter_map(|rest| rest.split_once('>')?.1.split('<').next()).collect()
}

/// tests/browser/check.js looks at these pages again: at the fold, the colors and the print.
#[test]
fn a_page_tells_of_objects_first() {
    let folder = folder("report");
    let feed = harbour(500, |at| at % 21 == 5 && at < 480);
    let page = converted(&feed, &transfeed::format::sitemap::VIDEO);
    let page = keep(&folder, "convert.html", page.as_bytes());
    inert(&page, "a conversion");
    assert!(page.contains("<h1>477 of 500 videos written; 23 dropped</h1>"));
    assert_eq!(headings(&page)[..2], ["Needs attention", "Other losses"]);
    let (card, others) = page.split_once("id=\"losses\"").expect("other losses");
    let card = card.split_once("<h2 id=\"attention\">").expect("a card").1;
    assert!(card.contains("<h3>23 videos dropped: no thumbnail (required by Google)"));
    assert!(card.contains("<code>--default-thumbnail URL; --for none keeps them</code>"));
    assert_eq!(card.matches("<th scope=\"row\"><bdi>Ferry, part ").count(), 23);
    assert_eq!(card.matches("<a href=\"https://harbour.example/").count(), 23);
    assert!(card.contains("<td class=\"num at\" data-v=\"27\">27</td>"), "the line of the first");
    // red is for what needs attention, and the rest is folded
    let folded = others.split_once("id=\"values\"").expect("values").0;
    assert!(!folded.contains("badge lost") && !folded.contains("badge attention"));
    assert!(folded.matches("<details class=\"fold\">").count() >= 3 && !folded.contains("<details open"));
    assert!(folded.contains("<b>No element in a video sitemap</b>"));
    // names are those of the source
    assert!(folded.contains("data-field=\"video.file.size\"") && folded.contains(">media:content@fileSize</th>"));
    assert!(others.contains("data-field=\"id\">guid</a> <span class=\"dim\">id</span>"));
    // a column of zeros is not there
    assert!(!others.contains("data-sort=\"number\">Unread</th>"));

    let fine = converted(&harbour(20, |_| false), &transfeed::format::json::JSON);
    let fine = keep(&folder, "fine.html", fine.as_bytes());
    inert(&fine, "a conversion without losses");
    assert!(fine.contains("<h1>All 20 videos written</h1>"));
}

#[test]
fn a_page_of_files_tells_of_trouble_first() {
    let folder = folder("report-files");
    let state = |at: usize| match at {
        3 => html::FileState::Failed,
        5 | 6 => html::FileState::Skipped,
        _ => html::FileState::Done,
    };
    let file = |at: usize| MigratedFile {
        name: format!("feeds/{at:02}.xml").into(),
        state: state(at),
        says: if at == 3 { "cannot be read: not XML".into() } else { "".into() },
        damage: if at == 7 { "cut off (xml.truncated)".into() } else { "".into() },
        empty: at == 9,
        format: "mrss".into(),
        bytes: 1000,
        entries: 10,
        videos: 10,
        videos_written: if at == 8 { 6 } else { 10 },
        totals: Totals { leaves: 50, kept: 30, lost: 20, ..Totals::default() },
        micros: 100,
        report: None,
    };
    let frequent = |kind, code: Code, field| html::FrequentEvent {
        kind,
        code,
        class: class_of(kind, code),
        field,
        why: code.meaning(),
        count: 9,
        files: 2,
        example: "feeds/01.xml".into(),
    };
    let migration = MigrationResult {
        from: "feeds",
        to: "out",
        target: "video-sitemap",
        counts: vec![(html::FileState::Failed, 1), (html::FileState::Done, 37), (html::FileState::Skipped, 2)],
        totals: Totals { leaves: 1850, kept: 1110, lost: 740, ..Totals::default() },
        entries: 370,
        videos: 370,
        videos_written: 366,
        videos_dropped: vec![(
            "it has no thumbnail, which Google requires",
            4,
            "fix: add a thumbnail to them".to_owned(),
        )],
        frequent: vec![
            frequent(LossKind::Lost, Code::NoCarrier, "id"),
            frequent(LossKind::Changed, Code::Truncated, "video.title"),
            frequent(LossKind::Lost, Code::RenditionDropped, "video.file.url"),
        ],
        files: (0..40).map(file).collect(),
        ..MigrationResult::default()
    };
    let mut page = Vec::new();
    html::files(&migration, &mut page).expect("memory can be written to");
    let page = keep(&folder, "migrate.html", &page);
    inert(&page, "a migration");
    assert!(page.contains("<h1>1 of 38 files failed; 366 of 370 videos written, 4 dropped</h1>"));
    assert_eq!(headings(&page), ["Needs attention", "Files", "Other losses", "Values"]);
    let points = page.split("<h3>").skip(1).map(|rest| rest.split('<').next().unwrap_or(""));
    let points: Vec<&str> = points.collect();
    let expected = [
        "1 file failed",
        "2 files skipped: not feeds",
        "1 file truncated or damaged: read in part",
        "4 videos dropped: it has no thumbnail, which Google requires",
        "1 output without entries or without videos",
        "9 video.title changed: cut to the length or the characters that the target allows",
    ];
    assert_eq!(points, expected);
    let table = page.split_once("id=\"t-files\"").expect("a table").1;
    let names = table.split("<th scope=\"row\"><bdi>").skip(1).map(|rest| rest.split('<').next().unwrap_or(""));
    let names: Vec<&str> = names.take(5).collect();
    assert_eq!(names, ["feeds/03.xml", "feeds/05.xml", "feeds/06.xml", "feeds/07.xml", "feeds/08.xml"]);
}

#[test]
fn a_page_of_an_inspection_orders_targets_by_fit() {
    let folder = folder("report-inspect");
    let feed = harbour(100, |at| at % 10 == 5);
    let input = Bytes { name: "harbour.mrss", bytes: feed.as_bytes() };
    let found = InspectOptions::default().document(&input).expect("a feed");
    let found = Inspection { inputs: vec![found], ..Inspection::default() };
    let mut page = Vec::new();
    html::contents(&found, &mut page).expect("memory can be written to");
    let page = keep(&folder, "inspect.html", &page);
    inert(&page, "an inspection");
    let rows = |id: &str| -> Vec<&str> {
        let table = page.split_once(id).and_then(|(_, rest)| rest.split_once("</table>")).expect("a table").0;
        table.split("<th scope=\"row\">").skip(1).map(|rest| rest.split(['<', ' ']).next().unwrap_or("")).collect()
    };
    assert_eq!(rows("id=\"t-required-0\"")[0], "video.thumbnail.url");
    let targets = rows("id=\"t-forecast-0\"");
    let at = |name: &str| targets.iter().position(|target| *target == name);
    assert_eq!(targets[0], "mrss");
    assert!(at("atom-media") < at("video-sitemap") && at("video-sitemap") < at("sitemap"), "{targets:?}");
    assert_eq!(page.matches("fits best").count() - page.matches("that fits best").count(), 1);
}

#[test]
fn a_page_of_one_severity_has_no_bar() {
    let folder = folder("report-validate");
    let finding = |line| Finding {
        code: "V05",
        severity: Severity::Error,
        profile: Profile::Google,
        message: "no thumbnail".to_owned(),
        hint: "add one".to_owned(),
        line,
        column: 1,
        path: "urlset/url".to_owned(),
        entry: None,
        value: None,
        fingerprint: 0,
        excerpt: None,
    };
    let found: Vec<_> = (1..=40).map(|line| (0, finding(line))).collect();
    let mut totals = rules::FindingTotals::default();
    totals.add(Severity::Error, 40);
    let check = html::ValidationResult {
        documents: vec![CheckedDocument {
            name: "a.xml".into(),
            format: "sitemap",
            totals,
            ..CheckedDocument::default()
        }],
        totals,
        rules: FindingCounts::from([(("V05", Severity::Error), 40)]),
        found,
        ..html::ValidationResult::default()
    };
    let mut page = Vec::new();
    html::findings(&check, &mut page).expect("memory can be written to");
    let page = keep(&folder, "validate.html", &page);
    inert(&page, "a check");
    assert!(!page.contains("<svg") && page.matches("<details open>").count() == 1);
    assert_eq!(headings(&page), ["By rule", "Findings"]);
}

/// What templates print is escaped unless they say otherwise, and they may say so of our own style and script only.
#[test]
fn templates_print_nothing_unescaped() {
    let mut templates = 0;
    for entry in std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/html")).expect("a folder") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|extension| extension != "html") {
            continue;
        }
        templates += 1;
        let text = std::fs::read_to_string(&path).expect("a template");
        let text = text
            .replace("{{ shell.style|safe }}", "")
            .replace("{{ shell.script|safe }}", "")
            .replace("{{ shell.first|safe }}", "");
        for word in
            ["|safe", "| safe", "|escape", "{% filter", "autoescape", " style=", " src=", " onclick=", " onload="]
        {
            assert!(!text.contains(word), "{path:?}: {word}");
        }
    }
    assert!(templates >= 5);
}
