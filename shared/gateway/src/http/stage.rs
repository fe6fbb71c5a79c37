//! What the gateway's stage says with each request. No function can be told it when it is made: it names what
//! is made after the functions, the gateway that calls them and the client that signs people in there.
//!
//! Decided in `docs/decisions/0045-stage-variables.md`.

use http::Extensions;
use lambda_http::RequestExt;
use strum::IntoStaticStr;

/// A variable of the gateways' stages in template.yaml. Where there is no gateway there is none of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
pub enum StageVariable {
    /// Whom bearer tokens are for.
    OidcAudience,
    /// The origin of the portal's pages, which is the main API's own address.
    PortalOrigin,
    /// The origin of the search gateway, which the portal's pages call.
    SearchUrl,
}

impl StageVariable {
    /// Reads it from what came with a request; an empty one counts as unset.
    pub fn of(self, extensions: &Extensions) -> Option<&str> {
        extensions.stage_variables_ref()?.first(self.into()).filter(|value| !value.is_empty())
    }
}
