//! Issues the local process's tokens. In the cloud, the identity provider does this.

use accounting::Timestamp;
use axum::routing::get;
use axum::{Json, Router};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use gateway::Issuer;
use jsonwebtoken::{Algorithm, EncodingKey, Header, encode};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};
use store::{Email, Person, Subject};

use super::sign_ins::Session;

/// The client ID of the portal, which is the only client, and the tokens' audience.
pub(super) const CLIENT_ID: &str = "marquee-local";

/// The OAuth scopes that the portal requests.
pub(super) const SCOPE: &str = "openid email profile";

/// The email address of an owner of the first enterprise organization. Its domain is reserved (RFC 2606).
pub(super) const DEVELOPER_EMAIL: &str = "developer@example.com";

/// The email address of a person who can sign up.
pub(super) const NEWCOMER_EMAIL: &str = "newcomer@example.com";

/// The default lifetime of tokens, in seconds.
pub(in crate::serve) const TOKEN_SECONDS: u32 = 12 * 60 * 60;

/// The number of hexadecimal digits in a person's subject, which are part of their email address's digest.
const SUBJECT_DIGITS: usize = 32;

const KEYS_PATH: &str = "/.well-known/jwks.json";

/// Issues tokens, and signs them with a key that exists only in this process.
pub struct LocalIssuer {
    issuer: Issuer,
    private_key: EncodingKey,
    key_set: Value,
}

impl LocalIssuer {
    /// Creates an issuer with a new key pair. `address` is the origin that serves the public key, such as
    /// `http://127.0.0.1:3000`.
    pub fn at(address: &str) -> Self {
        let (algorithm, random) = (&ECDSA_P256_SHA256_FIXED_SIGNING, SystemRandom::new());
        let pkcs8 =
            EcdsaKeyPair::generate_pkcs8(algorithm, &random).expect("the system provides random numbers");
        let pair = EcdsaKeyPair::from_pkcs8(algorithm, pkcs8.as_ref(), &random)
            .expect("the key matches the algorithm");
        // The public key consists of a tag byte and two coordinates of 32 bytes each.
        let (x, y) = pair.public_key().as_ref()[1..].split_at(32);
        let [x, y] = [x, y].map(|coordinate| URL_SAFE_NO_PAD.encode(coordinate));
        let key = json!({ "kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "x": x, "y": y });
        let issuer = Issuer {
            issuer: address.to_owned(),
            audience: Some(CLIENT_ID.to_owned()),
            jwks_url: format!("{address}{KEYS_PATH}"),
        };
        let private_key = EncodingKey::from_ec_der(pkcs8.as_ref());
        Self { issuer, private_key, key_set: json!({ "keys": [key] }) }
    }

    /// Returns the settings with which functions verify tokens.
    pub fn issuer(&self) -> &Issuer {
        &self.issuer
    }

    /// Returns this process's origin, such as `http://127.0.0.1:3000`.
    pub(super) fn origin(&self) -> &str {
        &self.issuer.issuer
    }

    /// Returns the owner of the first enterprise organization.
    pub fn developer(&self) -> Person {
        self.person("local-developer", DEVELOPER_EMAIL.parse().ok())
    }

    /// Returns a person who doesn't belong to an organization until they sign up.
    pub fn newcomer(&self) -> Person {
        self.person("local-newcomer", NEWCOMER_EMAIL.parse().ok())
    }

    /// Creates a person without a name. The email address, if any, is verified.
    pub fn person(&self, subject: &str, email: Option<Email>) -> Person {
        let is_email_verified = email.is_some();
        Person { subject: Subject::new(&self.issuer.issuer, subject), name: None, email, is_email_verified }
    }

    /// Returns the person with the email address. An address always has the same subject, because the data
    /// folder stores memberships by subject.
    pub(super) fn person_at(&self, email: Email, is_email_verified: bool) -> Person {
        let person = match email.to_string().as_str() {
            DEVELOPER_EMAIL => self.developer(),
            NEWCOMER_EMAIL => self.newcomer(),
            _ => self.person(&format!("local-{}", &email.digest().as_str()[..SUBJECT_DIGITS]), Some(email)),
        };
        Person { is_email_verified, ..person }
    }

    /// Creates an ID token for a person who signs in at `now`. It's valid for 12 hours.
    pub fn create(&self, person: &Person, now: Timestamp) -> String {
        let session = Session { person: person.clone(), began_at: now };
        self.id_token(&session, None, now, TOKEN_SECONDS)
    }

    /// Creates an ID token, which identifies the person to the API. It's valid for `seconds`.
    pub(super) fn id_token(
        &self,
        session: &Session,
        nonce: Option<&str>,
        now: Timestamp,
        seconds: u32,
    ) -> String {
        let Person { name, email, is_email_verified, .. } = &session.person;
        let mut own = json!({ "token_use": "id", "aud": CLIENT_ID, "email_verified": is_email_verified });
        // Omit unknown claims.
        if let Some(name) = name {
            own["name"] = json!(name);
        }
        if let Some(email) = email {
            own["email"] = json!(email);
        }
        if let Some(nonce) = nonce {
            own["nonce"] = json!(nonce);
        }
        self.sign(own, session, now, seconds)
    }

    /// Creates the access token that OAuth requires in addition to the ID token. The API doesn't accept it.
    /// As in Cognito, it has a `client_id` claim instead of an audience.
    pub(super) fn access_token(&self, session: &Session, now: Timestamp, seconds: u32) -> String {
        let own = json!({ "token_use": "access", "client_id": CLIENT_ID, "scope": SCOPE });
        self.sign(own, session, now, seconds)
    }

    /// Returns a router that serves the public key.
    pub fn router(&self) -> Router {
        let key_set = self.key_set.clone();
        Router::new().route(KEYS_PATH, get(async move || Json(key_set)))
    }

    fn sign(&self, mut claims: Value, session: &Session, now: Timestamp, seconds: u32) -> String {
        let Session { person, began_at } = session;
        claims["iss"] = json!(person.subject.issuer);
        claims["sub"] = json!(person.subject.subject);
        claims["auth_time"] = json!(began_at.unix_seconds());
        claims["iat"] = json!(now.unix_seconds());
        claims["exp"] = json!(now.unix_seconds() + i64::from(seconds));
        encode(&Header::new(Algorithm::ES256), &claims, &self.private_key)
            .expect("the key matches the algorithm")
    }
}
