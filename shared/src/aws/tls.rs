//! TLS to AWS, and to whoever is signed under the same roots.

use std::time::Duration;

use aws_smithy_http_client::tls::{Provider, TlsContext, TrustStore, rustls_provider::CryptoMode};
use aws_smithy_runtime_api::client::http::{HttpConnectorSettings, SharedHttpClient, SharedHttpConnector};

/// Makes the HTTP client of the SDK, which trusts AWS's own certificates alone.
pub fn https_client() -> SharedHttpClient {
    aws_smithy_http_client::Builder::new()
        .tls_provider(Provider::Rustls(CryptoMode::Ring))
        .tls_context(tls_context())
        .build_https()
}

/// Makes a connector for requests of our own, over the same TLS, which gives up a connection that is not made
/// in time.
pub fn https_connector(connect_timeout: Duration) -> SharedHttpConnector {
    let settings = HttpConnectorSettings::builder().connect_timeout(connect_timeout).build();
    let connector = aws_smithy_http_client::Connector::builder()
        .connector_settings(settings)
        .tls_provider(Provider::Rustls(CryptoMode::Ring))
        .tls_context(tls_context())
        .build();
    SharedHttpConnector::new(connector)
}

/// Trusts the five roots that AWS services are signed under.
///
/// Reading them from the binary spares a cold start the parsing of a system's whole certificate store.
fn tls_context() -> TlsContext {
    let roots = TrustStore::empty().with_pem_certificate(include_bytes!("amazon_roots.pem"));
    TlsContext::builder().with_trust_store(roots).build().expect("the bundled certificates are readable")
}
