use shared::types::wire::{Violations, shown};
use shared::types::{AssetId, AssetState, Family, OrgId};

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
        for (index, (name, _)) in parameters.iter().enumerate() {
            let pointer = format!("?{}", shown(name));
            if !["state", "cursor", "limit"].contains(&name.as_str()) {
                violations.add(pointer, "is not a parameter here; allowed are state, cursor, limit");
            } else if parameters[..index].iter().any(|(earlier, _)| earlier == name) {
                violations.add(pointer, "must be given once");
            }
        }
        let find = |name: &str| parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let state = find("state").and_then(|text| {
            let state = text.parse().ok();
            if state.is_none() {
                let states = AssetState::ALL.map(AssetState::as_str).join(", ");
                violations.add("?state", format!("must be one of {states}, is {}", shown(text)));
            }
            state
        });
        let limit = find("limit").map_or(Some(DEFAULT_LIMIT), read_limit);
        if limit.is_none() {
            violations.add("?limit", format!("must be an integer from {} to {}", LIMITS.start(), LIMITS.end()));
        }
        let after = find("cursor").and_then(|text| {
            let after = cursor::read(CursorScope { org, family, state }, text);
            if after.is_none() {
                let detail =
                    "must be the cursor of a page of this same list: same organization, library and state filter";
                violations.add("?cursor", detail);
            }
            after
        });
        violations.or_value(limit.map(|limit| Self { state, after, limit }))
    }
}

fn read_limit(text: &str) -> Option<usize> {
    // `parse` would take a plus sign.
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|limit| digits && LIMITS.contains(limit))
}
