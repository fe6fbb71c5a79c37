//! `GET /v2/account`: the calling person, their organization, and the organization's limits.

use axum::extract::State;
use gateway::{ApiError, App, CallingPerson, ClientAddress, Reply};

use crate::person_account::{Organization, PersonAccount};
use crate::sign_up;

/// Responds with the person and their organization. If they don't belong to one, the response states whether
/// they can sign up.
pub(crate) async fn read(
    State(app): State<App>,
    caller: CallingPerson,
    client: ClientAddress,
) -> Result<Reply<PersonAccount>, ApiError> {
    let person = caller.person();
    Ok(Reply::new(match caller.membership() {
        Some(membership) => PersonAccount::of_member(person, Organization::read(&app, membership).await?),
        None => PersonAccount::without_organization(person, sign_up::refusal(&app, person, client).await?),
    }))
}
