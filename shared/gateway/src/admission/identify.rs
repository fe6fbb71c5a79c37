//! Identifies callers and checks whether they can use a product.

use accounting::{
    ACCOUNT_API_CALLS_PER_MINUTE, AccountKey, AuthRequirement, Product, RateWindow, Timestamp, seconds_until,
};
use store::{AccountApiCaller, AccountApiCount, ApiKey, Key, KeyState, Membership, Person};

use super::admissions::{Admissions, MEMBERSHIP_SECONDS_OF_CHANGES};
use super::identity::{Identified, Identity, RequestCredentials};
use super::not_admitted::NotAdmitted;
use crate::code::Code;
use crate::error::ApiError;

impl Admissions {
    /// Identifies the caller and checks whether their credentials allow this use of the product. `safe` is
    /// true for read-only calls. Nothing is charged yet.
    pub async fn identify(
        &self,
        product: Product,
        auth: AuthRequirement,
        safe: bool,
        credentials: RequestCredentials<'_>,
    ) -> Result<Identified, NotAdmitted> {
        if auth == AuthRequirement::Open {
            return Ok(Identity::Public.into());
        }
        let (key, misplaced_key) = match auth.key_header() {
            Some(AuthRequirement::SEARCH_KEY_HEADER) => (credentials.search_key, credentials.api_key),
            _ => (credentials.api_key, credentials.search_key),
        };
        match (key, credentials.authorization) {
            (Some(_), Some(_)) => {
                let message = "the request has both an API key and an `Authorization` header; send only one";
                Err(ApiError::new(Code::AmbiguousAuth, message).into())
            }
            (Some(key), None) => self.by_key(key, product, auth, safe).await,
            (None, Some(authorization)) => {
                let person = self.person_of(authorization, auth, credentials.token_audience).await?;
                self.by_person(person, product, auth, safe).await
            }
            // Don't treat a caller with a misplaced key as anonymous. Otherwise, an integration might appear
            // to work although its key isn't used, or might use up an anonymous session.
            (None, None) if misplaced_key.is_some() => Err(NotAdmitted::misplaced_key(auth)),
            (None, None) => match (auth, credentials.address) {
                (AuthRequirement::Public, _) => Ok(Identity::Public.into()),
                (AuthRequirement::Anyone, Some(address)) if !product.requires_account() => {
                    Ok(self.session(credentials.session_token, address).await?.into())
                }
                _ => Err(NotAdmitted::no_credentials(auth)),
            },
        }
    }

    async fn by_key(
        &self,
        text: &str,
        product: Product,
        auth: AuthRequirement,
        safe: bool,
    ) -> Result<Identified, NotAdmitted> {
        // Check the format first, so that malformed keys don't cause reads.
        let key: ApiKey = text.parse().map_err(|_| {
            NotAdmitted::unauthorized(
                "the API key is malformed; a key is `mq_live_` followed by 64 lowercase hexadecimal digits",
            )
        })?;
        let digest = key.digest();
        let now = self.clock.now();
        let key = match self.keys.get(&digest, now) {
            Some(key) => key,
            None => {
                let unknown =
                    || NotAdmitted::unauthorized("the API key is unknown; check it, or create a new one");
                let key = self.credentials.key(&digest).await?.ok_or_else(unknown)?;
                self.keys.insert(digest, key.clone(), now);
                key
            }
        };
        match key.state(now) {
            KeyState::Live => {}
            KeyState::Expired => {
                return Err(NotAdmitted::unauthorized("the API key has expired; create a new one"));
            }
            KeyState::Revoked => {
                return Err(NotAdmitted::unauthorized("the API key was revoked; create a new one"));
            }
        }
        if auth.key_header().is_none() {
            let message =
                "this operation requires a signed-in person; send a token in `Authorization: Bearer`";
            return Err(NotAdmitted::forbidden(message));
        }
        let Key { org, id, scopes, created_by, .. } = key;
        if let Some(scope) = product.scope(safe).filter(|scope| !scopes.contains(scope)) {
            let account = self.account_or_read(&AccountKey::Org(org.clone())).await.map(Box::new);
            let message = format!("the API key lacks the `{scope}` scope; create a key that has it");
            let caller = Some(Identity::Key { org, id, created_by });
            return Err(NotAdmitted { caller, account, ..NotAdmitted::forbidden(message) });
        }
        // Count the call only after looking up the key, so that unknown keys don't cause writes.
        let caller = AccountApiCaller::Key { org: org.clone(), id: id.clone() };
        let account_api_calls = self.count_account_api_call(product, caller).await?;
        Ok(Identified { identity: Identity::Key { org, id, created_by }, account_api_calls })
    }

    /// Verifies a bearer token and returns the person. The token's audience must be the configured one or,
    /// if none is configured, the one in the stage variable.
    async fn person_of(
        &self,
        authorization: &str,
        auth: AuthRequirement,
        audience_of_stage: Option<&str>,
    ) -> Result<Person, NotAdmitted> {
        if authorization.split_whitespace().any(|word| word.starts_with(ApiKey::PREFIX)) {
            let header = auth.key_header().unwrap_or("X-API-Key");
            let message = format!("send the API key in `{header}`, not in `Authorization`");
            return Err(NotAdmitted::unauthorized(message));
        }
        let token = match authorization.split_once(' ') {
            Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => token.trim(),
            _ => {
                return Err(NotAdmitted::unauthorized(
                    "`Authorization` must be `Bearer` followed by a token",
                ));
            }
        };
        let bearer = self.bearer.as_ref().ok_or_else(|| no_issuer(auth))?;
        let audience =
            bearer.issuer.audience.as_deref().or(audience_of_stage).ok_or_else(|| no_issuer(auth))?;
        bearer.verify(token, audience, self.clock.now()).await
    }

    async fn by_person(
        &self,
        person: Person,
        product: Product,
        auth: AuthRequirement,
        safe: bool,
    ) -> Result<Identified, NotAdmitted> {
        if auth == AuthRequirement::SearchKey {
            let header = AuthRequirement::SEARCH_KEY_HEADER;
            return Err(NotAdmitted::forbidden(format!("this operation requires an API key in `{header}`")));
        }
        let needs_organization = auth != AuthRequirement::Person;
        // Count the call before reading anything, because no other limit applies to people without an
        // organization.
        let caller = AccountApiCaller::Person(person.subject.clone());
        let account_api_calls = self.count_account_api_call(product, caller).await?;
        let is_limited = account_api_calls.is_some();
        if !is_limited && self.without_organization.get(&person.subject, self.clock.now()).is_some() {
            return Err(ApiError::no_organization().into());
        }
        let membership = self.membership_of(&person, safe).await?;
        if membership.is_none() && needs_organization {
            if !is_limited {
                self.without_organization.insert(person.subject, (), self.clock.now());
            }
            return Err(ApiError::no_organization().into());
        }
        Ok(Identified {
            identity: Identity::Bearer { person: Box::new(person), membership },
            account_api_calls,
        })
    }

    /// Counts an account API call and returns the caller's number of calls in the current minute. Returns
    /// `None` if the account API limit doesn't apply to the product, or an error if the limit is exceeded.
    async fn count_account_api_call(
        &self,
        product: Product,
        caller: AccountApiCaller,
    ) -> Result<Option<RateWindow>, NotAdmitted> {
        if !product.has_account_api_limit() {
            return Ok(None);
        }
        let now = self.clock.now();
        let known = self.account_api_calls.get(&caller, now).unwrap_or_default();
        let counted =
            self.accounts.count_account_api_call(&caller, ACCOUNT_API_CALLS_PER_MINUTE, known, now).await?;
        let (AccountApiCount::Admitted(window) | AccountApiCount::Refused(window)) = counted;
        self.account_api_calls.insert(caller, window, now);
        match counted {
            AccountApiCount::Admitted(window) => Ok(Some(window)),
            AccountApiCount::Refused(window) => {
                let retry_after = seconds_until(window.minute + 1, now);
                Err(NotAdmitted::account_api_calls(window, retry_after))
            }
        }
    }

    /// Returns a person's membership, or `None` if they don't belong to an organization. If the call changes
    /// data, a cached membership must have been read less than 2 s ago.
    async fn membership_of(&self, person: &Person, safe: bool) -> Result<Option<Membership>, NotAdmitted> {
        let (subject, now) = (&person.subject, self.clock.now());
        let is_fresh = |read_at: Timestamp| safe || now < read_at.plus_seconds(MEMBERSHIP_SECONDS_OF_CHANGES);
        if let Some((membership, read_at)) = self.memberships.get(subject, now)
            && is_fresh(read_at)
        {
            return Ok(Some(membership));
        }
        let found = self.credentials.membership(subject).await?;
        if let Some(membership) = &found {
            self.memberships.insert(subject.clone(), (membership.clone(), now), now);
        }
        Ok(found)
    }
}

impl From<Identity> for Identified {
    fn from(identity: Identity) -> Self {
        Self { identity, account_api_calls: None }
    }
}

/// Returns the error for a bearer token when no issuer or audience is configured.
fn no_issuer(auth: AuthRequirement) -> NotAdmitted {
    let message = match auth.key_header() {
        Some(header) => {
            format!("this deployment doesn't accept bearer tokens; send an API key in `{header}`")
        }
        None => {
            "this operation requires a signed-in person, but sign-in isn't configured for this deployment"
                .to_owned()
        }
    };
    NotAdmitted::unauthorized(message)
}
