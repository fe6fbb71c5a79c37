//! How many persons of each cohort live in each geography?
//!
//! Whole persons: the cohorts of an area are sums of its cells, and areas are sums of their counties. What a
//! cohort is made of is known to [`cohorts`](crate::cohorts), and how its counts are made to the builder.

mod national;
mod provenance;
mod segment;
mod table;

pub use self::provenance::{CohortShares, provenance_of_cohorts};
pub(crate) use national::national_to_file;
pub use national::{NationalPopulation, write_national};
pub use segment::{Segment, SegmentIndex};
pub use table::{Population, write};
