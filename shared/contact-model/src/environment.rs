//! Where a display stands, which determines who sees it.

/// The surroundings of a display.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Environment {
    /// Along a road: billboards and bulletins.
    Roadside,
    /// On a sidewalk: kiosks, bus shelters, and other street furniture.
    Street,
    /// In or near a station or an airport.
    Transit,
    /// Inside a building: shops, gyms, offices.
    Indoor,
}

impl Environment {
    /// Returns the distance over which the density of viewers falls to 1/e, in kilometers (*λ*). All values
    /// are assumptions.
    pub const fn reach_km(self) -> f64 {
        match self {
            Self::Roadside => 12.0,
            Self::Street => 5.0,
            Self::Transit => 10.0,
            Self::Indoor => 6.0,
        }
    }

    /// Returns the share of impressions of people who live elsewhere, from 0 to 1 (*ε*). All values are
    /// assumptions.
    pub const fn elsewhere(self) -> f64 {
        match self {
            Self::Roadside => 0.15,
            Self::Street | Self::Indoor => 0.2,
            Self::Transit => 0.35,
        }
    }
}
