//! A function's configuration, which is read from environment variables.

use std::time::Duration;

use accounting::Credits;
use aws::LocalEndpoint;
use runtime::Environment;
use store::Connection;
use thiserror::Error;

/// The API version, which matches `info.version` in openapi.yaml.
pub const INTERFACE_VERSION: &str = "0.4.0";

/// A function's configuration. Empty environment variables count as missing.
#[derive(Clone, Debug)]
pub struct Config {
    pub connection: Connection,
    /// The issuer of bearer tokens. `None` disables bearer tokens.
    pub issuer: Option<Issuer>,
    /// The URL of the page about error codes. `None` means the portal's page.
    pub docs_url: Option<String>,
    /// The main API's public URL, without `/v2`. `None` means that it's derived from each request.
    pub public_url: Option<String>,
    /// The URL of the page that invitation links open. `None` means the portal's page.
    pub portal_url: Option<String>,
    /// The origins whose web pages can call the API from a browser, in addition to the portal's.
    pub portal_origins: Vec<String>,
    /// The time limit for handling a call, measured from its arrival.
    pub handler_deadline: Duration,
    /// The settings for self-service sign-up. `None` if it's off.
    pub self_sign_up: Option<SelfSignUp>,
    /// The sender of invitation emails. `None` if the service doesn't send email.
    pub mail_sender: Option<MailSender>,
    /// The price of a measurement. `None` if the administrator uses another measurement product.
    pub measurement_credits: Option<Credits>,
    /// Whether webhooks can use `http` URLs on this machine. Only the local process allows this.
    pub allows_local_webhooks: bool,
}

/// The sender of emails through Amazon SES.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MailSender {
    /// The address with an optional display name, such as `Marquee <sign-in@example.com>`.
    pub from: String,
    /// The endpoint of a local stand-in for SES. `None` means SES in the function's region.
    pub endpoint: Option<LocalEndpoint>,
}

/// The limits on self-service sign-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SelfSignUp {
    /// The maximum number of sign-ups per UTC day, from all domains and addresses combined. It's at least 1.
    pub per_day: u32,
}

impl SelfSignUp {
    /// The default maximum number of sign-ups per UTC day.
    pub const DEFAULT_PER_DAY: u32 = 100;

    /// The lower bound for the daily limits per email domain and per range of client addresses.
    const MIN_PER_SOURCE: u32 = 3;

    /// Returns the daily limit per email domain, and per range of client addresses. It's a tenth of the total
    /// limit, but at least 3.
    pub fn per_source(self) -> u32 {
        (self.per_day / 10).max(Self::MIN_PER_SOURCE)
    }

    /// Returns the daily limit for an email domain that offers free addresses to anyone. It's half of the
    /// total limit, but at least 3.
    pub fn per_free_mail_domain(self) -> u32 {
        (self.per_day / 2).max(Self::MIN_PER_SOURCE)
    }
}

/// The error for an invalid environment variable.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ConfigError {
    #[error("SELF_SIGN_UP must be `on` or `off`, got `{0}`")]
    SelfSignUp(String),
    #[error("SIGN_UPS_PER_DAY must be an integer of at least 1, got `{0}`")]
    SignUpsPerDay(String),
    #[error("MEASUREMENT_CREDITS must be an integer of at least 1, or empty, got `{0}`")]
    MeasurementCredits(String),
}

/// The required issuer and audience of bearer tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issuer {
    /// The required `iss` claim.
    pub issuer: String,
    /// The required `aud` claim. `None` means that each request's stage variable contains it.
    pub audience: Option<String>,
    /// The URL of the issuer's public keys.
    pub jwks_url: String,
}

impl Config {
    /// Creates a configuration with the given database connection and default values for all other settings.
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
            mail_sender: None,
            measurement_credits: None,
            allows_local_webhooks: false,
        }
    }

    /// Reads the database connection's settings, and `OIDC_ISSUER`, `OIDC_AUDIENCE`, `OIDC_JWKS_URL`,
    /// `DOCS_URL`, `PUBLIC_URL`, `PORTAL_URL`, `PORTAL_ORIGINS`, `HANDLER_DEADLINE_SECONDS`, `MAIL_FROM`,
    /// `SELF_SIGN_UP`, `SIGN_UPS_PER_DAY`, and `MEASUREMENT_CREDITS`. Returns an error if one of the last
    /// three is invalid. Also logs the error, because a process that fails to start reports only its debug
    /// form.
    pub fn read(environment: &Environment) -> Result<Self, ConfigError> {
        Self::read_all(environment).inspect_err(|error| tracing::error!(event = "config_refused", %error))
    }

    fn read_all(environment: &Environment) -> Result<Self, ConfigError> {
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
        config.mail_sender = variable("MAIL_FROM").map(|from| MailSender { from, endpoint: None });
        config.self_sign_up = read_self_sign_up(environment)?;
        config.measurement_credits = variable("MEASUREMENT_CREDITS").map(read_credits).transpose()?;
        Ok(config)
    }
}

fn read_credits(text: String) -> Result<Credits, ConfigError> {
    text.parse().ok().filter(|credits| *credits > 0).ok_or(ConfigError::MeasurementCredits(text))
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
    fn empty_variable_counts_as_unset() {
        let empty = [
            "DYNAMODB_ENDPOINT",
            "OIDC_ISSUER",
            "OIDC_AUDIENCE",
            "OIDC_JWKS_URL",
            "DOCS_URL",
            "PUBLIC_URL",
            "PORTAL_URL",
            "MAIL_FROM",
            "SELF_SIGN_UP",
            "SIGN_UPS_PER_DAY",
            "MEASUREMENT_CREDITS",
        ];
        let variables = empty.map(|name| (name, ""));
        let config =
            Config::read(&Environment::of(variables.into_iter().chain([("TABLE_PREFIX", "marquee-")])))
                .expect("the configuration is valid");
        assert_eq!(config.connection.table_prefix, "marquee-");
        assert_eq!(config.connection.endpoint, None);
        assert_eq!(config.issuer, None);
        assert_eq!(config.handler_deadline, Duration::from_secs(15));
        assert!(config.portal_origins.is_empty());
        assert_eq!(config.public_url, None);
        assert_eq!(config.portal_url, None);
        assert_eq!(config.docs_url, None);
        assert_eq!(config.mail_sender, None);
        assert_eq!(config.self_sign_up, None);
        assert_eq!(config.measurement_credits, None);
    }

    #[test]
    fn price_of_a_measurement_is_at_least_one_credit() {
        let read = |credits| {
            let config = Config::read(&Environment::of([("MEASUREMENT_CREDITS", credits)]));
            config.map(|config| config.measurement_credits).map_err(|error| error.to_string())
        };
        assert_eq!(read("40"), Ok(Some(40)));
        for invalid in ["0", "-1", "2.5", "many"] {
            let message = "MEASUREMENT_CREDITS must be an integer of at least 1, or empty, got";
            assert_eq!(read(invalid), Err(format!("{message} `{invalid}`")));
        }
    }

    #[test]
    fn self_sign_up_is_off_unless_switched_on() {
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
            ("yes", "", "SELF_SIGN_UP must be `on` or `off`, got `yes`"),
            ("on", "0", "SIGN_UPS_PER_DAY must be an integer of at least 1, got `0`"),
            ("off", "many", "SIGN_UPS_PER_DAY must be an integer of at least 1, got `many`"),
        ] {
            assert_eq!(read(switch, per_day).expect_err("the configuration is invalid").to_string(), message);
        }
    }

    #[test]
    fn addresses_lose_their_trailing_slash() {
        let variables =
            [("PUBLIC_URL", "https://api.example/"), ("PORTAL_URL", "https://portal.example/app/")];
        let config = Config::read(&Environment::of(variables)).expect("the configuration is valid");
        assert_eq!(config.public_url.as_deref(), Some("https://api.example"));
        assert_eq!(config.portal_url.as_deref(), Some("https://portal.example/app"));
    }

    #[test]
    fn portal_origins_are_split_at_commas() {
        let config =
            Config::read(&Environment::of([("PORTAL_ORIGINS", "https://a.example, https://b.example,")]))
                .expect("the configuration is valid");
        assert_eq!(config.portal_origins, ["https://a.example", "https://b.example"]);
    }
}
