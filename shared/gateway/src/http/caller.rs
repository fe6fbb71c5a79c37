//! Who calls, for handlers, and from where, for admission.

use std::convert::Infallible;
use std::net::IpAddr;

use accounting::{Audience, OrgId};
use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use http::Extensions;
use http::request::Parts;
use lambda_http::request::RequestContext;
use store::{Actor, MemberId, Membership, Person, Role, Subject};

use super::code::Code;
use super::error::ApiError;
use crate::admission::{Forbidden, Identity};

/// The client's address, put into a request by a host that is not API Gateway.
#[derive(Clone, Copy, Debug)]
pub struct ClientAddress(pub IpAddr);

impl ClientAddress {
    /// Finds the address that the gateway saw; never that of a forwarded header, which a client can set.
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

/// The organization that calls: only the admission middleware makes one.
#[derive(Clone, Debug)]
pub struct Caller {
    org: OrgId,
    actor: Actor,
}

impl Caller {
    /// Tells handlers who calls: the organization, if the caller has one, and the person, if it is one.
    pub(super) fn introduce(identity: &Identity, extensions: &mut Extensions) {
        if let (Some(org), Some(actor)) = (identity.org(), identity.actor()) {
            extensions.insert(Self { org: org.clone(), actor });
        }
        if let Identity::Bearer { person, membership } = identity {
            let (person, membership) = ((**person).clone(), membership.clone());
            if let Some(Membership { org, role: Role::Owner }) = membership.clone() {
                let (id, subject) = (person.subject.member_id(), person.subject.clone());
                extensions.insert(Owner { org, id, subject });
            }
            extensions.insert(CallingPerson { person, membership });
        }
    }

    pub fn org(&self) -> &OrgId {
        &self.org
    }

    /// Returns who calls for the organization.
    pub fn actor(&self) -> &Actor {
        &self.actor
    }
}

/// The person who calls, with an organization or without: only the admission middleware makes one.
#[derive(Clone, Debug)]
pub struct CallingPerson {
    person: Person,
    membership: Option<Membership>,
}

impl CallingPerson {
    pub fn person(&self) -> &Person {
        &self.person
    }

    /// Returns the person's organization, if they belong to one.
    pub fn membership(&self) -> Option<&Membership> {
        self.membership.as_ref()
    }

    /// Makes the error of a person who belongs to no organization.
    pub fn organization_required() -> ApiError {
        ApiError::not_admitted(&Forbidden::NoOrganization.into(), Audience::Member)
    }
}

/// An owner who calls for their organization. As an argument of a handler, it refuses everybody else.
#[derive(Clone, Debug)]
pub struct Owner {
    org: OrgId,
    id: MemberId,
    subject: Subject,
}

impl Owner {
    pub fn org(&self) -> &OrgId {
        &self.org
    }

    /// Returns the owner's handle among the members.
    pub fn id(&self) -> &MemberId {
        &self.id
    }

    /// Returns whom the database is to find as an owner before anything changes: a process remembers roles.
    pub fn subject(&self) -> &Subject {
        &self.subject
    }

    /// Makes the error of a member who is no owner.
    pub fn required() -> ApiError {
        let refusal =
            "this is for the owners of your organization; ask one of them to do it or to make you one";
        ApiError::new(Code::Forbidden, refusal)
    }
}

impl<S: Sync> FromRequestParts<S> for CallingPerson {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        parts.extensions.get().cloned().ok_or_else(ApiError::internal)
    }
}

impl<S: Sync> OptionalFromRequestParts<S> for CallingPerson {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Option<Self>, Infallible> {
        Ok(parts.extensions.get().cloned())
    }
}

impl<S: Sync> FromRequestParts<S> for Owner {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        parts.extensions.get().cloned().ok_or_else(Self::required)
    }
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Self, ApiError> {
        parts.extensions.get().cloned().ok_or_else(ApiError::internal)
    }
}

impl<S: Sync> OptionalFromRequestParts<S> for Caller {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Option<Self>, Infallible> {
        Ok(parts.extensions.get().cloned())
    }
}
