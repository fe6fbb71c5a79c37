//! Requests as nobody's client sends them, through the real routers on the real engine: what is wrong is
//! refused, and nothing is a fault of the service.

mod body;
mod calls;
mod odd;
mod process;

pub(crate) use calls::{bodies, headers, paths};
pub(crate) use process::prepare;
