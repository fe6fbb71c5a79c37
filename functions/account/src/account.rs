//! `GET /v2/account`: the caller, their organization, and the organization's limits.

use axum::extract::State;
use gateway::{ApiError, App, CallingPerson, ClientAddress, Reply};
use store::{Credentials, Membership, Person};

use crate::person_account::{Organization, PersonAccount};
use crate::sign_up;

/// Responds with the caller and their organization. If they don't belong to one, states whether they can sign
/// up. Also updates the stored name and email address of a member, which colleagues can see.
pub(crate) async fn read(
    State(app): State<App>,
    caller: CallingPerson,
    client: ClientAddress,
) -> Result<Reply<PersonAccount>, ApiError> {
    let person = caller.person();
    Ok(Reply::new(match caller.membership() {
        Some(membership) => {
            let (organization, ()) =
                tokio::try_join!(Organization::read(&app, membership), refresh(&app, membership, person))?;
            PersonAccount::of_member(person, organization)
        }
        None => PersonAccount::without_organization(person, sign_up::refusal(&app, person, client).await?),
    }))
}

async fn refresh(app: &App, membership: &Membership, person: &Person) -> Result<(), ApiError> {
    Ok(Credentials::new(app.dynamo.clone()).refresh_member(&membership.org, person).await?)
}
