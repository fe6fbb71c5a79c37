//! Configuration from the environment.

use std::time::Duration;

use runtime::Environment;
use store::Connection;
use thiserror::Error;

/// The version of the interface, which openapi.yaml names in `info.version`.
pub const INTERFACE_VERSION: &str = "0.4.0";

/// What a function is told by its environment. An empty variable counts as unset.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where the database is.
    pub connection: Connection,
    /// Who issues bearer tokens; none are accepted without.
    pub issuer: Option<Issuer>,
    /// Where errors are explained, which point into that page; `None` for the portal's own page about them.
    pub docs_url: Option<String>,
    /// The address that callers reach the main surface at, without `/v2`; `None` where each request tells it.
    pub public_url: Option<String>,
    /// The address of a page that takes invitations, which their links lead to; `None` for the portal's own.
    pub portal_url: Option<String>,
    /// The origins of the portal, which browsers may call from.
    pub portal_origins: Vec<String>,
    /// How long after a call's arrival its handler may work.
    pub handler_deadline: Duration,
    /// How people may sign up by themselves; `None` where they may not.
    pub self_sign_up: Option<SelfSignUp>,
}

/// How people may sign up by themselves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelfSignUp {
    /// The most sign-ups of a calendar day in UTC, of all people together: 1 or more.
    pub per_day: u32,
}

impl SelfSignUp {
    /// The most sign-ups of a day where nothing is said.
    pub const DEFAULT_PER_DAY: u32 = 100;
}

/// A variable that is not what it should be, by its name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ConfigError {
    #[error("SELF_SIGN_UP must be `on` or `off`, is `{0}`")]
    SelfSignUp(String),
    #[error("SIGN_UPS_PER_DAY must be an integer of 1 or more, is `{0}`")]
    SignUpsPerDay(String),
}

/// Who issues bearer tokens, and for whom.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issuer {
    /// The `iss` of its tokens.
    pub issuer: String,
    /// The `aud` of its tokens; `None` where the gateway's stage says it with each request.
    pub audience: Option<String>,
    /// Where its public keys are.
    pub jwks_url: String,
}

impl Config {
    /// Makes a configuration for a database, with the defaults for all else.
    pub fn new(connection: Connection) -> Self {
        Self {
            connection,
            issuer: None,
            docs_url: None,
            public_url: None,
            portal_url: None,
            portal_origins: Vec::new(),
            handler_deadline: Duration::from_secs(15),
            self_sign_up: None,
        }
    }

    /// Reads the connection's variables, and `OIDC_ISSUER`, `OIDC_AUDIENCE`, `OIDC_JWKS_URL`, `DOCS_URL`,
    /// `PUBLIC_URL`, `PORTAL_URL`, `PORTAL_ORIGINS`, `HANDLER_DEADLINE_SECONDS`, `SELF_SIGN_UP` and
    /// `SIGN_UPS_PER_DAY`.
    ///
    /// # Errors
    ///
    /// When one of the last two is not what it may be.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        let variable = |name| environment.variable(name);
        let mut config = Self::new(Connection::read(environment));
        if let (Some(issuer), Some(jwks_url)) = (variable("OIDC_ISSUER"), variable("OIDC_JWKS_URL")) {
            config.issuer = Some(Issuer { issuer, audience: variable("OIDC_AUDIENCE"), jwks_url });
        }
        config.docs_url = variable("DOCS_URL");
        let without_slash = |url: String| url.trim_end_matches('/').to_owned();
        config.public_url = variable("PUBLIC_URL").map(without_slash);
        config.portal_url = variable("PORTAL_URL").map(without_slash);
        let origins = variable("PORTAL_ORIGINS").unwrap_or_default();
        config.portal_origins = origins
            .split(',')
            .map(str::trim)
            .filter(|origin| !origin.is_empty())
            .map(str::to_owned)
            .collect();
        config.handler_deadline = environment.handler_deadline();
        config.self_sign_up = read_self_sign_up(environment)?;
        Ok(config)
    }
}

fn read_self_sign_up(environment: &Environment) -> Result<Option<SelfSignUp>, ConfigError> {
    let variable = |name| environment.variable(name);
    let per_day = match variable("SIGN_UPS_PER_DAY") {
        None => SelfSignUp::DEFAULT_PER_DAY,
        Some(text) => match text.parse() {
            Ok(per_day) if per_day > 0 => per_day,
            _ => return Err(ConfigError::SignUpsPerDay(text)),
        },
    };
    match variable("SELF_SIGN_UP").as_deref() {
        None | Some("off") => Ok(None),
        Some("on") => Ok(Some(SelfSignUp { per_day })),
        Some(other) => Err(ConfigError::SelfSignUp(other.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_an_empty_variable_as_unset() {
        let empty = [
            "DYNAMODB_ENDPOINT",
            "OIDC_ISSUER",
            "OIDC_AUDIENCE",
            "OIDC_JWKS_URL",
            "DOCS_URL",
            "PUBLIC_URL",
            "PORTAL_URL",
            "SELF_SIGN_UP",
            "SIGN_UPS_PER_DAY",
        ];
        let variables = empty.map(|name| (name, ""));
        let config =
            Config::read(&Environment::of(variables.into_iter().chain([("TABLE_PREFIX", "marquee-")])))
                .expect("a configuration");
        assert_eq!(config.connection.table_prefix, "marquee-");
        assert_eq!(config.connection.endpoint, None);
        assert_eq!(config.issuer, None);
        assert_eq!(config.handler_deadline, Duration::from_secs(15));
        assert!(config.portal_origins.is_empty());
        assert_eq!(config.public_url, None);
        assert_eq!(config.portal_url, None);
        assert_eq!(config.docs_url, None);
        assert_eq!(config.self_sign_up, None);
    }

    #[test]
    fn lets_people_sign_up_where_it_is_told_to_alone() {
        let read = |switch, per_day| {
            let variables = [("SELF_SIGN_UP", switch), ("SIGN_UPS_PER_DAY", per_day)];
            Config::read(&Environment::of(variables)).map(|config| config.self_sign_up)
        };
        for (switch, per_day, expected) in [
            ("on", "", Some(SelfSignUp { per_day: 100 })),
            ("on", "1", Some(SelfSignUp { per_day: 1 })),
            ("off", "7", None),
            ("", "7", None),
        ] {
            assert_eq!(read(switch, per_day), Ok(expected), "{switch} {per_day}");
        }
        for (switch, per_day, message) in [
            ("yes", "", "SELF_SIGN_UP must be `on` or `off`, is `yes`"),
            ("on", "0", "SIGN_UPS_PER_DAY must be an integer of 1 or more, is `0`"),
            ("off", "many", "SIGN_UPS_PER_DAY must be an integer of 1 or more, is `many`"),
        ] {
            assert_eq!(read(switch, per_day).expect_err("no configuration").to_string(), message);
        }
    }

    #[test]
    fn reads_addresses_without_the_slash_at_their_end() {
        let variables =
            [("PUBLIC_URL", "https://api.example/"), ("PORTAL_URL", "https://portal.example/app/")];
        let config = Config::read(&Environment::of(variables)).expect("a configuration");
        assert_eq!(config.public_url.as_deref(), Some("https://api.example"));
        assert_eq!(config.portal_url.as_deref(), Some("https://portal.example/app"));
    }

    #[test]
    fn splits_the_portal_origins() {
        let config =
            Config::read(&Environment::of([("PORTAL_ORIGINS", "https://a.example, https://b.example,")]))
                .expect("a configuration");
        assert_eq!(config.portal_origins, ["https://a.example", "https://b.example"]);
    }
}
