//! Alters valid bodies by replacing, removing, or adding members, or by changing bytes.

use serde_json::{Value, json};

use super::hostile;
use crate::choices::{Choices, damage};

/// The maximum nesting depth. `harness::WORST_BODIES` contains deeper bodies.
const DEEPEST: usize = 200;

/// Alters a body. Stops when no choices are left.
pub(super) fn altered(mut body: Value, choices: &mut Choices<'_>) -> Vec<u8> {
    let (structural, bytewise) = (choices.byte() % 5, choices.byte().is_multiple_of(4));
    for _ in 0..structural {
        if choices.is_empty() {
            break;
        }
        let (mut at, kind) = (choices.below(count(&body)), choices.byte());
        let place = nth(&mut body, &mut at).expect("the number is below the count of values");
        change(place, kind, choices);
    }
    let mut text = body.to_string().into_bytes();
    if bytewise {
        damage(&mut text, choices);
    }
    text
}

fn change(place: &mut Value, kind: u8, choices: &mut Choices<'_>) {
    match kind % 12 {
        0 => *place = Value::Null,
        1 => *place = json!([]),
        2 => *place = json!({}),
        3 => *place = json!([place.take()]),
        4 => *place = (0..choices.below(DEEPEST)).fold(place.take(), |inner, _| json!([inner])),
        5 => *place = json!(choices.number()),
        6 => *place = json!(f64::from_bits(choices.number())),
        7 => *place = json!(choices.number().cast_signed()),
        8 => match place {
            Value::Array(items) if !items.is_empty() => {
                let again = items[choices.below(items.len())].clone();
                items.extend(std::iter::repeat_n(again, 1 + choices.below(40)));
            }
            Value::Object(members) => drop(members.insert(hostile::text(choices), json!(1))),
            _ => *place = json!(choices.byte().is_multiple_of(2)),
        },
        9 => match place {
            Value::Array(items) => drop(items.pop()),
            Value::Object(members) => {
                let names: Vec<String> = members.keys().cloned().collect();
                if !names.is_empty() {
                    members.remove(&names[choices.below(names.len())]);
                }
            }
            _ => *place = Value::Null,
        },
        _ => *place = json!(hostile::text(choices)),
    }
}

/// Counts a value and all values nested in it.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(members) => members.values().map(count).sum(),
        _ => 0,
    }
}

/// Returns the value at a position in document order, starting at 0.
fn nth<'a>(value: &'a mut Value, left: &mut usize) -> Option<&'a mut Value> {
    if *left == 0 {
        return Some(value);
    }
    *left -= 1;
    match value {
        Value::Array(items) => items.iter_mut().find_map(|item| nth(item, left)),
        Value::Object(members) => members.values_mut().find_map(|member| nth(member, left)),
        _ => None,
    }
}
