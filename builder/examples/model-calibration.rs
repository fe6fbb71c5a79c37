//! Compares the modelled visits in a release with brands' published averages and prints a Markdown table.
//! Usage: `model-calibration RELEASE`.

use std::error::Error;
use std::io::Write;
use std::path::Path;

use builder::sample::{Fit, calibration};
use dataset::Folder;

fn main() -> Result<(), Box<dyn Error>> {
    let release = std::env::args().nth(1).ok_or("name the folder of a release")?;
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data");
    let mut out = std::io::stdout().lock();
    writeln!(out, "| type | brand | standalone places | modelled mean | published | deviation |")?;
    writeln!(out, "|---|---|---:|---:|---:|---:|")?;
    for fit in calibration(&data, &Folder::open(Path::new(&release))?)? {
        writeln!(out, "{}", row(&fit))?;
    }
    Ok(())
}

fn row(fit: &Fit) -> String {
    let Fit { place_type, brand, places, mean, published } = fit;
    let (published, deviation) = match published {
        // Adding zero turns a negative zero into a positive one.
        Some(published) => {
            let percent = (1000.0 * (mean / published - 1.0)).round() / 10.0 + 0.0;
            (format!("{published:.0}"), format!("{percent:.1}%"))
        }
        None => (String::new(), String::new()),
    };
    format!("| {place_type} | {brand} | {places} | {mean:.0} | {published} | {deviation} |")
}
