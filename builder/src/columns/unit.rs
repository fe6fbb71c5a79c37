//! Units of length.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    Feet,
    Inches,
    Meters,
    Centimeters,
}

impl Unit {
    /// Returns the unit with the given name, as written in column maps.
    pub(crate) fn named(name: &str) -> Option<Self> {
        [Self::Feet, Self::Inches, Self::Meters, Self::Centimeters]
            .into_iter()
            .find(|unit| unit.name() == name)
    }

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Feet => "ft",
            Self::Inches => "in",
            Self::Meters => "m",
            Self::Centimeters => "cm",
        }
    }

    pub(crate) fn in_inches(self) -> f64 {
        match self {
            Self::Feet => 12.0,
            Self::Inches => 1.0,
            Self::Meters => 100.0 / 2.54,
            Self::Centimeters => 1.0 / 2.54,
        }
    }
}
