//! What a conversion writes at all, as the user asks: which entries, by date, content or a condition, and which fields.
//! The rest is settled in the entry before any writer sees it, with the option as the reason. Not the gates, which judge a
//! result.

mod age;
mod apply;
mod condition;
mod copies;
mod fields;
mod gone;
mod parse;

pub use age::MaxAge;
pub(crate) use apply::{SelectionCounter, is_asked, select, select_in_head};
pub use condition::Condition;
pub use fields::FieldSet;
pub use parse::ConditionError;
