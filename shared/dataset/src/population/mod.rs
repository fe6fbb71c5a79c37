//! The population of each cohort in each geography.
//!
//! All counts are whole numbers of persons. A cohort's count in an area is the sum over the area's cells that
//! belong to the cohort. The counts of larger areas are the sums of their counties, except that a ZIP code in
//! a different television market than its county counts toward its own market. Cells are defined in
//! [`cohorts`](crate::cohorts). The builder computes the counts.

mod composed;
mod national;
mod provenance;
mod segment;
mod table;

pub(crate) use self::composed::SEPARATOR;
pub use self::composed::{ComposeError, ComposedCohort, MAX_COMPONENTS, PersonsByArea};
pub use self::provenance::{CohortShares, provenance_of_cohorts};
pub(crate) use national::national_to_file;
pub use national::{NationalPopulation, write_national};
pub use segment::{Segment, SegmentIndex};
pub use table::{Population, write};
