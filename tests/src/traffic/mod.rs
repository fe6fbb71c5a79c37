//! Concurrent clients on an unreliable database connection, followed by an audit of every credit and asset.

mod accounts;
mod assets;
mod ledger;
mod process;
mod rounds;
mod sender;

pub use accounts::{AuditedAccount, Doubts};
pub use ledger::request;
pub use process::Process;
pub use rounds::{ATTEMPT_TIMEOUT, Audited, Traffic};
