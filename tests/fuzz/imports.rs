//! Targets for imported files: tables, JSON lines, GeoJSON, and column maps.

use std::fs;
use std::path::PathBuf;

use builder::build::{About, Import, Rejects, add_inventory, add_measures, add_places};
use builder::columns::{ColumnMap, Target};

use crate::choices::Choices;
use crate::release;

const EXTENSIONS: [&str; 6] = ["csv", "jsonl", "geojson", "tsv", "json", "csv.gz"];

pub(crate) fn prepare() {
    release::prepare();
}

/// A file that was created from an input, and the options for importing it.
struct Imported {
    folder: PathBuf,
    file: [PathBuf; 1],
    is_foreign: bool,
    map: Option<String>,
}

impl Imported {
    /// Reads the file's type, the options, and a column map from the input. The remaining bytes are the file.
    fn of(input: &[u8], among: &[&str]) -> Self {
        let mut choices = Choices::of(input);
        let (extension, options) = (choices.pick(among), choices.byte());
        let map = (options & 2 != 0).then(|| String::from_utf8_lossy(choices.run()).into_owned());
        let folder = release::new_folder("import");
        let file = folder.join(format!("input.{extension}"));
        fs::write(&file, choices.rest()).expect("the folder is writable");
        Self { folder, file: [file], is_foreign: options & 1 != 0, map }
    }

    fn columns(&self, targets: &'static [Target]) -> Option<ColumnMap> {
        ColumnMap::parse(self.map.as_ref()?, targets).ok()
    }

    /// Imports the file in a dry run, and ignores whether the import succeeds.
    fn read<T, E>(self, read: impl FnOnce(&Import<'_>, &mut Rejects) -> Result<T, E>) {
        let about = About { source: "Example".to_owned(), vintage: "2026-07-01".to_owned() };
        let import = Import {
            base: release::folder(),
            files: &self.file,
            about: &about,
            is_foreign: self.is_foreign,
            max_rejects: None,
            out: None,
            progress: &|_, _, _| {},
        };
        let mut rejects = Rejects::beside_sources();
        let outcome = read(&import, &mut rejects);
        rejects.finish(outcome.is_err()).expect("written");
        fs::remove_dir_all(&self.folder).expect("removed");
    }
}

pub(crate) fn places(input: &[u8]) {
    use builder::places::TARGETS;

    let imported = Imported::of(input, &EXTENSIONS);
    let map = imported.columns(&TARGETS).unwrap_or_else(|| ColumnMap::own_names(&TARGETS));
    imported.read(|import, rejects| add_places(import, &map, rejects));
}

pub(crate) fn measures(input: &[u8]) {
    Imported::of(input, &["jsonl"]).read(add_measures);
}

pub(crate) fn displays(input: &[u8]) {
    let imported = Imported::of(input, &EXTENSIONS);
    let map = imported.columns(&builder::displays::TARGETS);
    imported.read(|import, rejects| add_inventory(import, map.as_ref(), false, rejects));
}
