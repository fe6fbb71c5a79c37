//! Writes records as JSON, straight from the columns: a page of them takes longer than finding it.
//!
//! Members follow the table of the fields, and an object is opened when its first member is there. The bytes
//! are those that [`Record`](super::Record) is serialized as.

use std::sync::LazyLock;

use serde::Serialize;

use super::field::{Field, Stored};
use super::field_set::FieldSet;
use super::id::SpotIndex;
use super::json_values::{Whole, push_degrees, push_json, push_text};
use super::record::whole_or_not;
use super::row::Row;
use super::table::Inventory;
use crate::position::Position;

/// A member that holds a value or a list.
struct Member {
    /// The first of the fields that it holds.
    field: Field,
    fields: FieldSet,
    /// What opens each object that leads to it: `"location":{`.
    parents: Vec<String>,
    /// `"state":`.
    name: String,
}

/// The members in the order of the record.
static MEMBERS: LazyLock<Vec<Member>> = LazyLock::new(|| {
    let mut members: Vec<(Field, &str)> = Field::ALL.map(|field| (field, field.member())).to_vec();
    members.dedup_by_key(|(_, path)| *path);
    members.into_iter().map(|(field, path)| Member::new(field, path)).collect()
});

impl Inventory {
    /// Appends the fields of a spot that are asked for as JSON, as [`record`](Self::record) has them.
    ///
    /// # Panics
    ///
    /// When the position is of another release with more spots.
    pub fn write_json(&self, index: SpotIndex, fields: FieldSet, out: &mut Vec<u8>) {
        Row::new(self, index, fields).write_json(out);
    }
}

impl Member {
    fn new(field: Field, path: &str) -> Self {
        let (parents, name) = path.rsplit_once('.').unwrap_or(("", path));
        let parents = parents.split('.').filter(|parent| !parent.is_empty());
        Self {
            field,
            fields: FieldSet::at(path).expect("a path"),
            parents: parents.map(|parent| format!("\"{parent}\":{{")).collect(),
            name: format!("\"{name}\":"),
        }
    }
}

impl Row<'_> {
    fn write_json(&self, out: &mut Vec<u8>) {
        out.push(b'{');
        let mut open: &[String] = &[];
        for member in MEMBERS.iter().filter(|member| self.fields.has_any(member.fields)) {
            let before = (out.len(), open);
            open_parents(open, &member.parents, out);
            push_name(&member.name, out);
            open = &member.parents;
            let value = out.len();
            self.write_value(member, out);
            if out.len() == value {
                out.truncate(before.0);
                open = before.1;
            }
        }
        out.extend(std::iter::repeat_n(b'}', open.len() + 1));
    }

    /// Appends the value of a member, and nothing where the spot has none.
    fn write_value(&self, member: &Member, out: &mut Vec<u8>) {
        let (Self { inventory, spot, .. }, field) = (self, member.field);
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
            Stored::Orientation => {
                if let degrees @ Some(_) = inventory.orientations.get(*spot) {
                    whole_or_not(&degrees, &mut serde_json::Serializer::new(out))
                        .expect("written into memory");
                }
            }
            Stored::Layouts if self.fields.has_all(member.fields) => {
                inventory.layouts.write_json(*spot, self.id(), out);
            }
            Stored::Representations if self.fields.has_all(member.fields) => {
                out.extend_from_slice(inventory.representations.get(*spot).unwrap_or_default().as_bytes());
            }
            Stored::Places => {
                out.extend_from_slice(inventory.places.get(*spot).unwrap_or_default().as_bytes());
            }
            Stored::Layouts => push_list(self.layouts(), out),
            Stored::Representations => push_list(self.representations(), out),
        }
    }
}

/// Closes the objects that do not lead to a member, and opens those that do.
fn open_parents(open: &[String], parents: &[String], out: &mut Vec<u8>) {
    let common = open.iter().zip(parents).take_while(|(one, other)| one == other).count();
    out.extend(std::iter::repeat_n(b'}', open.len() - common));
    parents[common..].iter().for_each(|parent| push_name(parent, out));
}

fn push_name(name: &str, out: &mut Vec<u8>) {
    if out.last() != Some(&b'{') {
        out.push(b',');
    }
    out.extend_from_slice(name.as_bytes());
}

fn push_list(list: Option<impl Serialize>, out: &mut Vec<u8>) {
    list.iter().for_each(|list| push_json(list, out));
}

fn push_coordinates(Position { latitude, longitude }: Position, out: &mut Vec<u8>) {
    out.push(b'[');
    push_degrees(longitude, Whole::WithFraction, out);
    out.push(b',');
    push_degrees(latitude, Whole::WithFraction, out);
    out.push(b']');
}
