//! Items and their attributes. Each stored struct has a single list of attributes, which is used for both
//! reading and writing.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::str::FromStr;

use accounting::{Day, GrantEnd, GrantId, GrantKind, KeyId, Meter, OrgId, Scope, Timestamp};
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;

use super::error::StoreError;
use crate::{
    Actor, AssetId, AssetState, ChangeType, CustomerScenarioDigest, DeliveryState, DisabledReason, Email,
    EventId, Family, InvitationId, MemberId, MessageId, NormalizedName, OrgName, PersonName, Role,
    SecretDigest, TileProduct, WebhookId, WebhookUrl,
};

/// An item in the SDK's representation.
pub(super) type Item = HashMap<String, AttributeValue>;

/// A value that is stored in one attribute.
pub(super) trait Attribute: Sized {
    /// Returns the attribute's value, or `None` to omit the attribute.
    fn write(&self) -> Option<AttributeValue>;

    fn read(value: &AttributeValue) -> Option<Self>;

    /// Returns the value of a missing attribute, or `None` if the attribute is required.
    fn absent() -> Option<Self> {
        None
    }
}

/// A value that is stored in several attributes: an item, a nested map, or part of either.
pub(super) trait Stored: Sized {
    fn store(&self, item: NewItem) -> NewItem;

    fn load(item: &Item) -> Result<Self, StoreError>;
}

/// Implements `Stored` and `Attribute` for a struct. Each field is followed by its attribute's name. `in`
/// names the type that the field is converted to for storage. `with` lists the fields that are each stored in
/// several attributes. `key` names the field that is stored at the end of the sort key.
macro_rules! stored {
    ($type:ident {
        $($field:ident: $name:tt $(in $form:ident)?),* $(,)?
    } $(with $($part:ident),+)? $(; key $key:ident)?) => {
        impl $crate::item::Stored for $type {
            fn store(&self, item: $crate::item::NewItem) -> $crate::item::NewItem {
                $(
                    let value = &self.$field;
                    $(let value = &$form(*value);)?
                    let item = item.with($name, value);
                )*
                $($(let item = item.with_all(&self.$part);)+)?
                item
            }

            fn load(item: &$crate::item::Item) -> Result<Self, $crate::error::StoreError> {
                $(
                    let value = $crate::item::attribute(item, $name)?;
                    $(let $form(value) = value;)?
                    let $field = value;
                )*
                $($(let $part = $crate::item::Stored::load(item)?;)+)?
                $(let $key = $crate::item::end_of_sort_key(item)?;)?
                Ok(Self { $($field,)* $($($part,)+)? $($key)? })
            }
        }

        impl $crate::item::Attribute for $type {
            fn write(&self) -> Option<aws_sdk_dynamodb::types::AttributeValue> {
                let map = $crate::item::Stored::store(self, $crate::item::NewItem::default());
                Some(aws_sdk_dynamodb::types::AttributeValue::M(map.build()))
            }

            fn read(value: &aws_sdk_dynamodb::types::AttributeValue) -> Option<Self> {
                $crate::item::Stored::load(value.as_m().ok()?).ok()
            }
        }
    };
}
pub(super) use stored;

/// Implements `Attribute` for types that are stored in their `Display` form, as strings (`S`) or as numbers
/// (`N`).
macro_rules! by_text {
    ($kind:ident: $($type:ty),+ $(,)?) => {$(
        impl Attribute for $type {
            fn write(&self) -> Option<AttributeValue> {
                Some(AttributeValue::$kind(self.to_string()))
            }

            fn read(value: &AttributeValue) -> Option<Self> {
                match value {
                    AttributeValue::$kind(text) => text.parse().ok(),
                    _ => None,
                }
            }
        }
    )+};
}

by_text!(S: String, OrgId, Meter, GrantId, KeyId, MemberId, CustomerScenarioDigest, SecretDigest, Scope, Day, GrantEnd);
by_text!(S: Actor, AssetId, AssetState, Email, EventId, Family, InvitationId, OrgName, PersonName, Role, TileProduct);
by_text!(S: ChangeType, DeliveryState, DisabledReason, MessageId, WebhookId, WebhookUrl);
by_text!(N: u32, u64, i64, usize);

/// An optional timestamp in whole seconds, the format that DynamoDB requires for times to live. It's also
/// used for expiry dates that don't delete an item.
pub(super) struct Seconds(pub(super) Option<Timestamp>);

impl Attribute for Seconds {
    fn write(&self) -> Option<AttributeValue> {
        self.0?.unix_seconds().write()
    }

    fn read(value: &AttributeValue) -> Option<Self> {
        i64::read(value).map(|seconds| Self(Some(Timestamp::from_unix_seconds(seconds))))
    }

    fn absent() -> Option<Self> {
        Some(Self(None))
    }
}

impl Attribute for Timestamp {
    fn write(&self) -> Option<AttributeValue> {
        self.unix_millis().write()
    }

    fn read(value: &AttributeValue) -> Option<Self> {
        i64::read(value).map(Self::from_unix_millis)
    }
}

impl Attribute for bool {
    fn write(&self) -> Option<AttributeValue> {
        Some(AttributeValue::Bool(*self))
    }

    fn read(value: &AttributeValue) -> Option<Self> {
        value.as_bool().ok().copied()
    }
}

impl Attribute for GrantKind {
    fn write(&self) -> Option<AttributeValue> {
        Some(text(self.letter()))
    }

    fn read(value: &AttributeValue) -> Option<Self> {
        Self::of_letter(value.as_s().ok()?)
    }
}

impl Attribute for NormalizedName {
    fn write(&self) -> Option<AttributeValue> {
        Some(text(self.as_str()))
    }

    fn read(value: &AttributeValue) -> Option<Self> {
        value.as_s().ok().map(|name| Self::cut(name))
    }
}

impl Attribute for Vec<u8> {
    fn write(&self) -> Option<AttributeValue> {
        Some(AttributeValue::B(Blob::new(self.clone())))
    }

    fn read(value: &AttributeValue) -> Option<Self> {
        value.as_b().ok().map(|bytes| bytes.as_ref().to_vec())
    }
}

impl<T: Attribute> Attribute for Option<T> {
    fn write(&self) -> Option<AttributeValue> {
        self.as_ref()?.write()
    }

    fn read(value: &AttributeValue) -> Option<Self> {
        T::read(value).map(Some)
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

impl<T: Attribute> Attribute for Vec<T> {
    fn write(&self) -> Option<AttributeValue> {
        Some(AttributeValue::L(self.iter().filter_map(T::write).collect()))
    }

    fn read(value: &AttributeValue) -> Option<Self> {
        value.as_l().ok()?.iter().map(T::read).collect()
    }
}

impl<T: Attribute + Ord> Attribute for BTreeSet<T> {
    fn write(&self) -> Option<AttributeValue> {
        Some(AttributeValue::L(self.iter().filter_map(T::write).collect()))
    }

    fn read(value: &AttributeValue) -> Option<Self> {
        Vec::<T>::read(value).map(Self::from_iter)
    }
}

impl<K: ToString + FromStr + Ord, V: Attribute> Attribute for BTreeMap<K, V> {
    fn write(&self) -> Option<AttributeValue> {
        let entries = self.iter().filter_map(|(key, value)| Some((key.to_string(), value.write()?)));
        Some(AttributeValue::M(entries.collect()))
    }

    fn read(value: &AttributeValue) -> Option<Self> {
        let entries = value.as_m().ok()?.iter();
        entries.map(|(key, value)| Some((key.parse().ok()?, V::read(value)?))).collect()
    }
}

pub(super) fn text(value: impl Into<String>) -> AttributeValue {
    AttributeValue::S(value.into())
}

pub(super) fn number(value: impl ToString) -> AttributeValue {
    AttributeValue::N(value.to_string())
}

/// Returns a timestamp's attribute value, in milliseconds.
pub(super) fn moment(at: Timestamp) -> AttributeValue {
    number(at.unix_millis())
}

/// Returns an item's key, which consists of its partition key and its sort key.
pub(super) fn key(pk: impl Into<String>, sk: impl Into<String>) -> Item {
    HashMap::from([("pk".to_owned(), text(pk)), ("sk".to_owned(), text(sk))])
}

/// Reads an attribute of an item or of a nested map. Returns an error if a required attribute is missing or
/// its value is invalid.
pub(super) fn attribute<T: Attribute>(item: &Item, name: &'static str) -> Result<T, StoreError> {
    let found = match item.get(name) {
        Some(value) => T::read(value),
        None => T::absent(),
    };
    found.ok_or(StoreError::Corrupt(name))
}

/// Reads the last part of an item's sort key, such as an ID, a number, or a month.
pub(super) fn end_of_sort_key<T: FromStr>(item: &Item) -> Result<T, StoreError> {
    let sort_key: String = attribute(item, "sk")?;
    let end = sort_key.rsplit('#').next().unwrap_or_default();
    end.parse().map_err(|_| StoreError::Corrupt("sk"))
}

/// A builder for an item or a nested map.
#[derive(Debug, Default)]
pub(super) struct NewItem(Item);

impl NewItem {
    /// Creates an item that contains only its key.
    pub(super) fn of_key(pk: impl Into<String>, sk: impl Into<String>) -> Self {
        Self(key(pk, sk))
    }

    pub(super) fn with(mut self, name: &str, value: &impl Attribute) -> Self {
        self.0.extend(value.write().map(|value| (name.to_owned(), value)));
        self
    }

    /// Adds all attributes of a value.
    pub(super) fn with_all(self, value: &impl Stored) -> Self {
        value.store(self)
    }

    /// Sets the time when the database can delete the item.
    pub(super) fn time_to_live(self, until: Timestamp) -> Self {
        self.with("ttl", &until.unix_seconds())
    }

    pub(super) fn build(self) -> Item {
        self.0
    }
}
