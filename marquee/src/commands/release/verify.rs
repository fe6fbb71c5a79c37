//! `marquee release verify`.

use dataset::Part;

use super::location::ReleaseArg;
use crate::failure::Failure;
use crate::output::print_line;

/// Verifies the checksums of all of a release's files, and the references between them.
pub(super) async fn run(release: ReleaseArg) -> Result<(), Failure> {
    let verified = release.open(&Part::ALL).await?;
    dataset::check(&verified.folder).map_err(|error| release.unusable(error))?;
    let name = &verified.folder.manifest().name;
    print_line(format_args!("{name} is valid: all checksums and cross-references match"))?;
    Ok(())
}
