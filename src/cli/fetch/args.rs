//! The options for inputs at URLs, shared by all commands that read.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::Duration;

use clap::{Args, ValueHint};

use super::super::limits::{LimitArgs, Size};
use super::super::places::real;
use super::body::BodyLimits;
use super::client::{Client, ClientOptions};
use super::reading::PageReading;
use super::secrets::{self, SecretHeader, Secrets};
use super::store::BodyStore;
use crate::cli::argument::count;
use crate::error::Error;
use crate::job::shown;

/// Heading of the help.
const HEADING: &str = "URLs as inputs";

/// What is asked of the client.
#[derive(Args)]
pub struct FetchArgs {
    /// Keep documents in a folder, and ask servers only for what changed since
    ///
    /// Without it, migrate asks so by its journal, and the other commands download each time.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, help_heading = HEADING, hide_short_help = true)]
    pub cache: Option<PathBuf>,
    /// Send nothing; read all URLs from --cache
    #[arg(long, help_heading = HEADING, hide_short_help = true)]
    pub offline: bool,
    /// Fetch and read the sitemaps that a sitemap index lists
    #[arg(long, help_heading = HEADING, hide_short_help = true)]
    pub follow_remote: bool,
    /// Read the feeds and sitemaps that a site names
    ///
    /// They are in its robots.txt, and in the links in the head of the page.
    #[arg(long, help_heading = HEADING, hide_short_help = true)]
    pub discover: bool,
    /// Send a header, such as 'Authorization: Bearer …', to the hosts that are typed; repeatable
    #[arg(long = "header", value_name = "HEADER", env = "TRANSFEED_HEADER", hide_env_values = true, help_heading = HEADING, hide_short_help = true)]
    pub headers: Vec<String>,
    /// Take user and password from the file that NETRC names, or ~/.netrc
    #[arg(long, help_heading = HEADING, hide_short_help = true)]
    pub netrc: bool,
    /// Set the name that servers see [default: transfeed/VERSION]
    #[arg(long, value_name = "TEXT", value_parser = user_agent, help_heading = HEADING, hide_short_help = true)]
    pub user_agent: Option<String>,
    /// Seconds until a connection exists
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value = "10", help_heading = HEADING, hide_short_help = true)]
    pub connect_timeout: TimeLimit,
    /// Seconds until a response begins
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value = "30", help_heading = HEADING, hide_short_help = true)]
    pub first_byte_timeout: TimeLimit,
    /// Seconds until a document is complete, redirects included
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value = "300", help_heading = HEADING, hide_short_help = true)]
    pub timeout: TimeLimit,
    /// Repeat a request that fails this often, if that may help
    #[arg(long, value_name = "N", default_value_t = 3, allow_negative_numbers = true, value_parser = retries, help_heading = HEADING, hide_short_help = true)]
    pub retries: u32,
    /// Seconds before the first repetition; each later wait is up to twice the one before
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value = "1", help_heading = HEADING, hide_short_help = true)]
    pub retry_wait: TimeLimit,
    /// Seconds that a server may ask to wait (Retry-After); a longer wait is an error
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value = "120", help_heading = HEADING, hide_short_help = true)]
    pub max_wait: TimeLimit,
    /// Size of a download; more is an error
    #[arg(long, value_name = "SIZE", allow_negative_numbers = true, default_value = "1GiB", help_heading = HEADING, hide_short_help = true)]
    pub max_download: Size,
    /// Also fetch from private, loopback and link-local IP addresses that a redirect, index or OPML document names
    #[arg(long, help_heading = HEADING, hide_short_help = true)]
    pub allow_private: bool,
    /// Write the URLs that moved for good to a file, a line each: the old URL, a tab, the new one
    ///
    /// Shard K of N adds -K-of-N to the name of the file.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, help_heading = HEADING, hide_short_help = true)]
    pub write_moved: Option<PathBuf>,
}

/// How bodies are stored, where no option names it.
#[derive(Clone, Copy, Default)]
pub struct StoreUse<'s> {
    /// The folder, if there is no cache.
    pub folder: Option<&'s Path>,
    /// What is stored is not relied on.
    pub fresh: bool,
    /// Which pages are stored as documents.
    pub reads: PageReading,
}

/// A span of time in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TimeLimit(pub Duration);

impl FromStr for TimeLimit {
    type Err = String;

    fn from_str(text: &str) -> Result<TimeLimit, String> {
        let seconds = text.trim().parse::<f64>().ok().filter(|seconds| (0.0..=1e6).contains(seconds));
        let span = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        span.map(TimeLimit).ok_or_else(|| "expected seconds such as 30 or 0.5".to_owned())
    }
}

fn retries(text: &str) -> Result<u32, String> {
    let retries = count(text)?;
    if retries <= 100 { Ok(retries) } else { Err(format!("expected a number from 0 to 100, not {text:?}")) }
}

fn user_agent(text: &str) -> Result<String, String> {
    match text.bytes().all(|byte| (b' '..127).contains(&byte)) && !text.trim().is_empty() {
        true => Ok(text.trim().to_owned()),
        false => Err("expected ASCII text such as 'example-bot/1.0 (ops@example.com)'".to_owned()),
    }
}

impl FetchArgs {
    /// Whether parts of an index are fetched.
    pub fn follows_remote(&self) -> bool {
        self.follow_remote
    }

    /// Marks the names of files that each shard has for itself.
    pub fn mark_files(&mut self, mark: &str) {
        if let Some(path) = &mut self.write_moved {
            let stem = path.file_stem().unwrap_or_default().to_string_lossy();
            let ending = path.extension().map(|ending| format!(".{}", ending.to_string_lossy())).unwrap_or_default();
            *path = path.with_file_name(format!("{stem}{mark}{ending}"));
        }
    }

    /// The file for URLs that moved.
    pub fn list_of_moved(&self) -> Option<&Path> {
        self.write_moved.as_deref()
    }

    /// Looks at the options before anything is done. The list of URLs that moved replaces no file that is read or written
    /// by the same run: none of `names`, and nothing in the folder `out`.
    ///
    /// # Errors
    /// An option cannot be used.
    pub fn check<'n>(&self, names: impl IntoIterator<Item = &'n str>, out: Option<&Path>) -> Result<(), Error> {
        if self.offline && self.cache.is_none() {
            let says = "cannot use --offline: there is no cache to read";
            return Err(Error::format(says, "pass the folder of an earlier run to --cache"));
        }
        self.secret_headers()?;
        let Some(path) = &self.write_moved else { return Ok(()) };
        let place = real(path);
        let netrc = if self.netrc { secrets::netrc_path() } else { None };
        let is_taken = names.into_iter().any(|name| real(Path::new(name)) == place)
            || out.is_some_and(|out| place.starts_with(real(out)))
            || netrc.is_some_and(|netrc| real(&netrc) == place);
        let refuse = |cause: &str| {
            let hint = "pass another file to --write-moved";
            Err(Error::format(format!("cannot write {}: {cause}", shown(path)), hint))
        };
        if is_taken {
            return refuse("it is an input or another output");
        }
        match (place.parent().is_some_and(Path::is_dir), place.is_dir()) {
            (true, false) => Ok(()),
            (true, true) => refuse("it is a folder"),
            (false, _) => refuse("its folder does not exist"),
        }
    }

    /// The headers. A message about one does not repeat it.
    fn secret_headers(&self) -> Result<Vec<SecretHeader>, Error> {
        let odd =
            |says| Error::format(format!("cannot use --header or TRANSFEED_HEADER: {says}"), "correct the header");
        self.headers.iter().map(|header| header.parse().map_err(odd)).collect()
    }

    /// A client with these options.
    ///
    /// # Errors
    /// The cache or the netrc file cannot be used, or the environment names an invalid proxy.
    pub fn client(
        &self,
        limits: &LimitArgs,
        temp_dir: Option<&Path>,
        StoreUse { folder, fresh, reads }: StoreUse<'_>,
    ) -> Result<Client, Error> {
        let caps = limits.limits().gzip;
        let options = ClientOptions {
            user_agent: self.user_agent.clone().unwrap_or_else(|| format!("transfeed/{}", env!("CARGO_PKG_VERSION"))),
            secrets: Secrets::new(self.secret_headers()?, self.netrc)?,
            connect: self.connect_timeout.0,
            first_byte: self.first_byte_timeout.0,
            whole: self.timeout.0,
            retries: self.retries,
            retry_wait: self.retry_wait.0,
            max_wait: self.max_wait.0,
            limits: BodyLimits { download: self.max_download.count(), unpacked: caps.inflated, ratio: caps.ratio },
            allow_private: self.allow_private,
            offline: self.offline,
            fresh,
            reads,
            temp_dir: temp_dir.map(Path::to_owned),
        };
        let mut store = self.cache.as_deref().or(folder).map(BodyStore::open).transpose()?;
        if let (Some(store), None) = (&mut store, &self.cache) {
            store.begin_run()?;
        }
        Client::new(options, store)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_are_seconds() {
        assert_eq!("0.25".parse(), Ok(TimeLimit(Duration::from_millis(250))));
        for odd in ["", "-1", "NaN", "inf", "1e9", "5s"] {
            assert!(odd.parse::<TimeLimit>().is_err(), "{odd}");
        }
    }
}
