//! Variables of the gateway's stage, which the gateway adds to each request. They can't be environment
//! variables of a function, because they name resources that are created after the function: the gateway that
//! calls it, and the sign-in client of that gateway.
//!
//! See `docs/decisions/0045-stage-variables.md`.

use http::Extensions;
use lambda_http::RequestExt;
use strum::IntoStaticStr;

/// A stage variable that template.yaml defines. Without a gateway, no stage variables are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
pub enum StageVariable {
    /// The origin of the main API, for the calls that the MCP server forwards.
    ApiOrigin,
    /// The audience of bearer tokens.
    OidcAudience,
    /// The origin of the portal, which is also the main API's address.
    PortalOrigin,
    /// The origin of the search gateway, for the calls of the portal and of the MCP server.
    SearchUrl,
}

impl StageVariable {
    /// Returns the variable from the extensions of a request. An empty variable is treated like a missing
    /// one.
    pub fn of(self, extensions: &Extensions) -> Option<&str> {
        extensions.stage_variables_ref()?.first(self.into()).filter(|value| !value.is_empty())
    }
}
