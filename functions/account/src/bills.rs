//! `GET /v2/billing/bills`: the cost of each month.

use accounting::Bill;
use axum::extract::State;
use gateway::{ApiError, App, Caller, Reply};
use serde::Serialize;
use store::{Accounts, Bills};

/// A month's bill, as displayed.
#[derive(Debug, Serialize)]
pub(crate) struct ShownBill {
    /// Whether the month is still running. Its bill changes until the month ends in UTC, and is final after
    /// that.
    open: bool,
    #[serde(flatten)]
    bill: Bill,
}

/// Responds with the organization's bills, newest first. The first one is the current month's bill so far.
pub(crate) async fn list(State(app): State<App>, caller: Caller) -> Result<Reply<Vec<ShownBill>>, ApiError> {
    let bills = Accounts::new(app.dynamo.clone()).bills(caller.org(), app.clock.now()).await?;
    let Bills { open, closed } = bills.ok_or_else(ApiError::internal)?;
    let open = open.into_iter().map(|bill| ShownBill { open: true, bill });
    let closed = closed.into_iter().map(|bill| ShownBill { open: false, bill });
    Ok(Reply::new(open.chain(closed).collect()))
}
