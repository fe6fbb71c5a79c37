//! Sends emails with the `SendEmail` operation of Amazon SES.
//!
//! <https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html>

use std::sync::Arc;
use std::time::Duration;

use accounting::HexDigits;
use aws::{CONNECT_TIMEOUT, Signer, SigningError, https_connector, sdk_config};
use aws_smithy_runtime_api::client::http::{HttpConnector, SharedHttpConnector};
use aws_smithy_types::body::SdkBody;
use gateway::MailSender;
use http::header::CONTENT_TYPE;
use serde_json::json;
use store::Email;
use thiserror::Error;

/// The time limit for sending a message, including connecting to SES.
const TIMEOUT: Duration = Duration::from_secs(3);

/// The header in which AWS names the error.
const ERROR_TYPE: &str = "x-amzn-errortype";

/// Sends emails from one address.
#[derive(Clone)]
pub(crate) struct Mailer {
    from: String,
    url: String,
    signer: Arc<Signer>,
    connector: SharedHttpConnector,
}

/// A plain-text email to one person.
pub(crate) struct Message<'a> {
    pub(crate) to: &'a Email,
    /// The subject, without control characters.
    pub(crate) subject: String,
    pub(crate) text: String,
}

/// The reason an email wasn't sent.
#[derive(Debug, PartialEq, Eq, Error)]
pub(crate) enum MailFailure {
    /// The address contains non-ASCII characters, which SES rejects, or characters that could change the
    /// recipient.
    #[error("the address contains characters that cannot be used in an email header")]
    Address,
    #[error(transparent)]
    Signing(#[from] SigningError),
    #[error("Amazon SES is unavailable")]
    Unavailable,
    /// SES rejected the message with this HTTP status and error name.
    #[error("Amazon SES rejected the message: {status} {name}")]
    Rejected { status: u16, name: String },
}

impl Mailer {
    /// Creates a mailer without sending a request.
    pub(crate) fn connect(sender: &MailSender) -> Self {
        let sdk = sdk_config(&sender.endpoint, &None, &None);
        let signer = Signer::new("ses", &sdk);
        let origin = match sdk.endpoint_url() {
            Some(endpoint) => endpoint.to_owned(),
            None => format!("https://email.{}.amazonaws.com", signer.region()),
        };
        Self {
            from: sender.from.clone(),
            url: format!("{origin}/v2/email/outbound-emails"),
            signer: Arc::new(signer),
            connector: https_connector(CONNECT_TIMEOUT),
        }
    }

    /// Sends a message without retrying. SES doesn't recognize duplicates, so a retry could send the message
    /// twice.
    pub(crate) async fn send(&self, message: &Message<'_>) -> Result<(), MailFailure> {
        tokio::time::timeout(TIMEOUT, self.try_to_send(message))
            .await
            .unwrap_or(Err(MailFailure::Unavailable))
    }

    async fn try_to_send(&self, message: &Message<'_>) -> Result<(), MailFailure> {
        let Message { to, subject, text } = message;
        let to = to.to_string();
        if !is_plain(&to) {
            return Err(MailFailure::Address);
        }
        let encoded = |text: &str| json!({ "Data": text, "Charset": "UTF-8" });
        let simple = json!({ "Subject": encoded(subject), "Body": { "Text": encoded(text) } });
        let body = json!({
            "FromEmailAddress": self.from,
            "Destination": { "ToAddresses": [to] },
            "Content": { "Simple": simple },
        });
        let body = body.to_string();
        let sha256 = HexDigits::<64>::of_sha256(&[body.as_bytes()]);
        let request = http::Request::post(&self.url).header(CONTENT_TYPE, "application/json");
        let request = request.body(SdkBody::from(body)).map_err(|_| SigningError::InvalidRequest)?;
        let credentials = self.signer.credentials().await?;
        let request = self.signer.sign(request, sha256.as_str(), credentials)?;
        let answer = self.connector.call(request).await.map_err(|_| MailFailure::Unavailable)?;
        if answer.status().is_success() {
            return Ok(());
        }
        let name = answer.headers().get(ERROR_TYPE).unwrap_or("no error name").to_owned();
        Err(MailFailure::Rejected { status: answer.status().as_u16(), name })
    }
}

/// Returns whether an address consists only of characters without a special meaning in email headers ([RFC
/// 5322, 3.2.3](https://www.rfc-editor.org/rfc/rfc5322#section-3.2.3)).
fn is_plain(address: &str) -> bool {
    address
        .chars()
        .all(|character| character.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~.@".contains(character))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_with_header_syntax_are_not_plain() {
        for address in ["planner@example.com", "o'neil+tag@sub.example.com", "a/b=c@x.io"] {
            assert!(is_plain(address), "{address}");
        }
        for address in [
            "a<planner@example.com>",
            "a,b@example.com",
            "group:b@example.com;",
            "\"a\"@example.com",
            "(comment)a@example.com",
            "a@[192.0.2.1]",
            "pl\u{e4}ner@example.com",
        ] {
            assert!(!is_plain(address), "{address}");
        }
    }
}
