//! Geography IDs and their string format.

use std::fmt;
use std::str::FromStr;

use strum::{EnumString, IntoStaticStr, VariantArray};
use thiserror::Error;

/// The type of a geography. IDs contain its abbreviation, such as `NATN`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, EnumString, IntoStaticStr, VariantArray)]
#[strum(const_into_str)]
pub enum GeographyType {
    /// The United States. The ID is `XX2020NATNUS`.
    #[strum(serialize = "NATN")]
    Nation,
    /// A state or the District of Columbia, identified by its FIPS code: `US2020XXST06`.
    #[strum(serialize = "XXST")]
    State,
    /// A county or its equivalent, identified by its FIPS code: `US2020STCO36061`.
    #[strum(serialize = "STCO")]
    County,
    /// A television market, identified by its DMA code: `US2020XDMA501`.
    #[strum(serialize = "XDMA")]
    Dma,
    /// A metropolitan statistical area, identified by its CBSA code: `US2020XMSA35620`.
    #[strum(serialize = "XMSA")]
    Msa,
    /// A micropolitan statistical area, identified by its CBSA code: `US2020MCRO10100`.
    #[strum(serialize = "MCRO")]
    Micropolitan,
    /// A ZIP code: `US2020ZCTA10027`.
    #[strum(serialize = "ZCTA")]
    Zip,
}

impl GeographyType {
    /// All types, in declaration order.
    pub const ALL: [Self; Self::VARIANTS.len()] = *Self::VARIANTS.first_chunk().expect("every variant");

    /// Returns the four-character abbreviation that the type's IDs contain.
    pub const fn as_str(self) -> &'static str {
        self.into_str()
    }

    /// Returns the first six characters of the type's IDs, which are the country and the year.
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::Nation => "XX2020",
            _ => "US2020",
        }
    }

    /// Returns the number of digits in the type's national IDs. It's 0 for the nation, whose national ID is
    /// `US`.
    pub const fn digits(self) -> usize {
        match self {
            Self::Nation => 0,
            Self::State => 2,
            Self::Dma => 3,
            Self::County | Self::Msa | Self::Micropolitan | Self::Zip => 5,
        }
    }

    /// Parses a national ID as a number, which is 0 for the nation. Returns `None` if the ID isn't valid for
    /// the type.
    pub fn parse_national_id(self, text: &str) -> Option<u32> {
        if self == Self::Nation {
            return (text == "US").then_some(0);
        }
        // `parse` also accepts a leading plus sign, so check for digits first.
        let all_digits = text.bytes().all(|byte| byte.is_ascii_digit());
        if all_digits && text.len() == self.digits() { text.parse().ok() } else { None }
    }
}

/// The ID of a geography, which consists of the country and the year (six characters), the type (four
/// characters), and the national ID. All letters are uppercase.
///
/// Parsing doesn't check whether the geography exists. To check, use [`Geographies`](crate::Geographies). A
/// parsed ID is displayed as the string that it was parsed from.
///
/// ```
/// use dataset::{GeographyId, GeographyType};
///
/// let manhattan: GeographyId = "US2020STCO36061".parse()?;
/// assert_eq!(manhattan.geography_type(), GeographyType::County);
/// assert_eq!(manhattan.national_id().to_string(), "36061");
/// assert_eq!(manhattan.to_string(), "US2020STCO36061");
/// # Ok::<(), dataset::ParseGeographyIdError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct GeographyId {
    geography_type: GeographyType,
    code: u32,
}

impl GeographyId {
    /// Creates an ID from a numeric code, which must be valid for the type.
    pub const fn new(geography_type: GeographyType, code: u32) -> Self {
        Self { geography_type, code }
    }

    /// Creates an ID from a national ID with leading zeros. Returns `None` if the national ID isn't valid for
    /// the type.
    pub fn from_national_id(geography_type: GeographyType, national_id: &str) -> Option<Self> {
        geography_type.parse_national_id(national_id).map(|code| Self { geography_type, code })
    }

    /// Returns the type of the geography.
    pub const fn geography_type(&self) -> GeographyType {
        self.geography_type
    }

    /// Returns the geography's code in national statistics, with leading zeros, or `US` for the nation.
    pub fn national_id(&self) -> impl fmt::Display + use<> {
        let Self { geography_type, code } = *self;
        fmt::from_fn(move |f| match geography_type {
            GeographyType::Nation => f.write_str("US"),
            numbered => write!(f, "{code:0digits$}", digits = numbered.digits()),
        })
    }

    /// Returns the national ID as a number, which is 0 for the nation.
    pub const fn code(&self) -> u32 {
        self.code
    }
}

impl FromStr for GeographyId {
    type Err = ParseGeographyIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let parse = || {
            let (prefix, rest) = text.split_at_checked(6)?;
            let (type_text, national_id) = rest.split_at_checked(4)?;
            let geography_type: GeographyType = type_text.parse().ok()?;
            if prefix != geography_type.prefix() {
                return None;
            }
            Some(Self { geography_type, code: geography_type.parse_national_id(national_id)? })
        };
        parse().ok_or(ParseGeographyIdError)
    }
}

impl fmt::Display for GeographyId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (prefix, type_text) = (self.geography_type.prefix(), self.geography_type.as_str());
        write!(f, "{prefix}{type_text}{}", self.national_id())
    }
}

/// The error for a string that isn't a geography ID. The message lists the valid formats. It doesn't quote
/// the string, which can be long.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error(
    "must be a geography id (XX2020NATNUS; US2020XXST and 2 digits; US2020XDMA and 3 digits; or US2020STCO, \
     US2020XMSA, US2020MCRO, or US2020ZCTA and 5 digits)"
)]
pub struct ParseGeographyIdError;
