use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicUsize, Ordering};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;

const PUBLIC: IpAddr = IpAddr::V4(Ipv4Addr::new(192, 31, 195, 1));
const PRIVATE: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

async fn send(sender: &Sender, url: &str) -> Result<StatusCode, SendError> {
    let url = url.parse().expect("a URL");
    sender.send(&url, "msg_1", 1_795_165_230, &[&[7; 32]], "{}".to_owned()).await
}

/// Returns a sender whose successive lookups return `answers`, and a counter of the lookups.
fn rebinding(answers: &'static [&'static [IpAddr]]) -> (Sender, Arc<AtomicUsize>) {
    let lookups = Arc::new(AtomicUsize::new(0));
    let counted = lookups.clone();
    let look_up =
        move |_: &str| answers[counted.fetch_add(1, Ordering::Relaxed).min(answers.len() - 1)].to_vec();
    (Sender::new(Destinations::Public(Lookup::Function(Arc::new(look_up)))), lookups)
}

#[tokio::test]
async fn address_is_looked_up_and_checked_for_each_connection() {
    // The name first resolves to a public address and then to a private one.
    let (sender, lookups) = rebinding(&[&[PUBLIC], &[PRIVATE]]);
    let name: Name = "hooks.example.com".parse().expect("a name");
    let mut lookup = CheckedLookup(sender.destinations.clone());
    let checked: Vec<_> =
        lookup.call(name).await.expect("a public address").map(|found| found.ip()).collect();
    assert_eq!(checked, [PUBLIC]);
    let refused = send(&sender, "https://hooks.example.com/").await.expect_err("a refusal");
    assert_eq!(
        refused.to_string(),
        "the host name \"hooks.example.com\" resolves to an address that isn't public"
    );
    assert_eq!(lookups.load(Ordering::Relaxed), 2);
}

#[tokio::test]
async fn name_with_any_address_that_is_not_public_is_refused() {
    let (sender, _) = rebinding(&[&[PUBLIC, PRIVATE]]);
    let refused = send(&sender, "https://hooks.example.com/").await.expect_err("a refusal");
    assert!(matches!(refused, SendError::NotPublic(_)), "{refused}");
    let (sender, _) = rebinding(&[&[]]);
    let refused = send(&sender, "https://hooks.example.com/").await.expect_err("a refusal");
    assert_eq!(refused.to_string(), "cannot resolve the host name \"hooks.example.com\"");
}

#[tokio::test]
async fn urls_that_could_reach_other_servers_are_refused() {
    let (public, _) = rebinding(&[&[PUBLIC]]);
    for url in [
        "http://hooks.example.com/",
        "http://127.0.0.1/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://8.8.8.8/",
        "https://hooks.example.com:8443/",
        "https://hooks.example.com:99999/",
        "https://user@hooks.example.com/",
    ] {
        assert!(matches!(send(&public, url).await, Err(SendError::Url)), "{url}");
    }
    let system = Sender::new(Destinations::Public(Lookup::System));
    let refused = send(&system, "https://localhost/").await.expect_err("a refusal");
    assert!(matches!(refused, SendError::NotPublic(_)), "{refused}");
    let local = Sender::new(Destinations::Local);
    for url in [
        "http://hooks.example.com/",
        "http://10.0.0.1/",
        "http://user@localhost/",
        "https://127.0.0.1/",
        "https://localhost/",
    ] {
        assert!(matches!(send(&local, url).await, Err(SendError::Url)), "{url}");
    }
}

/// Starts a local server that reads one request and then sends `answer`, or doesn't respond if it's `None`.
/// Returns the server's URL and a task that returns the request.
async fn server(answer: Option<&'static str>) -> (String, tokio::task::JoinHandle<String>) {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let url = format!("http://{}/hook", listener.local_addr().expect("an address"));
    let serving = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        let mut request = vec![0; 4096];
        let mut length = 0;
        while !request[..length].ends_with(b"{}") {
            length += stream.read(&mut request[length..]).await.expect("bytes");
        }
        match answer {
            Some(answer) => stream.write_all(answer.as_bytes()).await.expect("written"),
            None => std::future::pending().await,
        }
        String::from_utf8_lossy(&request[..length]).into_owned()
    });
    (url, serving)
}

#[tokio::test]
async fn redirect_is_a_result_and_is_not_followed() {
    let redirect =
        "HTTP/1.1 307 Temporary Redirect\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 0\r\n\r\n";
    let (url, serving) = server(Some(redirect)).await;
    let sent = send(&Sender::new(Destinations::Local), &url).await.expect("a response");
    assert_eq!(sent, StatusCode::TEMPORARY_REDIRECT);
    let request = serving.await.expect("no panic");
    assert!(request.starts_with("POST /hook HTTP/1.1\r\n"), "{request}");
    let signature = format!("webhook-signature: {}", signatures("msg_1", 1_795_165_230, "{}", &[&[7; 32]]));
    for header in [
        "content-type: application/json",
        "user-agent: Marquee-Webhooks",
        "webhook-id: msg_1",
        "webhook-timestamp: 1795165230",
        &signature,
    ] {
        assert!(request.contains(&format!("\r\n{header}\r\n")), "{header}: {request}");
    }
}

#[tokio::test]
async fn receiver_has_limited_time_and_must_speak_http() {
    let (url, _serving) = server(None).await;
    let mut local = Sender::new(Destinations::Local);
    local.time_limit = Duration::from_millis(200);
    let slow = send(&local, &url).await.expect_err("no response");
    assert_eq!(slow.to_string(), "no response within 10 seconds");
    let (url, _serving) = server(Some("SSH-2.0-OpenSSH_9.6\r\n")).await;
    let other = send(&local, &url).await.expect_err("another protocol");
    assert!(matches!(other, SendError::NoResponse(_)), "{other}");
    let closed = send(&local, "http://127.0.0.1:1/").await.expect_err("no server");
    assert!(closed.to_string().starts_with("cannot connect: "), "{closed}");
}

#[tokio::test]
async fn failed_response_is_described_without_its_content() {
    for answer in [
        "HTTP/1.1 CONTENT\r\n\r\n",
        "CONTENT\r\n\r\n",
        "HTTP/1.1 200 OK\r\nCON TENT: 1\r\n\r\n",
        "HTTP/1.1 200 OK\r\ncontent-length: CONTENT\r\n\r\n",
        "HTTP/2.0 200 CONTENT\r\n\r\n",
        "HTTP/1.1 200 OK\r\nCONTENT",
    ] {
        let (url, _serving) = server(Some(answer)).await;
        let failed = send(&Sender::new(Destinations::Local), &url).await.expect_err("an invalid response");
        assert!(matches!(failed, SendError::NoResponse(_)), "{failed}");
        assert!(!failed.to_string().contains("TENT"), "{failed}");
    }
}

#[tokio::test]
async fn server_without_tls_is_a_failed_connection() {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.expect("a port");
    let url = format!("https://{}/", listener.local_addr().expect("an address"));
    tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.expect("written");
        std::future::pending::<()>().await;
    });
    // `send` refuses this address, so the client is called directly.
    let request = Request::post(url).body(Full::default()).expect("a request");
    let failed = Sender::new(Destinations::Local).client.request(request).await.expect_err("no TLS");
    assert!(matches!(SendError::of(&failed), SendError::NotConnected(_)));
}
