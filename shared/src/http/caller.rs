//! Who calls, for handlers, and from where, for admission.

use std::convert::Infallible;
use std::net::IpAddr;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use http::Extensions;
use http::request::Parts;
use lambda_http::request::RequestContext;

use super::error::ApiError;
use crate::admission::Identity;
use crate::types::OrgId;

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
}

impl Caller {
    /// Makes the caller of an identified call; `None` for a caller without an organization.
    pub(super) fn of(identity: &Identity) -> Option<Self> {
        identity.org().map(|org| Self { org: org.clone() })
    }

    pub fn org(&self) -> &OrgId {
        &self.org
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
