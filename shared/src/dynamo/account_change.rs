use super::account_item::{encode_grant, encode_usage};
use super::expression::Expression;
use super::item::{binary, number, text};
use crate::types::{AccountChange, GrantId, Hit, KeyId, Mark, Usage, UsageChange, UsageLine};

/// Writes a change as an update and the condition of all that it relies on.
pub(super) fn express(change: &AccountChange) -> Expression {
    let mut expression = Expression::default();
    let AccountChange {
        mark,
        tier,
        hit,
        key_hit,
        forgotten_keys,
        joining: _,
        draws: _,
        returns: _,
        leaving: _,
        totals,
        usage,
    } = change;
    express_mark(&mut expression, *mark);
    if let Some(tier) = tier {
        expression.require_equal("tier", text(tier.as_str()));
    }
    if let Some(hit) = hit {
        express_hit(&mut expression, "minute", "hits", *hit);
    }
    if let Some((id, hit)) = key_hit {
        express_key_hit(&mut expression, id, *hit);
    }
    for (id, minute) in forgotten_keys {
        let (seen, hits) = (expression.path("key_minutes", id.as_str()), expression.path("key_hits", id.as_str()));
        let minute = expression.value(number(minute));
        expression.require(format!("{seen} = {minute}"));
        expression.remove(seen);
        expression.remove(hits);
    }
    express_grants(&mut expression, change);
    for (name, added) in [("granted", totals.granted), ("used", totals.used), ("expired", totals.expired)] {
        if added != 0 {
            let (name, added) = (expression.name(name), expression.value(number(added)));
            expression.set_clause(format!("{name} = {name} + {added}"));
        }
    }
    if let Some(usage) = usage {
        express_usage(&mut expression, usage);
    }
    expression
}

/// Writes what joins and leaves the account, and what is drawn from its grants and returned to them.
fn express_grants(expression: &mut Expression, change: &AccountChange) {
    let AccountChange { joining, draws, returns, leaving, .. } = change;
    for (id, grant) in joining {
        let (path, grant) = (expression.path("grants", id.as_str()), expression.value(encode_grant(grant)));
        expression.require(format!("attribute_not_exists({path})"));
        expression.set_clause(format!("{path} = {grant}"));
    }
    for draw in draws {
        let left = left_path(expression, &draw.grant);
        let credits = expression.value(number(draw.credits));
        expression.require(format!("{left} >= {credits}"));
        expression.set_clause(format!("{left} = {left} - {credits}"));
    }
    for draw in returns {
        let left = left_path(expression, &draw.grant);
        let credits = expression.value(number(draw.credits));
        expression.require(format!("attribute_exists({left})"));
        expression.set_clause(format!("{left} = {left} + {credits}"));
    }
    for (id, left_in_it) in leaving {
        let (path, left) = (expression.path("grants", id.as_str()), left_path(expression, id));
        let seen = expression.value(number(left_in_it));
        expression.require(format!("{left} = {seen}"));
        expression.remove(path);
    }
}

fn express_mark(expression: &mut Expression, mark: Mark) {
    let slot = expression.path("ring", &mark.slot.to_string());
    let after = expression.value(binary(mark.after));
    match mark.before {
        Some(before) => {
            let before = expression.value(binary(before));
            expression.require(format!("{slot} = {before}"));
        }
        // The account must exist: an update would make one out of nothing.
        None => expression.require(format!("attribute_exists(pk) AND attribute_not_exists({slot})")),
    }
    expression.set_clause(format!("{slot} = {after}"));
}

fn express_hit(expression: &mut Expression, minute_name: &str, hits_name: &str, hit: Hit) {
    let (minute_path, hits_path) = (expression.name(minute_name), expression.name(hits_name));
    express_window(expression, &minute_path, &hits_path, hit);
}

fn express_key_hit(expression: &mut Expression, id: &KeyId, hit: Hit) {
    let minute_path = expression.path("key_minutes", id.as_str());
    let hits_path = expression.path("key_hits", id.as_str());
    express_window(expression, &minute_path, &hits_path, hit);
}

fn express_window(expression: &mut Expression, minute_path: &str, hits_path: &str, hit: Hit) {
    let one = expression.value(number(1));
    match hit {
        Hit::Opens { before, minute } => {
            let minute = expression.value(number(minute));
            match before {
                Some(before) => {
                    let before = expression.value(number(before));
                    expression.require(format!("{minute_path} = {before}"));
                }
                None => expression.require(format!("attribute_not_exists({minute_path})")),
            }
            expression.set_clause(format!("{minute_path} = {minute}"));
            expression.set_clause(format!("{hits_path} = {one}"));
        }
        Hit::Counts { minute, limit } => {
            let (minute, limit) = (expression.value(number(minute)), expression.value(number(limit)));
            expression.require(format!("{minute_path} = {minute} AND {hits_path} < {limit}"));
            expression.set_clause(format!("{hits_path} = {hits_path} + {one}"));
        }
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

fn left_path(expression: &mut Expression, grant: &GrantId) -> String {
    format!("{}.{}", expression.path("grants", grant.as_str()), expression.name("left"))
}
