//! `GET /v2/billing/bills`: an organization's monthly bills.

use accounting::Bill;
use axum::extract::State;
use gateway::{ApiError, App, Caller, Reply};
use serde::Serialize;
use store::{Accounts, Bills};

/// One month's bill, as the API returns it.
#[derive(Debug, Serialize)]
pub(crate) struct ShownBill {
    /// Whether this is the current month's bill, which can still change. A bill is final once its month has
    /// ended (UTC).
    open: bool,
    #[serde(flatten)]
    bill: Bill,
}

/// Responds with the organization's bills, newest first. The first bill covers the current month so far.
pub(crate) async fn list(State(app): State<App>, caller: Caller) -> Result<Reply<Vec<ShownBill>>, ApiError> {
    let bills = Accounts::new(app.dynamo.clone()).bills(caller.org(), app.clock.now()).await?;
    let Bills { open, closed } = bills.ok_or_else(ApiError::internal)?;
    let open = open.into_iter().map(|bill| ShownBill { open: true, bill });
    let closed = closed.into_iter().map(|bill| ShownBill { open: false, bill });
    Ok(Reply::new(open.chain(closed).collect()))
}
