//! `transfeed explain`: the meaning of a name in a report: a rule, a loss code, a reason, a repair, a field, a format or a word of
//! a gate. All of it comes from the tables that the program itself uses.

use std::fmt::Write as _;

use clap::Args;

use super::exit::Exit;
use super::known::known;
use super::output::print;
use super::validate::nearest;
use crate::code::{Class, Code, LossKind, Severity};
use crate::diagnostic;
use crate::error::Error;
use crate::example;
use crate::fate::Fate;
use crate::format::{self, Format};
use crate::matrix;
use crate::model::Field;
use crate::reason::Reason;
use crate::report::make_visible;
use crate::rules::{self, OPML, manual};

/// Explain a code or a name: a rule, a loss code, a reason, a repair, a field, a format.
#[derive(Args)]
#[command(
    override_usage = "transfeed explain <CODE>\n       transfeed explain --list",
    after_help = "Examples:\n  transfeed explain V05\n  transfeed explain entry_dropped\n  transfeed explain no-thumbnail\n  \
    transfeed explain xml.ampersand\n  transfeed explain video.duration\n  transfeed explain mrss\n  \
    transfeed explain --list"
)]
pub struct Explain {
    /// A code or a name, as reports show it
    #[arg(value_name = "CODE", required_unless_present = "list", value_parser = known(word, all_names), hide_possible_values = true, allow_hyphen_values = true)]
    code: Option<String>,
    /// All codes and names
    #[arg(long, conflicts_with = "code")]
    list: bool,
}

/// Runs the command.
///
/// # Errors
/// A code that nothing has, standard output.
pub fn run(args: &Explain, program: clap::Command) -> Result<Exit, Error> {
    let text = match &args.code {
        None => list(),
        Some(code) => explain(code.trim(), program)?,
    };
    print(std::io::stdout().lock(), text.as_bytes())?;
    Ok(Exit::Done)
}

fn word(text: &str) -> Result<String, String> {
    Ok(text.to_owned())
}

fn all_names() -> Vec<&'static str> {
    rules::all().map(|rule| rule.code).chain(names()).collect()
}

pub(super) fn explain(code: &str, program: clap::Command) -> Result<String, Error> {
    if code.is_empty() {
        return Err(Error::format("cannot explain a name: it is empty", "`transfeed explain --list` shows all"));
    }
    let lower = code.to_ascii_lowercase();
    if let Some(rule) = rules::by_code(code) {
        return Ok(manual::text(rule));
    }
    if code.starts_with('-') {
        return of_option(code, program);
    }
    let found = Code::by_name(&lower).map(of_loss);
    let found = found.or_else(|| Reason::by_name(&lower).map(of_reason));
    let found = found.or_else(|| LossKind::by_name(&lower).map(of_kind));
    let found = found.or_else(|| Class::by_name(&lower).map(of_class));
    let found = found.or_else(|| Severity::by_name(&lower).map(of_severity));
    let found = found.or_else(|| diagnostic::by_code(&lower).map(of_repair));
    if let Some(text) = found.or_else(|| Field::by_name(&lower).map(of_field)) {
        return Ok(text);
    }
    let format = format::by_id(&lower).or((lower == OPML.id).then_some(&OPML)).map(of_format);
    let profile = rules::Profile::by_name(&lower).map(of_profile);
    if format.is_some() || profile.is_some() {
        return Ok(format.into_iter().chain(profile).collect::<Vec<_>>().join("\n"));
    }
    if let Some((_, meaning)) = WORDS.iter().find(|(word, _)| *word == lower) {
        return Ok(format!("{lower}  a word of reports\n\n  {meaning}\n"));
    }
    let below: Vec<Field> = Field::ALL.iter().copied().filter(|field| is_below(*field, &lower)).collect();
    if !below.is_empty() {
        return Ok(of_group(&lower, &below));
    }
    let fields = fields_of(code);
    if !fields.is_empty() {
        return Ok(of_element(code, &fields));
    }
    let holding: Vec<&str> =
        all_names().into_iter().filter(|name| name.to_ascii_lowercase().contains(&lower)).collect();
    match holding[..] {
        [only] => return explain(only, program),
        [_, _, ..] if lower.chars().count() > 2 => return Ok(of_search(&lower, &holding)),
        _ => (),
    }
    let near = nearest(code, names()).map(str::to_owned);
    let near =
        near.or_else(|| nearest(&code.to_ascii_uppercase(), rules::all().map(|rule| rule.code)).map(str::to_owned));
    let hint = match near {
        Some(near) => format!("did you mean {near}? `transfeed explain --list` shows all"),
        None => "`transfeed explain --list` shows all; options are in `transfeed convert --help`".to_owned(),
    };
    let shown: String = code.chars().take(100).collect();
    Err(Error::format(format!("nothing is called {shown}"), hint))
}

/// The fields that an element or attribute becomes, or is written from, with the formats.
fn fields_of(element: &str) -> Vec<(Field, &'static str, Vec<&'static str>)> {
    let mut found: Vec<(Field, &'static str, Vec<&'static str>)> = Vec::new();
    for format in format::targets().filter(|format| !format.family.is_model()) {
        for field in Field::ALL {
            let Some(name) = matrix::fate(format, *field).and_then(Fate::name) else { continue };
            // an element has its attributes and those inside it
            let rest = name.get(..element.len()).filter(|begin| begin.eq_ignore_ascii_case(element));
            if rest.is_none() || !(name.len() == element.len() || name[element.len()..].starts_with('@')) {
                continue;
            }
            match found.iter_mut().find(|(known, as_name, _)| known == field && *as_name == name) {
                Some((.., formats)) => formats.push(format.id),
                None => found.push((*field, name, vec![format.id])),
            }
        }
    }
    found
}

fn of_element(element: &str, fields: &[(Field, &'static str, Vec<&'static str>)]) -> String {
    let mut text = format!("{element}  an element or attribute\n\nIts fields in the model\n");
    let wide = fields.iter().map(|(field, ..)| field.name().len()).max().unwrap_or(0);
    for (field, name, formats) in fields {
        let _ = writeln!(text, "  {:<wide$}  {name} in {}", field.name(), formats.join(", "));
    }
    text.push_str("\n`transfeed explain FIELD` shows the element of a field in each target.\n");
    text
}

/// An option, with the commands that have it.
fn of_option(option: &str, mut program: clap::Command) -> Result<String, Error> {
    program.build();
    let name = option.trim_start_matches('-').split('=').next().unwrap_or_default();
    let is_meant = |arg: &&clap::Arg| {
        arg.get_long() == Some(name)
            || option.len() == 2 && arg.get_short().is_some_and(|short| name.starts_with(short))
    };
    let has =
        |command: &clap::Command| command.get_arguments().find(is_meant).filter(|arg| !arg.is_hide_set()).cloned();
    let found: Vec<(String, clap::Arg)> =
        program.get_subcommands().filter_map(|command| Some((command.get_name().to_owned(), has(command)?))).collect();
    let Some((_, arg)) = found.first() else {
        let all: Vec<&str> =
            program.get_subcommands().flat_map(clap::Command::get_arguments).filter_map(clap::Arg::get_long).collect();
        let near = nearest(name, all.into_iter()).map(|near| format!("did you mean --{near}?"));
        let hint = near.unwrap_or_else(|| "`transfeed convert --help` shows the options".to_owned());
        return Err(Error::format(format!("no command has the option {option}"), hint));
    };
    let commands: Vec<&str> = found.iter().map(|(command, _)| command.as_str()).collect();
    let long = arg.get_long().map_or(option.to_owned(), |long| format!("--{long}"));
    let value = arg.get_value_names().filter(|_| arg.get_action().takes_values());
    let value = value.map(|names| format!(" <{}>", names.join("> <"))).unwrap_or_default();
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let help = help.replace('\n', "\n  ").replace("\n  \n", "\n\n");
    Ok(format!("{long}{value}  an option\n\n  {help}\n\nCommands\n  {}\n", commands.join(", ")))
}

/// Words that reports use in place of a field's name.
const WORDS: [(&str, &str); 7] = [
    ("all", "For --fail-on: any row of the report, and any repair."),
    ("dropped", "For --fail-on: an entry or a video that is not in the output."),
    ("kept", "In the output with the same meaning. Only the totals count these values; no row lists them."),
    ("entry", "A whole page, item or entry: its row counts all its values."),
    ("values of an entry", "All values of one entry, which went with it where it could not be written."),
    ("values of a video", "All values of one video, which went with it where a format takes fewer videos or none."),
    (
        "values of a file",
        "All values of one file of a video, which went with it where a format takes fewer files or none.",
    ),
];

/// Whether the name of a field begins with these parts.
fn is_below(field: Field, group: &str) -> bool {
    field.name().strip_prefix(group).is_some_and(|rest| rest.starts_with('.'))
}

fn of_group(group: &str, fields: &[Field]) -> String {
    let mut text = format!("{group}  a group of values of the model\n\nIts fields\n");
    for field in fields {
        let _ = writeln!(text, "  {}", field.name());
    }
    text.push_str("\n`transfeed explain FIELD` shows the element of a field in each target.\n");
    text
}

/// The codes and names that contain a word.
fn of_search(word: &str, names: &[&str]) -> String {
    let mut text = format!("{} codes and names contain {word}\n\n", names.len());
    names.iter().for_each(|name| _ = writeln!(text, "  {name}"));
    text.push_str("\n`transfeed explain NAME` explains one of them.\n");
    text
}

fn of_profile(profile: rules::Profile) -> String {
    let count = rules::all().filter(|rule| rule.worst(profile).is_some()).count();
    let usual = format::FORMATS.iter().filter(|format| rules::Profile::defaults(format).contains(&profile));
    let usual: Vec<&str> = usual.map(|format| format.id).collect();
    format!(
        "{0}  a profile: whose rules validate checks\n\nIts rules\n  {count}, as `transfeed explain --list` names them\n\n\
         Checked by default in\n  {1}\n\nShown by\n  transfeed validate FILE --profile {0} --level info\n",
        profile.name(),
        usual.join(", ")
    )
}

/// How many fields are named for a reason in one format.
const EXAMPLES: usize = 6;

fn of_loss(loss: Code) -> String {
    let mut text = format!(
        "{}  what happened to a value in a conversion\n\n  {}\n\nReasons\n",
        loss.name(),
        sentence(loss.meaning())
    );
    for reason in Reason::ALL.iter().filter(|reason| reason.code() == loss) {
        let _ = writeln!(text, "  {:<22} {}", reason.name(), reason.text());
    }
    text.push('\n');
    text.push_str(&example_of(loss.name()));
    text.push_str(match loss.is_callers() {
        true => "Shown by\n  the reports of the library: Document::write, Conversion::map\n",
        false => "Shown by\n  transfeed convert FILE --to FORMAT --report -\n",
    });
    text
}

fn of_reason(reason: Reason) -> String {
    let (code, severity) = (reason.code(), reason.severity());
    let class = reason.class_as(reason.usual_kind());
    let mut text = format!(
        "{}  why a value is not in the output as it was\n\n  {}\n\n\
         Code      {}: {}\nClass     {}: {}\nSeverity  {}: {}\n",
        reason.name(),
        sentence(reason.text()),
        code.name(),
        code.meaning(),
        class.name(),
        class.meaning(),
        severity.name(),
        severity.meaning(),
    );
    if !reason.remedy().is_empty() {
        let _ = writeln!(text, "\nRemedy\n  {}", reason.remedy());
    }
    let meets = |format: &'static Format| {
        let is_met = |field: &&Field| match matrix::fate(format, **field) {
            Some(Fate::Near(_, met) | Fate::Lost(met)) => met == reason,
            Some(Fate::Native(_)) | None => false,
        };
        Field::ALL.iter().filter(is_met).map(|field| field.name()).collect::<Vec<_>>()
    };
    let met = format::targets().map(|format| (format, meets(format))).filter(|(_, fields)| !fields.is_empty());
    for (at, (format, fields)) in met.enumerate() {
        let begin = if at == 0 { "\nFields, by target\n" } else { "" };
        let shown = fields.iter().take(EXAMPLES).copied().collect::<Vec<_>>().join(", ");
        let more = match fields.len().saturating_sub(EXAMPLES) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        let _ = writeln!(text, "{begin}  {:<14} {shown}{more}", format.id);
    }
    text.push_str("\nShown by\n  transfeed convert FILE --to FORMAT --report -\n");
    text
}

fn of_repair(repair: &diagnostic::RepairCode) -> String {
    let mut text = format!("{}  {} ({})\n\n", repair.code, repair.title, repair.severity());
    let _ = writeln!(text, "Problem\n  {}\n\nRepair\n  {}\n", repair.means, repair.done);
    if let Some(option) = repair.option {
        let _ = writeln!(text, "  {option} raises the limit.\n");
    }
    text.push_str(&example_of(repair.code));
    text.push_str("Shown by\n  transfeed convert FILE --to FORMAT -v\n");
    text
}

/// The commands that report a word, and fail on it.
fn shown_by(word: &str) -> String {
    format!(
        "Shown by\n  transfeed convert FILE --to FORMAT --report -\n  \
         transfeed convert FILE --to FORMAT --fail-on {word}     exit code 1 where there are any\n"
    )
}

fn of_class(class: Class) -> String {
    let name = class.name();
    let mut text = format!(
        "{name}  a class of what happens to values in a conversion\n\n  {}\n\nReasons\n",
        sentence(class.meaning())
    );
    for reason in Reason::ALL.iter().filter(|reason| reason.class_as(reason.usual_kind()) == class) {
        let _ = writeln!(text, "  {:<22} {}", reason.name(), reason.text());
    }
    text + "\n" + &shown_by(name)
}

fn of_severity(severity: Severity) -> String {
    let name = severity.name();
    let mut text = format!(
        "{name}  a severity of losses, repairs and findings\n\n  {}\n\nLoss codes\n",
        sentence(severity.meaning())
    );
    let mut codes: Vec<&str> =
        Reason::ALL.iter().filter(|reason| reason.severity() == severity).map(|reason| reason.code().name()).collect();
    codes.sort_unstable();
    codes.dedup();
    codes.iter().for_each(|code| _ = writeln!(text, "  {code}"));
    text + "\n" + &shown_by(name)
}

/// The example of a code, and the conversion that reports it; empty if a table has its own examples.
fn example_of(code: &str) -> String {
    let Some(example) = example::by_code(code) else { return String::new() };
    let mut text = "Example\n".to_owned();
    for line in example.shown.lines() {
        let _ = writeln!(text, "  {}", make_visible(line));
    }
    if let Some((again, times)) = example.again {
        let _ = writeln!(text, "  {again}, {times} times");
    }
    if let Some(around) = manual::around(example.within) {
        let _ = writeln!(text, "  ({around})");
    }
    if !example.options.is_empty() {
        let _ = writeln!(text, "  → transfeed convert FILE {}", example.options);
    }
    text.push('\n');
    text
}

fn of_kind(kind: LossKind) -> String {
    let (name, meaning) = (kind.name(), sentence(kind.meaning()));
    format!(
        "{name}  a kind of what happens to values in a conversion\n\n  {meaning}\n\n{}{}",
        example_of(name),
        shown_by(name)
    )
}

/// A meaning from a table as a sentence.
fn sentence(meaning: &str) -> String {
    let mut letters = meaning.chars();
    letters.next().map_or(String::new(), |first| format!("{}{}.", first.to_uppercase(), letters.as_str()))
}

fn of_field(field: Field) -> String {
    let mut text = format!("{}  a value of the model\n\nWhat becomes of it\n", field.name());
    for format in format::targets() {
        let says = match matrix::fate(format, field) {
            Some(Fate::Native(name)) => format!("kept as {name}"),
            Some(Fate::Near(name, why)) => format!("changed, as {name}: {} ({})", why.text(), why.name()),
            Some(Fate::Lost(why)) if is_read_back(field, format) => {
                format!("kept from a format of its family, else lost: {} ({})", why.text(), why.name())
            }
            Some(Fate::Lost(why)) => format!("lost: {} ({})", why.text(), why.name()),
            None => continue,
        };
        let _ = writeln!(text, "  {:<14} {says}", format.id);
    }
    text.push_str("\nShown by\n  transfeed formats\n");
    text
}

/// Whether a value that has no place in the format is written back as it was, where source and target are of one family.
fn is_read_back(field: Field, format: &Format) -> bool {
    matches!(field, Field::Foreign | Field::FeedForeign) && format.family.is_markup()
}

fn of_format(format: &Format) -> String {
    let how = if format.writer.is_some() { "read and written" } else { "only read" };
    let profiles: Vec<&str> = rules::Profile::defaults(format).iter().map(|profile| profile.name()).collect();
    let profiles = if profiles.is_empty() { "none".to_owned() } else { profiles.join(", ") };
    let shows = match format.writer {
        Some(_) => format!("\nShown by\n  transfeed formats {}\n", format.id),
        None => String::new(),
    };
    let mut text = format!("{}  {} ({how})\n", format.id, format.title);
    let sources = rules::specifications(format);
    if !sources.is_empty() {
        text.push_str("\nWritten down in\n");
    }
    for source in sources {
        let _ = writeln!(text, "  {}\n  {}", source.title, source.address);
    }
    if format.writer.is_some() {
        let count = |wanted: fn(&Fate) -> bool| {
            Field::ALL.iter().filter_map(|field| matrix::fate(format, *field)).filter(wanted).count()
        };
        let (native, near, lost) = (
            count(|fate| matches!(fate, Fate::Native(_))),
            count(|fate| matches!(fate, Fate::Near(..))),
            count(|fate| matches!(fate, Fate::Lost(..))),
        );
        let _ = writeln!(text, "\nFields of the model\n  {native} kept, {near} changed, {lost} lost");
    }
    let _ = write!(text, "\nDefault profile of `validate`\n  {profiles}\n{shows}");
    text
}

/// Every name that can be explained, but for rules.
fn names() -> impl Iterator<Item = &'static str> {
    let losses = Code::ALL.iter().map(|code| code.name());
    let repairs = diagnostic::ALL.iter().map(|row| row.code);
    let fields = Field::ALL.iter().map(|field| field.name());
    let formats = format::FORMATS.iter().map(|format| format.id);
    let kinds = LossKind::ALL.into_iter().map(LossKind::name);
    // a format of the same name is explained with its profile
    let profiles =
        rules::Profile::ALL.into_iter().map(rules::Profile::name).filter(|name| format::by_id(name).is_none());
    let reasons = Reason::ALL.iter().map(|reason| reason.name());
    let classes = Class::ALL.into_iter().map(Class::name);
    let severities = Severity::ALL.into_iter().map(Severity::name);
    let words = losses.chain(kinds).chain(classes).chain(severities).chain(reasons);
    words.chain(repairs).chain(fields).chain(formats).chain(profiles)
}

fn list() -> String {
    let words = |words: Vec<&str>| words.iter().map(|word| format!("  {word}\n")).collect::<String>();
    let told = |wide: usize, rows: Vec<(&str, &str)>| {
        rows.iter().map(|(word, meaning)| format!("  {word:<wide$} {meaning}\n")).collect::<String>()
    };
    let effects = Code::ALL.iter().map(|code| code.name()).chain(LossKind::ALL.map(LossKind::name));
    let classes = Class::ALL.map(Class::name).into_iter().chain(Severity::ALL.map(Severity::name));
    let parts = [
        ("Effects of a conversion on a value", words(effects.collect())),
        ("Classes and severities", words(classes.collect())),
        ("Reasons", told(22, Reason::ALL.iter().map(|reason| (reason.name(), reason.text())).collect())),
        ("Repairs", told(20, diagnostic::ALL.iter().map(|row| (row.code, row.title)).collect())),
        ("Formats", told(14, format::FORMATS.iter().map(|format| (format.id, format.title)).collect())),
        ("Profiles", words(rules::Profile::ALL.map(rules::Profile::name).to_vec())),
        ("Fields", words(Field::ALL.iter().map(|field| field.name()).collect())),
    ];
    manual::list() + &parts.map(|(title, rows)| format!("{title}\n{rows}")).join("\n")
}
