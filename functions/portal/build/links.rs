//! Converts links between documents into portal addresses.

use url::Url;

use crate::GROUPS;

/// The base URL for relative links, which stands for the folder of all documents.
const DOCS: &str = "file:///docs/";

/// The path of the portal's documents.
const DOCUMENTS: &str = "/portal/docs/";

/// The addresses of the API description.
const YAML: &str = "/v2/openapi.yaml";
const JSON: &str = "/openapi.json";

/// Converts a link in the same way as [`address`], but returns the address of the Markdown version of a
/// document, and of the JSON version of the API description.
pub(crate) fn markdown_address(file: &str, link: &str) -> String {
    let address = address(file, link);
    if address == YAML {
        return JSON.to_owned();
    }
    if !address.starts_with(DOCUMENTS) {
        return address;
    }
    match address.split_once('#') {
        Some((document, id)) => format!("{document}.md#{id}"),
        None => address + ".md",
    }
}

/// Returns the portal address for a link in a document. Links within the page and to other sites stay the
/// same. Fails the build if a link leads to a file that the portal doesn't serve, because customers can't
/// open files in the repository.
pub(crate) fn address(file: &str, link: &str) -> String {
    let docs = Url::parse(DOCS).expect("the folder is a URL");
    let target = docs.join(file).and_then(|page| page.join(link)).expect("links are URLs or relative");
    if target.scheme() != docs.scheme() || link.starts_with('#') {
        return link.to_owned();
    }
    if target.path() == "/openapi.yaml" {
        return YAML.to_owned();
    }
    let mut served = GROUPS.iter().flat_map(|(_, documents)| *documents);
    let Some((name, _)) = served.find(|(_, served)| target.path() == format!("/docs/{served}")) else {
        panic!("docs/{file} links to {link}, which the portal does not serve");
    };
    let fragment = target.fragment().map_or(String::new(), |id| format!("#{id}"));
    format!("{DOCUMENTS}{name}{fragment}")
}
