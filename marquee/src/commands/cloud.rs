//! Finds the administrator's AWS region and credentials in the same way as the AWS command line.

use std::error::Error;

use aws::https_client;
use aws_config::{BehaviorVersion, SdkConfig};

/// The reason that AWS can't be called.
#[derive(Debug, thiserror::Error)]
pub(super) enum CloudError {
    #[error("no AWS region was found; set AWS_REGION, or set AWS_PROFILE to a profile with a region")]
    NoRegion,
    #[error(
        "no AWS credentials were found ({}); set AWS_PROFILE to a profile with keys or a role; for any other \
         profile, set the variables that `aws configure export-credentials --format env` prints",
        root_cause(source.as_ref())
    )]
    NoCredentials { source: Box<dyn Error + Send + Sync> },
}

/// Loads the region and credentials from environment variables or a profile.
pub(super) async fn cloud() -> Result<SdkConfig, CloudError> {
    let found = aws_config::defaults(BehaviorVersion::latest()).http_client(https_client()).load().await;
    if found.region().is_none() {
        return Err(CloudError::NoRegion);
    }
    // Check the credentials first, because the error would otherwise only say that a request couldn't be
    // built.
    let no_credentials = |source| CloudError::NoCredentials { source };
    let provider =
        found.credentials_provider().ok_or_else(|| no_credentials("no provider is configured".into()))?;
    provider.as_ref().provide_credentials().await.map_err(|error| no_credentials(error.into()))?;
    Ok(found)
}

/// Returns the message of an error's innermost cause, because the SDK's outermost message names only the
/// failed step.
fn root_cause(error: &(dyn Error + 'static)) -> String {
    let mut cause = error;
    while let Some(source) = cause.source() {
        cause = source;
    }
    cause.to_string()
}
