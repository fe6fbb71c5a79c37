//! The values of an attribute, one of each point, in the part of a layer.

use zerocopy::little_endian::{U32, U64};

use super::attribute::{Attribute, Kind, Value};
use crate::index::{ColumnWriter, Damage, FlagColumn, Folding, Indexing, StoredBits, TextColumn};
use crate::release::ReleaseError;
use crate::release::file::{FileWriter, Rows, SectionFile};

/// The values of an attribute, by the places of the points in their order.
#[derive(Clone, Debug)]
pub(super) enum AttributeColumn {
    Id(Numbers),
    Number { numbers: Numbers, known: StoredBits },
    Text(Box<TextColumn>),
    Flag(FlagColumn),
}

/// A number of each point, as narrow as the largest one allows.
#[derive(Clone, Debug)]
pub(super) enum Numbers {
    Short(Rows<U32>),
    Long(Rows<U64>),
}

impl AttributeColumn {
    /// Opens the column of so many points, in the section that has the attribute's name.
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
                known: StoredBits::open(file, &known_of(name), points)?,
            },
            Kind::Text => {
                let texts = TextColumn::open(file, name, Folding::AsIs, Indexing::Stored, points)?;
                Self::Text(Box::new(texts))
            }
            Kind::Flag => Self::Flag(FlagColumn::open(file, name, points)?),
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

    /// Checks that each point has a value that can be read.
    pub(super) fn check(&self) -> Result<(), Damage> {
        match self {
            Self::Id(_) => Ok(()),
            Self::Number { numbers: _, known } => known.check(),
            Self::Text(texts) => texts.check(),
            Self::Flag(flags) => flags.check(),
        }
    }
}

impl Numbers {
    fn open(file: &SectionFile, section: &str, points: usize) -> Result<Self, ReleaseError> {
        let bytes: Rows<u8> = file.rows(section)?;
        match bytes.len() {
            length if length == points * size_of::<U32>() => file.rows(section).map(Self::Short),
            length if length == points * size_of::<U64>() => file.rows(section).map(Self::Long),
            length => Err(file.inconsistent(format!("{section}: has {length} bytes of {points} points"))),
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

/// Collects the values of an attribute in the order of the points.
#[derive(Debug)]
pub(super) enum AttributeColumnWriter {
    Id(Vec<u64>),
    Number(Vec<Option<u64>>),
    Text(ColumnWriter),
    Flag(Vec<Option<bool>>),
}

impl AttributeColumnWriter {
    pub(super) fn new(kind: Kind) -> Self {
        match kind {
            Kind::Id => Self::Id(Vec::new()),
            Kind::Number => Self::Number(Vec::new()),
            Kind::Text => Self::Text(ColumnWriter::default()),
            Kind::Flag => Self::Flag(Vec::new()),
        }
    }

    /// Adds the value of the next point.
    ///
    /// # Panics
    ///
    /// When it is of another kind than the attribute, or an id that is none.
    pub(super) fn push(&mut self, value: Option<Value<'_>>) {
        match (self, value) {
            (Self::Id(ids), Some(Value::Id(id))) => ids.push(id),
            (Self::Number(numbers), None) => numbers.push(None),
            (Self::Number(numbers), Some(Value::Number(number))) => numbers.push(Some(number)),
            (Self::Text(texts), None) => texts.push(None),
            (Self::Text(texts), Some(Value::Text(text))) => texts.push(Some(text)),
            (Self::Flag(flags), None) => flags.push(None),
            (Self::Flag(flags), Some(Value::Flag(flag))) => flags.push(Some(flag)),
            (_, value) => panic!("{value:?} is of another kind than its attribute"),
        }
    }

    /// Writes the column into the section that has the attribute's name.
    pub(super) fn write(self, file: &mut FileWriter, name: &str) {
        match self {
            Self::Id(ids) => Numbers::write(file, name, &ids),
            Self::Number(numbers) => {
                let plain: Vec<u64> = numbers.iter().map(|number| number.unwrap_or(0)).collect();
                Numbers::write(file, name, &plain);
                StoredBits::write(file, &known_of(name), numbers.iter().map(Option::is_some));
            }
            Self::Text(texts) => texts.sorted_as_is(Folding::AsIs).write(file, name, Indexing::Stored),
            Self::Flag(flags) => FlagColumn::write(file, name, &flags),
        }
    }
}

fn known_of(section: &str) -> String {
    format!("{section}.known")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes values, and returns them as they are read.
    fn read_back(kind: Kind, values: &[Option<Value<'static>>]) -> AttributeColumn {
        let attribute = Attribute { name: "shown", kind, about: "", from_zoom: 0, of: () };
        let mut writer = AttributeColumnWriter::new(kind);
        values.iter().for_each(|value| writer.push(*value));
        let mut file = FileWriter::default();
        writer.write(&mut file, attribute.name);
        let column = AttributeColumn::open(&file.opened(), &attribute, values.len()).unwrap();
        column.check().unwrap();
        let read: Vec<Option<Value<'_>>> = (0..).take(values.len()).map(|point| column.get(point)).collect();
        assert_eq!(read, values);
        column
    }

    #[test]
    fn values_of_every_kind_are_read_as_they_were_written() {
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

    #[test]
    #[should_panic = "is of another kind than its attribute"]
    fn a_value_of_another_kind_is_refused() {
        AttributeColumnWriter::new(Kind::Text).push(Some(Value::Flag(true)));
    }
}
