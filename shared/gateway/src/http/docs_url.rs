//! Where errors are explained.

use std::sync::Arc;

use axum::extract::Request;

use super::code::Code;
use super::public_url::PublicUrl;
use crate::Config;

/// The path of the portal's page about errors, which explains them where nothing else is configured.
const PAGE_OF_PORTAL: &str = "/portal/docs/errors";

/// The address of the page that explains errors, for a caller to open. The request middleware finds it once
/// and leaves it with the request.
#[derive(Clone, Debug)]
pub(super) struct DocsUrl(Arc<str>);

impl DocsUrl {
    /// Returns the configured page, or else that of the portal at the address where the caller reaches us.
    pub(super) fn of(request: &Request, config: &Config) -> Self {
        let of_portal =
            || PublicUrl::of_request(request.headers(), request.extensions(), config).of(PAGE_OF_PORTAL);
        Self(config.docs_url.clone().unwrap_or_else(of_portal).into())
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the address of what the page says of a code.
    pub(super) fn of_code(&self, code: Code) -> String {
        format!("{}#{}", self.0, code.anchor())
    }
}
