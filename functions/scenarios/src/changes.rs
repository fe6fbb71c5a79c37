//! The four kinds of changes to a library: create, replace, edit, and delete. Single requests and batches
//! share this code.

use accounting::OrgId;
use gateway::{ApiError, Code, CreateKey, JsonBody, Violations, Warnings};
use scenario_bodies::{from_stored, read_body, unknown_ids};
use store::{Asset, AssetId, Content, CustomerScenarioDigest, Family, PutAsset, UnusedKey, WriteFailure};

use crate::asset::{AFTER_BODY, BEFORE_BODY};
use crate::handlers::{Library, not_found};
use crate::library::Listed;
use crate::precondition::Precondition;
use crate::read_only::ReadOnlyMembers;
use crate::release::Release;

/// An asset that was created, replaced, or edited, with warnings for its unknown IDs.
pub(crate) struct Changed {
    pub(crate) asset: Asset,
    pub(crate) warnings: Warnings,
}

type Failure = WriteFailure<ApiError>;

impl Library {
    pub(crate) async fn create<S: Listed>(
        &self,
        org: &OrgId,
        body: JsonBody,
        key: Option<&UnusedKey>,
    ) -> Result<Changed, Failure> {
        let scenario: S = read_body(body, &self.release.geographies).map_err(refused)?;
        let (content, warnings) = self.to_content(&scenario).map_err(WriteFailure::Refused)?;
        Ok(Changed { asset: self.assets.create::<ApiError>(org, content, key).await?, warnings })
    }

    /// Creates the asset with a `customer_scenario_id` or replaces its body. Also returns whether the asset
    /// is new. `id` is the ID in the path, if any, which the body must repeat.
    pub(crate) async fn put<S: Listed>(
        &self,
        org: &OrgId,
        id: Option<&str>,
        precondition: &Precondition,
        body: JsonBody,
        key: Option<&UnusedKey>,
    ) -> Result<(Changed, bool), Failure> {
        let scenario: S = read_body(body, &self.release.geographies).map_err(refused)?;
        let (content, warnings) = self.to_content(&scenario).map_err(WriteFailure::Refused)?;
        let digest = content.indexed.customer_scenario.as_ref().ok_or_else(ApiError::internal);
        let digest = digest.map_err(WriteFailure::Refused)?;
        if let Some(id) = id
            && CustomerScenarioDigest::of_sha256(&[id.as_bytes()]) != *digest
        {
            let detail = "must be the customer_scenario_id in the path";
            return Err(refused(Violations::one("/customer/customer_scenario_id", detail)));
        }
        let put = self.assets.put(org, digest, &content, key, |head, attempt| match head {
            Some(head) => precondition.check(head, attempt, Code::AssetNotEditable),
            None => precondition.check_missing(),
        });
        let PutAsset { asset, is_new } = put.await?;
        Ok((Changed { asset, warnings }, is_new))
    }

    /// Edits an asset. Errors in the body take precedence over an error in `id`.
    pub(crate) async fn edit<S: Listed>(
        &self,
        org: &OrgId,
        id: Result<AssetId, ApiError>,
        precondition: &Precondition,
        body: JsonBody,
        key: Option<&UnusedKey>,
    ) -> Result<Changed, Failure> {
        let (read_only, mut patch) = read_patch::<S>(body, &self.release).map_err(refused)?;
        let id = id.map_err(WriteFailure::Refused)?;
        let mut warnings = Warnings::default();
        let edited = self.assets.edit(org, id, key, |asset, attempt| -> Result<_, ApiError> {
            precondition.check(&asset.head, attempt, Code::AssetNotEditable)?;
            read_only.check(org, &asset.head)?;
            let mut scenario: S = from_stored(&asset.body)?;
            scenario.apply(&mut patch);
            let edited = self.to_content(&scenario);
            // Applying the patch swaps values. Applying it again restores the patch for the next attempt, in
            // case the asset has changed in the meantime.
            scenario.apply(&mut patch);
            let (edited, found) = edited?;
            warnings = found;
            Ok(edited)
        });
        let asset = edited.await?;
        Ok(Changed { asset, warnings })
    }

    pub(crate) async fn delete(
        &self,
        org: &OrgId,
        id: AssetId,
        precondition: &Precondition,
        key: Option<&UnusedKey>,
    ) -> Result<(), Failure> {
        let deleted = self
            .assets
            .delete(org, id, key, |head, attempt| precondition.check(head, attempt, Code::AssetNotDeletable));
        deleted.await?;
        if self.family == Family::Campaign {
            // Links to a deleted campaign don't open anyway. If revoking them fails, the only effect is that
            // they count toward the maximum number of links until they expire.
            let _ = self.links.revoke_all(org, id, self.clock.now()).await;
        }
        Ok(())
    }

    /// Serializes a scenario for storage and returns the warnings for the caller.
    fn to_content<S: Listed>(&self, scenario: &S) -> Result<(Content, Warnings), ApiError> {
        let body = serde_json::to_vec(scenario).map_err(|_| ApiError::internal())?;
        let warnings = unknown_ids(scenario.referenced_ids(), &self.release.known_ids);
        let indexed = scenario.indexed_members();
        Ok((Content { body, indexed, unknown_ids: warnings.total() }, warnings))
    }
}

/// Returns the error for a change that wasn't made.
pub(crate) fn write_error(failure: Failure) -> ApiError {
    match failure {
        WriteFailure::NotFound => not_found(),
        WriteFailure::Refused(error) => error,
        WriteFailure::SeveralMatches => ApiError::new(
            Code::AmbiguousScenarioId,
            "several assets have this customer_scenario_id; list them, and edit or delete the one that you \
             mean by its asset_id",
        ),
        WriteFailure::KeyUsed(_) => CreateKey::reused(),
        WriteFailure::TooLarge(too_large) => ApiError::new(Code::PayloadTooLarge, too_large.to_string()),
        WriteFailure::Store(error) => error.into(),
    }
}

fn refused(violations: Violations) -> Failure {
    WriteFailure::Refused(violations.into())
}

/// Parses a patch: its changes, and its read-only members, which can be anywhere in the body.
fn read_patch<S: Listed>(
    mut body: JsonBody,
    release: &Release,
) -> Result<(ReadOnlyMembers, S::Patch), Violations> {
    let read_only = body.take(&[&BEFORE_BODY[..], &AFTER_BODY].concat()).read();
    match (read_only, read_body(body, &release.geographies)) {
        (Ok(read_only), Ok(changes)) => Ok((read_only, changes)),
        (Ok(_), Err(violations)) | (Err(violations), Ok(_)) => Err(violations),
        (Err(violations), Err(others)) => violations.and(Err(others)),
    }
}
