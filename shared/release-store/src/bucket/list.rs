//! Lists a bucket's objects.

use http::Method;
use serde::Deserialize;

use super::client::{Bucket, FIRST_PAUSE};
use super::error::{BucketError, BucketFailure};

/// An object in a bucket.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(crate) struct ListedObject {
    pub(crate) key: String,
    /// When the object was written, as an RFC 3339 date-time.
    pub(crate) last_modified: String,
    /// The length in bytes.
    pub(crate) size: u64,
}

/// A page of the list of objects.
#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Page {
    #[serde(default)]
    contents: Vec<ListedObject>,
    /// The token for the next page. `None` on the last page.
    next_continuation_token: Option<String>,
}

impl Bucket {
    /// Returns all objects in the bucket, in ascending order by key. Returns an error if the bucket can't be
    /// listed.
    pub(crate) async fn objects(&self) -> Result<Vec<ListedObject>, BucketError> {
        let (mut objects, mut token) = (Vec::new(), None);
        loop {
            let page = self.retry("", FIRST_PAUSE, || self.page(token.as_deref())).await?;
            objects.extend(page.contents);
            token = page.next_continuation_token;
            if token.is_none() {
                return Ok(objects);
            }
        }
    }

    async fn page(&self, token: Option<&str>) -> Result<Page, BucketFailure> {
        let request = http::Request::builder().method(Method::GET).uri(self.address.of_list(token));
        let text = self.read_answer(request).await?;
        quick_xml::de::from_reader(text.as_slice())
            .map_err(|error| BucketFailure::InvalidList(error.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn page_of_s3_is_parsed() {
        let text = r#"<?xml version="1.0" encoding="UTF-8"?>
            <ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
              <Name>releases</Name><KeyCount>2</KeyCount><IsTruncated>true</IsTruncated>
              <NextContinuationToken>page+2/of=3</NextContinuationToken>
              <Contents><Key>us-1/manifest.json</Key><LastModified>2026-11-01T09:00:00.000Z</LastModified>
                <ETag>"70ee"</ETag><Size>3411</Size><StorageClass>STANDARD</StorageClass></Contents>
              <Contents><Key>us-1/a&amp;b</Key><LastModified>2026-11-01T09:00:00.000Z</LastModified>
                <Size>0</Size></Contents>
            </ListBucketResult>"#;
        let Page { contents, next_continuation_token } = quick_xml::de::from_str(text).expect("a page");
        let keys: Vec<_> = contents.iter().map(|object| (object.key.as_str(), object.size)).collect();
        assert_eq!(keys, [("us-1/manifest.json", 3411), ("us-1/a&b", 0)]);
        assert_eq!(contents[0].last_modified, "2026-11-01T09:00:00.000Z");
        let token = "page+2/of=3";
        assert_eq!(next_continuation_token.as_deref(), Some(token));
        let empty: Page = quick_xml::de::from_str("<ListBucketResult/>").expect("a page");
        assert!(empty.contents.is_empty() && empty.next_continuation_token.is_none());
    }
}
