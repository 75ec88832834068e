//! A document in another format, with its reports.

use std::path::{Path, PathBuf};

use serde_json::json;
use transfeed::Error;
use transfeed::convert::{Conversion, Input, PartBuffers, Publication, Summary};
use transfeed::format::{self, Format, sitemap};
use transfeed::html;
use transfeed::job::name::{index_name, numbered};
use transfeed::model::Date;
use transfeed::report;

use crate::request::ConvertRequest;
use crate::{Answer, Output, PageInput, of_run, stem, written};

pub(crate) fn run(asked: &ConvertRequest, input: &PageInput<'_>) -> Result<Answer, Error> {
    let to = format::by_id(&asked.to).filter(|format| format.writer.is_some());
    let to = to.ok_or_else(|| Error::format(format!("unknown target: {}", asked.to), "choose one of the list"))?;
    let options = of_run(asked.options.clone(), asked.now, &asked.input);
    let profile = to.profile_name(&options);
    let mut parts = PartBuffers::default();
    let conversion = Conversion::to(to).with(options.clone());
    let conversion = match asked.input.source()? {
        Some(from) => conversion.from(from),
        None => conversion,
    };
    let summary = conversion.run(&[input as &dyn Input], &mut parts, None);
    let mut summary = summary.map_err(|error| error.in_input(input.name()))?;
    let refused = summary.refusal_of_input(&options).map(|error| error.in_input(input.name()).to_string());
    summary.publication = Publication { is_published: refused.is_none(), gates: Vec::new() };
    let view = json!({
        "headline": report::headline(&summary, to, Some(&asked.output)),
        "refused": refused,
        "empty": empty(&summary, to),
        "attention": report::attention_lines(&summary),
        "totals": summary.ledger.totals(),
        "to": to.id,
    });
    let name = stem(&asked.output);
    let json = written(|out| report::json(&summary, to, profile, out))?;
    let html = written(|out| html::losses(&summary, to, profile, &[], out))?;
    let mut outputs = if refused.is_none() { documents(asked, &summary, to, parts) } else { Vec::new() };
    outputs.push(Output::new("json", format!("{name}-losses.json"), json));
    outputs.push(Output::new("html", format!("{name}-losses.html"), html));
    Ok(Answer { view, outputs })
}

/// The output, or its parts and their index under the names that the program gives them, the index first.
fn documents(asked: &ConvertRequest, summary: &Summary, to: &'static Format, parts: PartBuffers) -> Vec<Output> {
    let output = |name: &Path, bytes| Output::new("document", name.display().to_string(), bytes);
    let path = Path::new(&asked.output);
    if parts.0.len() == 1 {
        return parts.0.into_iter().map(|bytes| output(path, bytes)).collect();
    }
    let names: Vec<PathBuf> =
        (1..=parts.0.len()).map(|number| numbered(path, Some(to), false, &format!("-{number:04}"))).collect();
    let dates = summary.parts.iter().map(|part| part.lastmod);
    let listed: Vec<(&Path, Option<Date>)> = names.iter().map(PathBuf::as_path).zip(dates).collect();
    let folder = asked.options.index_base.as_deref().filter(|_| summary.indexed);
    let indexes = folder.into_iter().flat_map(|folder| sitemap::indexes(folder, &listed).enumerate());
    let indexes = indexes.map(|(number, bytes)| output(&index_name(path, false, number), bytes));
    indexes.chain(names.iter().zip(parts.0).map(|(name, bytes)| output(name, bytes))).collect()
}

/// Names an output without the things that it is for.
fn empty(summary: &Summary, to: &Format) -> Option<String> {
    summary.empty(to).map(|(what, _)| format!("The output has no {what}."))
}
