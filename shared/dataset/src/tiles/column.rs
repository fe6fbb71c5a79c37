//! The values of an attribute for all points in a layer.

use zerocopy::little_endian::{U32, U64};

use super::attribute::{Attribute, Kind, Value};
use crate::index::{ColumnWriter, FlagColumn, Indexing, Normalization, StoredBits, TextColumn};
use crate::release::ReleaseError;
use crate::release::file::{FileWriter, Rows, SectionFile, subsection};

const KNOWN: &str = "known";

/// The values of an attribute, in the same order as the layer's points.
#[derive(Clone, Debug)]
pub(super) enum AttributeColumn {
    Id(Numbers),
    Number { numbers: Numbers, known: StoredBits },
    Text(Box<TextColumn>),
    Flag(FlagColumn),
}

/// One number per point, stored in 32 bits if all numbers fit, and in 64 bits otherwise.
#[derive(Clone, Debug)]
pub(super) enum Numbers {
    Short(Rows<U32>),
    Long(Rows<U64>),
}

impl AttributeColumn {
    /// Opens the section named after the attribute. `points` is the number of points in the layer.
    pub(super) fn open<Of>(
        file: &SectionFile,
        attribute: &Attribute<Of>,
        points: usize,
    ) -> Result<Self, ReleaseError> {
        let name = attribute.name;
        Ok(match attribute.kind {
            Kind::Id => Self::Id(Numbers::open(file, name, points)?),
            Kind::Number => Self::Number {
                numbers: Numbers::open(file, name, points)?,
                known: StoredBits::open(file, &subsection(name, KNOWN))?,
            },
            Kind::Text => {
                let texts = TextColumn::open(file, name, Normalization::AsIs, Indexing::Stored, points)?;
                Self::Text(Box::new(texts))
            }
            Kind::Flag => Self::Flag(FlagColumn::open(file, name)?),
        })
    }

    pub(super) fn get(&self, point: u32) -> Option<Value<'_>> {
        match self {
            Self::Id(ids) => Some(Value::Id(ids.get(point))),
            Self::Number { numbers, known } => known.get(point).then(|| Value::Number(numbers.get(point))),
            Self::Text(texts) => texts.get(point).map(Value::Text),
            Self::Flag(flags) => flags.get(point).map(Value::Flag),
        }
    }
}

impl Numbers {
    fn open(file: &SectionFile, section: &str, points: usize) -> Result<Self, ReleaseError> {
        let bytes: Rows<u8> = file.rows(section)?;
        match bytes.len() {
            length if length == points * size_of::<U32>() => file.rows(section).map(Self::Short),
            length if length == points * size_of::<U64>() => file.rows(section).map(Self::Long),
            length => Err(file.inconsistent(format!("{section}: has {length} bytes for {points} points"))),
        }
    }

    fn write(file: &mut FileWriter, section: &str, numbers: &[u64]) {
        let short: Result<Vec<U32>, _> =
            numbers.iter().map(|number| u32::try_from(*number).map(U32::new)).collect();
        match short {
            Ok(short) => file.rows(section, &short),
            Err(_) => file.rows(section, &numbers.iter().copied().map(U64::new).collect::<Vec<U64>>()),
        }
    }

    fn get(&self, point: u32) -> u64 {
        match self {
            Self::Short(numbers) => numbers[point as usize].get().into(),
            Self::Long(numbers) => numbers[point as usize].get(),
        }
    }
}

/// Writes the values of an attribute to the section named after it. The values must be in the same order as
/// the layer's points.
pub(super) fn write<Of>(file: &mut FileWriter, attribute: &Attribute<Of>, values: &[Option<Value<'_>>]) {
    let name = attribute.name;
    let number = |value: &Option<Value<'_>>| match value {
        Some(Value::Id(number) | Value::Number(number)) => *number,
        _ => 0,
    };
    match attribute.kind {
        Kind::Id => Numbers::write(file, name, &values.iter().map(number).collect::<Vec<u64>>()),
        Kind::Number => {
            Numbers::write(file, name, &values.iter().map(number).collect::<Vec<u64>>());
            StoredBits::write(file, &subsection(name, KNOWN), values.iter().map(Option::is_some));
        }
        Kind::Text => {
            let mut texts = ColumnWriter::default();
            for value in values {
                texts.push(if let Some(Value::Text(text)) = value { Some(text) } else { None });
            }
            texts.sorted_as_is(Normalization::AsIs).write(file, name, Indexing::Stored);
        }
        Kind::Flag => {
            let flag = |value: &Option<Value<'_>>| {
                if let Some(Value::Flag(flag)) = value { Some(*flag) } else { None }
            };
            FlagColumn::write(file, name, &values.iter().map(flag).collect::<Vec<_>>());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes and opens a column, and checks that the values are unchanged.
    fn read_back(kind: Kind, values: &[Option<Value<'static>>]) -> AttributeColumn {
        let attribute = Attribute { name: "shown", kind, about: "", is_visits: false, of: () };
        let mut file = FileWriter::default();
        write(&mut file, &attribute, values);
        let column = AttributeColumn::open(&file.opened(), &attribute, values.len()).unwrap();
        let read: Vec<Option<Value<'_>>> = (0..).take(values.len()).map(|point| column.get(point)).collect();
        assert_eq!(read, values);
        column
    }

    #[test]
    fn values_of_every_kind_round_trip() {
        let (long, short) = (1 << 32, (1 << 32) - 1);
        let is_long = |numbers: &Numbers| matches!(numbers, Numbers::Long(_));
        for (ids, expected) in [(vec![], false), (vec![0, short], false), (vec![long, 7, u64::MAX], true)] {
            let values: Vec<_> = ids.into_iter().map(|id| Some(Value::Id(id))).collect();
            assert!(
                matches!(read_back(Kind::Id, &values), AttributeColumn::Id(ids) if is_long(&ids) == expected)
            );
        }
        for (number, expected) in [(short, false), (long, true)] {
            let values = [None, Some(Value::Number(0)), Some(Value::Number(number))];
            let column = read_back(Kind::Number, &values);
            assert!(
                matches!(column, AttributeColumn::Number { numbers, .. } if is_long(&numbers) == expected)
            );
        }
        read_back(Kind::Text, &[Some(Value::Text("b")), None, Some(Value::Text("")), Some(Value::Text("b"))]);
        read_back(Kind::Flag, &[None, Some(Value::Flag(true)), Some(Value::Flag(false))]);
    }
}
