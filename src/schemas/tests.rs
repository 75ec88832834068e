//! The JSON Schemas in docs/schema, generated from the types that are written: this is a test only. That real outputs are
//! what the schemas say is tested from outside (tests/schemas.rs).

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use crate::convert::Fetched;
use crate::diff::{
    ChangedEntry, DiffSums, Difference, FileSums, FoldedField, MovedEntry, NotComparable, SideInfo, UnpairedEntry,
};
use crate::format::json::write::{EntryMembers, JsonHead};
use crate::job::Name;
use crate::job::summary::{FileReport, RunSummary};
use crate::ledger::{Example, Totals};
use crate::model::{Date, Decimal, Leaf, Seconds, Text, TextKind};

impl<T: JsonSchema> JsonSchema for Leaf<T> {
    fn inline_schema() -> bool {
        true
    }
    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        generator.subschema_for::<T>()
    }
}

impl JsonSchema for Date {
    fn schema_name() -> Cow<'static, str> {
        "Date".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        let pattern = r"^\d{4}(-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?)?)?$";
        json_schema!({"type": "string", "pattern": pattern, "description": "A date in the W3C form, as exact as in the source."})
    }
}

impl JsonSchema for Seconds {
    fn schema_name() -> Cow<'static, str> {
        "Seconds".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "number", "minimum": 0, "description": "A length of time in seconds."})
    }
}

impl JsonSchema for Decimal<'_> {
    fn schema_name() -> Cow<'static, str> {
        "Decimal".into()
    }
    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "pattern": r"^-?\d", "description": "A decimal number as written."})
    }
}

impl JsonSchema for Text<'_> {
    fn schema_name() -> Cow<'static, str> {
        "Text".into()
    }
    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let kind = generator.subschema_for::<TextKind>();
        json_schema!({"description": "A text: bare when plain and without a language.", "anyOf": [
            {"type": "string"},
            {"type": "object", "required": ["kind", "value"], "properties": {
                "kind": kind, "value": {"type": "string"}, "lang": {"type": "string"}, "base": {"type": "string"}
            }}
        ]})
    }
}

/// The model as one document.
#[derive(serde::Serialize, JsonSchema)]
struct Document {
    #[serde(flatten)]
    head: JsonHead<'static>,
    /// The entries.
    entries: Vec<EntryMembers<'static>>,
}

/// A line of the model as lines.
#[derive(serde::Serialize, JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only its schema is wanted")]
enum Line {
    /// The first one.
    Head(JsonHead<'static>),
    /// Any other.
    Entry(EntryMembers<'static>),
}

#[test]
fn the_schemas_of_the_model_are_those_of_its_types() {
    is_the_page::<Document>("json.json", "transfeed convert --to json");
    is_the_page::<Line>("jsonl.json", "a line of transfeed convert --to jsonl");
}

/// Compares a schema with its page; `TRANSFEED_BLESS=1` writes it.
fn is_the_page<T: JsonSchema>(name: &str, title: &str) {
    // what a word tells apart cannot be closed where its members stand elsewhere
    let settings = SchemaSettings::draft2020_12().for_serialize().with(|settings| {
        settings.inline_subschemas = matches!(name, "diff-lines.json" | "migrate-events.json");
    });
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let mut schema = schema.to_value();
    close(&mut schema);
    schema["title"] = title.into();
    let page = serde_json::to_string_pretty(&schema).unwrap() + "\n";
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/schema").join(name);
    if std::env::var_os("TRANSFEED_BLESS").is_some_and(|value| value == "1") {
        std::fs::write(&path, &page).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == page, "docs/schema/{name} is old; TRANSFEED_BLESS=1 cargo test --lib schemas writes it");
}

/// No object has members that its schema does not name.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(members) => {
            if members.contains_key("properties") {
                // what is flattened into an object is named beside its own members
                members.entry("unevaluatedProperties").or_insert(Value::Bool(false));
            }
            members.values_mut().for_each(close);
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => (),
    }
}

#[test]
fn the_schema_of_inspect_is_that_of_its_types() {
    is_the_page::<crate::inspect::Inspection>("inspect.json", "transfeed inspect --json");
}

#[test]
fn the_schema_of_the_matrix_is_that_of_its_types() {
    is_the_page::<crate::matrix::Matrix>("formats.json", "transfeed formats --json");
}

#[test]
fn the_schema_of_the_report_is_that_of_its_types() {
    is_the_page::<crate::report::ConversionReport<'static>>("report.json", "transfeed convert --report FILE.json");
}

/// What is written piece by piece has no type of its own: these say what its pieces are, and tests/schemas.rs holds what is
/// written against them.
mod pieces {
    use super::*;

    /// A value of the source that is not in the output as it was, or the sums, which come last.
    #[derive(serde::Serialize, JsonSchema)]
    #[serde(untagged)]
    #[allow(dead_code, reason = "only its schema is wanted")]
    pub enum ReportLine {
        /// A value.
        Occurrence(Box<Occurrence>),
        /// The sums of the books.
        Last {
            /// The sums.
            totals: Totals,
            /// How the inputs that came from URLs were fetched.
            #[serde(skip_serializing_if = "Vec::is_empty")]
            fetched: Vec<super::Fetched>,
            /// How the rows of `--enrich` were used.
            #[serde(skip_serializing_if = "Option::is_none")]
            enrichment: Option<Box<crate::convert::enrich::EnrichmentUse>>,
        },
    }

    /// One value.
    #[derive(serde::Serialize, JsonSchema)]
    pub struct Occurrence {
        /// Its file, where there are several (`migrate`).
        #[serde(skip_serializing_if = "Option::is_none")]
        file: Option<Name>,
        /// `lost`, `changed`, `unread`, `merged` or `made`.
        kind: String,
        /// The code of the closed list.
        code: String,
        /// `error`, `warning` or `info`.
        severity: String,
        /// `attention`, `unsupported` or `technical`.
        class: String,
        /// The model's name of the field.
        field: String,
        /// The element or attribute, if the field has values of many.
        #[serde(skip_serializing_if = "Option::is_none")]
        element: Option<String>,
        /// The name of the reason, which `transfeed explain` explains.
        reason: String,
        /// The reason, for people.
        why: String,
        #[serde(flatten)]
        place: Example,
    }

    /// The summary of a run over many files, and the report of each.
    #[derive(serde::Serialize, JsonSchema)]
    pub struct Migration {
        #[serde(flatten)]
        summary: RunSummary,
        /// The files, in the order of their names.
        files: Vec<FileReport>,
    }

    /// The fate of a file, or of all; the latter comes last.
    #[derive(serde::Serialize, JsonSchema)]
    #[serde(tag = "type", rename_all = "lowercase")]
    #[allow(dead_code, reason = "only its schema is wanted")]
    pub enum Event {
        /// A file.
        File(FileReport),
        /// The whole.
        Summary(RunSummary),
    }

    /// Two documents, or two folders.
    #[derive(serde::Serialize, JsonSchema)]
    #[serde(untagged)]
    #[allow(dead_code, reason = "only its schema is wanted")]
    pub enum Diff {
        /// Two documents.
        One(Compared),
        /// Two folders, file by file.
        Folders(Folders),
    }

    /// The differences between two sides.
    #[derive(serde::Serialize, JsonSchema)]
    pub struct Compared {
        /// One side.
        a: SideInfo,
        /// The other.
        b: SideInfo,
        /// Entries without differences; several of one page count once.
        same: u64,
        /// Entries that only B has.
        added: Vec<UnpairedEntry>,
        /// Entries that only A has.
        removed: Vec<UnpairedEntry>,
        /// Entries with another position.
        moved: Vec<MovedEntry>,
        /// Entries of which something changed.
        changed: Vec<ChangedEntry>,
        /// How many changes there are of each field.
        fields: BTreeMap<String, u64>,
        /// Fields that changed in more than 80 % of the entries that were compared, and in five or more.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        folded: Vec<FoldedField>,
        /// Inputs that could not be compared.
        not_comparable: Vec<NotComparable>,
    }

    /// Two folders, file by file.
    #[derive(serde::Serialize, JsonSchema)]
    pub struct Folders {
        /// The files that both have.
        files: Vec<InFolders>,
        /// The files that only B has.
        added: Vec<Name>,
        /// The files that only A has.
        removed: Vec<Name>,
        /// The sums of all.
        totals: FileSums,
    }

    /// A file of both folders.
    #[derive(serde::Serialize, JsonSchema)]
    #[serde(untagged)]
    #[allow(dead_code, reason = "only its schema is wanted")]
    pub enum InFolders {
        /// It was compared.
        Compared(Box<Compared>),
        /// It could not be.
        Failed {
            /// One side.
            a: Named,
            /// The other.
            b: Named,
            /// Why.
            error: String,
        },
    }

    /// A file.
    #[derive(serde::Serialize, JsonSchema)]
    pub struct Named {
        /// Its name.
        name: String,
    }

    /// A finding; the sums, which come last; of folders, the sums of each file after its findings, or the reason
    /// why it has none, then those of all.
    #[derive(serde::Serialize, JsonSchema)]
    #[serde(untagged)]
    #[allow(dead_code, reason = "only its schema is wanted")]
    pub enum DiffLine {
        /// A finding.
        Found(Difference),
        /// The sums of a comparison.
        Totals {
            /// The sums.
            totals: DiffSums,
        },
        /// A file of both folders that could not be compared.
        Failed {
            /// One side.
            a: Named,
            /// The other.
            b: Named,
            /// Why.
            error: String,
        },
        /// The sums of all files.
        Files {
            /// The files that only B has.
            files_added: Vec<Name>,
            /// The files that only A has.
            files_removed: Vec<Name>,
            /// The sums.
            totals_of_files: FileSums,
        },
    }

    /// How many findings there are of each severity.
    #[derive(serde::Serialize, JsonSchema)]
    pub struct Severities {
        /// Errors.
        error: u64,
        /// Warnings.
        warning: u64,
        /// Infos.
        info: u64,
    }

    /// One broken rule at one place.
    #[derive(serde::Serialize, JsonSchema)]
    pub struct Finding {
        /// The file, where each finding is a line.
        #[serde(skip_serializing_if = "Option::is_none")]
        file: Option<String>,
        /// The rule.
        code: String,
        /// `error`, `warning` or `info`.
        severity: String,
        /// Whose rule it is.
        profile: String,
        /// The problem.
        message: String,
        /// The correction.
        hint: String,
        /// From 1.
        line: u32,
        /// From 1, in characters.
        column: u32,
        /// Names from the root, attributes with `@`.
        path: String,
        /// From 0; absent for values of the whole.
        #[serde(skip_serializing_if = "Option::is_none")]
        entry: Option<u64>,
        /// The value at fault.
        #[serde(skip_serializing_if = "Option::is_none")]
        value: Option<String>,
        /// The same in every run as long as entry and rule are the same.
        fingerprint: String,
    }

    /// Where findings are from.
    #[derive(serde::Serialize, JsonSchema)]
    pub struct Checked {
        /// The name of the file.
        name: String,
        /// Its format.
        format: String,
        /// The encoding it was read in.
        encoding: String,
        /// How it was fetched, if it came from a URL.
        #[serde(skip_serializing_if = "Option::is_none")]
        fetched: Option<Box<super::Fetched>>,
    }

    /// The findings of one file.
    #[derive(serde::Serialize, JsonSchema)]
    pub struct Findings {
        /// The file.
        source: Checked,
        /// Whose rules it was held against.
        profiles: Vec<String>,
        /// By line, then by code.
        findings: Vec<Finding>,
        /// Their sums.
        totals: Severities,
        /// Findings that are not listed.
        #[serde(skip_serializing_if = "Option::is_none")]
        unlisted: Option<u64>,
    }

    /// The findings of one file, or of several.
    #[derive(serde::Serialize, JsonSchema)]
    #[serde(untagged)]
    #[allow(dead_code, reason = "only its schema is wanted")]
    pub enum Validation {
        /// One file.
        One(Findings),
        /// Several.
        Several {
            /// Each of them.
            files: Vec<Findings>,
            /// The sums of all.
            totals: Severities,
        },
    }

    /// A finding, or the sums, which come last.
    #[derive(serde::Serialize, JsonSchema)]
    #[serde(untagged)]
    #[allow(dead_code, reason = "only its schema is wanted")]
    pub enum ValidationLine {
        /// How the file of the next findings was fetched, if it came from a URL.
        Fetched {
            /// The file.
            file: String,
            /// How it was fetched.
            fetched: Box<super::Fetched>,
        },
        /// A finding.
        Finding(Box<Finding>),
        /// The sums.
        Last {
            /// The sums.
            totals: Severities,
        },
    }
}

#[test]
fn the_schemas_of_what_is_written_in_pieces_are_those_of_its_types() {
    is_the_page::<pieces::ReportLine>("report-lines.json", "a line of --report FILE.jsonl");
    is_the_page::<pieces::Migration>("migrate.json", "transfeed migrate --report: summary.json, or FILE.json");
    is_the_page::<FileReport>("migrate-file.json", "transfeed migrate --report DIR: the report of a file");
    is_the_page::<pieces::Event>("migrate-events.json", "a line of transfeed migrate --json");
    is_the_page::<pieces::Diff>("diff.json", "transfeed diff --json");
    is_the_page::<pieces::DiffLine>("diff-lines.json", "a line of transfeed diff --jsonl");
    is_the_page::<pieces::Validation>("validate.json", "transfeed validate --format json");
    is_the_page::<pieces::ValidationLine>("validate-lines.json", "a line of transfeed validate --format jsonl");
}
