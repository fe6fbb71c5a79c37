//! The locations of releases in environment variables and command-line arguments.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use thiserror::Error;

const FORM: &str =
    "must be a folder, or `s3://` followed by a bucket and a release name, such as `s3://releases/2026-07`";

/// The location of a data release.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReleaseLocation {
    /// A bucket and the release's name in it.
    Bucket {
        bucket: String,
        name: String,
    },
    Folder(PathBuf),
}

/// The reason that a string isn't a valid location.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{FORM}; {0}")]
pub struct InvalidLocation(String);

impl FromStr for ReleaseLocation {
    type Err = InvalidLocation;

    fn from_str(text: &str) -> Result<Self, InvalidLocation> {
        let invalid = |why: String| Err(InvalidLocation(why));
        if text.is_empty() {
            return invalid("it is empty".to_owned());
        }
        let Some((scheme, place)) = text.split_once("://") else {
            return Ok(Self::Folder(text.into()));
        };
        if scheme != "s3" {
            return invalid(format!("`{scheme}://` is not supported"));
        }
        let (bucket, name) = place.split_once('/').unwrap_or((place, ""));
        let name = name.strip_suffix('/').unwrap_or(name);
        for (what, name) in [("bucket", bucket), ("release", name)] {
            if name.is_empty() {
                return invalid(format!("`{text}` does not name a {what}"));
            }
            if !is_name(name) {
                return invalid(format!(
                    "{what} name `{name}` may contain only letters, digits, `-`, `_`, and `.`"
                ));
            }
        }
        Ok(Self::Bucket { bucket: bucket.to_owned(), name: name.to_owned() })
    }
}

impl fmt::Display for ReleaseLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bucket { bucket, name } => write!(f, "s3://{bucket}/{name}"),
            Self::Folder(path) => write!(f, "{}", path.display()),
        }
    }
}

/// Returns whether a string is a valid bucket or release name. A valid name can't lead to another folder.
fn is_name(text: &str) -> bool {
    let allowed = |character: char| character.is_ascii_alphanumeric() || ['-', '_', '.'].contains(&character);
    !text.starts_with('.') && text.chars().all(allowed)
}

#[cfg(test)]
mod tests {
    use crate::*;

    #[test]
    fn location_is_a_folder_or_a_name_in_a_bucket() {
        let in_bucket =
            ReleaseLocation::Bucket { bucket: "releases".to_owned(), name: "us-2026.07-0a1b".to_owned() };
        assert_eq!("s3://releases/us-2026.07-0a1b".parse(), Ok(in_bucket.clone()));
        assert_eq!("s3://releases/us-2026.07-0a1b/".parse(), Ok(in_bucket.clone()));
        assert_eq!(in_bucket.to_string().parse(), Ok(in_bucket));
        for folder in ["/srv/release", ".local/release", "release"] {
            assert_eq!(folder.parse(), Ok(ReleaseLocation::Folder(folder.into())));
        }
    }

    #[test]
    fn invalid_location_error_names_the_problem() {
        let cases = [
            ("", "empty"),
            ("s3://", "does not name a bucket"),
            ("s3:///name", "does not name a bucket"),
            ("s3://releases", "does not name a release"),
            ("s3://releases/", "does not name a release"),
            ("s3://releases/a/b", "release name `a/b`"),
            ("s3://releases/..", "release name `..`"),
            ("s3://rel eases/a", "bucket name `rel eases`"),
            ("https://releases.example/a", "`https://` is not supported"),
        ];
        for (text, says) in cases {
            let error = text.parse::<ReleaseLocation>().expect_err(text).to_string();
            assert!(error.starts_with("must be") && error.contains(says), "{text}: {error}");
        }
    }
}
