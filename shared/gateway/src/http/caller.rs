//! Extractors for the caller and the client's IP address.

use std::convert::Infallible;
use std::net::{IpAddr, Ipv4Addr};

use accounting::OrgId;
use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use http::Extensions;
use http::request::Parts;
use lambda_http::request::RequestContext;
use store::{Actor, MemberId, Membership, Permission, Person, Subject};

use super::idempotency::CreateKey;
use crate::admission::Identity;
use crate::code::Code;
use crate::error::ApiError;

/// The client's IP address. Outside API Gateway, the server adds it to each request as an extension.
#[derive(Clone, Copy, Debug)]
pub struct ClientAddress(pub IpAddr);

impl ClientAddress {
    /// Returns the IP address that the gateway or server received the request from, if known. Ignores headers
    /// such as `X-Forwarded-For`, because clients can set them.
    pub(super) fn of(extensions: &Extensions) -> Option<IpAddr> {
        if let Some(Self(address)) = extensions.get() {
            return Some(*address);
        }
        match extensions.get::<RequestContext>()? {
            RequestContext::ApiGatewayV2(context) => context.http.source_ip.as_deref()?.parse().ok(),
            _ => None,
        }
    }
}

/// The result of admission, which middleware passes to the handler as an extension.
#[derive(Clone, Debug)]
pub(super) struct Admitted {
    pub(super) identity: Identity,
    /// The maximum size of the request body, in bytes.
    pub(super) max_body_bytes: usize,
    pub(super) key: CreateKey,
}

/// The organization that calls an operation, and the member or API key that makes the call. Only admission
/// creates this value.
#[derive(Clone, Debug)]
pub struct Caller {
    org: OrgId,
    actor: Actor,
    responsible: Option<MemberId>,
}

impl Caller {
    pub fn org(&self) -> &OrgId {
        &self.org
    }

    /// Returns the member or API key that makes the call.
    pub fn actor(&self) -> &Actor {
        &self.actor
    }

    /// Returns the member who makes the call, or who created the API key that makes it. `None` if an
    /// administrator created the key.
    pub fn responsible(&self) -> Option<&MemberId> {
        self.responsible.as_ref()
    }
}

/// The person who makes the call. They don't have to belong to an organization. Only admission creates this
/// value.
#[derive(Clone, Debug)]
pub struct CallingPerson {
    person: Person,
    membership: Option<Membership>,
}

impl CallingPerson {
    pub fn person(&self) -> &Person {
        &self.person
    }

    /// Returns the person's membership, if they belong to an organization.
    pub fn membership(&self) -> Option<&Membership> {
        self.membership.as_ref()
    }

    /// Returns whether the person's role grants the permission.
    pub fn may(&self, permission: Permission) -> bool {
        self.membership.as_ref().is_some_and(|membership| membership.role.may(permission))
    }

    /// Authorizes the person as a member. Returns an error if they don't belong to an organization, or if
    /// their role doesn't grant the permission.
    pub fn with(&self, permission: Permission) -> Result<AuthorizedMember<'_>, ApiError> {
        let membership = self.membership.as_ref().filter(|membership| membership.role.may(permission));
        let org = &membership.ok_or_else(AuthorizedMember::required)?.org;
        Ok(AuthorizedMember { org, id: self.person.subject.member_id(), subject: &self.person.subject })
    }
}

/// A member whose role grants the permission that an operation requires. Only [`CallingPerson::with`] creates
/// this value.
#[derive(Clone, Debug)]
pub struct AuthorizedMember<'a> {
    pub org: &'a OrgId,
    /// The member's public ID.
    pub id: MemberId,
    /// The member's subject. Writes check its permission again, because the role may come from a cache.
    pub subject: &'a Subject,
}

impl AuthorizedMember<'_> {
    /// Returns the error for a member whose role doesn't grant the permission.
    pub fn required() -> ApiError {
        let refusal =
            "only owners of your organization can do this; ask an owner to do it or to make you an owner";
        ApiError::new(Code::Forbidden, refusal)
    }
}

impl Admitted {
    /// Returns the result of the request's admission. Returns an internal error if the operation is open to
    /// everyone, because its calls aren't admitted.
    pub(super) fn of(parts: &Parts) -> Result<&Self, ApiError> {
        parts.extensions.get().ok_or_else(ApiError::internal)
    }

    fn caller(&self) -> Option<Caller> {
        let Self { identity, .. } = self;
        Some(Caller {
            org: identity.org()?.clone(),
            actor: identity.actor()?,
            responsible: identity.responsible(),
        })
    }

    fn person(&self) -> Option<CallingPerson> {
        let Identity::Bearer { person, membership } = self.identity.clone() else { return None };
        Some(CallingPerson { person: *person, membership })
    }
}

/// Extracts the client's IP address, or 0.0.0.0 if it isn't known.
impl<S: Sync> FromRequestParts<S> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, Infallible> {
        Ok(Self(Self::of(&parts.extensions).unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED))))
    }
}

impl<S: Sync> FromRequestParts<S> for CallingPerson {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        Admitted::of(parts)?.person().ok_or_else(ApiError::internal)
    }
}

impl<S: Sync> OptionalFromRequestParts<S> for CallingPerson {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Option<Self>, ApiError> {
        Ok(Admitted::of(parts)?.person())
    }
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        Admitted::of(parts)?.caller().ok_or_else(ApiError::internal)
    }
}

impl<S: Sync> OptionalFromRequestParts<S> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Option<Self>, ApiError> {
        Ok(Admitted::of(parts)?.caller())
    }
}

impl<S: Sync> FromRequestParts<S> for CreateKey {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        Ok(Admitted::of(parts)?.key.clone())
    }
}
