//! Admission: who calls, how often, and how much it costs, in one conditional write.

mod bearer;
mod charge;
mod decide;
mod identify;
mod memory;
mod notices;
mod open;
mod ring_crypto;
mod session;
mod settle;

use crate::dynamo::{Accounts, Credentials, Key};
use crate::runtime::{Clock, Random};
use crate::types::{Account, AccountKey, KeyDigest, OrgId};

pub use bearer::{Bearer, Subject};
pub use charge::Admission;
pub use decide::{Charge, Refusal, StepId, decide, grant, less, refund, split};
pub use identify::{Denied, Identity, Presented};
pub use memory::Memory;
pub use open::{new_account, sandbox_account};
pub use settle::{Settled, StartingPoint, Step, Unsettled};

/// Admits callers: identifies them, charges their calls and refunds those that fail.
#[derive(Debug)]
pub struct Admissions {
    accounts: Accounts,
    credentials: Credentials,
    bearer: Option<Bearer>,
    keys: memory::Memory<KeyDigest, Key>,
    subjects: memory::Memory<Subject, OrgId>,
    copies: memory::Memory<AccountKey, Account>,
    clock: Clock,
    random: Random,
}
