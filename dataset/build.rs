//! Turns the tables of `data/geographies` into the catalogue that the library embeds.
//!
//! The catalogue is a sequence of lists, one per type of geography: the type's four characters, the
//! number of codes, then the codes in ascending order. All numbers are 32-bit and little-endian. Each
//! list names its own type, so the library relies on no order of them.

use std::env;
use std::error::Error;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;

const TABLES: &str = "../data/geographies";

/// The rows of a table that are geographies of one type.
struct Source {
    geography_type: &'static [u8; 4],
    table: &'static str,
    column: &'static str,
    digits: usize,
    /// Only the rows of this kind, where the table holds several.
    kind: Option<&'static str>,
}

#[rustfmt::skip]
const SOURCES: [Source; 6] = [
    Source { geography_type: b"XXST", table: "states.csv", column: "state_fips", digits: 2, kind: None },
    Source { geography_type: b"STCO", table: "counties.csv.gz", column: "county_fips", digits: 5, kind: None },
    Source { geography_type: b"XDMA", table: "dmas.csv", column: "dma_code", digits: 3, kind: None },
    Source { geography_type: b"XMSA", table: "cbsas.csv", column: "cbsa_code", digits: 5, kind: Some("metropolitan") },
    Source { geography_type: b"MCRO", table: "cbsas.csv", column: "cbsa_code", digits: 5, kind: Some("micropolitan") },
    Source { geography_type: b"ZCTA", table: "zips.csv.gz", column: "zip", digits: 5, kind: None },
];

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={TABLES}");

    let mut catalogue = Vec::new();
    // The nation is in no table; its national id is `US` in place of a number.
    append(&mut catalogue, b"NATN", &[0])?;
    for source in &SOURCES {
        let codes = codes(source).map_err(|error| format!("{}: {error}", source.table))?;
        append(&mut catalogue, source.geography_type, &codes)?;
    }

    let out_dir = PathBuf::from(env::var("OUT_DIR")?);
    fs::write(out_dir.join("geographies.catalogue"), catalogue)?;
    Ok(())
}

/// Adds one list.
fn append(catalogue: &mut Vec<u8>, geography_type: &[u8; 4], codes: &[u32]) -> Result<(), Box<dyn Error>> {
    catalogue.extend_from_slice(geography_type);
    catalogue.extend_from_slice(&u32::try_from(codes.len())?.to_le_bytes());
    catalogue.extend(codes.iter().flat_map(|code| code.to_le_bytes()));
    Ok(())
}

/// The codes of a source, ascending. A row that cannot be right stops the build.
fn codes(source: &Source) -> Result<Vec<u32>, Box<dyn Error>> {
    let mut reader = csv::Reader::from_reader(open(&Path::new(TABLES).join(source.table))?);
    let headers = reader.headers()?.clone();
    let position = |name: &str| {
        let found = headers.iter().position(|header| header == name);
        found.ok_or_else(|| format!("no column {name}"))
    };
    let code_at = position(source.column)?;
    let kind_at = source.kind.map(|_| position("kind")).transpose()?;

    let mut codes = Vec::new();
    for row in reader.records() {
        let row = row?;
        let kind = kind_at.map(|at| &row[at]);
        let code = &row[code_at];
        if let Some(kind) = kind
            && !SOURCES.iter().any(|other| other.table == source.table && other.kind == Some(kind))
        {
            return Err(format!("{code} is of unknown kind {kind:?}").into());
        }
        if kind != source.kind {
            continue;
        }
        if code.len() != source.digits || !code.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(format!("{} {code:?} is not {} digits", source.column, source.digits).into());
        }
        codes.push(code.parse()?);
    }
    codes.sort_unstable();
    match codes.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("{} {} occurs twice", source.column, pair[0]).into()),
        None => Ok(codes),
    }
}

fn open(path: &Path) -> Result<Box<dyn Read>, Box<dyn Error>> {
    let file = File::open(path)?;
    let compressed = path.extension().is_some_and(|extension| extension == "gz");
    Ok(if compressed { Box::new(GzDecoder::new(file)) } else { Box::new(file) })
}
