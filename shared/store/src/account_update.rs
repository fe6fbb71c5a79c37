//! Converts a ledger entry into a conditional update of its account.
//!
//! A charge or refund that changes only counters and the remaining credits of one grant is written as
//! increments. The condition requires that the account hasn't been replaced since it was read (`epoch` is
//! unchanged), that no limit is exceeded, and that the grant isn't empty before or after the entry. Many
//! instances can therefore post entries at the same time. Any other entry replaces the account, on the
//! condition that nothing has changed since it was read (`rev` is unchanged).

use accounting::{Account, Change, GrantId, signed};

use super::account_item::{RECENT, StoredAccount};
use super::entry::EntryId;
use super::expression::Expression;
use super::item::{Attribute, NewItem, number};

/// Returns the update for an entry. An empty change replaces the account with itself, which makes any earlier
/// write that is still in flight fail.
pub(super) fn express(seen: &StoredAccount, entry: Option<EntryId>, change: &Change) -> Expression {
    let mut expression = Expression::default();
    match increments(&seen.account, &change.account) {
        Some(changed) => {
            expression.require_equal("epoch", number(seen.version.epoch));
            express_increments(&mut expression, &seen.account, change, changed);
            expression.add("rev", 1);
        }
        None => {
            expression.require_equal("rev", number(seen.version.revision));
            let before = NewItem::default().with_all(seen).build();
            let after = NewItem::default().with_all(&seen.replaced(entry, change)).build().into_iter();
            for (name, value) in
                after.filter(|(name, value)| name != RECENT && before.get(name) != Some(value))
            {
                expression.set(&name, value);
            }
        }
    }
    if let Some((entry, value)) = entry.and_then(|entry| Some((entry, entry.write()?))) {
        let (slot, value) = (expression.path(RECENT, &entry.slot().to_string()), expression.value(value));
        expression.set_clause(format!("{slot} = {value}"));
    }
    expression
}

/// Determines whether an account can be changed from `before` to `after` by increments. Returns `Some` if
/// only counters and the remaining credits of at most one grant differ. The inner value is this grant, if
/// any, and the credits to add to it, which are negative for a charge. Returns `None` if the accounts are
/// equal, if anything else differs, or if the grant is empty in either account.
fn increments<'a>(before: &Account, after: &'a Account) -> Option<Option<(&'a GrantId, i64)>> {
    if before == after {
        return None;
    }
    let left = |id: &GrantId| before.grants.get(id).map_or(0, |grant| grant.left);
    let mut changed = after.grants.iter().filter(|(id, grant)| grant.left != left(id));
    let changed = changed.next().map(|(id, grant)| (id, signed(grant.left) - signed(left(id))));
    let mut counted = before.clone();
    counted.window.calls = after.window.calls;
    counted.callers.clone_from(&after.callers);
    counted.totals.used = after.totals.used;
    counted.today.usage.clone_from(&after.today.usage);
    counted.deductions.refunds = after.deductions.refunds;
    if let Some((id, _)) = changed {
        let now = after.grants[id].left;
        if now == 0 || left(id) == 0 {
            return None;
        }
        counted.grants.entry(id.clone()).and_modify(|grant| grant.left = now);
    }
    (counted == *after).then_some(changed)
}

fn express_increments(
    expression: &mut Expression,
    before: &Account,
    change: &Change,
    changed: Option<(&GrantId, i64)>,
) {
    let after = &change.account;
    if after.window.calls > before.window.calls {
        expression.require_less("hits", after.holder.tier().calls_per_minute());
        expression.add("hits", after.window.calls - before.window.calls);
    }
    if let Some((caller, limit)) = &change.caller_limit {
        let path = expression.path("callers", &caller.to_string());
        expression.count_below(path, limit);
    }
    match changed {
        Some((id, added)) => {
            let left = format!("{}.{}", expression.path("grants", &id.to_string()), expression.name("left"));
            if added < 0 {
                let drawn = expression.value(number(-added));
                expression.require(format!("{left} > {drawn}"));
            }
            let added = expression.value(number(added));
            expression.set_clause(format!("{left} = {left} + {added}"));
        }
        // Require that no refund has decreased the total of used credits since the account was read.
        // Otherwise, a call could be rejected because of an outdated balance.
        None => {
            let (used, seen) = (expression.name("used"), expression.value(number(before.totals.used)));
            expression.require(format!("{used} >= {seen}"));
        }
    }
    for (name, added) in [
        ("used", signed(after.totals.used) - signed(before.totals.used)),
        ("refunds", signed(after.deductions.refunds) - signed(before.deductions.refunds)),
    ] {
        if added != 0 {
            expression.add(name, added);
        }
    }
    for (name, line) in &after.today.usage {
        let seen = before.today.usage.get(name).copied().unwrap_or_default();
        for (map, added) in [("calls", line.calls - seen.calls), ("spent", line.credits - seen.credits)] {
            if *line != seen {
                let path = expression.path(map, name.as_str());
                expression.add_at(path, added);
            }
        }
    }
}
