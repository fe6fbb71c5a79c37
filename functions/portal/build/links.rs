//! Converts links between documents to portal addresses.

use url::Url;

use crate::GROUPS;

/// The folder of all documents, as a base for relative links.
const DOCS: &str = "file:///docs/";

/// Returns the portal address for a link in a document. Customers can't open files in the repository, so a
/// link to a file that the portal doesn't serve fails the build.
pub(crate) fn address(file: &str, link: &str) -> String {
    let docs = Url::parse(DOCS).expect("the folder is a URL");
    let target = docs.join(file).and_then(|page| page.join(link)).expect("links are URLs or relative");
    if target.scheme() != docs.scheme() || link.starts_with('#') {
        return link.to_owned();
    }
    if target.path() == "/openapi.yaml" {
        return "/v2/openapi.yaml".to_owned();
    }
    let mut served = GROUPS.iter().flat_map(|(_, documents)| *documents);
    let Some((name, _)) = served.find(|(_, served)| target.path() == format!("/docs/{served}")) else {
        panic!("docs/{file} links to {link}, which the portal does not serve");
    };
    let fragment = target.fragment().map_or(String::new(), |id| format!("#{id}"));
    format!("/portal/docs/{name}{fragment}")
}
