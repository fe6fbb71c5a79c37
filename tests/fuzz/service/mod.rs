//! Targets that send invalid requests to the real routers on the real database engine. No response may have a
//! 5xx status.

mod body;
mod calls;
mod hostile;
mod process;

pub(crate) use calls::{bodies, headers, paths};
pub(crate) use process::prepare;
