//! The population of each cohort in each geography.
//!
//! Counts are whole persons. The cohorts of an area are sums of its cells, and larger areas are sums of their
//! counties. Cells are defined in [`cohorts`](crate::cohorts), and the builder computes the counts.

mod national;
mod provenance;
mod segment;
mod table;

pub use self::provenance::{CohortShares, provenance_of_cohorts};
pub(crate) use national::national_to_file;
pub use national::{NationalPopulation, write_national};
pub use segment::{Segment, SegmentIndex};
pub use table::{Population, write};
