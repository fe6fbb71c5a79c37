//! Lists in bodies whose items must differ.

use std::collections::BTreeSet;
use std::fmt::Display;

use gateway::{InvalidValue, Items, Named};

/// Collects the items of a list. Returns an error if one is repeated. `what` names an item.
pub(crate) fn distinct<T: Copy + Display + Ord>(
    named: Items<Named<T>, 1>,
    what: &str,
) -> Result<BTreeSet<T>, InvalidValue> {
    let mut items = BTreeSet::new();
    for Named(item) in named {
        if !items.insert(item) {
            return Err(InvalidValue(format!("must name each {what} only once, but \"{item}\" is repeated")));
        }
    }
    Ok(items)
}
