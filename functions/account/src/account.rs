//! `GET /v2/account`: the person who calls, their organization, and what it may use.

use axum::extract::State;
use gateway::{ApiError, App, CallingPerson, Reply};

use crate::person_account::{Organization, PersonAccount};
use crate::sign_up;

/// Answers with the person and their organization; or, if they belong to none, whether they can sign up.
pub(crate) async fn read(
    State(app): State<App>,
    caller: CallingPerson,
) -> Result<Reply<PersonAccount>, ApiError> {
    let person = caller.person();
    Ok(Reply::new(match caller.membership() {
        Some(membership) => PersonAccount::of_member(person, Organization::read(&app, membership).await?),
        None => PersonAccount::without_organization(person, sign_up::refusal(&app, person).await?),
    }))
}
