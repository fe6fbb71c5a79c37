//! What our packages link, and what their code does not name.

mod absences;
mod packages;
