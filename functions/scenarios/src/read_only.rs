//! The read-only members of an asset, which a patch can contain so that clients can send back a whole asset.

use accounting::{OrgId, Timestamp};
use deserr::Deserr;
use gateway::{Bounded, Named, Parsed, Patch, Replace, Violations, quoted};
use scenario_bodies::DateTime;
use store::{AssetId, AssetState, Head};

/// The members that the service adds to an asset. A patch can contain them only with their current values.
#[serde_with::apply(_ => #[deserr(default)])]
#[derive(Deserr)]
#[deserr(error = Violations, deny_unknown_fields)]
pub(crate) struct ReadOnlyMembers {
    asset_id: Replace<Parsed<AssetId>>,
    org_id: Replace<Parsed<OrgId>>,
    state: Replace<Named<AssetState>>,
    version: Replace<Bounded<1, { usize::MAX }>>,
    last_measured_at: Patch<DateTime>,
    created_at: Replace<DateTime>,
    updated_at: Replace<DateTime>,
}

/// Whether a value in a patch equals the asset's current value, and the sent value as JSON.
type Sent = (bool, String);

impl ReadOnlyMembers {
    /// Returns a violation for each member whose value differs from the asset's current value. The comparison
    /// ignores the case of `asset_id` and the offset of times.
    pub(crate) fn check(&self, org: &OrgId, head: &Head) -> Result<(), Violations> {
        let &Head { id, state, version, created_at, updated_at, last_measured_at, .. } = head;
        let rows = [
            ("asset_id", set(&self.asset_id).map(|Parsed(sent)| (*sent == id, text(sent))), text(id)),
            ("org_id", set(&self.org_id).map(|Parsed(sent)| (sent == org, text(sent))), text(org)),
            ("state", set(&self.state).map(|Named(sent)| (*sent == state, text(sent))), text(state)),
            ("version", set(&self.version).map(|sent| is_version(*sent, version)), version.to_string()),
            (
                "last_measured_at",
                self.measured_at(last_measured_at),
                last_measured_at.map_or_else(null, text),
            ),
            ("created_at", set(&self.created_at).map(|sent| is_time(sent, created_at)), text(created_at)),
            ("updated_at", set(&self.updated_at).map(|sent| is_time(sent, updated_at)), text(updated_at)),
        ];
        let mut violations = Violations::default();
        for (member, sent, current) in rows {
            let Some((false, sent)) = sent else { continue };
            let rule =
                format!("is read-only; omit it, or send its current value, {current}, instead of {sent}");
            violations.add(format!("/{member}"), rule);
        }
        violations.or(())
    }

    fn measured_at(&self, current: Option<Timestamp>) -> Option<Sent> {
        match &self.last_measured_at {
            Patch::Keep => None,
            Patch::Clear => Some((current.is_none(), null())),
            Patch::Set(sent) => Some((sent.moment() == current, quoted(sent.as_str()))),
        }
    }
}

fn is_version(sent: Bounded<1, { usize::MAX }>, current: u64) -> Sent {
    (sent.get() as u64 == current, sent.get().to_string())
}

fn is_time(sent: &DateTime, current: Timestamp) -> Sent {
    (sent.moment() == Some(current), quoted(sent.as_str()))
}

fn set<T>(member: &Replace<T>) -> Option<&T> {
    match member {
        Replace::Keep => None,
        Replace::Set(value) => Some(value),
    }
}

fn text(value: impl ToString) -> String {
    quoted(&value.to_string())
}

fn null() -> String {
    "null".to_owned()
}
