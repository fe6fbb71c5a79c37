//! Which areas exist, and what does each lie in?
//!
//! The nation, its states, counties, television markets, metropolitan areas and ZIP codes: a market of a
//! scenario is made of these and no others. Who lives in an area is known to
//! [`population`](crate::population), but for the number of its persons and households.

mod areas_in_state;
mod geography;
mod id;
mod row;
mod states;
mod table;

pub use geography::{Geography, GeographyIndex};
pub use id::{GeographyId, GeographyType, ParseGeographyIdError};
pub use states::state_forms;
pub use table::{Geographies, write};
