//! TLS configurations for AWS and for other servers.

use std::sync::Arc;

use rustls::crypto::ring;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use rustls::{ClientConfig, RootCertStore};

/// Creates a configuration that trusts only the five root certificates for AWS services.
///
/// The binary contains these certificates, so a cold start doesn't have to parse the system's whole
/// certificate store.
pub(super) fn aws_tls_config() -> ClientConfig {
    let roots = CertificateDer::pem_slice_iter(include_bytes!("amazon_roots.pem"))
        .map(|root| root.expect("bundled certificates are valid PEM"));
    let mut trusted = RootCertStore::empty();
    trusted.add_parsable_certificates(roots);
    tls_config(trusted)
}

/// Creates a configuration that trusts the given root certificates.
pub fn tls_config(trusted: RootCertStore) -> ClientConfig {
    ClientConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_safe_default_protocol_versions()
        .expect("ring supports TLS 1.2 and 1.3")
        .with_root_certificates(trusted)
        .with_no_client_auth()
}
