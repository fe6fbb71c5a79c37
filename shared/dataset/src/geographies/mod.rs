//! The geographies of a release, and their relations to each other.
//!
//! The geographies are the nation, states, counties, television markets, metropolitan and micropolitan areas,
//! and ZIP codes. Each market of a scenario must be one of these geographies. The module
//! [`population`](crate::population) contains their population by cohort.

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
