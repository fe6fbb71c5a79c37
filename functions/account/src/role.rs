//! Roles in request bodies.

use deserr::Deserr;
use gateway::{InvalidValue, Violations, one_of};
use store::Role;
use strum::IntoEnumIterator;

/// The requested role of a member.
#[derive(Clone, Copy, Debug, Deserr)]
#[deserr(error = Violations, try_from(&String) = RequestedRole::new -> InvalidValue)]
pub(crate) struct RequestedRole(pub(crate) Role);

impl RequestedRole {
    fn new(text: &str) -> Result<Self, InvalidValue> {
        let names: Vec<&str> = Role::iter().map(Into::into).collect();
        text.parse().map(Self).map_err(|_| InvalidValue(one_of(&names, text)))
    }
}
