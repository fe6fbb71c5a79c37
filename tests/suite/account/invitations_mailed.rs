//! Invitations sent by email: the message, limits, repeated calls, and failures.

use axum::Router;
use harness::{MailServer, PUBLIC_URL, TestOrg, World};
use http::StatusCode;
use serde_json::{Value, json};
use store::{Person, Role};

use super::{ACCEPT, INVITATIONS, MEMBERS, sign_up};

const MINUTE_MILLIS: i64 = 60_000;
const DAY_MILLIS: i64 = 24 * 60 * MINUTE_MILLIS;

/// An organization in a service that sends email.
struct Mailing {
    world: World,
    mail: MailServer,
    router: Router,
    owner: Person,
}

impl Mailing {
    /// Signs up an owner whose tokens contain the given name.
    async fn new(owner_name: Option<&str>, org_name: &str) -> Self {
        let world = World::new().await;
        let name = owner_name.map(|name| name.parse().expect("a name"));
        let owner = Person { name, ..world.person("owner") };
        assert_eq!(sign_up(&world, &owner, org_name).await.status, 200);
        let mail = MailServer::start().await;
        let router = world.process_that_mails(mail.sender());
        Self { world, mail, router, owner }
    }

    async fn invite(&self, email: &str, role: &str) -> Value {
        let body = json!({ "email": email, "role": role });
        let call = self.world.post(INVITATIONS).bearer(&self.world.token(&self.owner)).json(&body);
        call.send_to(self.router.clone()).await.data()
    }

    async fn accept(&self, name: &str, invitation: &Value) -> u16 {
        let token = self.world.token(&self.world.person(name));
        let body = json!({ "token": invitation["token"] });
        let call = self.world.post(ACCEPT).bearer(&token).json(&body);
        call.send_to(self.router.clone()).await.status.as_u16()
    }

    async fn members(&self) -> usize {
        let listed = self.world.get(MEMBERS).bearer(&self.world.token(&self.owner)).send().await.data();
        listed.as_array().expect("a list").len()
    }
}

/// Returns the recipient, the subject, and the text of the only message that the server received.
fn only_message(mail: &MailServer) -> [String; 3] {
    let received = mail.take();
    assert_eq!(received.len(), 1, "{received:?}");
    let content = &received[0].body["Content"]["Simple"];
    let parts = [
        &received[0].body["Destination"]["ToAddresses"][0],
        &content["Subject"]["Data"],
        &content["Body"]["Text"]["Data"],
    ];
    parts.map(|part| part.as_str().expect("text").to_owned())
}

#[tokio::test]
async fn invitation_is_sent_as_one_signed_request_to_ses() {
    let mailing = Mailing::new(Some("Ada Planner"), "Example Coffee").await;
    let made = mailing.invite("Guest@Example.com", "member").await;
    assert_eq!(made["mail"], "sent");
    let received = mailing.mail.take();
    assert_eq!(received.len(), 1, "{received:?}");
    assert_eq!(received[0].target, "POST /v2/email/outbound-emails");
    let authorization = &received[0].authorization;
    assert!(authorization.starts_with("AWS4-HMAC-SHA256 Credential=local/"), "{authorization}");
    assert!(authorization.contains("/local/ses/aws4_request,"), "{authorization}");
    assert!(received[0].has_right_digest);
    let token = made["token"].as_str().expect("a token");
    let text = format!(
        "Ada Planner (owner@example.com) has invited you to join Example Coffee on Marquee, a service for \
         planning out-of-home advertising.\n\n\
         Your role: member (uses the organization's products, and views its usage)\n\n\
         To accept, open this link and sign in as guest@example.com:\n\n\
         {PUBLIC_URL}/portal/invitation#invitation={token}\n\n\
         You can use the link only once. It expires on 2026-11-27 at 09:00 UTC. If you don't know who invited \
         you, ignore this message.\n"
    );
    let encoded = |text: &str| json!({ "Data": text, "Charset": "UTF-8" });
    let subject = encoded("Invitation to join Example Coffee on Marquee");
    let expected = json!({
        "FromEmailAddress": "Marquee <sign-in@example.com>",
        "Destination": { "ToAddresses": ["guest@example.com"] },
        "Content": { "Simple": { "Subject": subject, "Body": { "Text": encoded(&text) } } },
    });
    assert_eq!(received[0].body, expected);
}

#[tokio::test]
async fn without_a_sender_the_link_is_only_in_the_response() {
    let (world, org) = World::with_org().await;
    let owner: String = world.owner_token(&org).await;
    let body = json!({ "email": "guest@example.com", "role": "member" });
    let made = world.post(INVITATIONS).bearer(&owner).json(&body).send().await.data();
    assert_eq!(made["mail"], "off");
    assert!(made["link"].as_str().is_some_and(|link| link.starts_with(PUBLIC_URL)), "{made}");
}

#[tokio::test]
async fn names_that_look_like_links_are_left_out_of_the_message() {
    let cases = [
        (
            Some("Claim your prize at free.example"),
            "Example Coffee",
            "owner@example.com has invited you to join Example Coffee on",
        ),
        (
            Some("Ada Planner"),
            "https://free/prize",
            "Ada Planner (owner@example.com) has invited you to join an organization on",
        ),
        (None, "www.free.example", "owner@example.com has invited you to join an organization on"),
    ];
    for (owner, org, beginning) in cases {
        let mailing = Mailing::new(owner, org).await;
        mailing.invite("guest@example.com", "member").await;
        let [_, subject, text] = only_message(&mailing.mail);
        assert!(text.starts_with(beginning), "{text}");
        assert!(!format!("{subject}{text}").contains("free"), "{subject}\n{text}");
    }
}

#[tokio::test]
async fn message_omits_the_name_of_an_organization_from_the_administrator() {
    let (world, org) = World::with_org().await;
    let mail = MailServer::start().await;
    let router = world.process_that_mails(mail.sender());
    let owner = world.owner_token(&org).await;
    let body = json!({ "email": "guest@example.com", "role": "owner" });
    world.post(INVITATIONS).bearer(&owner).json(&body).send_to(router).await.data();
    let [to, subject, text] = only_message(&mail);
    assert_eq!(
        (to.as_str(), subject.as_str()),
        ("guest@example.com", "Invitation to join an organization on Marquee")
    );
    assert!(text.contains("Your role: owner (manages keys"), "{text}");
}

#[tokio::test]
async fn addresses_that_would_change_the_recipients_are_not_mailed() {
    let mailing = Mailing::new(None, "Example Coffee").await;
    for email in
        ["x<victim@example.com>", "a,victim@example.com", "g:victim@example.com;", "\"a\"@example.com"]
    {
        assert_eq!(mailing.invite(email, "member").await["mail"], "failed", "{email}");
    }
    assert!(mailing.mail.take().is_empty());
    // Addresses and names with line breaks are rejected, so they can't add headers to a message.
    let (world, token) = (&mailing.world, mailing.world.token(&mailing.owner));
    for email in ["a@example.com\r\nBcc: victim@example.com", "a@example.com\nSubject: x"] {
        let call = world.post(INVITATIONS).bearer(&token).json(&json!({ "email": email, "role": "member" }));
        assert_eq!(call.send_to(mailing.router.clone()).await.status, 400, "{email}");
    }
    assert!("Example\r\nBcc: victim@example.com".parse::<store::OrgName>().is_err());
    assert!("Ada\r\nBcc: victim@example.com".parse::<store::PersonName>().is_err());
}

#[tokio::test]
async fn failed_message_keeps_the_invitation_and_is_retried() {
    let mailing = Mailing::new(None, "Example Coffee").await;
    for refusal in [
        (StatusCode::BAD_REQUEST, "MessageRejected"),
        (StatusCode::TOO_MANY_REQUESTS, "TooManyRequestsException"),
        (StatusCode::INTERNAL_SERVER_ERROR, "InternalFailure"),
    ] {
        mailing.mail.refuse(Some(refusal));
        let failed = mailing.invite("guest@example.com", "member").await;
        assert_eq!((&failed["mail"], &failed["state"]), (&json!("failed"), &json!("live")));
        assert_eq!(mailing.mail.take().len(), 1, "a message is sent in one attempt");
    }
    mailing.mail.refuse(None);
    let made = mailing.invite("guest@example.com", "member").await;
    assert_eq!(made["mail"], "sent");
    assert_eq!(mailing.mail.take().len(), 1);
    assert_eq!(mailing.accept("guest", &made).await, 200);
}

#[tokio::test]
async fn repeated_call_sends_no_second_message_and_both_links_work() {
    let mailing = Mailing::new(None, "Example Coffee").await;
    let first = mailing.invite("guest@example.com", "member").await;
    mailing.world.clock.advance(9 * MINUTE_MILLIS);
    let second = mailing.invite("GUEST@example.com", "member").await;
    assert_eq!(mailing.mail.take().len(), 1);
    for same in ["invitation_id", "created_at", "expires_at", "mail"] {
        assert_eq!(first[same], second[same], "{same}");
    }
    assert_ne!(first["token"], second["token"]);
    assert_eq!(mailing.accept("guest", &first).await, 200);
    assert_eq!(mailing.accept("guest", &second).await, 200, "the same person accepted the same invitation");
    assert_eq!(mailing.members().await, 2);
}

#[tokio::test]
async fn another_role_or_a_later_call_replaces_the_invitation_and_sends_a_message() {
    let mailing = Mailing::new(None, "Example Coffee").await;
    let first = mailing.invite("guest@example.com", "member").await;
    let second = mailing.invite("guest@example.com", "owner").await;
    mailing.world.clock.advance(10 * MINUTE_MILLIS);
    let third = mailing.invite("guest@example.com", "owner").await;
    assert_eq!(mailing.mail.take().len(), 3);
    for replaced in [&first, &second] {
        assert_eq!(mailing.accept("guest", replaced).await, 410);
    }
    assert_eq!(mailing.accept("guest", &third).await, 200);
}

#[tokio::test]
async fn organization_sends_at_most_25_invitations_per_day() {
    let mailing = Mailing::new(None, "Example Coffee").await;
    for number in 0..25 {
        let made = mailing.invite(&format!("guest-{number}@example.com"), "member").await;
        assert_eq!(made["mail"], "sent", "{number}");
        mailing.world.clock.advance(2_000);
    }
    let over = mailing.invite("another@example.com", "member").await;
    assert_eq!((&over["mail"], &over["state"]), (&json!("limit_reached"), &json!("live")));
    // A revoked invitation still counts toward the limit.
    let path = format!("{INVITATIONS}/{}", over["invitation_id"].as_str().expect("an ID"));
    let token = mailing.world.token(&mailing.owner);
    assert_eq!(mailing.world.delete(&path).bearer(&token).send().await.status, 204);
    assert_eq!(mailing.invite("another@example.com", "member").await["mail"], "limit_reached");
    assert_eq!(mailing.mail.take().len(), 25);
    mailing.world.clock.advance(DAY_MILLIS);
    assert_eq!(mailing.invite("another@example.com", "member").await["mail"], "sent");
}

#[tokio::test]
async fn limit_counts_each_organization_separately() {
    let mailing = Mailing::new(None, "Example Coffee").await;
    for number in 0..26 {
        mailing.invite(&format!("guest-{number}@example.com"), "member").await;
    }
    let other: TestOrg = mailing.world.org("org_b").await;
    let owner = mailing.world.person("other-owner");
    let token = mailing.world.joined(&other, &owner, Role::Owner).await;
    let body = json!({ "email": "guest-1@example.com", "role": "member" });
    let call = mailing.world.post(INVITATIONS).bearer(&token).json(&body);
    assert_eq!(call.send_to(mailing.router.clone()).await.data()["mail"], "sent");
}
