//! `marquee release publish`.

use std::path::PathBuf;

use clap::Args;
use release_store::{Bucket, BucketConnection, publish};

use super::error::ReleaseCommandError;
use crate::commands::cloud::cloud;
use crate::output::print_line;
use crate::release::{LOCAL_RELEASE, ProgressBar, check, open};

/// What a publication is told.
#[derive(Args, Debug)]
pub struct PublishArgs {
    /// The release's folder.
    #[arg(value_name = "DIR", default_value = LOCAL_RELEASE)]
    release: PathBuf,
    /// The bucket; a release's files are under its name.
    #[arg(long)]
    bucket: String,
    /// The address of a local stand-in for S3.
    #[arg(long, value_name = "URL", env = "S3_ENDPOINT")]
    endpoint: Option<String>,
}

impl PublishArgs {
    pub(super) async fn run(self) -> Result<(), ReleaseCommandError> {
        let Self { release, bucket, endpoint } = self;
        let folder = open(&release)?;
        let endpoint = endpoint.filter(|endpoint| !endpoint.is_empty());
        let cloud = if endpoint.is_some() { None } else { Some(cloud().await?) };
        let connection = BucketConnection { endpoint, cloud, ..BucketConnection::default() };
        let bucket = Bucket::connect(&connection, &bucket);
        check(&folder)?;
        let bar = ProgressBar::start();
        let published = publish(&bucket, &folder, &|step, done, all| bar.show(step, done, all)).await;
        drop(bar);
        let published = published?;
        match published.uploaded.len() {
            0 => print_line(format_args!("{} is there already; nothing was uploaded", published.location))?,
            files => print_line(format_args!(
                "{} is uploaded, {files} files and the manifest",
                published.location
            ))?,
        }
        print_line(format_args!("`make deploy RELEASE={}` switches a stack over to it", published.location))?;
        Ok(())
    }
}
