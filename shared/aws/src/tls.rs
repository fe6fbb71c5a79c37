//! TLS to AWS, and to whoever is signed under the same roots.

use std::sync::Arc;

use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

/// Trusts the five roots that AWS services are signed under.
///
/// Reading them from the binary spares a cold start the parsing of a system's whole certificate store.
pub(super) fn tls_config() -> ClientConfig {
    let mut roots = RootCertStore::empty();
    for root in CertificateDer::pem_slice_iter(include_bytes!("amazon_roots.pem")) {
        roots.add(root.expect("a bundled certificate")).expect("a bundled certificate is readable");
    }
    ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring has what TLS 1.2 and 1.3 need")
        .with_root_certificates(roots)
        .with_no_client_auth()
}
