//! Display formats, with typical sizes, illumination, and market shares.

/// A type of illumination and the hours when a display with this illumination is visible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Light {
    pub(super) name: &'static str,
    pub(super) from: &'static str,
    pub(super) until: &'static str,
}

/// The division of a face's display time into spots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Loop {
    pub(super) spots: u32,
    /// Each spot's share of the display time.
    pub(super) share: &'static str,
    /// The duration of a spot in seconds, or `None` for static faces.
    pub(super) seconds: Option<i64>,
}

/// The number of displays with each capability, per 1,000 displays of a format.
#[derive(Clone, Copy, Debug)]
pub(super) struct Capabilities {
    pub(super) audio: u32,
    pub(super) full_motion: u32,
    pub(super) partial_motion: u32,
    pub(super) interactive: u32,
    pub(super) rotating: u32,
}

/// A type of display, with its typical construction, illumination, and spots.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Format {
    pub(crate) media_type: &'static str,
    pub(crate) digital: bool,
    pub(super) classification: &'static str,
    pub(super) placements: &'static [&'static str],
    pub(super) constructions: &'static [&'static str],
    /// The typical sizes, as height and width in inches.
    pub(super) sizes: &'static [(i64, i64)],
    pub(super) lights: &'static [Light],
    pub(super) loops: &'static [Loop],
    pub(super) capabilities: Capabilities,
    /// The number of displays of this format, per 1,000 displays.
    pub(crate) share: u32,
}

impl Format {
    /// Returns whether displays of this format are in or at places rather than along roads.
    pub(crate) fn is_place_based(&self) -> bool {
        self.classification == PLACE_BASED
    }
}

/// Returns the illumination with a given name, ignoring case. Backlit screens are visible longer than other
/// backlit displays.
pub(super) fn light(name: &str, digital: bool) -> Option<Light> {
    let lights = if digital { [SCREEN, FRONTLIT, SUNLIT] } else { [BACKLIT, FRONTLIT, SUNLIT] };
    lights.into_iter().find(|light| light.name.eq_ignore_ascii_case(name))
}

/// Returns the ID of the construction type with a given name, ignoring case.
pub(super) fn construction_id(name: &str) -> Option<&'static str> {
    let found = CONSTRUCTIONS.iter().find(|(_, other)| other.eq_ignore_ascii_case(name));
    found.map(|(id, _)| *id)
}

const CONSTRUCTIONS: [(&str, &str); 11] = [
    ("1", "Freestanding"),
    ("2", "Furniture"),
    ("3", "Exterior Wall"),
    ("4", "Interior Wall"),
    ("5", "Bus Exterior"),
    ("6", "Ceiling"),
    ("7", "Column"),
    ("8", "Elevator"),
    ("9", "Floor"),
    ("10", "Rooftop"),
    ("11", "Stairs"),
];

const ROADSIDE: &str = "Roadside";
const PLACE_BASED: &str = "Place Based";

const CURBSIDE: &str = "Curbside";
const SET_BACK: &str = "Set Back";

/// The illumination of displays that are visible only in daylight.
pub(super) const SUNLIT: Light = Light { name: "Sunlit Ambient", from: "06:00:00", until: "17:59:59" };
const FRONTLIT: Light = Light { name: "Frontlit", from: "06:00:00", until: "23:59:59" };
const BACKLIT: Light = Light { name: "Backlit", from: "05:00:00", until: "23:59:59" };
/// The illumination of screens, which are lit around the clock.
const SCREEN: Light = Light { name: "Backlit", from: "00:00:00", until: "23:59:59" };

const WHOLE: Loop = Loop { spots: 1, share: "1", seconds: None };
const OF_FOUR: Loop = Loop { spots: 4, share: "0.25", seconds: Some(15) };
const OF_EIGHT: Loop = Loop { spots: 8, share: "0.125", seconds: Some(8) };
const OF_TEN: Loop = Loop { spots: 10, share: "0.1", seconds: Some(10) };

const STATIC: Capabilities =
    Capabilities { audio: 0, full_motion: 0, partial_motion: 0, interactive: 0, rotating: 0 };
/// Roadside screens rotate spots but don't show motion, because it's prohibited almost everywhere.
const DIGITAL: Capabilities = Capabilities { rotating: 1000, ..STATIC };

/// The values that most static formats have in common.
const BOARD: Format = Format {
    media_type: "Bulletin",
    digital: false,
    classification: ROADSIDE,
    placements: &[SET_BACK, SET_BACK, SET_BACK, CURBSIDE],
    constructions: &[
        "Freestanding",
        "Freestanding",
        "Freestanding",
        "Freestanding",
        "Exterior Wall",
        "Rooftop",
    ],
    sizes: &[(168, 576), (168, 576), (168, 576), (126, 432), (120, 480), (240, 720)],
    lights: &[FRONTLIT, FRONTLIT, FRONTLIT, SUNLIT],
    loops: &[WHOLE],
    capabilities: STATIC,
    share: 255,
};

/// The values that most digital formats have in common.
const DIGITAL_BOARD: Format =
    Format { digital: true, lights: &[SCREEN], loops: &[OF_EIGHT], capabilities: DIGITAL, ..BOARD };

/// All formats. Their shares add up to 1,000, including 120 for digital formats.
pub(crate) static FORMATS: [Format; 14] = [
    Format { capabilities: Capabilities { rotating: 60, ..STATIC }, ..BOARD },
    Format {
        constructions: &["Freestanding", "Freestanding", "Freestanding", "Exterior Wall"],
        sizes: &[(168, 576), (168, 576), (126, 432)],
        share: 32,
        ..DIGITAL_BOARD
    },
    Format { media_type: "Poster", sizes: &[(125, 272)], lights: &[FRONTLIT, SUNLIT], share: 260, ..BOARD },
    Format {
        media_type: "Poster",
        constructions: &["Freestanding", "Exterior Wall"],
        sizes: &[(125, 272)],
        share: 16,
        ..DIGITAL_BOARD
    },
    Format {
        media_type: "Junior Poster",
        constructions: &["Freestanding", "Exterior Wall", "Exterior Wall"],
        placements: &[CURBSIDE, SET_BACK],
        sizes: &[(60, 132)],
        lights: &[SUNLIT, SUNLIT, FRONTLIT],
        share: 70,
        ..BOARD
    },
    Format {
        media_type: "Junior Poster",
        constructions: &["Exterior Wall"],
        placements: &[CURBSIDE, SET_BACK],
        sizes: &[(60, 132)],
        share: 2,
        ..DIGITAL_BOARD
    },
    // Shelters, benches, and kiosks.
    Format {
        media_type: "Panel",
        placements: &[CURBSIDE],
        constructions: &["Furniture"],
        sizes: &[(68, 47), (68, 47), (69, 48), (24, 84)],
        lights: &[BACKLIT, BACKLIT, SUNLIT],
        share: 165,
        ..BOARD
    },
    Format {
        media_type: "Panel",
        placements: &[CURBSIDE],
        constructions: &["Furniture", "Furniture", "Freestanding"],
        sizes: &[(55, 31), (75, 42), (64, 36)],
        loops: &[OF_EIGHT, OF_TEN],
        capabilities: Capabilities { partial_motion: 200, full_motion: 150, interactive: 80, ..DIGITAL },
        share: 25,
        ..DIGITAL_BOARD
    },
    // Buses and transit stations.
    Format {
        media_type: "Panel",
        placements: &[CURBSIDE],
        constructions: &["Bus Exterior"],
        sizes: &[(30, 144), (30, 108), (21, 70)],
        lights: &[SUNLIT],
        share: 40,
        ..BOARD
    },
    Format {
        media_type: "Panel",
        classification: PLACE_BASED,
        placements: &[SET_BACK],
        constructions: &["Interior Wall", "Interior Wall", "Column", "Stairs", "Floor"],
        sizes: &[(46, 60), (46, 30), (72, 48)],
        lights: &[BACKLIT, FRONTLIT],
        share: 15,
        ..BOARD
    },
    // Malls, airports, gyms, offices, and stores.
    Format {
        media_type: "Display",
        classification: PLACE_BASED,
        placements: &[SET_BACK],
        constructions: &["Interior Wall", "Interior Wall", "Freestanding", "Ceiling", "Elevator", "Column"],
        sizes: &[(62, 43), (50, 40), (36, 24), (96, 48)],
        lights: &[BACKLIT, BACKLIT, FRONTLIT],
        share: 65,
        ..BOARD
    },
    Format {
        media_type: "Display",
        classification: PLACE_BASED,
        placements: &[SET_BACK],
        constructions: &["Interior Wall", "Interior Wall", "Freestanding", "Ceiling", "Elevator", "Column"],
        sizes: &[(48, 27), (24, 14), (68, 38), (27, 48)],
        loops: &[OF_FOUR, OF_EIGHT, OF_TEN],
        capabilities: Capabilities {
            audio: 300,
            full_motion: 600,
            partial_motion: 150,
            interactive: 80,
            ..DIGITAL
        },
        share: 43,
        ..DIGITAL_BOARD
    },
    Format {
        media_type: "Murals",
        placements: &[CURBSIDE, SET_BACK],
        constructions: &["Exterior Wall"],
        sizes: &[(480, 360), (360, 480), (720, 480), (240, 240)],
        lights: &[SUNLIT, FRONTLIT],
        share: 10,
        ..BOARD
    },
    Format {
        media_type: "Murals",
        placements: &[CURBSIDE, SET_BACK],
        constructions: &["Exterior Wall"],
        sizes: &[(360, 480), (540, 360)],
        loops: &[OF_FOUR, OF_EIGHT],
        capabilities: Capabilities { full_motion: 500, partial_motion: 200, ..DIGITAL },
        share: 2,
        ..DIGITAL_BOARD
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_sum_to_1000_including_120_for_digital_formats() {
        let sum = |digital| {
            let formats = FORMATS.iter().filter(|format| format.digital == digital);
            formats.map(|format| format.share).sum::<u32>()
        };
        assert_eq!([sum(false), sum(true)], [880, 120]);
    }

    #[test]
    fn media_types_have_static_and_digital_formats_and_constructions_have_ids() {
        for format in FORMATS {
            let other = |one: &&Format| one.media_type == format.media_type && one.digital != format.digital;
            assert!(FORMATS.iter().any(|one| other(&one)), "{}", format.media_type);
            assert!(format.constructions.iter().all(|name| construction_id(name).is_some()), "{format:?}");
            assert!(format.loops.iter().all(|one| one.seconds.is_some() == format.digital), "{format:?}");
        }
    }
}
