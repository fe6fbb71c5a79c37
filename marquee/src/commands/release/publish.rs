//! `marquee release publish`.

use std::path::PathBuf;

use clap::Args;
use release_store::{Bucket, BucketConnection, Published, ReleaseLocation, publish};

use super::error::ReleaseCommandError;
use crate::commands::cloud::cloud;
use crate::output::print_line;
use crate::release::{LOCAL_RELEASE, ProgressBar, check, open};

/// The other parameters of template.yaml, which an update leaves as they are.
const KEPT: [&str; 20] = [
    "Architecture",
    "TablePrefix",
    "DocsUrl",
    "PortalOrigins",
    "PortalUrl",
    "SupportUrl",
    "PurchaseNames",
    "PublicUrl",
    "SelfSignUp",
    "SignUpsPerDay",
    "LogRetentionDays",
    "AlarmEmail",
    "MeasurementConcurrency",
    "OidcIssuer",
    "OidcAudience",
    "OidcJwksUrl",
    "SignInUrl",
    "SignInDomain",
    "MailFrom",
    "MailIdentity",
];

/// What a publication is told.
#[derive(Args, Debug)]
pub struct PublishArgs {
    /// The release's folder.
    #[arg(value_name = "DIR", default_value = LOCAL_RELEASE)]
    release: PathBuf,
    /// The bucket; a release's files are under its name.
    #[arg(long)]
    bucket: String,
    /// The stack whose functions are to open the release.
    #[arg(long, value_name = "NAME", default_value = "marquee")]
    stack: String,
    /// The address of a local stand-in for S3.
    #[arg(long, value_name = "URL", env = "S3_ENDPOINT")]
    endpoint: Option<String>,
}

impl PublishArgs {
    pub(super) async fn run(self) -> Result<(), ReleaseCommandError> {
        let Self { release, bucket, stack, endpoint } = self;
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
        let Published { location, uploaded, bytes, packed_bytes } = published;
        match uploaded.len() {
            0 => print_line(format_args!("{location} is there already; nothing was uploaded"))?,
            files => {
                print_line(format_args!("{location} is uploaded, {files} files and the manifest"))?;
                let [packed, unpacked] = [packed_bytes, bytes].map(|bytes| bytes as f64 / 1e6);
                print_line(format_args!("{packed:.1} MB were uploaded, packed from {unpacked:.1} MB"))?;
            }
        }
        let update = update_stack(&stack, &location);
        print_line(format_args!("\nThis switches the functions over to it:\n\n  {update}"))?;
        print_line("\nWrite it into samconfig.toml too, as Release: `make deploy` takes it from there.")?;
        Ok(())
    }
}

/// Returns the one command after which all functions of a stack open a release.
pub fn update_stack(stack: &str, location: &ReleaseLocation) -> String {
    let location = location.to_string();
    let release = location.trim_start_matches("s3://");
    let kept: String =
        KEPT.iter().map(|name| format!(" ParameterKey={name},UsePreviousValue=true")).collect();
    format!(
        "aws cloudformation update-stack --stack-name {stack} --use-previous-template \
         --capabilities CAPABILITY_IAM CAPABILITY_AUTO_EXPAND \
         --parameters ParameterKey=Release,ParameterValue={release}{kept}"
    )
}
