//! `marquee release diff`.

use builder::diff::{Kind, compare};
use clap::Args;
use dataset::Part;
use release_store::ReleaseLocation;

use super::location::BucketArgs;
use crate::failure::Failure;
use crate::output::print_line;
use crate::release::ProgressBar;

/// The parts to compare.
const PARTS: [Part; 5] = [Part::Geographies, Part::Population, Part::Inventory, Part::Places, Part::Measures];

/// The arguments of `marquee release diff`.
#[derive(Args, Debug)]
pub struct DiffArgs {
    /// The old release: a folder, or s3://BUCKET/NAME.
    #[arg(value_name = "OLD")]
    old: ReleaseLocation,
    /// The new release: a folder, or s3://BUCKET/NAME.
    #[arg(value_name = "NEW")]
    new: ReleaseLocation,
    /// Also list every record that was added (+), changed (~), or removed (-).
    #[arg(long)]
    details: bool,
    #[command(flatten)]
    bucket: BucketArgs,
}

impl DiffArgs {
    pub(super) async fn run(self) -> Result<(), Failure> {
        let Self { old, new, details, bucket } = self;
        let (old, new) = (bucket.open(&old, &PARTS).await?, bucket.open(&new, &PARTS).await?);
        let bar = ProgressBar::start();
        let difference =
            compare(&old.folder, &new.folder, details, &|step, done, all| bar.show(step, done, all));
        drop(bar);
        let difference = difference?;
        print_line(&difference)?;
        for kind in Kind::ALL {
            let mut rows = difference.rows().iter().filter(|row| row.kind == kind).peekable();
            if rows.peek().is_some() {
                print_line(format_args!("\n{}", kind.name()))?;
            }
            rows.try_for_each(print_line)?;
        }
        Ok(())
    }
}
