//! Who calls, and whether a product is for them.

use super::admissions::Admissions;
use super::bearer::{Subject, TokenError};
use super::error::{AdmissionError, Forbidden, Unauthenticated};
use super::identity::{Identity, RequestCredentials};
use crate::dynamo::Key;
use crate::types::{AccountKey, ApiKey, Audience, OrgId, Product, Scope};

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
    ) -> Result<Identity, AdmissionError> {
        let (key, misplaced_key) = match audience {
            Audience::Open => return Ok(Identity::Public),
            Audience::SearchKey => (credentials.search_key, credentials.api_key),
            Audience::Public | Audience::Key | Audience::KeyOrBearer | Audience::Anyone => {
                (credentials.api_key, credentials.search_key)
            }
        };
        match (key, credentials.authorization) {
            (Some(_), Some(_)) => Err(AdmissionError::AmbiguousCredentials),
            (Some(key), None) => self.by_key(key, product.scope(safe)).await,
            (None, Some(authorization)) => self.by_bearer(authorization, audience).await,
            // It must not pass as nobody's: an integration would take itself for verified, or run out of a
            // session.
            (None, None) if misplaced_key.is_some() => Err(Unauthenticated::MisplacedKey.into()),
            (None, None) => match (audience, credentials.address) {
                (Audience::Public, _) => Ok(Identity::Public),
                (Audience::Anyone, Some(address)) if !product.is_historical() => {
                    self.session(credentials.session_token, address).await
                }
                _ => Err(Unauthenticated::NoCredentials.into()),
            },
        }
    }

    async fn by_key(&self, text: &str, scope: Option<Scope>) -> Result<Identity, AdmissionError> {
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
        let Key { org, id, scopes, revoked_at, .. } = key;
        if revoked_at.is_some() {
            return Err(Unauthenticated::RevokedKey.into());
        }
        if let Some(scope) = scope.filter(|scope| !scopes.contains(*scope)) {
            let account = self.seen_account(&AccountKey::Org(org.clone())).await.map(Box::new);
            return Err(Forbidden::ScopeMissing { scope, org, key: id, account }.into());
        }
        Ok(Identity::Key { org, id })
    }

    async fn by_bearer(&self, authorization: &str, audience: Audience) -> Result<Identity, AdmissionError> {
        if authorization.split_whitespace().any(|word| word.starts_with(ApiKey::PREFIX)) {
            return Err(Unauthenticated::KeyAsBearer.into());
        }
        let token = match authorization.split_once(' ') {
            Some((scheme, token)) if scheme.eq_ignore_ascii_case("bearer") => token.trim(),
            _ => return Err(Unauthenticated::MalformedBearer.into()),
        };
        let bearer = self.bearer.as_ref().ok_or(Unauthenticated::BearerNotAccepted)?;
        let subject = bearer.verify(token, self.clock.now()).await.map_err(|error| match error {
            TokenError::Invalid(invalid) => Unauthenticated::from(invalid).into(),
            TokenError::Unavailable => AdmissionError::IssuerUnavailable,
        })?;
        match audience {
            Audience::Open | Audience::Public | Audience::KeyOrBearer | Audience::Anyone => {}
            Audience::Key | Audience::SearchKey => return Err(Forbidden::KeyRequired.into()),
        }
        let org = self.org_of(subject).await?;
        Ok(Identity::Bearer { org })
    }

    async fn org_of(&self, subject: Subject) -> Result<OrgId, AdmissionError> {
        let now = self.clock.now();
        if let Some(org) = self.subjects.get(&subject, now) {
            return Ok(org);
        }
        let found = self.credentials.subject(&subject.issuer, &subject.subject).await?;
        let org = found.ok_or(Forbidden::NoOrganization)?;
        self.subjects.insert(subject, org.clone(), now);
        Ok(org)
    }
}
