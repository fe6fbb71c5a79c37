//! Tile grants: the right to see tiles on some pages.

use aws_sdk_dynamodb::types::{AttributeValue, TransactWriteItem, Update};

use super::client::Dynamo;
use super::error::StoreError;
use super::item::{Attributes, Item, binary, key, number, text};
use super::keys;
use super::transaction::{TransactionFailure, mark_revoked, put_new, transact};
use crate::types::{OrgId, TileGrantDigest, TileGrantId, TileProduct, Timestamp};

/// The tile grants: by the digest of their ids, and in the lists of their organizations.
#[derive(Clone, Debug)]
pub struct TileGrants(Dynamo);

/// The right to see one product's tiles on some origins' pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileGrant {
    /// The organization that gave it.
    pub org: OrgId,
    /// What its tiles show.
    pub product: TileProduct,
    /// The origins whose pages may show them, in the form in which browsers send them.
    pub allowed_origins: Vec<String>,
    /// The organization's name for it.
    pub label: Option<String>,
    /// When it was minted.
    pub created_at: Timestamp,
    /// When it ends.
    pub expires_at: Timestamp,
    /// When it was revoked; `None` for one that was not.
    pub revoked_at: Option<Timestamp>,
}

/// The secret that signs a grant's tokens. It has no `Debug`: nothing may print it.
#[derive(Clone, PartialEq, Eq)]
pub struct TileSecret([u8; 32]);

impl TileSecret {
    /// Makes a secret of 256 random bits.
    pub fn from_random(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// A grant found by its id, or by the id's digest.
#[derive(Clone)]
pub struct SignedTileGrant {
    pub grant: TileGrant,
    /// What signs its tokens.
    pub secret: TileSecret,
}

/// A grant in its organization's list.
#[derive(Clone)]
pub struct ListedTileGrant {
    /// Its id: the list is where an organization finds it again.
    pub id: TileGrantId,
    pub grant: TileGrant,
}

/// Some of an organization's grants, newest first.
pub struct TileGrantPage {
    pub grants: Vec<ListedTileGrant>,
    /// Whether there are older ones.
    pub has_more: bool,
    /// How many of the product the organization ever minted.
    pub total: i64,
}

/// A grant's place in its organization's list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TileGrantPosition {
    /// When it was minted.
    pub created_at: Timestamp,
    /// Tells those of one millisecond apart.
    pub digest: TileGrantDigest,
}

impl TileGrants {
    pub fn new(dynamo: Dynamo) -> Self {
        Self(dynamo)
    }

    /// Stores a new grant under its digest, in the list and in the list's count, all in one transaction.
    ///
    /// # Errors
    ///
    /// When the database does not answer.
    pub async fn mint(
        &self,
        id: &TileGrantId,
        grant: &TileGrant,
        secret: &TileSecret,
    ) -> Result<(), StoreError> {
        let digest = id.digest();
        let mut by_digest = key(keys::tile_grant(&digest), keys::TILE_GRANT);
        by_digest.extend(encode(grant));
        by_digest.insert("secret".to_owned(), binary(secret.as_bytes()));
        let mut in_list = self.key_in_list(grant, &digest);
        in_list.extend(encode(grant));
        in_list.insert("grant_id".to_owned(), text(id.reveal()));
        let count = Update::builder()
            .table_name(&self.0.credentials)
            .set_key(Some(key(keys::tile_grants(&grant.org), keys::tile_grant_count(grant.product))))
            .update_expression("ADD minted :one")
            .expression_attribute_values(":one", number(1))
            .build()
            .expect("table, key and expression are set");
        let writes = vec![
            TransactWriteItem::builder().update(count).build(),
            put_new(&self.0.credentials, by_digest),
            put_new(&self.0.credentials, in_list),
        ];
        transact(&self.0, writes).await.map_err(|cancelled| match cancelled {
            TransactionFailure::Conditions(_) => StoreError::Contended("the grant's id is taken; try again"),
            TransactionFailure::Call(failure) => failure.into(),
        })
    }

    /// Finds a grant by the digest of its id, expired and revoked ones too.
    ///
    /// # Errors
    ///
    /// When the database does not answer or the item is unreadable.
    pub async fn find(&self, digest: &TileGrantDigest) -> Result<Option<SignedTileGrant>, StoreError> {
        let get = self.0.client.get_item().table_name(&self.0.credentials);
        let get = get.set_key(Some(key(keys::tile_grant(digest), keys::TILE_GRANT))).consistent_read(true);
        let item = get.send().await?.item;
        item.as_ref().map(decode_signed).transpose()
    }

    /// Lists an organization's grants of a product, newest first, from after a position on.
    ///
    /// # Errors
    ///
    /// When the database does not answer or an item is unreadable.
    pub async fn list(
        &self,
        org: &OrgId,
        product: TileProduct,
        after: Option<&TileGrantPosition>,
        limit: usize,
    ) -> Result<TileGrantPage, StoreError> {
        let (items, total) =
            tokio::try_join!(self.items(org, product, after, limit), self.count(org, product))?;
        let has_more = items.len() > limit;
        let grants = items.iter().take(limit).map(decode_listed).collect::<Result<_, _>>()?;
        Ok(TileGrantPage { grants, has_more, total })
    }

    /// Revokes a grant, unless it is revoked already; `false` when the organization has no such grant of the
    /// product.
    ///
    /// # Errors
    ///
    /// When the database does not answer or the item is unreadable.
    pub async fn revoke(
        &self,
        org: &OrgId,
        product: TileProduct,
        digest: &TileGrantDigest,
        now: Timestamp,
    ) -> Result<bool, StoreError> {
        let Some(SignedTileGrant { grant, .. }) = self.find(digest).await? else {
            return Ok(false);
        };
        if grant.org != *org || grant.product != product {
            return Ok(false);
        }
        if grant.revoked_at.is_some() {
            return Ok(true);
        }
        let writes = vec![
            mark_revoked(&self.0.credentials, key(keys::tile_grant(digest), keys::TILE_GRANT), now),
            mark_revoked(&self.0.credentials, self.key_in_list(&grant, digest), now),
        ];
        match transact(&self.0, writes).await {
            // A condition fails where another call has revoked it since.
            Ok(()) | Err(TransactionFailure::Conditions(_)) => Ok(true),
            Err(TransactionFailure::Call(failure)) => Err(failure.into()),
        }
    }

    /// Reads one item more than a page has, which tells whether there is a further page.
    async fn items(
        &self,
        org: &OrgId,
        product: TileProduct,
        after: Option<&TileGrantPosition>,
        limit: usize,
    ) -> Result<Vec<Item>, StoreError> {
        let partition = keys::tile_grants(org);
        let start_of =
            |after: &TileGrantPosition| keys::tile_grant_in_list(product, after.created_at, &after.digest);
        let mut start = after.map(|after| key(&partition, start_of(after)));
        let mut items = Vec::new();
        loop {
            let query = self.0.client.query().table_name(&self.0.credentials);
            let output = query
                .key_condition_expression("pk = :pk AND begins_with(sk, :product)")
                .expression_attribute_values(":pk", text(&partition))
                .expression_attribute_values(":product", text(keys::tile_grant_list(product)))
                .consistent_read(true)
                .scan_index_forward(false)
                .limit(i32::try_from(limit + 1 - items.len()).unwrap_or(i32::MAX))
                .set_exclusive_start_key(start)
                .send()
                .await?;
            items.extend(output.items.unwrap_or_default());
            start = output.last_evaluated_key;
            if start.is_none() || items.len() > limit {
                return Ok(items);
            }
        }
    }

    async fn count(&self, org: &OrgId, product: TileProduct) -> Result<i64, StoreError> {
        let get = self.0.client.get_item().table_name(&self.0.credentials);
        let get = get
            .set_key(Some(key(keys::tile_grants(org), keys::tile_grant_count(product))))
            .consistent_read(true);
        let item = get.send().await?.item.unwrap_or_default();
        Ok(Attributes(&item).optional_number("minted")?.unwrap_or(0))
    }

    fn key_in_list(&self, grant: &TileGrant, digest: &TileGrantDigest) -> Item {
        key(keys::tile_grants(&grant.org), keys::tile_grant_in_list(grant.product, grant.created_at, digest))
    }
}

impl ListedTileGrant {
    /// Returns the grant's place in the list.
    pub fn position(&self) -> TileGrantPosition {
        TileGrantPosition { created_at: self.grant.created_at, digest: self.id.digest() }
    }
}

fn encode(grant: &TileGrant) -> Item {
    let TileGrant { org, product, allowed_origins, label, created_at, expires_at, revoked_at } = grant;
    let origins = allowed_origins.iter().map(text).collect();
    let mut item: Item = [
        ("org", text(org.as_str())),
        ("product", text(product.as_str())),
        ("origins", AttributeValue::L(origins)),
        ("created", number(created_at.unix_millis())),
        ("expires", number(expires_at.unix_millis())),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    item.extend(label.as_ref().map(|label| ("label".to_owned(), text(label))));
    item.extend(revoked_at.map(|at| ("revoked".to_owned(), number(at.unix_millis()))));
    item
}

fn decode(item: &Item) -> Result<TileGrant, StoreError> {
    let attributes = Attributes(item);
    let moment = |name| attributes.number(name).map(Timestamp::from_unix_millis);
    let origins = match item.get("origins") {
        Some(AttributeValue::L(origins)) => origins,
        _ => return Err(StoreError::Corrupt("origins")),
    };
    let origins = origins.iter().map(|origin| origin.as_s().ok().cloned()).collect::<Option<Vec<_>>>();
    Ok(TileGrant {
        org: attributes.parsed("org")?,
        product: attributes.parsed("product")?,
        allowed_origins: origins.ok_or(StoreError::Corrupt("origins"))?,
        label: attributes.optional_text("label")?.map(str::to_owned),
        created_at: moment("created")?,
        expires_at: moment("expires")?,
        revoked_at: attributes.optional_number("revoked")?.map(Timestamp::from_unix_millis),
    })
}

fn decode_signed(item: &Item) -> Result<SignedTileGrant, StoreError> {
    let secret = Attributes(item).optional_binary("secret")?.and_then(|bytes| bytes.try_into().ok());
    let secret = TileSecret(secret.ok_or(StoreError::Corrupt("secret"))?);
    Ok(SignedTileGrant { grant: decode(item)?, secret })
}

fn decode_listed(item: &Item) -> Result<ListedTileGrant, StoreError> {
    Ok(ListedTileGrant { id: Attributes(item).parsed("grant_id")?, grant: decode(item)? })
}
