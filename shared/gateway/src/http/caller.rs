//! Who calls, for handlers, and from where, for admission.

use std::convert::Infallible;
use std::net::IpAddr;

use accounting::{Audience, OrgId};
use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use http::Extensions;
use http::request::Parts;
use lambda_http::request::RequestContext;
use store::{Actor, MemberId, Membership, Permission, Person, Subject};

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
            extensions.insert(CallingPerson { person: (**person).clone(), membership: membership.clone() });
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

    /// Returns the person as a member of their organization, if their role there has a permission.
    ///
    /// # Errors
    ///
    /// The refusal of anybody else.
    pub fn with(&self, permission: Permission) -> Result<Manager<'_>, ApiError> {
        let membership = self.membership.as_ref().filter(|membership| membership.role.may(permission));
        let org = &membership.ok_or_else(Manager::required)?.org;
        Ok(Manager { org, id: self.person.subject.member_id(), subject: &self.person.subject })
    }

    /// Makes the error of a person who belongs to no organization.
    pub fn organization_required() -> ApiError {
        ApiError::not_admitted(&Forbidden::NoOrganization.into(), Audience::Member)
    }
}

/// A member who calls to manage something of their organization, as their role allows: only
/// [`CallingPerson::with`] makes one.
#[derive(Clone, Debug)]
pub struct Manager<'a> {
    pub org: &'a OrgId,
    /// The manager's handle among the members.
    pub id: MemberId,
    /// Whom the database is to find with the permission before anything changes: a process remembers roles.
    pub subject: &'a Subject,
}

impl Manager<'_> {
    /// Makes the error of a member whose role does not allow what they ask for.
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
