//! The geographies in a release, and how they're nested.
//!
//! Geographies are the nation, states, counties, television markets, metropolitan and micropolitan areas, and
//! ZIP codes. The markets in a scenario must be geographies. The population of each geography, by cohort, is
//! in [`population`](crate::population).

mod aliases;
mod areas_in_state;
mod geography;
mod id;
mod names;
mod row;
mod states;
mod table;

pub use geography::{Geography, GeographyIndex};
pub use id::{GeographyId, GeographyType, ParseGeographyIdError};
pub use names::{AreaKind, AreaNames};
pub use states::state_forms;
pub use table::{Geographies, write};
