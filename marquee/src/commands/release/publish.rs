//! `marquee release publish`.

use std::path::PathBuf;

use clap::Args;
use release_store::{Published, publish};

use super::location::BucketArgs;
use crate::failure::Failure;
use crate::output::print_line;
use crate::release::{LOCAL_RELEASE, ProgressBar, check, open};

/// The arguments of `marquee release publish`.
#[derive(Args, Debug)]
pub struct PublishArgs {
    /// The release's folder.
    #[arg(value_name = "DIR", default_value = LOCAL_RELEASE)]
    release: PathBuf,
    /// The name of the bucket; files are stored under the release's name.
    #[arg(long)]
    bucket: String,
    #[command(flatten)]
    connection: BucketArgs,
}

impl PublishArgs {
    pub(super) async fn run(self) -> Result<(), Failure> {
        let Self { release, bucket, connection } = self;
        let folder = open(&release)?;
        let bucket = connection.connect(&bucket).await?;
        check(&folder)?;
        let bar = ProgressBar::start();
        let published = publish(&bucket, &folder, &|step, done, all| bar.show(step, done, all)).await;
        drop(bar);
        let published = published?;
        let Published { location, uploaded, bytes, packed_bytes } = published;
        match uploaded.len() {
            0 => print_line(format_args!("{location} is already published; nothing was uploaded"))?,
            files => {
                let noun = if files == 1 { "file" } else { "files" };
                print_line(format_args!("published {location}: {files} {noun} and the manifest"))?;
                let [packed, unpacked] = [packed_bytes, bytes].map(|bytes| bytes as f64 / 1e6);
                print_line(format_args!("uploaded {packed:.1} MB, compressed from {unpacked:.1} MB"))?;
            }
        }
        print_line(format_args!("to deploy it, run `make deploy RELEASE={location}`"))?;
        Ok(())
    }
}
