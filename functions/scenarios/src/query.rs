//! The query of a list.

use shared::input::{QueryParameters, Violations, one_of};
use shared::types::{AssetId, AssetState, Family, OrgId};
use strum::IntoEnumIterator;

use crate::cursor::{self, CursorScope};

/// What a list is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListQuery {
    pub(crate) state: Option<AssetState>,
    pub(crate) after: Option<AssetId>,
    pub(crate) limit: usize,
}

impl ListQuery {
    pub(crate) fn read(
        parameters: &QueryParameters,
        org: &OrgId,
        family: Family,
    ) -> Result<Self, Violations> {
        let mut violations = Violations::default();
        parameters.allow(&["state", "cursor", "limit"], &mut violations);
        let state = parameters.get("state").and_then(|text| {
            let state = text.parse().ok();
            if state.is_none() {
                let states: Vec<_> = AssetState::iter().map(AssetState::as_str).collect();
                violations.add("?state", one_of(&states, text));
            }
            state
        });
        let limit = parameters.limit(&mut violations);
        let scope = CursorScope { org, family, state };
        let same = "organization, library and state filter";
        let after = parameters.cursor(same, |text| cursor::read(scope, text), &mut violations);
        violations.or(Self { state, after, limit })
    }
}
