//! The URLs of a bucket and its objects.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The characters to escape in paths: all except letters, digits, `-`, `.`, `_`, `~`, and `/`. Signatures
/// depend on this set.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// A bucket's URL. An object's URL consists of this URL, a slash, and the object's key.
#[derive(Clone, Debug)]
pub(super) struct BucketAddress(String);

impl BucketAddress {
    /// Creates a bucket's URL in an AWS region or, with an `endpoint`, on a local stand-in for S3.
    ///
    /// On AWS, the bucket's name is part of the host name, as S3 recommends. A name with dots goes into the
    /// path instead, because S3's wildcard certificate covers only one label.
    pub(super) fn new(bucket: &str, endpoint: Option<&str>, region: &str) -> Self {
        let in_path = utf8_percent_encode(bucket, ESCAPED);
        if let Some(endpoint) = endpoint {
            return Self(format!("{}/{in_path}", endpoint.trim_end_matches('/')));
        }
        let suffix = if region.starts_with("cn-") { "amazonaws.com.cn" } else { "amazonaws.com" };
        if is_label(bucket) {
            Self(format!("https://{bucket}.s3.{region}.{suffix}"))
        } else {
            Self(format!("https://s3.{region}.{suffix}/{in_path}"))
        }
    }

    pub(super) fn of(&self, key: &str) -> String {
        format!("{}/{}", self.0, utf8_percent_encode(key, ESCAPED))
    }

    /// Returns the URL that lists a page of objects. `token` is the continuation token from the previous
    /// page.
    pub(super) fn of_list(&self, token: Option<&str>) -> String {
        let token = token.map(|token| utf8_percent_encode(token, NON_ALPHANUMERIC));
        let after = token.map(|token| format!("&continuation-token={token}")).unwrap_or_default();
        format!("{}/?list-type=2{after}", self.0)
    }
}

fn is_label(bucket: &str) -> bool {
    bucket.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn object_urls_follow_the_forms_of_s3() {
        let cases = [
            (
                "releases",
                None,
                "us-east-1",
                "https://releases.s3.us-east-1.amazonaws.com/us-2026/manifest.json",
            ),
            (
                "our.releases",
                None,
                "eu-west-1",
                "https://s3.eu-west-1.amazonaws.com/our.releases/us-2026/manifest.json",
            ),
            (
                "releases",
                None,
                "cn-north-1",
                "https://releases.s3.cn-north-1.amazonaws.com.cn/us-2026/manifest.json",
            ),
            (
                "evil.example/x",
                None,
                "us-east-1",
                "https://s3.us-east-1.amazonaws.com/evil.example/x/us-2026/manifest.json",
            ),
            (
                "releases",
                Some("http://127.0.0.1:9000/"),
                "local",
                "http://127.0.0.1:9000/releases/us-2026/manifest.json",
            ),
        ];
        for (bucket, endpoint, region, url) in cases {
            assert_eq!(BucketAddress::new(bucket, endpoint, region).of("us-2026/manifest.json"), url);
        }
        let list = BucketAddress::new("our.releases", None, "eu-west-1").of_list(Some("a+b/c="));
        assert_eq!(
            list,
            "https://s3.eu-west-1.amazonaws.com/our.releases/?list-type=2&continuation-token=a%2Bb%2Fc%3D"
        );
        let odd = BucketAddress::new("releases", None, "us-east-1").of("a b/ü?#%");
        assert_eq!(odd, "https://releases.s3.us-east-1.amazonaws.com/a%20b/%C3%BC%3F%23%25");
    }
}
