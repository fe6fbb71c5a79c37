//! Delivery signatures in the format of Standard Webhooks. See
//! <https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md>.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use ring::hmac;

/// Returns the value of `webhook-signature`: one signature for each key, separated by spaces.
pub(crate) fn signatures(id: &str, unix_seconds: i64, body: &str, keys: &[&[u8]]) -> String {
    let signed = format!("{id}.{unix_seconds}.{body}");
    let signature = |key: &&[u8]| {
        let tag = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), signed.as_bytes());
        format!("v1,{}", BASE64_STANDARD.encode(tag))
    };
    keys.iter().map(signature).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signature_matches_the_published_example() {
        let key = BASE64_STANDARD.decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").expect("Base64");
        let body = r#"{"test": 2432232314}"#;
        let id = "msg_p5jXN8AQM9LWM0D4loKWxJek";
        let expected = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
        assert_eq!(signatures(id, 1_614_265_330, body, &[&key]), expected);
        let both = signatures(id, 1_614_265_330, body, &[&[7; 32], &key]);
        assert_eq!(both.split(' ').nth(1), Some(expected));
    }
}
