//! The email that contains the link to a new invitation.

use accounting::OrgId;
use gateway::App;
use serde_with::SerializeDisplay;
use store::{Credentials, Invitation, OrgName, Person};
use strum::Display;

use crate::mailer::{Mailer, Message};

/// Whether an invitation link was sent by email. See `NewInvitation` in openapi.yaml.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Display, SerializeDisplay)]
#[strum(serialize_all = "snake_case")]
pub(super) enum MailState {
    /// The service doesn't send email.
    Off,
    Sent,
    /// The message couldn't be sent.
    Failed,
    /// The organization has reached its daily limit for invitation emails.
    LimitReached,
}

/// The content of the email.
pub(super) struct Letter<'a> {
    pub(super) inviter: &'a Person,
    pub(super) org_name: Option<&'a OrgName>,
    pub(super) invitation: &'a Invitation,
    pub(super) link: &'a str,
}

impl Letter<'_> {
    /// Sends the email and records that it was sent, so that a repeated call doesn't send it again. A failure
    /// is logged and returned as a state, because the invitation is valid without the email.
    pub(super) async fn send(&self, app: &App, mailer: &Mailer, org: &OrgId) -> MailState {
        let id = &self.invitation.id;
        if let Err(failure) = mailer.send(&self.message()).await {
            tracing::warn!(event = "invitation_not_sent", %org, %id, error = %failure);
            return MailState::Failed;
        }
        let credentials = Credentials::new(app.dynamo.clone());
        if let Err(error) = credentials.record_mail(org, id, app.clock.now()).await {
            tracing::warn!(event = "sent_invitation_not_recorded", %org, %id, %error);
        }
        MailState::Sent
    }

    fn message(&self) -> Message<'_> {
        let Self { invitation, link, .. } = self;
        let Invitation { email, role, expires_at, .. } = invitation;
        let org = self.org_name.map(ToString::to_string).filter(|name| !contains_link(name));
        let org = org.as_deref().unwrap_or("an organization");
        let expires_at = expires_at.to_string();
        let (day, time) = (&expires_at[..10], &expires_at[11..16]);
        let text = format!(
            "{inviter} has invited you to join {org} on Marquee, a service for planning out-of-home \
             advertising.\n\n\
             Your role: {role} ({description})\n\n\
             To accept, open this link and sign in as {email}:\n\n{link}\n\n\
             You can use the link only once. It expires on {day} at {time} UTC. If you don't know who invited \
             you, ignore this message.\n",
            inviter = self.inviter(),
            description = role.description(),
        );
        Message { to: email, subject: format!("Invitation to join {org} on Marquee"), text }
    }

    fn inviter(&self) -> String {
        let name = self.inviter.name.as_ref().map(ToString::to_string).filter(|name| !contains_link(name));
        match (name, self.inviter.verified_email()) {
            (Some(name), Some(email)) => format!("{name} ({email})"),
            (Some(name), None) => name,
            (None, Some(email)) => email.to_string(),
            (None, None) => "An owner".to_owned(),
        }
    }
}

/// Returns whether a mail program could show part of a name as a link. Customers choose these names, so a
/// link in one could lead the recipient to another site.
fn contains_link(name: &str) -> bool {
    let after_dots = name.split('.').skip(1);
    let is_domain = after_dots.into_iter().any(|rest| rest.starts_with(char::is_alphabetic));
    is_domain || name.contains("://") || name.contains('@')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_addresses_contain_links() {
        for name in ["Example Coffee", "St. Mary's", "Media 2.0", "AT&T / Denver", "Co."] {
            assert!(!contains_link(name), "{name}");
        }
        for name in ["free-credits.example", "www.example", "https://1", "Ask a@b", "x.\u{4e2d}"] {
            assert!(contains_link(name), "{name}");
        }
    }
}
