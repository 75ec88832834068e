//! The JSON Schemas in docs/schema, generated from the types that are written: this is a test only. That real outputs are
//! what the schemas say is tested from outside (tests/schemas.rs).

use std::borrow::Cow;

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::Value;

use crate::format::json::write::{EntryMembers, Head};
use crate::model::{Date, Decimal, Kind, Leaf, Seconds, Text};

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
        let kind = generator.subschema_for::<Kind>();
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
    head: Head<'static>,
    /// The entries.
    entries: Vec<EntryMembers<'static>>,
}

/// A line of the model as lines.
#[derive(serde::Serialize, JsonSchema)]
#[serde(untagged)]
#[allow(dead_code, reason = "only its schema is wanted")]
enum Line {
    /// The first one.
    Head(Head<'static>),
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
    let schema = SchemaSettings::draft2020_12().for_serialize().into_generator().into_root_schema_for::<T>();
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
fn the_schema_of_the_report_is_that_of_its_types() {
    is_the_page::<crate::report::Report<'static>>("report.json", "transfeed convert --report FILE.json");
}
