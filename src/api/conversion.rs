//! Conversions of streams, for users of the library. The pipeline is in convert/.

use std::io::Write;
use std::sync::Arc;

use super::Entry;
use super::edit::{self};
use super::input::{self, Input};
use super::report::Report;
use super::target::{Format, Target};
use crate::api::original::DocumentIdentity;
use crate::convert::{self, EntryMap, OneWayStream};
use crate::error::Error;
use crate::model;
use crate::options::Options;

/// A conversion of documents of any size, in constant memory, on all cores.
///
/// ```
/// use transfeed::{Conversion, Target};
///
/// let feed = br#"<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><item>
///   <link>https://example.com/1</link>
///   <media:content url="https://example.com/1.mp4" duration="77" bitrate="800">
///     <media:title>A lighthouse</media:title>
///     <media:description>It turns.</media:description>
///     <media:thumbnail url="https://example.com/1.jpg"/>
///   </media:content>
/// </item></channel></rss>"#;
///
/// let mut sitemap = Vec::new();
/// let report = Conversion::to(Target::VIDEO_SITEMAP).run(feed, &mut sitemap)?;
///
/// assert!(String::from_utf8(sitemap).unwrap().contains("<video:duration>77</video:duration>"));
/// assert_eq!(report.losses().next().unwrap().field, "video.file.bitrate");
/// let sums = report.totals();
/// assert_eq!(sums.leaves, sums.kept + sums.changed + sums.lost + sums.unread + sums.merged);
/// # Ok::<(), transfeed::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Conversion {
    inner: convert::Conversion,
    target: Target,
    options: Options,
}

impl Conversion {
    /// A conversion to this format, with default options.
    pub fn to(target: Target) -> Conversion {
        Conversion { inner: convert::Conversion::to(target.0), target, options: Options::default() }
    }

    /// Reads the input in this format, without detection.
    #[must_use]
    pub fn from(mut self, format: Format) -> Conversion {
        self.inner = self.inner.from(format.0);
        self
    }

    /// With these options.
    #[must_use]
    pub fn with(mut self, options: Options) -> Conversion {
        self.options = options;
        self
    }

    /// Edits or removes each entry before it is written: the function returns an [`Entry`], or an `Option` of one. Its
    /// edits are reported as for [`Document`](crate::Document).
    ///
    /// It is called on several threads, and more than once per entry if the target needs all of them before the
    /// first is written; so it must return the same result for the same entry.
    ///
    /// ```
    /// use transfeed::{Conversion, Entry, Target};
    ///
    /// let list = b"https://example.com/a\nhttps://example.com/b\nhttps://example.com/b/old\n";
    /// let news = Conversion::to(Target::TEXT).map(|mut entry: Entry| {
    ///     let loc = entry.loc.take()?;
    ///     entry.loc = Some(format!("{loc}?from=feed"));
    ///     (!loc.ends_with("/old")).then_some(entry)
    /// });
    /// let mut out = Vec::new();
    /// let report = news.run(list, &mut out)?;
    /// assert_eq!(out, b"https://example.com/a?from=feed\nhttps://example.com/b?from=feed\n");
    /// assert_eq!(report.losses().next().unwrap().reason, "removed by the calling program");
    /// assert_eq!((report.totals().changed, report.totals().lost), (2, 1));
    /// # Ok::<(), transfeed::Error>(())
    /// ```
    #[must_use]
    pub fn map<R: Into<Option<Entry>>>(mut self, map: impl Fn(Entry) -> R + Send + Sync + 'static) -> Conversion {
        let identity = DocumentIdentity::default();
        let made = move |entry: model::Entry<'static>, number: u64| {
            let shown = edit::show_entry(entry, &identity, 0);
            // a replaced entry is reported by its original values
            let Some(mother) = shown.provenance.original::<model::Entry<'static>>().cloned() else {
                return model::Entry::default();
            };
            match map(shown).into() {
                Some(entry) => edit::fill_entry(&entry, Some(&mother), None, number),
                None => edit::removed(&mother, number),
            }
        };
        self.inner = self.inner.mapped(EntryMap(Arc::new(made)));
        self
    }

    /// Converts a file by its path, or bytes, into one document.
    ///
    /// The report is that of the command. To keep memory constant, single losses are listed for up to ten values of each
    /// row.
    ///
    /// # Errors
    /// Unreadable or unknown input, an exceeded limit, an output that cannot be written, and
    /// `Unbalanced`, which is a bug of this library.
    pub fn run(&self, input: impl Into<Input>, out: impl Write + Send) -> Result<Report, Error> {
        self.run_all([input], out)
    }

    /// Converts several inputs into one document, under the head of the first.
    ///
    /// # Errors
    /// As [`Conversion::run`].
    pub fn run_all<I: Into<Input>>(
        &self,
        inputs: impl IntoIterator<Item = I>,
        out: impl Write + Send,
    ) -> Result<Report, Error> {
        let inputs: Vec<Input> = inputs.into_iter().map(Into::into).collect();
        let mut options = self.options.clone();
        options.now = options.now.or_else(input::now);
        if let [input] = inputs.as_slice() {
            options.modified = options.modified.or_else(|| input.lasting().modified());
        }
        let profile = self.target.0.profile_name(&options);
        let lent: Vec<&dyn convert::Input> = inputs.iter().map(|input| input as &dyn convert::Input).collect();
        let conversion = self.inner.clone().with(options);
        let mut out = OneWayStream(out);
        let summary = conversion.run(&lent, &mut out, None)?;
        Ok(Report::from_summary(summary, self.target.0, profile, None))
    }
}
