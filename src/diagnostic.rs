//! The repairs of broken input as data: one table of all codes with what they mean and what is done.
//! Not the losses of a conversion (code.rs), and not where a repair happened (`ledger::Diagnostic`).

/// One kind of repair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The stable word in reports: `encoding.conflict`.
    pub code: &'static str,
    /// Whether something is lost by it.
    pub lossy: bool,
    /// What it is, in a few words.
    pub title: &'static str,
    /// What is wrong with the document.
    pub means: &'static str,
    /// What is done about it.
    pub done: &'static str,
    /// The option that raises the limit, for codes of limits.
    pub option: Option<&'static str>,
}

impl Diagnostic {
    /// `error` if something is lost by it, else `warning`.
    pub fn severity(&self) -> &'static str {
        if self.lossy { "error" } else { "warning" }
    }
}

const fn mended(code: &'static str, title: &'static str, means: &'static str, done: &'static str) -> Diagnostic {
    Diagnostic { code, lossy: false, title, means, done, option: None }
}

const fn lost(code: &'static str, title: &'static str, means: &'static str, done: &'static str) -> Diagnostic {
    Diagnostic { code, lossy: true, title, means, done, option: None }
}

const fn limit(code: &'static str, option: &'static str, title: &'static str, means: &'static str) -> Diagnostic {
    let done = "The entry is left out and named; in the head it ends the run.";
    Diagnostic { code, lossy: true, title, means, done, option: Some(option) }
}

const fn end(code: &'static str, option: &'static str, title: &'static str, means: &'static str) -> Diagnostic {
    Diagnostic { code, lossy: true, title, means, done: "It ends the run.", option: Some(option) }
}

/// All codes, in alphabetical order.
pub const ALL: &[Diagnostic] = &[
    mended(
        "bool.lenient",
        "a flag in other words",
        "A flag is neither of the two words that its format has, such as `1` for `yes`.",
        "Read as what it means.",
    ),
    mended(
        "country.lenient",
        "a country in another code",
        "A country is named by a code that ISO 3166-1 has not for it (`UK`), by one of three letters, or by one that is \
         reserved or withdrawn.",
        "Read as the code of two letters; a reserved or withdrawn code is kept.",
    ),
    mended(
        "country.unknown",
        "no country",
        "A word in a list of countries is the code of none.",
        "Kept as written, and left out where only countries may stand.",
    ),
    mended(
        "date.lenient",
        "a date in another form",
        "A date is not in the form that its format asks for, but can be read in one way only. A zone that is not known \
         leaves the offset open.",
        "Read as that date; where the target has another form, it is written in that.",
    ),
    mended(
        "date.none",
        "a date that is none",
        "A date is nothing but zeros, or the beginning of 1970: a program's way to say that there is none.",
        "Not read as a date; the text is named as unread, or kept as written.",
    ),
    mended(
        "date.period",
        "no period",
        "A `dcterms:valid` is neither `start=…; end=…` nor `start/end`. A single date may be meant as either.",
        "Kept as written.",
    ),
    mended(
        "duration.lenient",
        "a duration in another form",
        "A duration is not in the form that its format asks for: `1:01.5`, `PT1M1S`.",
        "Read as that many seconds.",
    ),
    mended(
        "encoding.conflict",
        "declared in one encoding, written in another",
        "The XML declaration names an encoding that the bytes disprove, or one that does not exist. A byte order mark, \
         or text beyond ASCII that is valid UTF-8 (or is not), is believed more than a declaration.",
        "The document is read in the encoding that the bytes show.",
    ),
    mended(
        "encoding.guessed",
        "no encoding declared",
        "The document declares no encoding and is not UTF-8, which is what that means. The encoding was guessed from \
         the bytes.",
        "The document is read in the encoding named.",
    ),
    lost(
        "encoding.invalid",
        "bytes that are no characters",
        "A run of bytes means nothing in the encoding of the document, and is too short or too odd to be text of \
         another one. Often half of a character, where a text was cut at a number of bytes.",
        "Each is replaced by U+FFFD; half a character at the end of the input is left out.",
    ),
    mended(
        "encoding.mixed",
        "two encodings in one document",
        "A stretch of text is in another encoding than the rest of the document.",
        "The stretch is read by itself, in the encoding named.",
    ),
    lost(
        "gzip.corrupt",
        "damaged gzip",
        "The gzip stream cannot be inflated from a certain byte on, or what came out does not fit its checksum.",
        "What came out before is read as a document that was cut off.",
    ),
    mended(
        "gzip.garbage",
        "something after gzip",
        "After the last member of the gzip stream follows what is neither gzip nor padding.",
        "It is left out.",
    ),
    lost(
        "gzip.truncated",
        "gzip cut off",
        "The gzip stream ends in the middle.",
        "What could be inflated is read as a document that was cut off.",
    ),
    mended("json.comma", "a comma too many", "A list in JSON has a comma without a value.", "It is passed over."),
    lost(
        "json.ill_formed",
        "not JSON",
        "An entry of a JSON document breaks the rules of JSON.",
        "The entry is left out and named, its neighbours are not; in the head it ends the run.",
    ),
    lost(
        "json.surrogate",
        "half of a character",
        "A string in JSON has an escape such as `\\ud800`, which is half of a character, without the other half.",
        "Read as U+FFFD; of several in one string, the first is named.",
    ),
    lost(
        "json.truncated",
        "JSON cut off",
        "The input ends before the JSON document does.",
        "Every complete entry is read; the one that was cut is left out and named.",
    ),
    mended("json.xhtml", "XHTML that is no markup", "A text of the kind `xhtml` is not well-formed.", "Read as HTML."),
    mended(
        "language.lenient",
        "a language tag with underscores",
        "The parts of a language tag are not set apart by hyphens.",
        "Read with hyphens.",
    ),
    mended(
        "language.unknown",
        "no language tag",
        "What should be the tag of a language has not the form of one.",
        "Kept as written.",
    ),
    limit("limit.attribute", "--max-attribute", "an attribute too long", "The value of an attribute passes the limit."),
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
        "Elements stand inside of each other beyond the limit, or a path of `foreign` in JSON has more steps.",
    ),
    limit(
        "limit.entry",
        "--max-entry",
        "an entry too large",
        "An entry has more bytes than the limit, or the paths of its unknown markup have together. It is passed over while \
         streaming, so that it costs no memory.",
    ),
    end(
        "limit.head",
        "--max-head",
        "a head too large",
        "The document without its entries has more bytes than the limit.",
    ),
    limit("limit.line", "--max-line", "a line too long", "A line of a text sitemap has more bytes than the limit."),
    limit(
        "limit.namespaces",
        "--max-namespaces",
        "too many namespaces",
        "More namespaces are bound at one place than the limit.",
    ),
    limit("limit.text", "--max-text", "a text too long", "A run of text has more bytes than the limit."),
    Diagnostic {
        code: "limit_passed",
        lossy: true,
        title: "a sitemap beyond the limits",
        means: "The output has more than 50,000 addresses, 52,428,800 bytes or 1,000 articles, which is all that a sitemap \
                may have: search engines reject it.",
        done: "Nothing is written, with exit code 2; `--index-base` and `-o FILE` split the output. With `--no-limits` it is \
               written whole.",
        option: None,
    },
    Diagnostic {
        code: "limit_split",
        lossy: false,
        title: "more than a sitemap may hold",
        means: "The output has more than 50,000 addresses, 52,428,800 bytes or 1,000 articles, which is all that a sitemap \
                may have.",
        done: "A sitemap is split; a list of addresses is written whole unless `--split` is passed.",
        option: None,
    },
    mended(
        "list.lenient",
        "a list with other separators",
        "The members of a list are set apart by other characters than those of its format, or stand in one element \
         where each has its own.",
        "Split at those characters.",
    ),
    mended(
        "markup.place",
        "a value in another place",
        "A value stands in the text of an element instead of in its attribute, or in an attribute of another name.",
        "Read as if it stood in its own place.",
    ),
    mended(
        "media.medium_unknown",
        "a file of an unknown kind",
        "A `media:content` says neither by `medium` nor by `type` nor by its name what it is.",
        "Kept as a file that goes with the page, not as a video.",
    ),
    mended(
        "name.case",
        "a name in the wrong case",
        "The name of an element or an attribute is in upper or mixed case where its format has another.",
        "Read as the name it means.",
    ),
    mended(
        "ns.alias",
        "a namespace in another spelling",
        "A namespace is written in another way than its own: with `https`, without the slash at its end, in an old \
         version; or the root has none, where its format has one.",
        "Read as the namespace it means.",
    ),
    mended(
        "ns.missing",
        "an element without its prefix",
        "An element of an extension stands in the namespace of the document: its prefix was forgotten.",
        "Read as the element of the extension.",
    ),
    mended(
        "ns.undeclared",
        "a prefix without a namespace",
        "A prefix is used that nothing declares.",
        "A customary prefix is read as its namespace; any other makes unknown markup.",
    ),
    mended(
        "number.lenient",
        "a number in another form",
        "A number has separators, signs or units that its format does not know.",
        "Read as that number.",
    ),
    mended(
        "restriction.lenient",
        "half a restriction",
        "A restriction does not say whether it allows or denies, or does not say what it restricts.",
        "Read as allowing; a list of countries is read as one.",
    ),
    mended(
        "rss.version",
        "RSS without a version",
        "The root of the document does not say which version of RSS it is.",
        "Read as RSS 2.0.",
    ),
    mended(
        "text.escaped_twice",
        "escaped twice",
        "The markup of a text is escaped once more than it should be.",
        "A sitemap's text is decoded once more; a feed's only with `--decode-twice`, else it is kept as written.",
    ),
    mended(
        "text.line",
        "a line that is no address",
        "A line of a text sitemap holds something else than an absolute address.",
        "It is no entry; JSON keeps it in `feed.foreign`.",
    ),
    mended(
        "text.markup",
        "HTML that is not escaped",
        "A text of HTML is written as elements of the document, where its format wants it escaped or in CDATA.",
        "Read as the HTML that it is.",
    ),
    mended(
        "text.type",
        "a text of another kind",
        "The kind that a text is said to be of is unknown, or the text is not of it.",
        "Read as the kind named.",
    ),
    mended(
        "text.undeclared_html",
        "HTML in a text without a type",
        "A text of Media RSS without a type holds markup.",
        "Read as HTML.",
    ),
    mended(
        "url.lenient",
        "an address that is none yet",
        "An address holds blanks or line ends, is escaped twice, or stands in a snippet of HTML that embeds a player.",
        "Read as the address it means.",
    ),
    mended(
        "url.relative",
        "a relative address without a base",
        "An address is relative, and neither the document nor `--base` says to what.",
        "Kept as written.",
    ),
    mended(
        "url.scheme",
        "an address without a scheme",
        "An address begins with `//`, and there is no base that tells the scheme.",
        "`https:` is put before it.",
    ),
    mended(
        "url.unclear",
        "no address, or several",
        "Where an address belongs stand words, or several addresses.",
        "Kept as written.",
    ),
    mended(
        "word.lenient",
        "another word",
        "A value is none of the words that its format has, but means one of them.",
        "Read as that word.",
    ),
    lost(
        "xml.after_root",
        "something after the root",
        "Text, or a second document, follows the element that the document consists of.",
        "Text is left out; entries are read like those before.",
    ),
    mended(
        "xml.ampersand",
        "a bare ampersand",
        "An `&` begins no reference; it should be written `&amp;`.",
        "Read as itself.",
    ),
    mended(
        "xml.attribute",
        "a broken attribute",
        "An attribute has no quotes or no value, or an element has two of one name.",
        "Read as what it means; of two the first counts.",
    ),
    mended(
        "xml.charref",
        "a wrong character reference",
        "A reference names a number that is no character of XML, or begins with `&#X` for `&#x`.",
        "A number that is no character is left out; `&#X` is read as `&#x`.",
    ),
    mended(
        "xml.control",
        "control characters",
        "A text holds control characters, which XML does not allow.",
        "They are left out.",
    ),
    mended(
        "xml.doctype",
        "a document type",
        "The document has a document type declaration.",
        "It is passed over; nothing is fetched, no entity is expanded.",
    ),
    mended(
        "xml.entity",
        "an entity",
        "A reference names an entity of HTML, or the document type defines entities of its own.",
        "Entities of HTML are read as the characters they mean; definitions are refused, and references to them stay \
         as written.",
    ),
    lost(
        "xml.ill_formed",
        "not XML",
        "The markup of an entry is broken beyond what can be mended.",
        "The entry is left out and named, its neighbours are not; in the head it ends the run.",
    ),
    mended("xml.markup", "a bare angle bracket", "A `<` begins no tag, or a tag has no end.", "Read as text."),
    mended(
        "xml.nesting",
        "tags that do not match",
        "An end tag has no start tag, or elements inside of it are still open.",
        "An end tag without a start is left out; what is left open inside is closed.",
    ),
    mended(
        "xml.prolog",
        "something before the root",
        "Text or blank lines stand before the XML declaration, or text before the root.",
        "It is left out.",
    ),
    mended(
        "xml.repairs",
        "many repairs in one entry",
        "An entry needs more repairs than are listed for one.",
        "All are made; the others are counted.",
    ),
    lost(
        "xml.truncated",
        "cut off",
        "The input ends before the document does.",
        "Every complete entry is read; the one that was cut is left out and named.",
    ),
    mended(
        "xml.unclosed",
        "a missing end tag",
        "An element, or an entry, has no end tag.",
        "It is closed where its parent ends or its like begins.",
    ),
    mended(
        "xml.unterminated",
        "markup without its end",
        "A comment, a CDATA section, an instruction or a tag begins and does not end.",
        "CDATA and tags are taken to end with their element; comments and instructions are left out up to the next tag.",
    ),
    mended(
        "xml.version",
        "XML of another version",
        "The XML declaration names another version than 1.0.",
        "Read as XML 1.0.",
    ),
];

/// The repair with this code.
pub fn by_code(code: &str) -> Option<&'static Diagnostic> {
    ALL.binary_search_by(|row| row.code.cmp(code)).ok().and_then(|at| ALL.get(at))
}

/// Whether a repair with this code says that the end of the document is missing.
pub fn is_cut_off(code: &str) -> bool {
    matches!(code, "gzip.corrupt" | "gzip.truncated" | "json.truncated" | "xml.truncated")
}

/// `error` if something is lost by the repair with this code, else `warning`.
pub fn severity(code: &str) -> &'static str {
    by_code(code).map_or("warning", Diagnostic::severity)
}

/// The option that raises the limit with this code.
pub fn option(code: &str) -> Option<&'static str> {
    by_code(code)?.option
}

/// The table in Markdown, for docs/repairs.md.
pub fn markdown() -> String {
    let mut page = String::from(
        "# What it repairs\n\n\
         Feeds in the world are broken in many ways. What can be understood is read; for everything that had to be repaired the\n\
         report has a row under `diagnostics` with one of the codes below, the line and the column, what was found there and what was\n\
         done. On standard error the rows stand grouped by code; `-v` shows all. With `--strict` the first of them ends the run with\n\
         exit code 2, and nothing is written.\n\n\
         An `error` costs something: an entry, the rest of the document, or characters. A `warning` costs nothing but the original\n\
         spelling. This page is made from the table in `src/diagnostic.rs`.\n\n\
         | code | severity | what is wrong | what is done |\n|---|---|---|---|\n",
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
