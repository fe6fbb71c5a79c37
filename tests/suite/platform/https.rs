//! The HTTP client against faulty servers. Both the AWS SDK and the service's own requests use it.

use std::time::Duration;

use aws::https_connector;
use aws_smithy_runtime_api::client::http::HttpConnector;
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::body::SdkBody;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

#[derive(Clone, Copy, Debug)]
enum Server {
    Answers,
    ClosesAtOnce,
    NeverSpeaks,
}

impl Server {
    async fn start(self) -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let port = listener.local_addr().expect("an address").port();
        tokio::spawn(async move {
            let mut kept = Vec::new();
            while let Ok((connection, _)) = listener.accept().await {
                match self {
                    Self::Answers => answer(connection).await,
                    Self::ClosesAtOnce => drop(connection),
                    Self::NeverSpeaks => kept.push(connection),
                }
            }
        });
        port
    }
}

async fn answer(mut connection: TcpStream) {
    let mut request = [0; 4096];
    let length = connection.read(&mut request).await.expect("a request");
    assert!(request[..length].starts_with(b"GET /path?a=b HTTP/1.1\r\n"));
    connection.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi").await.expect("written");
}

async fn get(scheme: &str, port: u16, timeout: Duration) -> Result<SdkBody, ConnectorError> {
    let request = HttpRequest::get(format!("{scheme}://127.0.0.1:{port}/path?a=b")).expect("an address");
    https_connector(timeout).call(request).await.map(|answer| answer.into_body())
}

const TIME_LIMIT: Duration = Duration::from_secs(20);

#[tokio::test]
async fn http_endpoints_are_called_without_tls() {
    let body = get("http", Server::Answers.start().await, TIME_LIMIT).await.expect("an answer");
    let bytes = http_body_util::BodyExt::collect(body).await.expect("a body").to_bytes();
    assert_eq!(&bytes[..], b"hi");
}

#[tokio::test]
async fn connection_timeouts_differ_from_broken_connections() {
    let free =
        TcpListener::bind("127.0.0.1:0").await.expect("a port").local_addr().expect("an address").port();
    let silent = get("https", Server::NeverSpeaks.start().await, Duration::from_millis(50)).await;
    let silent = silent.expect_err("the TLS handshake times out");
    assert!(silent.is_timeout(), "{silent:?}");
    for (scheme, port) in [("https", Server::ClosesAtOnce.start().await), ("http", free), ("https", free)] {
        let error = get(scheme, port, TIME_LIMIT).await.expect_err("no connection");
        assert!(error.is_io(), "{scheme}: {error:?}");
    }
}
