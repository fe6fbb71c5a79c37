//! Invalid requests to the real routers on a real database engine. The service must not return 5xx.

mod body;
mod calls;
mod hostile;
mod process;

pub(crate) use calls::{bodies, headers, paths};
pub(crate) use process::prepare;
