//! Writes records as JSON, directly from the columns. This speeds up searches, because writing a page of
//! results takes longer than finding them.
//!
//! Members are in the same order as the variants of [`Field`], and empty objects are omitted. The output is
//! byte-for-byte the same as for a serialized [`Record`].

use std::fmt;
use std::sync::LazyLock;

use serde::de::{DeserializeSeed, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::field::{Field, Stored};
use super::field_set::FieldSet;
use super::id::{SpotId, SpotIndex};
use super::json_values::{Whole, push_degrees, push_json, push_text};
use super::record::{Record, whole_or_not};
use super::table::Inventory;
use crate::position::Position;

/// A member of a record, or of an object or list inside it.
struct Member {
    name: &'static str,
    /// The name as written to JSON, such as `"state":`.
    quoted: String,
    /// The first field in the member.
    field: Field,
    fields: FieldSet,
    /// The members of the object, or of each object in the list.
    inner: Vec<Member>,
    /// Whether the member is an object whose members are stored in separate columns.
    is_object: bool,
}

/// Reads a list that's stored as JSON, and copies the requested fields to the output.
struct RequestedPart<'a> {
    member: &'a Member,
    fields: FieldSet,
    out: &'a mut Vec<u8>,
}

/// The members of a record, in output order.
static MEMBERS: LazyLock<Vec<Member>> = LazyLock::new(|| Member::under(""));

impl Inventory {
    /// Appends the requested fields of a spot as JSON. Objects and lists without any requested field are
    /// omitted.
    ///
    /// # Panics
    ///
    /// Panics if the index is out of range, which can happen if it's from a different release.
    pub fn write_json(&self, index: SpotIndex, fields: FieldSet, out: &mut Vec<u8>) {
        let fields = fields.and(self.present);
        Row { inventory: self, spot: index.raw(), fields }.write_object(&MEMBERS, out);
    }

    /// Returns a record with the fields that [`write_json`](Self::write_json) writes.
    ///
    /// # Panics
    ///
    /// Panics under the same condition as [`write_json`](Self::write_json).
    pub fn record(&self, index: SpotIndex, fields: FieldSet) -> Record<'static> {
        let mut json = Vec::new();
        self.write_json(index, fields, &mut json);
        serde_json::from_slice(&json).expect("a verified release contains valid records")
    }
}

impl Member {
    /// Returns the members of the object or list at a path. The empty path is the record itself.
    fn under(path: &'static str) -> Vec<Self> {
        let (fields, start) = FieldSet::at(path).map_or((FieldSet::ALL, 0), |at| (at, path.len() + 1));
        let mut members: Vec<Self> = Vec::new();
        for field in Field::ALL.into_iter().filter(|field| fields.has(*field)) {
            let Some(name) = field.path().get(start..).and_then(|rest| rest.split('.').next()) else {
                continue;
            };
            let path = &field.path()[..start + name.len()];
            if members.last().is_none_or(|last| last.name != name) {
                members.push(Self {
                    name,
                    quoted: format!("\"{name}\":"),
                    field,
                    fields: FieldSet::at(path).expect("the path exists"),
                    inner: Self::under(path),
                    is_object: field.member().len() > path.len(),
                });
            }
        }
        members
    }
}

/// A spot that's being written, and the requested fields.
struct Row<'a> {
    inventory: &'a Inventory,
    spot: u32,
    fields: FieldSet,
}

impl Row<'_> {
    fn write_object(&self, members: &[Member], out: &mut Vec<u8>) {
        out.push(b'{');
        for member in members.iter().filter(|member| self.fields.has_any(member.fields)) {
            let before = out.len();
            push_name(&member.quoted, out);
            let value = out.len();
            self.write_value(member, out);
            if out.len() == value {
                out.truncate(before);
            }
        }
        out.push(b'}');
    }

    /// Appends the value of a member, or nothing if the spot doesn't have one.
    fn write_value(&self, member: &Member, out: &mut Vec<u8>) {
        let (Self { inventory, spot, .. }, field) = (self, member.field);
        if member.is_object {
            let start = out.len();
            self.write_object(&member.inner, out);
            if out.ends_with(b"{}") {
                out.truncate(start);
            }
            return;
        }
        match field.stored() {
            Stored::SpotId => push_json(&self.id().raw(), out),
            Stored::Flag(_) => match inventory.flag(field).get(*spot) {
                Some(true) => out.extend_from_slice(b"true"),
                Some(false) => out.extend_from_slice(b"false"),
                None => {}
            },
            Stored::Text(..) => {
                if let Some(text) = inventory.text(field).get(*spot) {
                    push_text(text, out);
                }
            }
            Stored::GeometryType => out.extend_from_slice(b"\"Point\""),
            Stored::Coordinates => push_coordinates(inventory.positions.get(*spot), out),
            Stored::GeoPoint => inventory.geo_points.write_json(*spot, inventory.positions.get(*spot), out),
            Stored::Integer(_) => {
                if let Some(number) = inventory.number(field).get(*spot) {
                    push_json(&(number as i64), out);
                }
            }
            Stored::Number(_) => {
                if let number @ Some(_) = inventory.number(field).get(*spot) {
                    whole_or_not(&number, &mut serde_json::Serializer::new(out))
                        .expect("writing to memory doesn't fail");
                }
            }
            Stored::Layouts => {
                let start = out.len();
                inventory.layouts.write_json(*spot, self.id(), out);
                if !self.fields.has_all(member.fields) {
                    let whole = out.split_off(start);
                    self.write_list(member, std::str::from_utf8(&whole).expect("JSON is UTF-8"), out);
                }
            }
            Stored::Representations => {
                self.write_list(member, inventory.representations.get(*spot).unwrap_or_default(), out);
            }
            Stored::Places => {
                self.write_list(member, inventory.places.get(*spot).unwrap_or_default(), out);
            }
            Stored::Modelled => {
                out.extend_from_slice(inventory.modelled.get(*spot).unwrap_or_default().as_bytes());
            }
        }
    }

    /// Appends the requested fields of a list that's stored as JSON, or nothing if `json` is empty.
    fn write_list(&self, member: &Member, json: &str, out: &mut Vec<u8>) {
        if self.fields.has_all(member.fields) || json.is_empty() {
            return out.extend_from_slice(json.as_bytes());
        }
        let part = RequestedPart { member, fields: self.fields, out };
        let written = part.deserialize(&mut serde_json::Deserializer::from_str(json));
        written.expect("a verified release contains valid JSON");
    }

    fn id(&self) -> SpotId {
        self.inventory.id(SpotIndex::from_raw(self.spot))
    }
}

impl<'de> DeserializeSeed<'de> for RequestedPart<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, json: D) -> Result<(), D::Error> {
        if !self.fields.has_all(self.member.fields) {
            return json.deserialize_any(self);
        }
        let whole = <&RawValue>::deserialize(json)?;
        self.out.extend_from_slice(whole.get().as_bytes());
        Ok(())
    }
}

impl<'de> Visitor<'de> for RequestedPart<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list or an object")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Self { member, fields, out } = self;
        out.push(b'[');
        let start = out.len();
        while items.next_element_seed(RequestedPart { member, fields, out })?.is_some() {
            out.push(b',');
        }
        if out.len() > start {
            out.pop();
        }
        out.push(b']');
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let Self { member, fields, out } = self;
        out.push(b'{');
        // Names can be borrowed, because field names never contain escapes.
        while let Some(name) = members.next_key::<&str>()? {
            match member.inner.iter().find(|inner| inner.name == name) {
                Some(inner) if fields.has_any(inner.fields) => {
                    push_name(&inner.quoted, out);
                    members.next_value_seed(RequestedPart { member: inner, fields, out })?;
                }
                _ => drop(members.next_value::<IgnoredAny>()?),
            }
        }
        out.push(b'}');
        Ok(())
    }
}

fn push_name(name: &str, out: &mut Vec<u8>) {
    if out.last() != Some(&b'{') {
        out.push(b',');
    }
    out.extend_from_slice(name.as_bytes());
}

fn push_coordinates(Position { latitude, longitude }: Position, out: &mut Vec<u8>) {
    out.push(b'[');
    push_degrees(longitude, Whole::WithFraction, out);
    out.push(b',');
    push_degrees(latitude, Whole::WithFraction, out);
    out.push(b']');
}
