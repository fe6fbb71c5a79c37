//! Traffic of many programs while the database loses, refuses and delays what it is sent, and the audit after
//! it: every credit and every asset is accounted for.

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
