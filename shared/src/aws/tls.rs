//! TLS to AWS, and to whoever is signed under the same roots.

use aws_smithy_http_client::tls::{Provider, TlsContext, TrustStore, rustls_provider::CryptoMode};
use aws_smithy_runtime_api::client::http::{SharedHttpClient, SharedHttpConnector};

/// Makes the HTTP client of the SDK, which trusts AWS's own certificates alone.
pub fn https_client() -> SharedHttpClient {
    aws_smithy_http_client::Builder::new()
        .tls_provider(Provider::Rustls(CryptoMode::Ring))
        .tls_context(tls_context())
        .build_https()
}

/// Makes a connector for requests of our own, over the same TLS.
pub fn https_connector() -> SharedHttpConnector {
    let connector = aws_smithy_http_client::Connector::builder()
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
