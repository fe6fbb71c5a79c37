//! The client and the paths, which several endpoints name.

/// The one client, which is also the audience of its tokens: the portal of this process.
pub(super) const CLIENT_ID: &str = "marquee-local";

pub(super) const AUTHORIZE_PATH: &str = "/oauth2/authorize";
pub(super) const LOGIN_PATH: &str = "/login";
pub(super) const TOKEN_PATH: &str = "/oauth2/token";
pub(super) const LOGOUT_PATH: &str = "/logout";
pub(super) const STYLE_PATH: &str = "/login.css";
