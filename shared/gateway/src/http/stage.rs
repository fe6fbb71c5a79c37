//! Variables that the gateway's stage adds to each request. Functions can't have them in their environment,
//! because they name resources that are created after the functions: the gateway that calls them, and its
//! sign-in client.
//!
//! Decided in `docs/decisions/0045-stage-variables.md`.

use http::Extensions;
use lambda_http::RequestExt;
use strum::IntoStaticStr;

/// A variable of the gateway stages in template.yaml. Without a gateway, all variables are unset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
pub enum StageVariable {
    /// The audience of bearer tokens.
    OidcAudience,
    /// The origin of the portal's pages, which is the main API's own address.
    PortalOrigin,
    /// The origin of the search gateway, which the portal's pages call.
    SearchUrl,
}

impl StageVariable {
    /// Reads the variable from a request's extensions. An empty value counts as unset.
    pub fn of(self, extensions: &Extensions) -> Option<&str> {
        extensions.stage_variables_ref()?.first(self.into()).filter(|value| !value.is_empty())
    }
}
