//! The JSON Schemas in docs/schema, generated from the types that are written: this is a test only. That real outputs are
//! what the schemas say is tested from outside (tests/schemas.rs).

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::Value;

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
