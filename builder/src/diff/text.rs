//! Formats differences as text, with one fact per line.

use std::fmt::{self, Display, Formatter};

use super::difference::{Change, Difference, Kind, Row, SourceDifference};

impl Display for Difference {
    /// Formats the counts, without the rows and without a trailing line break.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("no differences");
        }
        let mut lines = Vec::new();
        for kind in Kind::ALL {
            let sources: Vec<_> = self.by_source().filter(|source| source.kind == kind).collect();
            if !sources.is_empty() {
                lines.push(total(kind, &sources));
                sources.iter().for_each(|source| source.push_lines(&mut lines));
            }
        }
        for (differs, line) in [
            (self.geographies_differ, "geographies differ"),
            (self.population_differs, "cohort populations differ"),
        ] {
            lines.extend(differs.then(|| line.to_owned()));
        }
        f.write_str(&lines.join("\n"))
    }
}

impl Display for SourceDifference {
    /// Formats the source's name, followed by its namespace if it has one.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        if self.key == self.name {
            return f.write_str(&self.name);
        }
        write!(f, "{} ({})", self.name, self.key)
    }
}

impl Display for Row {
    /// Formats an added or removed record with its name, and a changed record with its members.
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match &self.change {
            Change::Added => f.write_str(format!("+ {} {}", self.id, self.name).trim_end()),
            Change::Removed => f.write_str(format!("- {} {}", self.id, self.name).trim_end()),
            Change::Changed { members, moved_km } => {
                let member = |member: &&str| match moved_km {
                    Some(distance) if is_position(member) => format!("{member} ({distance:.1} km)"),
                    _ => (*member).to_owned(),
                };
                write!(f, "~ {} {}", self.id, members.iter().map(member).collect::<Vec<_>>().join(", "))
            }
        }
    }
}

impl SourceDifference {
    fn push_lines(&self, lines: &mut Vec<String>) {
        let Self { before, after, added, changed, removed, moved, new_vintage, .. } = self;
        lines.push(format!(
            "  {self}: {added} added, {changed} changed, {removed} removed; {before} before, {after} after"
        ));
        if *moved > 0 {
            lines.push(format!("    {moved} moved by more than 1 km"));
        }
        lines.extend(self.members.iter().map(|(member, records)| format!("    {member}: {records} changed")));
        if *new_vintage > 0 {
            lines.push(format!("    {new_vintage} unchanged, except for a new vintage"));
        }
    }
}

fn total(kind: Kind, sources: &[&SourceDifference]) -> String {
    let sum = |count: fn(&SourceDifference) -> u64| sources.iter().map(|source| count(source)).sum::<u64>();
    let (added, changed, removed) =
        (sum(|source| source.added), sum(|source| source.changed), sum(|source| source.removed));
    let noun = kind.name();
    let noun = if added == 1 { noun.strip_suffix('s').unwrap_or(noun) } else { noun };
    format!("{added} {noun} added, {changed} changed, {removed} removed")
}

/// Returns whether a member is the position of a display or place.
fn is_position(member: &str) -> bool {
    ["location", "location.geometry"].contains(&member)
}
