use shared::input::Parameters;
use shared::input::wire::{Violations, shown};
use shared::types::{AssetId, AssetState, Family, OrgId};
use strum::IntoEnumIterator;

use crate::cursor::{self, CursorScope};

/// The page sizes of a list (Specification, Limits).
const LIMITS: std::ops::RangeInclusive<usize> = 1..=100;

/// The page size when none is asked for (Specification, Limits).
const DEFAULT_LIMIT: usize = 25;

/// What a list is asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListQuery {
    pub(crate) state: Option<AssetState>,
    pub(crate) after: Option<AssetId>,
    pub(crate) limit: usize,
}

impl ListQuery {
    /// Reads the parameters of a list; unknown and repeated ones are refused, since what they ask for would not be done.
    pub(crate) fn read(parameters: &[(String, String)], org: &OrgId, family: Family) -> Result<Self, Violations> {
        let mut violations = Violations::default();
        let parameters = Parameters::read(parameters, &["state", "cursor", "limit"], &mut violations);
        let state = parameters.find("state").and_then(|text| {
            let state = text.parse().ok();
            if state.is_none() {
                let states: Vec<_> = AssetState::iter().map(AssetState::as_str).collect();
                let states = states.join(", ");
                violations.add("?state", format!("must be one of {states}, is {}", shown(text)));
            }
            state
        });
        let limit = parameters.limit(LIMITS, DEFAULT_LIMIT, &mut violations);
        let after = parameters.find("cursor").and_then(|text| {
            let after = cursor::read(CursorScope { org, family, state }, text);
            if after.is_none() {
                let detail =
                    "must be the cursor of a page of this same list: same organization, library and state filter";
                violations.add("?cursor", detail);
            }
            after
        });
        violations.or_value(Some(Self { state, after, limit }))
    }
}
