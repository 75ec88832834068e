//! The content of a document, its problems, and the forecast for each target.

use serde_json::{Value, json};
use transfeed::Error;
use transfeed::convert::Input;
use transfeed::format;
use transfeed::html;
use transfeed::inspect::{ForecastSummary, InspectOptions, Inspection, text};
use transfeed::job::name;

use crate::request::InspectRequest;
use crate::{Answer, Output, PageInput, options, stem, written};

pub(crate) fn run(asked: &InspectRequest, input: &PageInput<'_>) -> Result<Answer, Error> {
    let inspect = InspectOptions::default().with(options(asked.now, &asked.input));
    let found = asked.input.source()?.map_or(inspect.clone(), |from| inspect.from(from)).document(input);
    let mut found = found.map_err(|error| error.in_input(input.name()))?;
    found.bytes = found.bytes.or(Some(input.bytes.len() as u64));
    let view = json!({
        "format": found.format,
        "title": format::by_id(&found.format).map(|format| format.title),
        "is": text::describe(&found),
        "encoding": found.encoding.real,
        "compression": found.compression,
        "bytes": input.bytes.len(),
        "problems": text::trouble(&found),
        "videos": found.videos,
        "targets": found.forecast.iter().map(target).collect::<Vec<_>>(),
    });
    let mut all = Inspection::default();
    all.push(input.name(), Ok(found));
    let name = stem(input.name());
    let outputs = vec![
        Output::new("json", format!("{name}-content.json"), written(|out| all.write_json(out))?),
        Output::new("html", format!("{name}-content.html"), written(|out| html::contents(&all, out))?),
    ];
    Ok(Answer { view, outputs })
}

/// What a conversion would lose.
fn target(forecast: &ForecastSummary) -> Value {
    let to = format::by_id(forecast.to);
    json!({
        "to": forecast.to,
        "title": to.map(|format| format.title),
        "ending": to.map(|format| name::own_ending(format).map_or_else(|| name::extension(format, false), str::to_owned)),
        "refused": forecast.refused,
        "objects": forecast.objects,
        "writes": forecast.objects.to_string(),
        "totals": forecast.totals,
        "attention": forecast.classes.attention,
    })
}
