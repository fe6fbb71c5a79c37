//! `GET /v2/billing/bills`: what each month cost.

use accounting::Bill;
use axum::extract::State;
use gateway::{ApiError, App, Caller, Reply};
use serde::Serialize;
use store::{Accounts, Bills};

/// A month's bill as it is shown.
#[derive(Debug, Serialize)]
pub(crate) struct ShownBill {
    /// Whether the month is still going on: its bill changes until it ends in UTC, and never after.
    open: bool,
    #[serde(flatten)]
    bill: Bill,
}

/// Answers with the organization's bills, newest first, the current month's as it stands.
pub(crate) async fn list(State(app): State<App>, caller: Caller) -> Result<Reply<Vec<ShownBill>>, ApiError> {
    let bills = Accounts::new(app.dynamo.clone()).bills(caller.org(), app.clock.now()).await?;
    let Bills { open, closed } = bills.ok_or_else(ApiError::internal)?;
    let open = open.into_iter().map(|bill| ShownBill { open: true, bill });
    let closed = closed.into_iter().map(|bill| ShownBill { open: false, bill });
    Ok(Reply::new(open.chain(closed).collect()))
}
