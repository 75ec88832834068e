//! The repairs of broken input as data: one table of all codes with problem and repair. Losses are in code.rs, the
//! places of repairs in `ledger::Diagnostic`.

/// One kind of repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RepairCode {
    /// The stable word in reports: `encoding.conflict`.
    pub code: &'static str,
    /// Whether something is lost by it.
    pub lossy: bool,
    /// What it is, in a few words.
    pub title: &'static str,
    /// The problem with the document.
    pub means: &'static str,
    /// What is done about it.
    pub done: &'static str,
    /// The option that raises the limit, for codes of limits.
    pub option: Option<&'static str>,
    /// The value that is repaired, one and several, if it is one value.
    pub object: Option<(&'static str, &'static str)>,
    /// The option that makes the repair unnecessary, as it is typed, for codes without a limit.
    pub remedy: Option<&'static str>,
    /// Whether a user should look at it: something may have changed.
    pub attention: bool,
}

impl RepairCode {
    /// `error` if something is lost by it, else `warning`.
    pub fn severity(&self) -> &'static str {
        if self.lossy { "error" } else { "warning" }
    }

    const fn row(
        code: &'static str,
        lossy: bool,
        (title, means, done): (&'static str, &'static str, &'static str),
    ) -> RepairCode {
        RepairCode { code, lossy, title, means, done, option: None, object: None, remedy: None, attention: true }
    }

    /// The same for a repair of one value.
    const fn value(self, one: &'static str, several: &'static str) -> RepairCode {
        RepairCode { object: Some((one, several)), ..self }
    }

    /// The same for a repair that an option makes unnecessary.
    const fn avoided_by(self, option: &'static str) -> RepairCode {
        RepairCode { remedy: Some(option), ..self }
    }

    /// The same for a repair that changes nothing.
    const fn harmless(self) -> RepairCode {
        RepairCode { attention: false, ..self }
    }
}

const fn repaired(code: &'static str, title: &'static str, means: &'static str, done: &'static str) -> RepairCode {
    RepairCode::row(code, false, (title, means, done))
}

const fn lost(code: &'static str, title: &'static str, means: &'static str, done: &'static str) -> RepairCode {
    RepairCode::row(code, true, (title, means, done))
}

const fn limit(code: &'static str, option: &'static str, title: &'static str, means: &'static str) -> RepairCode {
    let done = "The entry is skipped and reported; in the head, reading stops.";
    RepairCode { option: Some(option), ..RepairCode::row(code, true, (title, means, done)) }
}

const fn end(code: &'static str, option: &'static str, title: &'static str, means: &'static str) -> RepairCode {
    RepairCode { option: Some(option), ..RepairCode::row(code, true, (title, means, "Reading stops with an error.")) }
}

/// All codes, in alphabetical order.
pub const ALL: &[RepairCode] = &[
    repaired(
        "bool.lenient",
        "an unusual spelling of a flag",
        "A flag has neither of the two values of its format, such as `1` for `yes`.",
        "Read by its meaning.",
    ),
    repaired(
        "country.lenient",
        "a nonstandard country code",
        "A country code is not that of ISO 3166-1 (`UK`), has three letters, or is reserved or withdrawn.",
        "Read as the code with two letters; reserved and withdrawn codes are kept.",
    ),
    repaired(
        "country.unknown",
        "not a country",
        "A value in a list of countries is not a country code.",
        "Kept as written; omitted where the target allows only countries.",
    ),
    repaired(
        "csv.cells",
        "a row with more cells than headings",
        "A row of a table has content in more cells than there are headings. If a delimiter lacks its quotes, the values behind it \
         are in wrong columns.",
        "The cells below headings are read, and each one beyond them is reported as unread.",
    ),
    repaired(
        "csv.comment",
        "a comment in a table",
        "A line before the headings of a table begins with # and names no field.",
        "It is not read as a row.",
    ),
    repaired(
        "csv.heading",
        "a heading that names no field",
        "A heading of a table names no field, but looks as if it were meant for one without a column, or no heading names a field.",
        "Its column is kept as unknown.",
    ),
    repaired(
        "csv.nul",
        "a NUL in a cell",
        "A cell of a table has the character NUL, which no text has.",
        "Kept as written; a target in XML is written without it.",
    ),
    repaired(
        "csv.quote",
        "a cell with odd quotes",
        "A cell of a table in quotes has a quote inside that is not doubled, or white space around its quotes.",
        "Read as written, but without white space around quotes.",
    ),
    repaired(
        "csv.ragged",
        "a row with fewer cells than headings",
        "A row of a table has fewer cells than there are headings.",
        "The missing cells are read as empty.",
    ),
    repaired(
        "csv.separator",
        "a line that names the delimiter",
        "A table begins with a line such as sep=; in which Excel names the delimiter.",
        "It is not read as a row. The headings decide which delimiter it is.",
    ),
    lost(
        "csv.truncated",
        "a truncated table",
        "The input ends inside quotes, without the end of a line.",
        "The line is skipped and reported, the others are read.",
    ),
    lost(
        "csv.unclosed",
        "quotes that are not closed",
        "A cell of a table begins with a quote that does not end it, in the same line or a later one.",
        "The line is skipped and reported, the others are read.",
    ),
    repaired(
        "date.lenient",
        "an unusual date format",
        "A date does not have the syntax of its format, but is unambiguous. An unknown zone leaves the offset open.",
        "Read as that date, and written in the syntax of the target.",
    )
    .value("date", "dates"),
    repaired(
        "date.none",
        "a placeholder date",
        "A date is all zeros, the start of 1970 or of year 1, or in the year -0001, as programs write a missing date.",
        "Not read as a date; the text is reported as unread, or kept as written.",
    ),
    repaired(
        "date.period",
        "not a period",
        "A `dcterms:valid` is neither `start=…; end=…` nor `start/end`, or a part of it is not. A single date is ambiguous.",
        "Kept as written; where a start or an end is readable, only the other parts are omitted.",
    ),
    repaired(
        "duration.lenient",
        "an unusual duration format",
        "A duration does not have the syntax of its format: `1:01.5`, `PT1M1S`.",
        "Read as a number of seconds.",
    )
    .value("duration", "durations"),
    repaired(
        "encoding.conflict",
        "a wrong encoding declaration",
        "The declared encoding does not exist or does not fit the bytes. A byte order mark, and whether non-ASCII text \
        is valid UTF-8, take precedence over the declaration.",
        "The document is read in the encoding of its bytes.",
    ),
    repaired(
        "encoding.guessed",
        "a missing encoding declaration",
        "The document declares no encoding, so it should be UTF-8, but is not. The encoding is guessed from the bytes.",
        "The document is read in the reported encoding.",
    ),
    lost(
        "encoding.invalid",
        "invalid bytes",
        "Some bytes are invalid in the encoding of the document, and are not text in another one. Often a text was cut \
        inside a character.",
        "Each is replaced by U+FFFD; half a character at the end of the input is removed.",
    ),
    repaired(
        "encoding.mixed",
        "mixed encodings",
        "Part of the text has another encoding than the rest of the document.",
        "That part is read in the reported encoding.",
    ),
    repaired(
        "explicit.unknown",
        "an unknown value of explicit",
        "An `itunes:explicit` is neither `true` nor `false`, nor a synonym of one of them.",
        "Kept as written. The episode is not taken for clean, also if its channel is.",
    ),
    lost(
        "gzip.corrupt",
        "damaged gzip",
        "The gzip stream cannot be decompressed beyond some byte, or its checksum is wrong.",
        "The data before the damage is read as a truncated document.",
    ),
    repaired(
        "gzip.garbage",
        "data after gzip",
        "The gzip stream is followed by data that is neither gzip nor padding.",
        "It is removed.",
    ),
    lost(
        "gzip.truncated",
        "truncated gzip",
        "The gzip stream ends too early.",
        "The decompressed data is read as a truncated document.",
    ),
    lost(
        "html.microdata",
        "a video in microdata",
        "An HTML page describes a video by microdata.",
        "Microdata is not read; the type of each item is reported as unread.",
    ),
    repaired(
        "html.page",
        "a page without a URL",
        "An HTML page has neither a canonical link nor `og:url`.",
        "The URL of the document, or `--base`, is taken as that of the page.",
    ),
    lost(
        "html.script",
        "a script that is not JSON",
        "The JSON-LD in a script of an HTML page is not valid JSON.",
        "The script is skipped and reported, the others are read. Each `VideoObject` in it counts as a dropped video.",
    ),
    lost(
        "html.videos",
        "too many videos in HTML",
        "The HTML of an entry has more than 1000 players and videos.",
        "With `--videos-from-html`, the first 1000 are read.",
    ),
    repaired("json.comma", "an extra comma", "A JSON list has a comma without a value.", "It is ignored."),
    lost(
        "json.ill_formed",
        "not JSON",
        "An entry of a JSON document is not valid JSON.",
        "The entry is skipped and reported, the others are read; in the head, reading stops.",
    ),
    repaired(
        "json.list",
        "a value instead of a list",
        "A member of a JSON document is one value, and its format requires a list of them.",
        "Read as a list of it; a list of tags is split at its commas.",
    ),
    repaired(
        "json.string",
        "a number instead of a string",
        "A member of a JSON document is a number, and its format requires a string.",
        "Read as a string of its digits.",
    ),
    lost(
        "json.surrogate",
        "half a surrogate pair",
        "A string in JSON has an escape such as `\\ud800`, without the other half of the pair.",
        "Read as U+FFFD; the first in a string is reported.",
    ),
    lost(
        "json.truncated",
        "truncated JSON",
        "The input ends inside the JSON document.",
        "Complete entries are read; the incomplete one is skipped and reported.",
    ),
    repaired("json.xhtml", "invalid XHTML", "A text of type `xhtml` is not well-formed.", "Read as HTML."),
    repaired(
        "language.lenient",
        "a language tag with underscores",
        "The parts of a language tag are not separated by hyphens.",
        "Read with hyphens.",
    )
    .value("language tag", "language tags"),
    repaired(
        "language.unknown",
        "not a language tag",
        "A value does not have the syntax of a language tag.",
        "Kept as written.",
    ),
    limit(
        "limit.attribute",
        "--max-attribute",
        "an attribute that is too long",
        "An attribute value is longer than the limit.",
    ),
    limit(
        "limit.attributes",
        "--max-attributes",
        "too many attributes",
        "An element has more attributes than the limit.",
    ),
    limit(
        "limit.depth",
        "--max-depth",
        "nested too deeply",
        "Elements are nested deeper than the limit, or a `foreign` path in JSON has more steps.",
    ),
    limit(
        "limit.entry",
        "--max-entry",
        "an entry that is too large",
        "An entry, or the paths of its unrecognized markup, have more bytes than the limit. It is skipped while \
        streaming and takes no memory.",
    ),
    end(
        "limit.head",
        "--max-head",
        "a head that is too large",
        "The document without its entries has more bytes than the limit.",
    ),
    limit("limit.line", "--max-line", "a line that is too long", "A line of a URL list has more bytes than the limit."),
    limit(
        "limit.namespaces",
        "--max-namespaces",
        "too many namespaces",
        "More namespaces are in scope than the limit.",
    ),
    limit("limit.text", "--max-text", "a text that is too long", "A run of text has more bytes than the limit."),
    lost(
        "limit_passed",
        "a sitemap beyond the limits",
        "The output has more than 50,000 URLs, 52,428,800 bytes or 1,000 articles; search engines reject larger \
        sitemaps.",
        "Nothing is written (exit code 2). `--index-base` with `-o FILE` splits the output; `--no-limits` writes \
        one file.",
    ),
    repaired(
        "limit_split",
        "an output beyond the sitemap limits",
        "The output has more than 50,000 URLs, 52,428,800 bytes or 1,000 articles, the limits of a sitemap.",
        "Sitemaps are split; a list of URLs only with `--split`.",
    ),
    repaired(
        "list.lenient",
        "unusual list separators",
        "The items of a list have other separators than those of the format, or share one element.",
        "Split at those characters.",
    )
    .value("list", "lists"),
    repaired(
        "markup.place",
        "a misplaced value",
        "A value is in the text of an element instead of its attribute, in another attribute, or in the element beside its own.",
        "Read as if it were in the right place.",
    ),
    repaired(
        "markup.unknown",
        "an unknown element",
        "An element is in a known namespace that has no element of its name.",
        "Kept as unrecognized markup.",
    )
    .harmless(),
    repaired(
        "media.enclosures",
        "several videos as enclosures",
        "An item has several videos as `enclosure`s, or links to them, and no element of Media RSS for a video.",
        "Read as renditions of one video; `--no-merge-ungrouped` reads a video of each.",
    ),
    repaired(
        "media.medium_unknown",
        "a file of unknown type",
        "The type of a `media:content` is unknown: `medium`, `type` and the file extension are missing or unknown.",
        "Kept as an attached file, not as a video.",
    ),
    repaired(
        "name.case",
        "a name in the wrong case",
        "An element or attribute name has the wrong case.",
        "Read as the correct name.",
    ),
    repaired(
        "ns.alias",
        "a misspelled namespace",
        "A namespace is misspelled (`https`, no final slash, an old version), or the root has none.",
        "Read as the correct namespace.",
    ),
    repaired(
        "ns.missing",
        "an element without its prefix",
        "An extension element lacks its prefix, so it is in the namespace of the document.",
        "Read as the extension element.",
    ),
    repaired(
        "ns.undeclared",
        "a prefix without a namespace",
        "A prefix is not declared.",
        "A customary prefix is read as its namespace; others are unrecognized markup.",
    ),
    repaired(
        "number.lenient",
        "an unusual number format",
        "A number has separators, signs or units that its format does not allow.",
        "Read as that number.",
    )
    .value("number", "numbers"),
    repaired(
        "position.unknown",
        "not a position in a video",
        "A time of a thumbnail, text, scene or place is not one in seconds, or in hours, minutes and seconds.",
        "Kept as written.",
    ),
    repaired(
        "restriction.lenient",
        "an incomplete restriction",
        "A restriction lacks its relationship (allow or deny) or its type, or Media RSS does not have its type.",
        "Read as allow, and as a list of countries; one of an unknown type is not read.",
    )
    .value("restriction", "restrictions"),
    repaired("rss.version", "RSS without a version", "The root element has no RSS version.", "Read as RSS 2.0."),
    repaired(
        "text.escaped_twice",
        "escaped twice",
        "The markup of a text is escaped one time too many.",
        "Decoded again in sitemaps; in feeds only with `--decode-twice`, otherwise kept as written.",
    ),
    repaired(
        "text.line",
        "a line that is not a URL",
        "A line of a URL list is not an absolute URL.",
        "It is not an entry; JSON keeps it in `feed.foreign`.",
    ),
    repaired(
        "text.markup",
        "unescaped HTML",
        "A text has HTML elements; its format requires escaping or CDATA.",
        "Read as HTML; values without markup, such as names, as their words.",
    ),
    repaired(
        "text.type",
        "a wrong text type",
        "The declared type of a text is unknown or wrong.",
        "Read as the reported type.",
    ),
    repaired(
        "text.undeclared_html",
        "HTML in a text without a type",
        "A Media RSS text without a type contains markup.",
        "Read as HTML.",
    ),
    repaired(
        "url.lenient",
        "an invalid URL",
        "A URL contains spaces or line breaks, is escaped twice, or is inside an HTML embed snippet.",
        "Read as the intended URL.",
    )
    .value("URL", "URLs"),
    repaired(
        "url.relative",
        "a relative URL without a base",
        "A URL is relative, and neither the document nor `--base` has a base URL.",
        "Kept as written.",
    )
    .avoided_by("--base URL"),
    repaired(
        "url.scheme",
        "a URL without a scheme",
        "A URL begins with `//`, and there is no base URL.",
        "`https:` is added.",
    )
    .value("URL", "URLs")
    .avoided_by("--base URL"),
    repaired("url.unclear", "not one URL", "The value of a URL is other text, or several URLs.", "Kept as written."),
    repaired(
        "word.lenient",
        "an unknown spelling of a value",
        "A value is a synonym of one that its format allows.",
        "Read as the allowed value.",
    )
    .value("value", "values"),
    lost(
        "xml.after_root",
        "content after the root",
        "Text or a second document follows the root element.",
        "Text is removed; entries are read as those before.",
    ),
    repaired(
        "xml.ampersand",
        "a bare ampersand",
        "An `&` does not begin a reference; it should be `&amp;`.",
        "Read as `&`.",
    ),
    repaired(
        "xml.attribute",
        "a broken attribute",
        "An attribute has no quotes or no value, or occurs twice; or a declaration has an empty or reserved namespace.",
        "Read by its meaning; of two, the first is used.",
    ),
    repaired(
        "xml.charref",
        "a wrong character reference",
        "A reference is not a character of XML, begins with `&#X` instead of `&#x`, or has a number of windows-1252 (`&#146;`).",
        "An invalid reference is removed; the others are decoded as in HTML.",
    ),
    repaired(
        "xml.comment",
        "two hyphens in a comment",
        "A comment contains `--`, which XML allows only at its end.",
        "The comment is removed, like all comments.",
    )
    .harmless(),
    repaired(
        "xml.control",
        "control characters",
        "A text contains control characters, which XML forbids.",
        "They are removed.",
    ),
    repaired(
        "xml.declaration",
        "an invalid XML declaration",
        "The XML declaration has no version, or its parts are misspelled or in another order.",
        "Read as XML 1.0, in the encoding of its bytes.",
    )
    .harmless(),
    repaired(
        "xml.doctype",
        "a document type",
        "The document has a document type declaration.",
        "It is ignored; nothing is fetched, no entity is expanded.",
    )
    .harmless(),
    repaired(
        "xml.entity",
        "an entity",
        "A reference is an HTML entity, or the document type defines entities.",
        "HTML entities are decoded; definitions are ignored, and references to them are kept as written.",
    ),
    lost(
        "xml.ill_formed",
        "not XML",
        "The markup of an entry cannot be repaired.",
        "The entry is skipped and reported, the others are read; in the head, reading stops.",
    ),
    repaired(
        "xml.instruction",
        "an invalid processing instruction",
        "An instruction has no name, or the name `xml`, which only the first line has.",
        "It is removed, like all instructions.",
    )
    .harmless(),
    repaired("xml.markup", "a bare angle bracket", "A `<` does not begin a tag, or a tag has no end.", "Read as text."),
    repaired(
        "xml.nesting",
        "mismatched tags",
        "An end tag has no start tag, or inner elements are still open.",
        "An end tag without a start is removed; open inner elements are closed.",
    ),
    repaired(
        "xml.prolog",
        "content before the root",
        "Text or blank lines precede the XML declaration, or text precedes the root.",
        "It is removed.",
    ),
    repaired(
        "xml.repairs",
        "many repairs in one entry",
        "An entry needs more repairs than the report lists for one.",
        "All are applied; the others are only counted.",
    ),
    lost(
        "xml.truncated",
        "truncated input",
        "The input ends inside the document.",
        "Complete entries are read; the incomplete one is skipped and reported.",
    ),
    repaired(
        "xml.unclosed",
        "a missing end tag",
        "An element, or an entry, has no end tag.",
        "It is closed at the end of its parent, or before the next one of its kind.",
    ),
    repaired(
        "xml.unterminated",
        "unterminated markup",
        "A comment, CDATA section, instruction or tag has no end.",
        "CDATA and tags end with their element; comments and instructions are removed up to the next tag.",
    ),
    repaired(
        "xml.version",
        "another XML version",
        "The XML declaration has another version than 1.0.",
        "Read as XML 1.0.",
    ),
];

/// The repair with this code.
pub fn by_code(code: &str) -> Option<&'static RepairCode> {
    ALL.binary_search_by(|row| row.code.cmp(code)).ok().and_then(|at| ALL.get(at))
}

/// The codes of repairs that mean that the end of the document is missing.
pub(crate) const CUT_OFF: &[&str] =
    &["csv.truncated", "gzip.corrupt", "gzip.truncated", "json.truncated", "xml.truncated"];

/// Whether a repair with this code means that the end of the document is missing.
pub fn is_cut_off(code: &str) -> bool {
    CUT_OFF.contains(&code)
}

/// Whether a repair with this code needs attention: all but those by which nothing can change.
pub fn needs_attention(code: &str) -> bool {
    by_code(code).is_none_or(|row| row.attention)
}

/// `error` if something is lost by the repair with this code, else `warning`.
pub fn severity(code: &str) -> &'static str {
    by_code(code).map_or("warning", RepairCode::severity)
}

/// The value that a repair with this code is of, one and several, if it is of one value.
pub fn object(code: &str) -> Option<(&'static str, &'static str)> {
    by_code(code)?.object
}

/// The option that makes a repair with this code unnecessary, as it is typed.
pub fn remedy(code: &str) -> Option<String> {
    let row = by_code(code)?;
    row.remedy.map(str::to_owned).or_else(|| row.option.map(|option| format!("{option} N")))
}

/// The option that raises the limit with this code.
pub fn option(code: &str) -> Option<&'static str> {
    by_code(code)?.option
}

/// The table in Markdown, for docs/repairs.md.
pub fn markdown() -> String {
    let mut page = String::from(
        "# What it repairs\n\nMany real feeds are broken. transfeed repairs them where the meaning is clear. Each \
        repair is a row under `diagnostics` in\nthe report: a code from the table below, line and column, the problem, \
        and the repair. Standard error shows the rows grouped\nby code; `-v` shows all. With `--strict` the first \
        repair stops the run with exit code 2, and nothing is written.\n\nAn `error` loses data: an entry, the rest of \
        the document, or characters. A `warning` loses only the original spelling.\nThis page is generated from the \
        table in `src/diagnostic.rs`.\n\n| code | severity | problem | repair |\n|---|---|---|---|\n\
        ",
    );
    for row in ALL {
        let (code, severity, means, done) = (row.code, row.severity(), row.means, row.done);
        let option = row.option.map(|option| format!(" `{option}` raises the limit.")).unwrap_or_default();
        page.push_str(&format!("| `{code}` | {severity} | {means} | {done}{option} |\n"));
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_and_found() {
        assert!(ALL.windows(2).all(|pair| pair[0].code < pair[1].code));
        assert!(ALL.iter().all(|row| by_code(row.code) == Some(row)));
        assert_eq!((severity("xml.truncated"), severity("xml.ampersand")), ("error", "warning"));
        assert_eq!((option("limit.head"), option("xml.doctype")), (Some("--max-head"), None));
    }

    #[test]
    fn sentences_are_sentences() {
        for row in ALL {
            for text in [row.means, row.done] {
                assert!(text.ends_with('.') && !text.contains("  ") && !text.contains('|'), "{}: {text}", row.code);
            }
        }
    }
}
