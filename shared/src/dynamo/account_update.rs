//! An account's change as DynamoDB is told it: an update, and the condition of all that it relies on.

use super::account_change::{
    AccountChange, MarkedChange, ReplacedGrant, Rollover, SuspensionChange, UsageChange, WindowChange,
};
use super::account_item::{PEOPLE_CALLS, encode_grant, encode_marker, encode_usage, stored_cap};
use super::expression::Expression;
use super::item::{number, text};
use super::retry_marker::MarkerChange;
use crate::types::{Credits, GrantId, Holder, KeyId, LimitedCaller, Plan, Usage, UsageLine};

/// Writes a change as an update with its condition.
pub(super) fn express(change: &MarkedChange) -> Expression {
    let mut expression = Expression::default();
    let MarkedChange { marker, change } = change;
    let AccountChange {
        holder,
        granted_seen,
        used_seen,
        unsuspended_seen,
        plan,
        suspension,
        window: _,
        caller_window: _,
        removed_key_windows: _,
        added_grants: _,
        draws: _,
        last_draw_empties: _,
        returns: _,
        replaced_grants: _,
        removed_grants: _,
        totals,
        usage,
        refunds: _,
        credit_notes: _,
        history: _,
        enters_directory: _,
    } = change;
    express_marker(&mut expression, *marker);
    express_plan(&mut expression, *holder, *plan);
    express_suspension(&mut expression, *unsuspended_seen, *suspension);
    if let Some(granted) = granted_seen {
        expression.require_equal("granted", number(granted));
    }
    if let Some(used) = used_seen {
        let (path, used) = (expression.name("used"), expression.value(number(used)));
        expression.require(format!("{path} >= {used}"));
    }
    express_windows(&mut expression, change);
    express_grants(&mut expression, change);
    for (name, added) in [("granted", totals.granted), ("used", totals.used), ("expired", totals.expired)] {
        if added != 0 {
            let (name, added) = (expression.name(name), expression.value(number(added)));
            expression.set_clause(format!("{name} = {name} + {added}"));
        }
    }
    if let Some(usage) = usage {
        express_usage(&mut expression, usage);
        express_deductions(&mut expression, change, usage.rollover.as_ref());
    }
    expression
}

/// Writes the call in the windows that it counts towards, and the windows that are removed.
fn express_windows(expression: &mut Expression, change: &AccountChange) {
    let AccountChange { window, caller_window, removed_key_windows, .. } = change;
    if let Some(window) = window {
        let (minute, calls) = (expression.name("minute"), expression.name("hits"));
        express_window(expression, &minute, &calls, *window);
    }
    if let Some((LimitedCaller::Key(id), window)) = caller_window {
        let (minute, calls) = key_window_paths(expression, id);
        express_window(expression, &minute, &calls, *window);
    }
    let of_people = match caller_window {
        Some((LimitedCaller::People, window)) => Some(*window),
        Some((LimitedCaller::Key(_), _)) | None => None,
    };
    express_people_calls(expression, *window, of_people);
    for (id, minute) in removed_key_windows {
        let (seen, calls) = key_window_paths(expression, id);
        let minute = expression.value(number(minute));
        expression.require(format!("{seen} = {minute}"));
        expression.remove(seen);
        expression.remove(calls);
    }
}

/// Writes what is relied on of the organization's plan, and its new one.
fn express_plan(expression: &mut Expression, seen: Option<Holder>, plan: Option<Plan>) {
    if let Some(holder) = seen {
        expression.require_equal("tier", text(holder.tier().name()));
        expression.require_equal("cap", number(holder.monthly_cap().unwrap_or(0)));
    }
    if let Some(plan) = plan {
        expression.set("tier", text(Holder::Organization(plan).tier().name()));
        expression.set("cap", number(stored_cap(plan)));
    }
}

/// Writes that the organization was seen not to be suspended, and the suspension that begins or ends.
fn express_suspension(expression: &mut Expression, unsuspended: bool, change: Option<SuspensionChange>) {
    if unsuspended {
        let path = expression.name("suspended");
        expression.require(format!("attribute_not_exists({path})"));
    }
    match change {
        None => {}
        Some(SuspensionChange::Begin(at)) => expression.set("suspended", number(at.unix_millis())),
        Some(SuspensionChange::End) => {
            let path = expression.name("suspended");
            expression.remove(path);
        }
    }
}

/// Writes the grants that are added and removed, and what is drawn from grants and returned to them.
fn express_grants(expression: &mut Expression, change: &AccountChange) {
    let AccountChange {
        added_grants,
        draws,
        last_draw_empties,
        returns,
        replaced_grants,
        removed_grants,
        ..
    } = change;
    for (id, grant) in added_grants {
        let (path, grant) = (expression.path("grants", id.as_str()), expression.value(encode_grant(grant)));
        expression.require(format!("attribute_not_exists({path})"));
        expression.set_clause(format!("{path} = {grant}"));
    }
    for (index, draw) in draws.iter().enumerate() {
        let left = left_path(expression, &draw.grant);
        let credits = expression.value(number(draw.credits));
        // What was to be emptied must not have been refunded since; what was not must not be emptied, for the
        // history of grants would not be told.
        let is_last = index + 1 == draws.len() && added_grants.is_empty();
        let empties = !is_last || *last_draw_empties;
        expression.require(format!("{left} {} {credits}", if empties { "=" } else { ">" }));
        expression.set_clause(format!("{left} = {left} - {credits}"));
    }
    for draw in returns {
        let left = left_path(expression, &draw.grant);
        let credits = expression.value(number(draw.credits));
        expression.require(format!("attribute_exists({left})"));
        expression.set_clause(format!("{left} = {left} + {credits}"));
    }
    for ReplacedGrant { id, before, after } in replaced_grants {
        let path = expression.path("grants", id.as_str());
        let (before, after) = (expression.value(encode_grant(before)), expression.value(encode_grant(after)));
        expression.require(format!("{path} = {before}"));
        expression.set_clause(format!("{path} = {after}"));
    }
    for (id, left_in_it) in removed_grants {
        let (path, left) = (expression.path("grants", id.as_str()), left_path(expression, id));
        let seen = expression.value(number(left_in_it));
        expression.require(format!("{left} = {seen}"));
        expression.remove(path);
    }
}

fn express_marker(expression: &mut Expression, marker: MarkerChange) {
    let slot = expression.path("ring", &marker.slot.to_string());
    let after = expression.value(encode_marker(marker.after));
    match marker.before {
        Some(before) => {
            let before = expression.value(encode_marker(before));
            expression.require(format!("{slot} = {before}"));
        }
        // The account must exist: an update would make one out of nothing.
        None => expression.require(format!("attribute_exists(pk) AND attribute_not_exists({slot})")),
    }
    expression.set_clause(format!("{slot} = {after}"));
}

fn express_window(expression: &mut Expression, minute_path: &str, calls_path: &str, change: WindowChange) {
    let one = expression.value(number(1));
    match change {
        WindowChange::Open { before, minute } => {
            let minute = expression.value(number(minute));
            match before {
                Some(before) => {
                    let before = expression.value(number(before));
                    expression.require(format!("{minute_path} = {before}"));
                }
                None => expression.require(format!("attribute_not_exists({minute_path})")),
            }
            expression.set_clause(format!("{minute_path} = {minute}"));
            expression.set_clause(format!("{calls_path} = {one}"));
        }
        WindowChange::Count { minute, limit } => {
            let (minute, limit) = (expression.value(number(minute)), expression.value(number(limit)));
            expression.require(format!("{minute_path} = {minute} AND {calls_path} < {limit}"));
            expression.set_clause(format!("{calls_path} = {calls_path} + {one}"));
        }
    }
}

/// Writes the calls of all people, which are counted in the minute of the account's window: who opens another
/// one forgets them.
fn express_people_calls(
    expression: &mut Expression,
    window: Option<WindowChange>,
    of_people: Option<WindowChange>,
) {
    match (window, of_people) {
        (_, Some(WindowChange::Open { .. })) => expression.set(PEOPLE_CALLS, number(1)),
        (_, Some(WindowChange::Count { limit, .. })) => {
            let (path, limit) = (expression.name(PEOPLE_CALLS), expression.value(number(limit)));
            let (zero, one) = (expression.value(number(0)), expression.value(number(1)));
            expression.require(format!("(attribute_not_exists({path}) OR {path} < {limit})"));
            expression.set_clause(format!("{path} = if_not_exists({path}, {zero}) + {one}"));
        }
        (Some(WindowChange::Open { .. }), None) => {
            let path = expression.name(PEOPLE_CALLS);
            expression.remove(path);
        }
        (Some(WindowChange::Count { .. }) | None, None) => {}
    }
}

fn express_usage(expression: &mut Expression, usage: &UsageChange) {
    let UsageChange { day, name, calls, credits, rollover } = usage;
    let Some(past) = rollover else {
        expression.require_equal("day", text(day.to_string()));
        let zero = expression.value(number(0));
        for (map, added) in [("calls", calls), ("spent", credits)] {
            let (path, added) = (expression.path(map, name.as_str()), expression.value(number(added)));
            expression.set_clause(format!("{path} = if_not_exists({path}, {zero}) + {added}"));
        }
        return;
    };
    let past = past.day();
    expression.require_equal("day", text(past.day.to_string()));
    for (name, value) in encode_usage(&past.usage) {
        expression.require_equal(name, value);
    }
    expression.set("day", text(day.to_string()));
    let fresh = Usage::from([(name.clone(), UsageLine { calls: *calls, credits: *credits })]);
    for (name, value) in encode_usage(&fresh) {
        expression.set(name, value);
    }
}

/// Writes what lowers the month's bill. What a bill was made from holds while the usage is as it was seen:
/// each charge and each refund changes that too.
fn express_deductions(expression: &mut Expression, change: &AccountChange, rollover: Option<&Rollover>) {
    let AccountChange { refunds, credit_notes, .. } = change;
    if let Some(Rollover::Month { metered, deductions, .. }) = rollover {
        let carried = deductions.carried_forward(*metered);
        for (name, credits) in [("refunds", *refunds), ("notes", *credit_notes), ("carried", carried)] {
            match credits {
                0 => {
                    let name = expression.name(name);
                    expression.remove(name);
                }
                credits => expression.set(name, number(credits)),
            }
        }
        return;
    }
    let zero: Credits = 0;
    for (name, added) in [("refunds", refunds), ("notes", credit_notes)] {
        if *added > 0 {
            let name = expression.name(name);
            let (zero, added) = (expression.value(number(zero)), expression.value(number(added)));
            expression.set_clause(format!("{name} = if_not_exists({name}, {zero}) + {added}"));
        }
    }
}

fn key_window_paths(expression: &mut Expression, id: &KeyId) -> (String, String) {
    (expression.path("key_minutes", id.as_str()), expression.path("key_hits", id.as_str()))
}

fn left_path(expression: &mut Expression, grant: &GrantId) -> String {
    format!("{}.{}", expression.path("grants", grant.as_str()), expression.name("left"))
}
