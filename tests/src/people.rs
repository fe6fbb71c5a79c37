//! Adds people other than the owner to an organization: members and invitees.

use accounting::{OrgId, Scope, Timestamp};
use store::{
    Actor, Attempted, ChangeType, ClientLink, ClientLinkToken, ClientLinks, Credentials, Deliveries,
    Delivery, DeliveryState, INVITATION_DAYS, Invitation, InvitationId, InvitationToken, Members, MessageId,
    NewKey, NewMember, Person, Role, Subject, TileGrant, TileGrantId, TileGrants, TileProduct, TileSecret,
    WebhookId, Webhooks,
};

use crate::{TestOrg, World, samples};

impl World {
    /// Returns access to the stored credentials and people, bypassing the API.
    pub fn credentials(&self) -> Credentials {
        Credentials::new(self.app.dynamo.clone())
    }

    /// Creates a person and makes them a member of an organization.
    pub async fn colleague(&self, org: &TestOrg) -> Person {
        let person = self.person(&format!("colleague-{}", self.app.random.below(u64::MAX)));
        self.joined(org, &person, Role::Member).await;
        person
    }

    /// Adds a person with their email address to an organization, as accepting an invitation does, and
    /// returns their token.
    pub async fn joined(&self, org: &TestOrg, person: &Person, role: Role) -> String {
        let Person { subject, name, email, .. } = person.clone();
        let mapping = NewMember { subject, role: Some(role), name, email, at: self.clock.now() };
        self.credentials().add_member(&org.id, &mapping).await.expect("a response");
        self.token(person)
    }

    /// Creates a webhook as the organization's owner.
    pub async fn webhook(&self, org: &TestOrg) -> WebhookId {
        let (owner, now) = (self.owner(&org.id).subject, self.clock.now());
        self.owner_token(org).await;
        let url = "https://hooks.invalid/marquee".parse().expect("a URL");
        let types = [ChangeType::AssetCreated].into();
        let webhooks = Webhooks::new(self.app.dynamo.clone());
        webhooks.create(&org.id, url, types, &owner, now).await.expect("a webhook").id
    }

    /// Stores a delivery to a webhook in the given state.
    pub async fn delivery(&self, org: &TestOrg, webhook: &WebhookId, state: DeliveryState) -> MessageId {
        let now = self.clock.now();
        let id = MessageId::of_test(now, self.app.random.bytes());
        let delivery = Delivery::new(id.clone(), "webhook.test".to_owned(), "{}".to_owned(), now);
        let deliveries = Deliveries::new(self.app.dynamo.clone());
        deliveries.request(&org.id, webhook, &delivery).await.expect("a response");
        if state != DeliveryState::Pending {
            let claimed = deliveries.claim(&org.id, webhook, &delivery, now, now).await.expect("a response");
            let attempted = Attempted { result: Ok(204), state, next_attempt_at: None };
            let claimed = claimed.expect("an unchanged delivery");
            deliveries.attempted(&org.id, webhook, &claimed, attempted).await.expect("a response");
        }
        id
    }

    pub async fn members(&self, org: &OrgId) -> Members {
        self.credentials().members(org).await.expect("a response")
    }

    /// Creates an invitation as the organization's owner.
    pub async fn invite(&self, org: &TestOrg, person: &Person, role: Role) -> (Invitation, InvitationToken) {
        let token = InvitationToken::from_random(self.app.random.bytes());
        let invitation = self.store_invitation(org, person, role, &token).await;
        (invitation, token)
    }

    /// Returns the person that [`Self::invite_sample_invitee`] invites.
    pub fn invitee(&self, org: &OrgId) -> Person {
        self.person(&format!("invitee-of-{org}"))
    }

    /// Invites [`Self::invitee`] with the token from the contract's example, unless they already have this
    /// invitation.
    pub async fn invite_sample_invitee(&self, org: &TestOrg) {
        let token: InvitationToken =
            samples::acceptance()["token"].as_str().and_then(|token| token.parse().ok()).expect("a token");
        let known = self.credentials().invitation_by_token(&token.digest()).await.expect("an answer");
        if known.is_none() {
            self.owner_token(org).await;
            self.store_invitation(org, &self.invitee(&org.id), Role::Member, &token).await;
        }
    }

    /// Creates an API key with all scopes as the given person.
    pub async fn create_key_by(&self, org: &TestOrg, by: &Subject, label: &str) -> String {
        let new = NewKey { label: label.parse().expect("a label"), scopes: Scope::all(), expires_at: None };
        let created =
            self.credentials().create(&org.id, &new, Some(by), self.clock.now()).await.expect("a key");
        self.clock.advance(1);
        created.api_key.reveal().to_owned()
    }

    /// Creates a tile grant with the given creator and returns its ID.
    pub async fn create_tile_grant_by(
        &self,
        org: &TestOrg,
        by: Option<Actor>,
        product: TileProduct,
    ) -> TileGrantId {
        let id = TileGrantId::from_random(self.app.random.bytes());
        let now = self.clock.now();
        let grant = TileGrant {
            org: org.id.clone(),
            product,
            allowed_origins: vec!["https://maps.example.com".to_owned()],
            include_visits: false,
            label: None,
            created_at: now,
            responsible: match &by {
                Some(Actor::Member(member)) => Some(member.clone()),
                Some(Actor::Key(_)) | None => None,
            },
            created_by: by,
            expires_at: now.plus_days(30),
            revoked_at: None,
            revoked_by: None,
        };
        let secret = TileSecret::from_random(self.app.random.bytes());
        TileGrants::new(self.app.dynamo.clone()).create(&id, &grant, &secret, None).await.expect("a grant");
        self.clock.advance(1);
        id
    }

    /// Creates a client link with the sample token or returns the link that already has it.
    pub async fn share(&self, org: &TestOrg, asset: &str) -> ClientLink {
        let token: ClientLinkToken = samples::client_link_token().parse().expect("a token");
        let now = self.clock.now();
        let link = ClientLink {
            org: org.id.clone(),
            asset_id: asset.parse().expect("an ID"),
            digest: token.digest(),
            include_rates: false,
            created_at: now,
            created_by: None,
            responsible: None,
            expires_at: now.plus_days(30),
        };
        let links = ClientLinks::new(self.app.dynamo.clone());
        if let Some(known) = links.find(&link.digest, now).await.expect("a response") {
            return known;
        }
        links.create(&link, None).await.expect("a link");
        link
    }

    async fn store_invitation(
        &self,
        org: &TestOrg,
        person: &Person,
        role: Role,
        token: &InvitationToken,
    ) -> Invitation {
        let now: Timestamp = self.clock.now();
        let invitation = Invitation {
            id: InvitationId::from_random(self.app.random.bytes()),
            digest: token.digest(),
            email: person.email.clone().expect("an address"),
            role,
            created_by: self.owner(&org.id).subject.member_id(),
            created_at: now,
            expires_at: now.plus_days(INVITATION_DAYS),
            mailed_at: None,
            end: None,
        };
        let members = self.members(&org.id).await;
        let stored = self.credentials().invite(&org.id, &invitation, &[], &[], &members, None).await;
        assert!(stored.expect("a response"), "the members don't change concurrently");
        invitation
    }
}
