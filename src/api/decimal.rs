//! A decimal number as written. Reading numbers from feeds is in model/value.rs.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use crate::model;

/// A decimal number with the digits that it was written with: a price of `19.90` stays `19.90`, and equals `19.9`.
///
/// ```
/// use transfeed::Decimal;
///
/// let price: Decimal = "19.90".parse()?;
/// assert_eq!(price.to_string(), "19.90");
/// assert_eq!(price, Decimal::try_from(19.9)?);
/// assert_eq!(Decimal::from(800).as_f64(), 800.0);
/// assert!("nineteen".parse::<Decimal>().is_err());
/// # Ok::<(), transfeed::NoDecimal>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Decimal(model::Decimal<'static>);

/// A text or a float that is not a decimal number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoDecimal(String);

impl Decimal {
    /// The digits as written.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }

    /// The nearest float.
    pub fn as_f64(&self) -> f64 {
        self.as_str().parse().unwrap_or(f64::NAN)
    }

    pub(super) fn from_model(decimal: &model::Decimal<'static>) -> Decimal {
        Decimal(decimal.clone())
    }

    pub(super) fn model(&self) -> model::Decimal<'static> {
        self.0.clone()
    }
}

impl FromStr for Decimal {
    type Err = NoDecimal;
    fn from_str(text: &str) -> Result<Decimal, NoDecimal> {
        let read = model::Decimal::parse(Cow::Owned(text.to_owned())).filter(|(_, note)| note.is_none());
        read.map(|(decimal, _)| Decimal(decimal.into_owned())).ok_or_else(|| NoDecimal(text.to_owned()))
    }
}

impl TryFrom<f64> for Decimal {
    type Error = NoDecimal;
    /// The shortest digits of this float; an infinite one and NaN have none.
    fn try_from(number: f64) -> Result<Decimal, NoDecimal> {
        number.to_string().parse()
    }
}

impl From<i64> for Decimal {
    fn from(number: i64) -> Decimal {
        Decimal(model::Decimal::whole(number))
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Debug for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl fmt::Display for NoDecimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected a decimal number, not {:?}", self.0)
    }
}

impl std::error::Error for NoDecimal {}
