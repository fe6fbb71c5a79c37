//! Targets for altered release files. Verification must reject altered files, and opening them anyway must
//! not panic. Unaltered files must answer every query.

mod parts;
mod queries;
mod round_trips;
mod sample;

pub(crate) use parts::{inventory, known_ids, measures, places, population, tiles};
pub(crate) use round_trips::run as round_trips;
pub(crate) use sample::{folder, new_folder, prepare};
