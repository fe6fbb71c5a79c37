//! Builds releases from lists of sources.
//!
//! [`build`] in `release` runs the steps of a build. `read_displays`, `read_places`, and `read_measures` read
//! the sources, and either accept each row or reject it with its line number and the reasons. `ids` assigns
//! IDs to rows without one, `merge` resolves conflicts between sources, and `write` writes the parts.

mod all_displays;
mod cache;
mod context;
mod entry;
mod error;
mod file_row;
mod guards;
mod ids;
mod max_rejects;
mod merge;
mod notice;
mod provenance;
mod read_displays;
mod read_measures;
mod read_places;
mod recover;
mod rejects;
mod release;
mod report;
mod row_notes;
mod source_files;
mod source_list;
mod write;

pub use cache::CODE;
pub use entry::{SourceEntry, SourceName};
pub use error::{BuildError, SourceListError};
pub use guards::Violation;
pub(crate) use ids::Numbered;
pub use ids::{IdKind, Ids, IdsError};
pub use max_rejects::{MaxRejects, ParseMaxRejectsError};
pub use notice::Notice;
pub use recover::recover_ids;
pub use rejects::{MAX_REASONS, ReasonCounts, Rejects, RejectsError};
pub use release::{Build, build};
pub use report::{Built, Report, SourceSummary};
pub use source_list::{SampleParts, SourceList};
