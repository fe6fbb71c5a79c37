//! What an operator says of a file, and what the release says of it then.

use dataset::{Figures, Folder, Maturity, Provenance, RecordSource, Source};

/// What an operator says of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// Whose data it is, under what terms.
    pub source: String,
    /// The day that it describes, `YYYY-MM-DD`.
    pub vintage: String,
}

impl About {
    /// The source of files of which nobody says whose they are.
    pub const UNNAMED: &'static str = "loaded by the operator";

    /// Returns what each record of the file says of it.
    pub(crate) fn of_records(&self) -> RecordSource {
        RecordSource { name: self.source.clone(), vintage: self.vintage.clone() }
    }
}

/// Says where figures come from to which an operator's are added: from both, and of the later day.
pub(crate) fn joined(base: &Folder, figures: Figures, about: &About) -> (Figures, Provenance) {
    let About { source, vintage } = about.clone();
    let joined = match base.manifest().provenance(figures) {
        Ok(known) => {
            let is_named = known.source.split("; ").any(|one| one == source);
            Provenance {
                source: if is_named { known.source.clone() } else { format!("{}; {source}", known.source) },
                data_vintage: vintage.max(known.data_vintage.clone()),
                ..known.clone()
            }
        }
        Err(_) => Provenance {
            source,
            source_doc: String::new(),
            methodology_version: "as loaded".to_owned(),
            data_vintage: vintage,
            data_freshness: "on-demand".to_owned(),
            data_latency_days: None,
            data_maturity: Maturity::Production,
            known_gaps: Vec::new(),
        },
    };
    (figures, joined)
}

pub(crate) fn agreed(About { source, vintage }: &About) -> Source {
    Source {
        name: source.clone(),
        vintage: vintage.clone(),
        licence: "as agreed with the operator".to_owned(),
        attribution: String::new(),
        ids: None,
    }
}

/// Says where spots come from of which a model has filled in what an operator's file lacks.
pub(crate) fn modelled(base: &Folder, about: &About) -> (Figures, Provenance) {
    const FILLED_IN: &str = "what the source lacks is modelled";
    let (figures, mut provenance) = joined(base, Figures::Inventory, about);
    provenance.data_maturity = Maturity::SyntheticOnly;
    if !provenance.source.contains(FILLED_IN) {
        provenance.source = format!("{}; {FILLED_IN}", provenance.source);
    }
    (figures, provenance)
}
