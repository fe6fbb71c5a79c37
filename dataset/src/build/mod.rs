//! How a release is made from the tables of `data/`.

pub mod population;
mod table;
