//! `transfeed inspect`, and `transfeed FILE` without a command: the content of inputs, a forecast of conversions, and
//! the next commands.

use std::io::Write;
use std::path::Path;

use clap::Args;

use super::exit::Exit;
use super::fetch::{self, FetchArgs, Fetcher};
use super::file::{InputSource, beside_index};
use super::known::known;
use super::output::{OutputOptions, OutputTarget, is_stdout, print, stdout_error};
use super::places::real;
use super::progress::Progress;
use super::{color, limits, pattern, progress, wanted};
use crate::cli::argument::{at_least_one, folder, source, source_names, target};
use crate::cli::color::{eprint, print_notes};
use crate::convert::{Document, Select};
use crate::error::Error;
use crate::format::{self, Format};
use crate::html;
use crate::inspect::text::{self, InspectDetail};
use crate::inspect::{DiscoveredSite, ForecastSummary, InspectOptions, InspectedInput, Inspection};
use crate::job::list;
use crate::options::Options;
use crate::report::{input_title, make_visible};
use crate::text::many;

/// Show the content of documents, and forecast losses.
///
/// The forecast has the numbers that `convert --to` reports without further options. For other options use `convert
/// --report`, or `migrate --dry-run`, which writes no documents.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    transfeed inspect catalogue.mrss\n  \
    transfeed inspect catalogue.mrss --to video-sitemap\n  \
    transfeed inspect huge.xml.gz --sample 1000 --json\n  \
    transfeed inspect feeds/*.xml --to none\n  \
    transfeed inspect https://example.com/    # the feeds and sitemaps of a site")]
pub struct InspectArgs {
    /// Files or URLs, or `-` for standard input; one line each if several
    ///
    /// Patterns such as '*.rss' are expanded if the shell did not do it. Of a site, such as `https://example.com/`, the feeds
    /// and sitemaps that it names are listed.
    #[arg(value_name = "INPUT", default_value = "-")]
    inputs: Vec<String>,
    /// Target of the forecast: a format, all or none
    #[arg(long, value_name = "FORMAT", default_value = "all", value_parser = targets)]
    to: Targets,
    /// Source format [default: detected from the content]
    #[arg(long, value_name = "FORMAT", value_parser = known(source, source_names), hide_possible_values = true)]
    from: Option<&'static Format>,
    /// Read only the first N entries
    #[arg(long, value_name = "N", conflicts_with = "sample", allow_negative_numbers = true, value_parser = at_least_one)]
    limit: Option<u64>,
    /// Read only N entries, spread over the document
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = at_least_one)]
    sample: Option<u64>,
    /// Print JSON (docs/schema/inspect.json)
    #[arg(long)]
    json: bool,
    /// Write a page too; `-` prints only the page
    #[arg(long, value_name = "FILE")]
    html: Option<String>,
    /// Folder for temporary files [default: that of the system]
    #[arg(long, value_name = "DIR", value_parser = folder(), hide_short_help = true)]
    temp_dir: Option<std::path::PathBuf>,
    /// Show a progress bar: auto (on a terminal, after half a second), always, never
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_possible_values = true, hide_short_help = true)]
    progress: progress::ProgressMode,
    /// Use colors: auto (on a terminal, without NO_COLOR), always, never
    #[arg(long, value_name = "WHEN", default_value = "auto", hide_possible_values = true, hide_short_help = true)]
    pub(super) color: color::ColorMode,
    /// Number of threads (0 = one per core)
    #[arg(short = 'j', long = "threads", value_name = "N", default_value_t = 0, allow_negative_numbers = true, value_parser = crate::cli::wanted::threads)]
    threads: usize,
    /// Show all fields, rows and repairs
    #[arg(short, long)]
    verbose: bool,
    /// Print only errors on standard error
    #[arg(short, long)]
    quiet: bool,
    #[command(flatten)]
    fetch: FetchArgs,
    #[command(flatten)]
    limits: limits::LimitArgs,
}

/// The targets of a forecast.
#[derive(Clone)]
struct Targets(Vec<&'static Format>);

fn targets(id: &str) -> Result<Targets, String> {
    match id {
        "all" => Ok(Targets(format::targets().collect())),
        "none" => Ok(Targets(Vec::new())),
        id => target(id).map(|format| Targets(vec![format])),
    }
}

/// Runs the command.
///
/// # Errors
/// A bug, or standard output that cannot be written; inputs that cannot be read are named and cost the exit code.
pub fn run(args: &InspectArgs) -> Result<Exit, Error> {
    let select = match (args.limit, args.sample) {
        (Some(count), _) => Select::First(count),
        (None, Some(count)) => Select::Spread(count),
        (None, None) => Select::All,
    };
    let options = Options {
        threads: args.threads,
        limits: args.limits.limits(),
        temp_dir: args.temp_dir.clone(),
        ..Options::default()
    };
    let when = if args.quiet { progress::ProgressMode::Never } else { args.progress };
    let inputs = pattern::names(&args.inputs)?;
    args.fetch.check(inputs.iter().map(String::as_str).chain(args.html.as_deref()), None)?;
    let fetcher = Fetcher::new(&args.fetch, &args.limits, args.temp_dir.as_deref());
    let asked =
        InspectRequest { from: args.from, targets: &args.to.0, select, options, progress: when, fetcher: &fetcher };
    let alone = args.html.as_deref().is_some_and(is_stdout);
    if alone && args.json {
        return Err(Error::format("--json and a page both go to standard output", "pass a file to --html"));
    }
    let page = args.html.as_deref().map(|name| page(name, &inputs)).transpose()?;
    let all = asked.inspect(&inputs)?;
    fetcher.end()?;
    if let (Some(mut page), Some(name)) = (page, args.html.as_deref()) {
        let written = html::contents(&all, &mut page);
        written.and_then(|()| page.flush()).map_err(|error| Error::io(name, error))?;
        page.finish()?;
    }
    let detail = if args.verbose { InspectDetail::All } else { InspectDetail::Usual };
    if alone {
        return Ok(if all.errors.is_empty() { Exit::Done } else { Exit::Trouble });
    }
    let shown = match (args.json, all.inputs.as_slice()) {
        (true, _) => json(&all)?,
        (false, _) if !all.sites.is_empty() => all.sites.iter().map(site).collect(),
        (false, []) => String::new(),
        (false, [one]) if inputs.len() == 1 => text::document(one, detail),
        (false, _) => text::several(&all, detail),
    };
    print(color::stdout(), color::inspection(&shown, args.json).as_bytes())?;
    Ok(if all.errors.is_empty() { Exit::Done } else { Exit::Trouble })
}

/// Where the page goes; what is read is never written.
fn page(name: &str, inputs: &[String]) -> Result<OutputTarget, Error> {
    let place = real(Path::new(name));
    if place.is_file() && inputs.iter().any(|input| input != "-" && real(Path::new(input)) == place) {
        return Err(Error::format(format!("cannot write {name}: it is an input"), "rename the page"));
    }
    OutputTarget::create(name, OutputOptions::default())
}

/// What is looked for, and how.
struct InspectRequest<'a> {
    from: Option<&'static Format>,
    targets: &'a [&'static Format],
    select: Select,
    options: Options,
    progress: progress::ProgressMode,
    fetcher: &'a Fetcher<'a>,
}

impl InspectRequest<'_> {
    /// Looks into all inputs; those that cannot be read are named on standard error.
    fn inspect(&self, names: &[String]) -> Result<Inspection, Error> {
        let mut all = Inspection::default();
        for name in names {
            let found = self.inspect_file(name);
            let name = &fetch::shown(name);
            let found = match found {
                Ok(InspectedSource::Document(found)) => Ok(*found),
                Ok(InspectedSource::Site(site)) => {
                    all.sites.push(site);
                    continue;
                }
                Ok(InspectedSource::List(parts)) => {
                    parts.into_iter().try_for_each(|(name, found)| take(&name, found, &mut all))?;
                    continue;
                }
                Err(error) => Err(error.in_input(name)),
            };
            take(name, found, &mut all)?;
        }
        Ok(all)
    }

    fn inspect_file(&self, name: &str) -> Result<InspectedSource, Error> {
        let progress = Progress::new(self.progress);
        let source = self.fetcher.open(name, &progress)?;
        let mut notes = Vec::new();
        let site = self.fetcher.discover(name, &source, &progress, &mut notes)?;
        let parts = if site.is_some() { None } else { self.fetcher.listed(name, &source, &progress, &mut notes)? };
        let is_quiet = matches!(self.progress, progress::ProgressMode::Never);
        print_notes(&notes, is_quiet);
        if let Some(site) = site {
            progress.done();
            return Ok(InspectedSource::Site(site));
        }
        let Some(parts) = parts else {
            return self.inspect_source(&source, &progress).map(|found| InspectedSource::Document(Box::new(found)));
        };
        let named = |(name, source): (String, Result<InputSource, Error>)| {
            let found = source.and_then(|source| self.inspect_source(&source, &progress));
            let found = found.map_err(|error| error.in_input(&name));
            (name, found)
        };
        Ok(InspectedSource::List(parts.into_iter().map(named).collect()))
    }

    fn inspect_source(&self, source: &InputSource, progress: &Progress) -> Result<InspectedInput, Error> {
        progress.expect(source.size());
        let mut options = self.options.clone();
        wanted::date_run(&mut options, source.modified());
        let mut inspect = InspectOptions::default().to(self.targets).select(self.select).with(options);
        if let Some(from) = self.from {
            inspect = inspect.from(from);
        }
        let found = inspect.document(source);
        progress.done();
        let mut found = found?;
        // where only the beginning was read, the file knows more
        found.bytes = found.bytes.or(Some(source.size()));
        found.fetched = source.fetched().cloned();
        Ok(found)
    }
}

/// Adds what was found in an input; what cannot be read is named on standard error.
fn take(name: &str, found: Result<InspectedInput, Error>, all: &mut Inspection) -> Result<(), Error> {
    match found {
        Err(error) if error.is_bug() => return Err(error),
        Err(error) => {
            eprint(&format!("{}: {}\n", color::red("error"), make_visible(&error.to_string())));
            all.push(name, Err(error));
        }
        Ok(found) => all.push(name, Ok(found)),
    }
    Ok(())
}

/// What an input turned out to be.
enum InspectedSource {
    Document(Box<InspectedInput>),
    /// The documents of a list at a URL, by their URLs.
    List(Vec<(String, Result<InspectedInput, Error>)>),
    /// A page of a site, for what the site names.
    Site(DiscoveredSite),
}

/// What a site names, as text.
fn site(found: &DiscoveredSite) -> String {
    let url = make_visible(&found.url);
    if found.documents.is_empty() {
        return format!("{url}: names no feeds and no sitemaps in robots.txt or links\n");
    }
    let mut text = format!("{url}: names {}\n", many(found.documents.len() as u64, "document", "documents"));
    for document in &found.documents {
        let what = [document.kind.as_deref(), document.title.as_deref()].into_iter().flatten().collect::<Vec<_>>();
        let what = if what.is_empty() { String::new() } else { format!(", {}", what.join(", ")) };
        let line = format!("  {}  ({}{what})", document.url, document.by);
        text.push_str(&(make_visible(&line) + "\n"));
    }
    text.push_str(&format!("\n  transfeed inspect {}\n", shell(&found.documents[0].url)));
    let site = shell(&found.url);
    text.push_str(&format!("  transfeed migrate {site} --discover --follow-remote --to sitemap --out site\n"));
    text
}

fn json(all: &Inspection) -> Result<String, Error> {
    let mut shown = Vec::new();
    all.write_json(&mut shown).map_err(stdout_error)?;
    Ok(String::from_utf8_lossy(&shown).into_owned())
}

/// The arguments where there is no command.
#[derive(Args)]
pub struct Short {
    /// Files or URLs to inspect briefly: format, problems, next commands
    #[arg(value_name = "FILE")]
    files: Vec<String>,
    /// Source format [default: detected from the content]
    #[arg(long, value_name = "FORMAT", value_parser = known(source, source_names), hide_possible_values = true, requires = "files", hide = true)]
    from: Option<&'static Format>,
    /// Use colors: auto (on a terminal, without NO_COLOR), always, never
    #[arg(long, value_name = "WHEN", default_value = "auto", hide = true)]
    pub(super) color: color::ColorMode,
    /// Print only errors on standard error
    #[arg(short, long, hide = true)]
    quiet: bool,
}

impl Short {
    /// The first word, where a command might have been meant.
    pub fn first(&self) -> Option<&str> {
        self.files.first().map(String::as_str)
    }
}

/// Prints the format of each file, its problems, and the next commands to type.
///
/// # Errors
/// As [`run`].
pub fn short(args: &Short) -> Result<Exit, Error> {
    let progress = if args.quiet { progress::ProgressMode::Never } else { progress::ProgressMode::Auto };
    let options = Options::default();
    let (fetch, limits) = (wanted::defaults()?, wanted::defaults()?);
    let fetcher = Fetcher::new(&fetch, &limits, None);
    let asked =
        InspectRequest { from: args.from, targets: &[], select: Select::All, options, progress, fetcher: &fetcher };
    let all = asked.inspect(&pattern::names(&args.files)?)?;
    fetcher.end()?;
    let shown: Vec<String> = all.inputs.iter().map(|found| in_short(found, args.from)).collect();
    let shown: Vec<String> = all.sites.iter().map(site).chain(shown).collect();
    print(color::stdout(), color::inspection(&shown.join("\n"), false).as_bytes())?;
    Ok(if all.errors.is_empty() { Exit::Done } else { Exit::Trouble })
}

/// Lines of trouble that are shown.
const TROUBLE: usize = 6;

fn in_short(found: &InspectedInput, from: Option<&'static Format>) -> String {
    let name = input_title(&found.name);
    let mut lines = vec![format!("{name}: {}", text::describe(found))];
    let trouble = text::trouble(found);
    if trouble.is_empty() {
        let more = if is_checked(found) { "; `transfeed validate` checks the rules" } else { "" };
        lines.push(format!("  read without repairs{more}"));
    }
    lines.extend(trouble.iter().take(TROUBLE).map(|line| format!("  ! {}", text::narrow(line, 104))));
    if trouble.len() > TROUBLE {
        lines.push(format!("  … and {} more", trouble.len() - TROUBLE));
    }
    lines.push(String::new());
    lines.extend(next(found, from).iter().map(|command| format!("  {command}")));
    lines.join("\n") + "\n"
}

/// Whether there are rules for its format.
fn is_checked(found: &InspectedInput) -> bool {
    format::by_id(&found.format).is_some_and(|format| !crate::rules::Profile::defaults(format).is_empty())
}

/// What to type next: a closer look, and a conversion to what such a document is most often wanted as.
fn next(found: &InspectedInput, from: Option<&'static Format>) -> Vec<String> {
    if found.name == "-" {
        return vec!["to convert it, save it to a file: standard input can be read only once".to_owned()];
    }
    let name = shell(&found.name);
    if let Some(to) = parts(found) {
        let out = shell(&report_name(&found.name, to, ""));
        return vec![format!("transfeed inspect {name}"), format!("transfeed migrate {name} --to {to} --out {out}")];
    }
    let (to, ending) = match found.format.as_str() {
        "sitemap" if found.videos == 0 => ("rss", "rss"),
        "sitemap" | "video-sitemap" => ("mrss", "rss"),
        "sitemap-index" | "json" => ("jsonl", "jsonl"),
        _ if found.videos > 0 => fitting(found, from),
        _ => ("sitemap", "xml"),
    };
    let from = from.map(|from| format!(" --from {}", from.id)).unwrap_or_default();
    let output = shell(&report_name(&found.name, to, ending));
    let mut commands = vec![format!("transfeed inspect {name}{from}")];
    if is_checked(found) {
        commands.push(format!("transfeed validate {name}{from}"));
    }
    commands.push(format!("transfeed convert {name}{from} --to {to} -o {output}"));
    commands
}

/// So many entries decide which target is proposed.
const SAMPLE: u64 = 1_000;

/// The target of a feed with videos, with the ending of its name: a video sitemap; where that would have no video,
/// what fits best of another family.
fn fitting(found: &InspectedInput, from: Option<&'static Format>) -> (&'static str, &'static str) {
    let usual = ("video-sitemap", "xml");
    let family = format::by_id(&found.format).map(|format| format.family);
    let others = |format: &&'static Format| Some(format.family) != family && format.family.is_markup();
    let targets: Vec<&'static Format> = format::targets().filter(others).collect();
    let progress = progress::ProgressMode::Never;
    let (select, options) = (Select::First(SAMPLE), Options::default());
    let (Ok(fetch), Ok(limits)) = (wanted::defaults(), wanted::defaults()) else { return usual };
    // what was fetched is not fetched again for a proposal
    if found.fetched.is_some() {
        return usual;
    }
    let fetcher = Fetcher::new(&fetch, &limits, None);
    let asked = InspectRequest { from, targets: &targets, select, options, progress, fetcher: &fetcher };
    let Ok(all) = asked.inspect(std::slice::from_ref(&found.name)) else { return usual };
    let Some(again) = all.inputs.first() else { return usual };
    let writes = |forecast: &ForecastSummary| forecast.objects.videos().1 > 0;
    if again.forecast.iter().any(|forecast| forecast.to == usual.0 && writes(forecast)) {
        return usual;
    }
    let best = again.forecast.iter().filter(|forecast| forecast.to != usual.0).min_by_key(|forecast| forecast.fit());
    match best.and_then(|best| format::by_id(best.to)) {
        Some(best) => (best.id, best.family.extension.unwrap_or(best.id)),
        None => usual,
    }
}

/// The best target for the parts of a sitemap index, if some are next to it: users usually want to convert these.
fn parts(found: &InspectedInput) -> Option<&'static str> {
    if found.format != "sitemap-index" {
        return None;
    }
    let open = |name: &str| InputSource::open(name, None, &Progress::new(progress::ProgressMode::Never)).ok();
    let folder = std::path::Path::new(&found.name).parent()?;
    let index = open(&found.name)?;
    let mut addresses = list::index(&index, &Options::default()).ok()?.flatten();
    let first = addresses.find_map(|address| open(beside_index(folder, &address)?.to_str()?))?;
    let document = Document::open(&first, None, &Options::default()).ok()?;
    Some(if document.format.id == "video-sitemap" { "mrss" } else { "rss" })
}

/// A name for the output in the folder one types in: that of the input, with the target; of a folder where there is no
/// ending.
fn report_name(name: &str, to: &str, ending: &str) -> String {
    let file = std::path::Path::new(name).file_name().map(|name| name.to_string_lossy().into_owned());
    let file = file.unwrap_or_default();
    let file = file.strip_suffix(".gz").unwrap_or(&file);
    let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
    let stem = if stem.is_empty() { "feed" } else { stem };
    let stem = if to == ending { stem.to_owned() } else { format!("{stem}-{to}") };
    let ending = if ending.is_empty() { String::new() } else { format!(".{ending}") };
    // what is there already is not to be written over by a command that somebody else thought up
    let names = std::iter::once(format!("{stem}{ending}")).chain((2..).map(|n| format!("{stem}-{n}{ending}")));
    names.take(1_000).find(|name| !std::path::Path::new(name).exists()).unwrap_or_else(|| format!("{stem}-new{ending}"))
}

/// A name of a file as a shell takes it back, and as no option and no command.
fn shell(name: &str) -> String {
    match name {
        _ if name.starts_with('-') => quoted(&format!("./{name}")),
        _ if super::COMMANDS.contains(&name) => format!("'{name}'"),
        _ => quoted(name),
    }
}

/// A word as a shell takes it back: bare where nothing in it means anything, else quoted; what a terminal would obey is
/// spelled out.
pub(super) fn quoted(word: &str) -> String {
    // `~` would be a folder
    let plain = |c: char| c.is_alphanumeric() || "._/+,=:@%-".contains(c);
    if word.chars().all(plain) && !word.is_empty() && make_visible(word) == word {
        return word.to_owned();
    }
    if make_visible(word) == word {
        return format!("'{}'", word.replace('\'', r"'\''"));
    }
    let mut spelled = String::from("$'");
    for c in word.chars() {
        match c {
            '\'' | '\\' => spelled.extend(['\\', c]),
            c if make_visible(c.encode_utf8(&mut [0; 4])).starts_with(c) => spelled.push(c),
            c => spelled.push_str(&format!("\\U{:08x}", u32::from(c))),
        }
    }
    spelled + "'"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_quoted_for_a_shell() {
        for (name, quoted) in [
            ("feed.xml", "feed.xml"),
            ("лента.xml", "лента.xml"),
            ("my feed.xml", "'my feed.xml'"),
            ("it's.xml", r"'it'\''s.xml'"),
            ("-o.xml", "./-o.xml"),
            ("$(touch x).xml", "'$(touch x).xml'"),
            ("~feed", "'~feed'"),
            ("a\u{1b}[31m'.xml", r"$'a\U0000001b[31m\'.xml'"),
            ("a\nb", r"$'a\U0000000ab'"),
        ] {
            assert_eq!(shell(name), quoted);
        }
    }
}
