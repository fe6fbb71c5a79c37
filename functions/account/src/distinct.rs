//! Lists in request bodies that must not contain duplicates.

use std::collections::BTreeSet;
use std::fmt::Display;

use gateway::{InvalidValue, Items, Named};

/// Collects the items of a list into a set. Returns an error if an item is repeated. `what` names an item in
/// the error message.
pub(crate) fn distinct<T: Copy + Display + Ord>(
    named: Items<Named<T>, 1>,
    what: &str,
) -> Result<BTreeSet<T>, InvalidValue> {
    let mut items = BTreeSet::new();
    for Named(item) in named {
        if !items.insert(item) {
            return Err(InvalidValue(format!("must list each {what} only once, but \"{item}\" is repeated")));
        }
    }
    Ok(items)
}
