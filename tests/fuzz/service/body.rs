//! Bodies: valid ones of which some members were replaced, left out or added; or whose bytes were altered.

use serde_json::{Value, json};

use super::odd;
use crate::choices::{Choices, damage};

/// The deepest body that is made: deeper ones are for the archive of hostile bodies.
const DEEPEST: usize = 200;

/// Alters a body as the choices say until they end.
pub(super) fn altered(mut body: Value, choices: &mut Choices<'_>) -> Vec<u8> {
    let (structural, bytewise) = (choices.byte() % 5, choices.byte().is_multiple_of(4));
    for _ in 0..structural {
        if choices.is_empty() {
            break;
        }
        let (mut at, kind) = (choices.below(count(&body)), choices.byte());
        let place = nth(&mut body, &mut at).expect("one of all values");
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
            Value::Object(members) => drop(members.insert(odd::text(choices), json!(1))),
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
        _ => *place = json!(odd::text(choices)),
    }
}

/// Counts a value and all values in it.
fn count(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count).sum(),
        Value::Object(members) => members.values().map(count).sum(),
        _ => 0,
    }
}

/// Finds a value by its number in the order of the text.
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
