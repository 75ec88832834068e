//! The closed list of what can happen to a value, and the kinds a report sorts them into.
//! Not the fates of fields in a format (fate.rs) and not the repairs of broken input (diagnostic.rs).

/// The kinds of a report's rows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum LossKind {
    /// Not in the output.
    Lost,
    /// In the output, but altered or in another place.
    Changed,
    /// No reader understood it.
    Unread,
    /// Equal or conflicting values became one.
    Merged,
    /// The target requires it and the source lacks it.
    Made,
}

impl LossKind {
    /// All kinds, in the order reports list them.
    pub const ALL: [LossKind; 5] =
        [LossKind::Lost, LossKind::Changed, LossKind::Unread, LossKind::Merged, LossKind::Made];

    /// The word in reports and in `--fail-on`.
    pub fn name(self) -> &'static str {
        match self {
            LossKind::Lost => "lost",
            LossKind::Changed => "changed",
            LossKind::Unread => "unread",
            LossKind::Merged => "merged",
            LossKind::Made => "made",
        }
    }

    /// The kind with this word.
    pub fn by_name(name: &str) -> Option<LossKind> {
        LossKind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// The meaning, in a few words.
    pub fn meaning(self) -> &'static str {
        match self {
            LossKind::Lost => "not in the output",
            LossKind::Changed => "in the output, but altered or in another element",
            LossKind::Unread => "no reader recognizes it",
            LossKind::Merged => "equal or conflicting values became one",
            LossKind::Made => "generated: required by the target and not in the source",
        }
    }
}

/// Declares the codes with their words, classes and meanings.
macro_rules! codes {
    ($($variant:ident $name:literal $class:ident $meaning:literal)*) => {
        /// What happened to a value. The list is closed: programs may match on it.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
        pub enum Code {
            $(#[doc = $meaning] $variant),*
        }

        impl Code {
            /// All codes.
            pub const ALL: &[Code] = &[$(Code::$variant),*];
            /// The one with this word.
            pub fn by_name(name: &str) -> Option<Code> {
                match name { $($name => Some(Code::$variant),)* _ => None }
            }
            /// The word in reports.
            pub fn name(self) -> &'static str {
                match self { $(Code::$variant => $name),* }
            }
            /// The meaning, in one sentence.
            pub const fn meaning(self) -> &'static str {
                match self { $(Code::$variant => $meaning),* }
            }
            /// The class for people who publish the output, unless the reason has another one.
            pub(crate) const fn class(self) -> Class {
                match self { $(Code::$variant => Class::$class),* }
            }
        }
    };
}

codes! {
    NoCarrier "no_carrier" Unsupported "the target has no place for it"
    ColumnNotChosen "column_not_chosen" Unsupported "the table has a column for it, which was not chosen"
    DeprecatedDropped "deprecated_dropped" Unsupported "its element is retired, and --no-deprecated leaves it out"
    Truncated "truncated" Attention "cut to the length or the characters that the target allows"
    MarkupStripped "markup_stripped" Technical "markup was removed, and the text was kept"
    TypeChanged "type_changed" Technical "written as another type of the same value"
    PrecisionRaised "precision_raised" Technical "a date was written with a time of day that it did not have"
    PrecisionDropped "precision_dropped" Technical "a date was written without a part that it had"
    ZoneAssumed "zone_assumed" Technical "a time without a zone was written as UTC"
    UnitConverted "unit_converted" Technical "written in another unit"
    Rescaled "rescaled" Technical "written on another scale"
    Rounded "rounded" Technical "rounded to the precision of the target"
    OutOfRange "out_of_range" Attention "outside the range that the target allows"
    ListReduced "list_reduced" Unsupported "the target takes one of several"
    ListCut "list_cut" Attention "the target limits their number"
    SchemeDropped "scheme_dropped" Unsupported "the target has no place for the scheme"
    LabelDropped "label_dropped" Unsupported "the target has no place for the label"
    AttributeDropped "attribute_dropped" Unsupported "the target's element has no attribute for it"
    EnumMapped "enum_mapped" Technical "written as a term of the target"
    EnumUnmapped "enum_unmapped" Unsupported "the target has no term for it"
    CountryFixed "country_fixed" Technical "a country was written as its ISO 3166 code"
    CountryDropped "country_dropped" Attention "a list of countries lost a member that is not a country"
    Moved "moved" Technical "written in another element"
    Joined "joined" Technical "written together with other values"
    Split "split" Technical "written in several parts, or only partly"
    IdDerived "id_derived" Technical "generated from the source's identifier"
    PermalinkChanged "permalink_changed" Technical "whether the identifier is a permanent URL is expressed in another way"
    UrlNormalized "url_normalized" Technical "the URL was written in a form that the target accepts"
    UrlRewritten "url_rewritten" Technical "the URL was replaced by that of the player"
    FragmentDropped "fragment_dropped" Technical "the URL was written without its fragment"
    RelativeUnresolved "relative_unresolved" Attention "a relative URL without a base"
    SameAsPage "same_as_page" Technical "the URL is that of the page itself"
    SchemeUnsupported "scheme_unsupported" Attention "the target rejects URLs of this scheme"
    FileTypeUnsupported "file_type_unsupported" Attention "the target rejects files of this type"
    DuplicateMerged "duplicate_merged" Technical "equal to another value, which is in the output"
    ConflictFirstWins "conflict_first_wins" Attention "differs from an earlier value, which was used"
    Shadowed "shadowed" Technical "another value of the video was used"
    RenditionDropped "rendition_dropped" Technical "another rendition was chosen"
    VideoDropped "video_dropped" Attention "its video could not be written"
    EntryDropped "entry_dropped" Attention "its entry could not be written"
    PageMissing "page_missing" Attention "its entry has no page URL"
    SynthTitle "synth_title" Attention "a title was generated"
    SynthDescription "synth_description" Attention "a description was generated"
    SynthId "synth_id" Attention "an identifier was generated"
    SynthDate "synth_date" Attention "a date was generated"
    SynthAuthor "synth_author" Attention "an author was generated"
    SynthLink "synth_link" Attention "a URL was generated"
    SynthThumbnail "synth_thumbnail" Attention "a thumbnail was generated"
    SynthPlayer "synth_player" Attention "a player URL was generated"
    SynthLength "synth_length" Attention "a length was generated"
    SynthType "synth_type" Attention "a type was generated"
    NotSelected "not_selected" Technical "its entry or video was not asked for"
    FieldDropped "field_dropped" Technical "its field was not asked for"
    FromOtherFile "from_other_file" Technical "taken from another file (--enrich)"
    RemovedByCaller "removed_by_caller" Technical "the program that uses the library removed it"
    EditedByCaller "edited_by_caller" Technical "the program that uses the library replaced it"
    ForeignKept "foreign_kept" Technical "not recognized, and copied unchanged"
    ExtensionDropped "extension_dropped" Unsupported "not recognized, and not written"
    InvalidDropped "invalid_dropped" Attention "not readable as a value of its element, and not written"
    TechnicalDropped "technical_dropped" Technical "a schema location of the source; the output follows another schema"
}

impl Code {
    /// Whether it is that of values of an object that was dropped.
    pub fn is_of_object(self) -> bool {
        matches!(self, Code::VideoDropped | Code::EntryDropped | Code::PageMissing)
    }

    /// Whether only a program that uses the library can be the reason.
    pub fn is_callers(self) -> bool {
        matches!(self, Code::RemovedByCaller | Code::EditedByCaller)
    }

    /// Whether a value was generated because the target requires it.
    pub const fn is_generated(self) -> bool {
        matches!(
            self,
            Code::SynthTitle
                | Code::SynthDescription
                | Code::SynthId
                | Code::SynthDate
                | Code::SynthAuthor
                | Code::SynthLink
                | Code::SynthThumbnail
                | Code::SynthPlayer
                | Code::SynthLength
                | Code::SynthType
                | Code::FromOtherFile
        )
    }

    /// Whether it may be the code of a value that is not in the output. A country may be lost alone, or with the rest
    /// of its list.
    pub fn is_loss(self) -> bool {
        self == Code::CountryDropped || !self.is_change() && !self.is_generated()
    }

    /// Whether it is the code of a value that is in the output with a change.
    pub fn is_change(self) -> bool {
        matches!(
            self,
            Code::Truncated
                | Code::MarkupStripped
                | Code::TypeChanged
                | Code::PrecisionRaised
                | Code::PrecisionDropped
                | Code::ZoneAssumed
                | Code::UnitConverted
                | Code::Rescaled
                | Code::Rounded
                | Code::EnumMapped
                | Code::CountryFixed
                | Code::CountryDropped
                | Code::Moved
                | Code::Joined
                | Code::Split
                | Code::IdDerived
                | Code::PermalinkChanged
                | Code::UrlNormalized
                | Code::UrlRewritten
                | Code::FragmentDropped
                | Code::EditedByCaller
                | Code::ForeignKept
        )
    }
}

/// How much a row matters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Severity {
    /// An entry or a video could not be written.
    Error,
    /// A value is missing or altered.
    Warning,
    /// Nothing is missing.
    Info,
}

impl Severity {
    /// All of them, the worst first.
    pub const ALL: [Severity; 3] = [Severity::Error, Severity::Warning, Severity::Info];

    /// The word in reports.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Error => "error",
            Severity::Warning => "warning",
            Severity::Info => "info",
        }
    }

    /// The severity with this word.
    pub fn by_name(name: &str) -> Option<Severity> {
        Severity::ALL.into_iter().find(|severity| severity.name() == name)
    }

    /// The meaning, in a few words.
    pub fn meaning(self) -> &'static str {
        match self {
            Severity::Error => "an entry or a video is not written",
            Severity::Warning => "a value is missing or altered",
            Severity::Info => "nothing is missing",
        }
    }

    /// How much a row of this kind and code matters.
    pub fn from_code(kind: LossKind, code: Code) -> Severity {
        match kind {
            LossKind::Merged | LossKind::Made => Severity::Info,
            LossKind::Lost if code == Code::TechnicalDropped => Severity::Info,
            LossKind::Lost if matches!(code, Code::VideoDropped | Code::EntryDropped | Code::PageMissing) => {
                Severity::Error
            }
            LossKind::Lost | LossKind::Changed | LossKind::Unread => Severity::Warning,
        }
    }
}

/// The meaning of a row for someone who publishes the output.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Class {
    /// A user of the target would miss it, and it can be avoided.
    Attention,
    /// The target has no place for it.
    Unsupported,
    /// A constant, a spelling, or a value that is in the output under another name.
    Technical,
}

impl Class {
    /// All classes, worst first.
    pub const ALL: [Class; 3] = [Class::Attention, Class::Unsupported, Class::Technical];

    /// The word in reports and in `--fail-on`.
    pub fn name(self) -> &'static str {
        match self {
            Class::Attention => "attention",
            Class::Unsupported => "unsupported",
            Class::Technical => "technical",
        }
    }

    /// The meaning, in a few words.
    pub fn meaning(self) -> &'static str {
        match self {
            Class::Attention => "users of the target would miss it, and it can be avoided",
            Class::Unsupported => "the target has no place for it",
            Class::Technical => "a constant, another spelling, or a value that is in the output under another name",
        }
    }

    /// The class with this word.
    pub fn by_name(name: &str) -> Option<Class> {
        Class::ALL.into_iter().find(|class| class.name() == name)
    }
}
