//! Who calls, and whether a product is for them.

use accounting::{
    AccountKey, Audience, PORTAL_CALLS_PER_MINUTE, Product, RateWindow, Timestamp, seconds_until,
};
use store::{ApiKey, Key, KeyState, Membership, Person, PortalCaller, PortalCount};

use super::admissions::{Admissions, MEMBERSHIP_SECONDS_OF_CHANGES};
use super::bearer::TokenError;
use super::error::{AdmissionError, Forbidden, Unauthenticated};
use super::identity::{Identified, Identity, RequestCredentials};

impl Admissions {
    /// Finds out who calls, and whether a product is for them where an audience's credentials are taken;
    /// `safe` calls only read.
    ///
    /// # Errors
    ///
    /// Why the caller is not admitted. Nothing has been charged then.
    pub async fn identify(
        &self,
        product: Product,
        audience: Audience,
        safe: bool,
        credentials: RequestCredentials<'_>,
    ) -> Result<Identified, AdmissionError> {
        let (key, misplaced_key) = match audience {
            Audience::Open => return Ok(Identity::Public.into()),
            Audience::SearchKey | Audience::SearchKeyOrBearer => {
                (credentials.search_key, credentials.api_key)
            }
            Audience::Public
            | Audience::KeyOrBearer
            | Audience::Anyone
            | Audience::Person
            | Audience::Member => (credentials.api_key, credentials.search_key),
        };
        match (key, credentials.authorization) {
            (Some(_), Some(_)) => Err(AdmissionError::AmbiguousCredentials),
            (Some(key), None) => self.by_key(key, product, audience, safe).await,
            (None, Some(authorization)) => {
                let person = self.person_of(authorization, credentials.token_audience).await?;
                self.by_person(person, product, audience, safe).await
            }
            // It must not pass as nobody's: an integration would take itself for verified, or run out of a
            // session.
            (None, None) if misplaced_key.is_some() => Err(Unauthenticated::MisplacedKey.into()),
            (None, None) => match (audience, credentials.address) {
                (Audience::Public, _) => Ok(Identity::Public.into()),
                (Audience::Anyone, Some(address)) if !product.is_historical() => {
                    Ok(self.session(credentials.session_token, address).await?.into())
                }
                _ => Err(Unauthenticated::NoCredentials.into()),
            },
        }
    }

    async fn by_key(
        &self,
        text: &str,
        product: Product,
        audience: Audience,
        safe: bool,
    ) -> Result<Identified, AdmissionError> {
        // The shape is checked first: nonsense must not cost a read.
        let key: ApiKey = text.parse().map_err(|_| Unauthenticated::MalformedKey)?;
        let digest = key.digest();
        let now = self.clock.now();
        let key = match self.keys.get(&digest, now) {
            Some(key) => key,
            None => {
                let key = self.credentials.key(&digest).await?.ok_or(Unauthenticated::UnknownKey)?;
                self.keys.insert(digest, key.clone(), now);
                key
            }
        };
        match key.state(now) {
            KeyState::Live => {}
            KeyState::Expired => return Err(Unauthenticated::ExpiredKey.into()),
            KeyState::Revoked => return Err(Unauthenticated::RevokedKey.into()),
        }
        match audience {
            Audience::Person | Audience::Member => return Err(Forbidden::PersonRequired.into()),
            Audience::Open
            | Audience::Public
            | Audience::SearchKey
            | Audience::SearchKeyOrBearer
            | Audience::KeyOrBearer
            | Audience::Anyone => {}
        }
        let Key { org, id, scopes, .. } = key;
        if let Some(scope) = product.scope(safe).filter(|scope| !scopes.contains(scope)) {
            let account = self.seen_account(&AccountKey::Org(org.clone())).await.map(Box::new);
            return Err(Forbidden::ScopeMissing { scope, org, key: id, account }.into());
        }
        // A key is looked up first: one that there is not must not cost a write.
        let caller = PortalCaller::Key { org: org.clone(), id: id.clone() };
        let portal_calls = self.count_portal_call(product, caller).await?;
        Ok(Identified { identity: Identity::Key { org, id }, portal_calls })
    }

    /// Verifies a bearer token, which must be for the configured audience, or else for the stage's.
    async fn person_of(
        &self,
        authorization: &str,
        audience_of_stage: Option<&str>,
    ) -> Result<Person, AdmissionError> {
        if authorization.split_whitespace().any(|word| word.starts_with(ApiKey::PREFIX)) {
            return Err(Unauthenticated::KeyAsBearer.into());
        }
        let token = match authorization.split_once(' ') {
            Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => token.trim(),
            _ => return Err(Unauthenticated::MalformedBearer.into()),
        };
        let bearer = self.bearer.as_ref().ok_or(Unauthenticated::BearerNotAccepted)?;
        let audience = bearer.audience().or(audience_of_stage).ok_or(Unauthenticated::BearerNotAccepted)?;
        bearer.verify(token, audience, self.clock.now()).await.map_err(|error| match error {
            TokenError::Invalid(invalid) => Unauthenticated::from(invalid).into(),
            TokenError::Unavailable => AdmissionError::IssuerUnavailable,
        })
    }

    async fn by_person(
        &self,
        person: Person,
        product: Product,
        audience: Audience,
        safe: bool,
    ) -> Result<Identified, AdmissionError> {
        let needs_organization = match audience {
            Audience::Person => false,
            Audience::Open
            | Audience::Public
            | Audience::SearchKeyOrBearer
            | Audience::KeyOrBearer
            | Audience::Anyone
            | Audience::Member => true,
            Audience::SearchKey => return Err(Forbidden::KeyRequired.into()),
        };
        // Before anything is read: whoever belongs to no organization has no other limit here.
        let caller = PortalCaller::Person(person.subject.clone());
        let portal_calls = self.count_portal_call(product, caller).await?;
        let is_limited = portal_calls.is_some();
        if !is_limited && self.strangers.get(&person.subject, self.clock.now()).is_some() {
            return Err(Forbidden::NoOrganization.into());
        }
        let membership = self.membership_of(&person, safe).await?;
        if membership.is_none() && needs_organization {
            if !is_limited {
                self.strangers.insert(person.subject, (), self.clock.now());
            }
            return Err(Forbidden::NoOrganization.into());
        }
        Ok(Identified { identity: Identity::Bearer { person: Box::new(person), membership }, portal_calls })
    }

    /// Counts a call of the portal in its caller's minute; `None` for a call of another product.
    async fn count_portal_call(
        &self,
        product: Product,
        caller: PortalCaller,
    ) -> Result<Option<RateWindow>, AdmissionError> {
        if !product.is_of_portal() {
            return Ok(None);
        }
        let now = self.clock.now();
        let known = self.portal_calls.get(&caller, now).unwrap_or_default();
        let counted = self.accounts.count_portal_call(&caller, PORTAL_CALLS_PER_MINUTE, known, now).await?;
        let (PortalCount::Admitted(window) | PortalCount::Refused(window)) = counted;
        self.portal_calls.insert(caller, window, now);
        match counted {
            PortalCount::Admitted(window) => Ok(Some(window)),
            PortalCount::Refused(window) => {
                let retry_after = seconds_until(window.minute + 1, now);
                Err(AdmissionError::PortalRateLimited { window, retry_after })
            }
        }
    }

    /// Finds the organization of a person, for a `safe` call by what is remembered of them.
    async fn membership_of(&self, person: &Person, safe: bool) -> Result<Option<Membership>, AdmissionError> {
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
        Self { identity, portal_calls: None }
    }
}
