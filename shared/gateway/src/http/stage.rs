//! Variables of the API Gateway stage, which the gateway adds to each request. They can't be a function's
//! environment variables, because they refer to resources that are created after the function: the gateway
//! that calls it, and that gateway's sign-in client.
//!
//! See `docs/decisions/0045-stage-variables.md`.

use http::Extensions;
use lambda_http::RequestExt;
use strum::IntoStaticStr;

/// A stage variable that template.yaml defines. None are set without API Gateway.
#[derive(Clone, Copy, Debug, PartialEq, Eq, IntoStaticStr)]
pub enum StageVariable {
    /// The main API's origin, to which the MCP server forwards calls.
    ApiOrigin,
    /// The required audience of bearer tokens.
    OidcAudience,
    /// The portal's origin, which is also the main API's origin.
    PortalOrigin,
    /// The search gateway's origin, which the portal and the MCP server call.
    SearchUrl,
}

impl StageVariable {
    /// Returns the variable from a request's extensions. An empty variable counts as missing.
    pub fn of(self, extensions: &Extensions) -> Option<&str> {
        extensions.stage_variables_ref()?.first(self.into()).filter(|value| !value.is_empty())
    }
}
