//! Options of a conversion that choose which entries and fields it writes.

use clap::Args;

use super::argument::date;
use crate::model::Date;
use crate::options::Options;
use crate::select::{Condition, FieldSet, MaxAge};

/// Heading of the help.
const HEADING: &str = "Selection";

/// The options. The report has all that they exclude, with the option as the reason.
#[derive(Args)]
pub struct SelectionArgs {
    /// Write only entries that meet a condition
    ///
    /// FIELD OP VALUE with = != < <= > >=, ~ (matches a regular expression) and !~; FIELD alone is true if it has a value. Join
    /// conditions with and, or, not and parentheses; quote values with spaces. The fields are in `transfeed explain --list`. A condition
    /// on a video is true if one video of the entry meets it.
    #[arg(long = "where", value_name = "CONDITION", help_heading = HEADING, hide_short_help = true)]
    condition: Option<Condition>,
    /// Write only entries of this date or later
    ///
    /// The date of an entry is that of its last change or its publication, whichever is later, or that of its newest video.
    #[arg(long, value_name = "DATE", value_parser = date, help_heading = HEADING, hide_short_help = true)]
    since: Option<Date>,
    /// Write only entries of this date or earlier
    #[arg(long, value_name = "DATE", value_parser = date, help_heading = HEADING, hide_short_help = true)]
    until: Option<Date>,
    /// Write only entries that are not older: 90m, 48h, 7d, 2w
    #[arg(long, value_name = "TIME", help_heading = HEADING, hide_short_help = true)]
    max_age: Option<MaxAge>,
    /// Skip videos and entries that have expired
    #[arg(long, help_heading = HEADING, hide_short_help = true)]
    drop_expired: bool,
    /// Skip entries without a video
    #[arg(long, help_heading = HEADING, hide_short_help = true)]
    only_with_video: bool,
    /// Write only the first N selected entries
    #[arg(long, value_name = "N", help_heading = HEADING, hide_short_help = true)]
    limit: Option<u64>,
    /// Omit a field: video.tags, video.file, *.email; repeatable
    #[arg(long, value_name = "FIELD", value_delimiter = ',', help_heading = HEADING, hide_short_help = true)]
    drop_field: Vec<FieldSet>,
}

impl SelectionArgs {
    /// Adds them to the options of a conversion.
    pub fn apply(&self, options: &mut Options) {
        options.condition.clone_from(&self.condition);
        (options.since, options.until, options.max_age) = (self.since, self.until, self.max_age);
        (options.drop_expired, options.only_with_video) = (self.drop_expired, self.only_with_video);
        options.limit = self.limit;
        options.drop_fields.extend(self.drop_field.iter().cloned());
    }
}
