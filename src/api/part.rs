//! Conversion between plain structs and the model. A struct is declared with its part of the model; both
//! directions destructure that part member by member, so a forgotten member does not compile.
//!
//! Callers do not see marks: the original of a struct is in its [`Provenance`], and each of its values is compared with
//! it when written (edit.rs).

use std::any::Any;
use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::decimal::Decimal;
use crate::api::original::{EntryOriginal, ModelRestorer};
use crate::model::{self, Date, EmptyContent, Leaf, Mark, Seconds, Walk};

/// The places of the values of a struct in the source, for reports. `Provenance::default()`, which
/// `..Default::default()` includes, has none.
///
/// A clone keeps it; it is ignored by comparisons. A struct that is moved into another entry or
/// document loses it: there its values are those of the caller.
#[derive(Clone, Default)]
pub struct Provenance(Option<Arc<dyn Any + Send + Sync>>);

/// The original of a struct.
struct StructOriginal<M> {
    /// Its values, without those of inner structs.
    part: M,
    /// The inherited values, by the names of its members.
    inherited: Vec<(String, Vec<Mark>)>,
    mother: Arc<EntryOriginal>,
}

impl Provenance {
    pub(super) fn new<T: Any + Send + Sync>(read: T) -> Provenance {
        Provenance(Some(Arc::new(read)))
    }

    pub(super) fn get<T: Any>(&self) -> Option<&T> {
        self.0.as_deref()?.downcast_ref()
    }

    /// The entry or head that it was read in.
    pub(super) fn original<M: Any + Send + Sync>(&self) -> Option<&Arc<EntryOriginal>> {
        Some(&self.shell::<M>()?.mother)
    }

    fn shell<M: Any + Send + Sync>(&self) -> Option<&StructOriginal<M>> {
        self.get()
    }
}

impl PartialEq for Provenance {
    fn eq(&self, _: &Provenance) -> bool {
        true
    }
}

impl fmt::Debug for Provenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "read" } else { "made" })
    }
}

/// A member of a struct, which shows the member `M` of the model.
pub(crate) trait StructMember<M>: Sized {
    /// Its values are moved out of the model, not copied.
    const MOVES: bool;
    /// Shows a member that was read in this entry or head.
    fn show(member: &mut M, mother: &Arc<EntryOriginal>) -> Self;
    /// Converts back to the member of the model; `was` is the original.
    fn fill(&self, was: Option<&M>, back: &mut ModelRestorer<'_>) -> M;
    /// A key shared by equal values; none for structs, which have their own provenance.
    fn key(&self) -> Option<String> {
        None
    }
    /// The same of a value that was read.
    fn key_of(was: &M) -> Option<String> {
        let _ = was;
        None
    }
    /// Whether this is the value that was read.
    fn is(&self, was: &M) -> bool {
        let _ = was;
        false
    }
}

/// A value of the model in a leaf: its public type, and both conversions.
macro_rules! leaf {
    ($($shown:ty, $value:ty: $show:expr, $fill:expr;)*) => {$(
        impl StructMember<Leaf<$value>> for $shown {
            const MOVES: bool = false;
            fn show(member: &mut Leaf<$value>, _: &Arc<EntryOriginal>) -> Self {
                let show: fn(&$value) -> $shown = $show;
                show(&member.value)
            }
            fn fill(&self, was: Option<&Leaf<$value>>, back: &mut ModelRestorer<'_>) -> Leaf<$value> {
                let fill: fn(&$shown) -> $value = $fill;
                let same = was.is_some_and(|was| self.is(was));
                back.leaf(was, same, || fill(self))
            }
            fn key(&self) -> Option<String> {
                Some(format!("{self:?}"))
            }
            fn key_of(was: &Leaf<$value>) -> Option<String> {
                let show: fn(&$value) -> $shown = $show;
                Some(format!("{:?}", show(&was.value)))
            }
            fn is(&self, was: &Leaf<$value>) -> bool {
                let show: fn(&$value) -> $shown = $show;
                show(&was.value) == *self
            }
        }
    )*};
}

leaf! {
    String, Cow<'static, str>: |text| text.to_string(), |text| Cow::Owned(text.clone());
    Date, Date: |date| *date, |date| *date;
    Duration, Seconds: |seconds| Duration::from_micros(seconds.micros()),
        |duration| Seconds::from_micros(u64::try_from(duration.as_micros()).unwrap_or(u64::MAX));
    Decimal, model::Decimal<'static>: Decimal::from_model, Decimal::model;
    u64, u64: |count| *count, |count| *count;
    bool, bool: |flag| *flag, |flag| *flag;
}

/// A member that shows the same in the model: structure, no leaf.
macro_rules! structure {
    ($($shown:ty, $member:ty: $show:expr, $fill:expr;)*) => {$(
        impl StructMember<$member> for $shown {
            const MOVES: bool = false;
            fn show(member: &mut $member, _: &Arc<EntryOriginal>) -> Self {
                let show: fn(&$member) -> $shown = $show;
                show(member)
            }
            fn fill(&self, _: Option<&$member>, _: &mut ModelRestorer<'_>) -> $member {
                let fill: fn(&$shown) -> $member = $fill;
                fill(self)
            }
        }
    )*};
}

structure! {
    bool, bool: |flag| *flag, |flag| *flag;
    String, Cow<'static, str>: |text| text.to_string(), |text| Cow::Owned(text.clone());
}

/// An empty element, present or absent.
impl StructMember<Option<Leaf<EmptyContent>>> for bool {
    const MOVES: bool = false;
    fn show(member: &mut Option<Leaf<EmptyContent>>, _: &Arc<EntryOriginal>) -> bool {
        member.is_some()
    }
    fn fill(
        &self,
        was: Option<&Option<Leaf<EmptyContent>>>,
        back: &mut ModelRestorer<'_>,
    ) -> Option<Leaf<EmptyContent>> {
        let was = was.and_then(Option::as_ref);
        self.then(|| back.leaf(was, was.is_some(), || EmptyContent))
    }
}

impl<M, P: StructMember<M>> StructMember<Option<M>> for Option<P> {
    const MOVES: bool = P::MOVES;
    fn show(member: &mut Option<M>, mother: &Arc<EntryOriginal>) -> Self {
        let shown = member.as_mut().map(|member| P::show(member, mother));
        if P::MOVES {
            *member = None;
        }
        shown
    }
    fn fill(&self, was: Option<&Option<M>>, back: &mut ModelRestorer<'_>) -> Option<M> {
        self.as_ref().map(|part| part.fill(was.and_then(Option::as_ref), back))
    }
}

impl<M, P: StructMember<M>> StructMember<Box<M>> for Box<P> {
    const MOVES: bool = P::MOVES;
    fn show(member: &mut Box<M>, mother: &Arc<EntryOriginal>) -> Self {
        Box::new(P::show(member, mother))
    }
    fn fill(&self, was: Option<&Box<M>>, back: &mut ModelRestorer<'_>) -> Box<M> {
        Box::new((**self).fill(was.map(|was| &**was), back))
    }
}

impl<M, P: StructMember<M>> StructMember<Vec<M>> for Vec<P> {
    const MOVES: bool = P::MOVES;
    fn show(member: &mut Vec<M>, mother: &Arc<EntryOriginal>) -> Self {
        let shown = member.iter_mut().map(|member| P::show(member, mother)).collect();
        if P::MOVES {
            member.clear();
        }
        shown
    }
    fn fill(&self, was: Option<&Vec<M>>, back: &mut ModelRestorer<'_>) -> Vec<M> {
        let was = was.map_or(&[][..], Vec::as_slice);
        let pairs = pairs::<M, P>(self, was);
        self.iter().zip(pairs).map(|(part, was)| part.fill(was, back)).collect()
    }
}

/// Which member of the list each one was: an equal one, the others in their order where none came or went.
fn pairs<'w, M, P: StructMember<M>>(list: &[P], was: &'w [M]) -> Vec<Option<&'w M>> {
    if was.is_empty() {
        return list.iter().map(|_| None).collect();
    }
    if list.len() == was.len() && list.iter().zip(was).all(|(part, was)| part.is(was)) {
        return was.iter().map(Some).collect();
    }
    let mut places: HashMap<String, VecDeque<usize>> = HashMap::new();
    for (at, part) in list.iter().enumerate() {
        if let Some(key) = part.key() {
            places.entry(key).or_default().push_back(at);
        }
    }
    let mut pairs: Vec<Option<&M>> = list.iter().map(|_| None).collect();
    let mut left = Vec::new();
    for was in was {
        match P::key_of(was).and_then(|key| places.get_mut(&key)?.pop_front()) {
            Some(at) => pairs[at] = Some(was),
            None => left.push(was),
        }
    }
    let free: Vec<usize> = (0..list.len()).filter(|at| pairs[*at].is_none()).collect();
    if free.len() == left.len() {
        free.into_iter().zip(left).for_each(|(at, was)| pairs[at] = Some(was));
    }
    pairs
}

/// A struct that shows a part of the model.
pub(crate) trait ModelPart: Sized {
    /// That part.
    type Model: Walk + Default + Any + Send + Sync;
    /// Shows the members, and leaves what was not moved.
    fn members(model: &mut Self::Model, mother: &Arc<EntryOriginal>) -> Self;
    /// Makes the members again.
    fn refill(&self, was: Option<&Self::Model>, back: &mut ModelRestorer<'_>) -> Self::Model;
    /// Where it was read.
    fn provenance(&mut self) -> &mut Provenance;
    /// The same, to be looked at.
    fn source(&self) -> &Provenance;
    /// The values that it has from other levels.
    fn inherited(model: &Self::Model) -> Vec<(String, Vec<Mark>)> {
        let _ = model;
        Vec::new()
    }
    /// Notes which of these are others now.
    fn disinherit(model: &mut Self::Model, inherited: &[(String, Vec<Mark>)], back: &mut ModelRestorer<'_>) {
        let _ = (model, inherited, back);
    }
}

/// Shows a part that was read in this entry or head.
pub(super) fn show<P: ModelPart>(model: &mut P::Model, mother: &Arc<EntryOriginal>) -> P {
    let inherited = P::inherited(model);
    let mut shown = P::members(model, mother);
    let shell = StructOriginal { part: std::mem::take(model), inherited, mother: mother.clone() };
    *shown.provenance() = Provenance::new(shell);
    shown
}

/// Makes the part of the model again.
pub(super) fn fill<P: ModelPart>(part: &P, back: &mut ModelRestorer<'_>) -> P::Model {
    // a clone in the same entry is one more of what was read
    let shell = part.source().shell::<P::Model>().filter(|shell| back.owns(&shell.mother) && back.is_first_use(*shell));
    let mut model = part.refill(shell.map(|shell| &shell.part), back);
    P::disinherit(&mut model, shell.map_or(&[], |shell| &shell.inherited), back);
    model
}

/// Declares a struct for a part of the model: `name: Type`, with the names of the members there. `but NAME` is a
/// member that callers cannot set.
macro_rules! part {
    ($(#[$doc:meta])* pub struct $name:ident from $model:ident::$part:ident $(but $hidden:ident)? $(by $levels:ident)? {
        $($(#[$member_doc:meta])* $member:ident: $type:ty,)*
    }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $name {
            $($(#[$member_doc])* pub $member: $type,)*
            /// Its place in the source; `Default::default()` for a new one.
            pub provenance: $crate::api::part::Provenance,
        }

        impl $crate::api::part::ModelPart for $name {
            type Model = $crate::$model::$part<'static>;
            fn members(
                model: &mut Self::Model,
                mother: &std::sync::Arc<$crate::api::original::EntryOriginal>,
            ) -> Self {
                let $crate::$model::$part { $($member,)* $($hidden: _)? } = model;
                $name {
                    $($member: $crate::api::part::StructMember::show($member, mother),)*
                    provenance: $crate::api::part::Provenance::default(),
                }
            }
            fn refill(
                &self,
                was: Option<&Self::Model>,
                back: &mut $crate::api::original::ModelRestorer<'_>,
            ) -> Self::Model {
                let $name { $($member,)* provenance: _ } = self;
                $crate::$model::$part {
                    $($member: $crate::api::part::StructMember::fill($member, was.map(|was| &was.$member), back),)*
                    $($hidden: Default::default())?
                }
            }
            fn provenance(&mut self) -> &mut $crate::api::part::Provenance {
                &mut self.provenance
            }
            fn source(&self) -> &$crate::api::part::Provenance {
                &self.provenance
            }
            $(
                fn inherited(model: &Self::Model) -> Vec<(String, Vec<$crate::model::Mark>)> {
                    $crate::api::$levels::inherited(model)
                }
                fn disinherit(
                    model: &mut Self::Model,
                    inherited: &[(String, Vec<$crate::model::Mark>)],
                    back: &mut $crate::api::original::ModelRestorer<'_>,
                ) {
                    $crate::api::$levels::disinherit(model, inherited, back);
                }
            )?
        }

        impl $crate::api::part::StructMember<$crate::$model::$part<'static>> for $name {
            const MOVES: bool = true;
            fn show(
                member: &mut $crate::$model::$part<'static>,
                mother: &std::sync::Arc<$crate::api::original::EntryOriginal>,
            ) -> Self {
                $crate::api::part::show(member, mother)
            }
            fn fill(
                &self,
                _: Option<&$crate::$model::$part<'static>>,
                back: &mut $crate::api::original::ModelRestorer<'_>,
            ) -> $crate::$model::$part<'static> {
                $crate::api::part::fill(self, back)
            }
        }
    };
}
pub(crate) use part;

/// Characters, and how to understand them: a text whose kind is another is another text.
impl StructMember<model::Text<'static>> for super::text::Text {
    const MOVES: bool = false;
    fn show(member: &mut model::Text<'static>, mother: &Arc<EntryOriginal>) -> Self {
        let model::Text { kind, value, lang, base } = member;
        super::text::Text {
            kind: *kind,
            value: StructMember::show(value, mother),
            lang: StructMember::show(lang, mother),
            base: StructMember::show(base, mother),
        }
    }
    fn fill(&self, was: Option<&model::Text<'static>>, back: &mut ModelRestorer<'_>) -> model::Text<'static> {
        let super::text::Text { kind, value, lang, base } = self;
        let same = was.is_some_and(|was| was.kind == *kind && value.is(&was.value));
        model::Text {
            kind: *kind,
            value: back.leaf(was.map(|was| &was.value), same, || Cow::Owned(value.clone())),
            lang: lang.fill(was.map(|was| &was.lang), back),
            base: base.fill(was.map(|was| &was.base), back),
        }
    }
}
