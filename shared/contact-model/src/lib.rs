//! Estimates a campaign's delivery and the number of different visitors to places, with the `contact-model-1`
//! model.
//!
//! docs/explanation/estimates.md contains the formulas, the assumptions and their sources, the limits, and a
//! worked example. All functions are pure: they don't access a clock, the network, or files.

mod contacts;
mod delivery;
mod environment;
mod homes;
mod nearby;
mod visitors;
mod zip_codes;

pub use contacts::Contacts;
pub use delivery::{AT_LEAST, Delivery, reach};
pub use environment::{elsewhere, reach_km};
pub use homes::{HomeZip, Homes, Viewers};
pub use visitors::{VisitorHome, Visitors, growth};
pub use zip_codes::{ZipCode, ZipCodes};

/// The model's name and version.
pub const MODEL: &str = "contact-model-1";

/// The shape *k* of the distribution of contacts and visits among people.
///
/// A low shape means that a few people get most of the contacts. The values are based on the OAAA's Outdoor
/// Media Math Formulas of 2006. There, the frequency at 14 contacts per person (a daily GRP of 50 for four
/// weeks) is `14 + weight`, with a weight of 2 for posters, 4 for rotating bulletins, and 6 for permanent
/// bulletins. This corresponds to shapes of 0.68, 0.43, and 0.32.
pub const SHAPE: Shape = Shape { assumed: 0.5, low: 0.3, high: 0.7 };

/// An assumed shape, and the low and high end of its range.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Shape {
    pub assumed: f64,
    pub low: f64,
    pub high: f64,
}
