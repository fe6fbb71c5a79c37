//! Cursors for paginated lists. They are opaque to callers and valid only for the list that issued them.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::digest::SHA256;

/// The first byte of every cursor, which identifies its layout.
const LAYOUT: u8 = 1;

const DIGEST_BYTES: usize = 8;

/// Returns the cursor for the page that follows an item. `last` identifies the item, and `list` identifies
/// the list, including its filters. The cursor contains a digest of `list`.
pub fn write_cursor(list: &str, last: &[u8]) -> String {
    let mut bytes = vec![LAYOUT];
    bytes.extend(digest(list));
    bytes.extend(last);
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Returns the last item from a cursor, or `None` if the cursor is malformed or was issued by another list.
pub fn read_cursor(list: &str, text: &str) -> Option<Vec<u8>> {
    let bytes = URL_SAFE_NO_PAD.decode(text).ok()?;
    Some(bytes.strip_prefix(&[LAYOUT])?.strip_prefix(&digest(list))?.to_vec())
}

fn digest(list: &str) -> [u8; DIGEST_BYTES] {
    let mut start = [0; DIGEST_BYTES];
    start.copy_from_slice(&ring::digest::digest(&SHA256, list.as_bytes()).as_ref()[..DIGEST_BYTES]);
    start
}
