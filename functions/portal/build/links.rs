//! Converts links between documents to portal addresses.

use std::path::{Component, Path, PathBuf};

use crate::GROUPS;

/// Returns the portal address for a link in a document. Customers can't open files in the repository, so a
/// link to a file that the portal doesn't serve fails the build.
pub(crate) fn address(file: &str, link: &str) -> String {
    if link.starts_with("https://") || link.starts_with('#') {
        return link.to_owned();
    }
    let (path, fragment) = link.split_once('#').map_or((link, None), |(path, id)| (path, Some(id)));
    let target = resolved(file, path);
    if target == Path::new("../openapi.yaml") {
        return "/v2/openapi.yaml".to_owned();
    }
    let served = GROUPS.iter().flat_map(|(_, documents)| *documents);
    let Some((name, _)) = served.into_iter().find(|(_, served)| target == Path::new(served)) else {
        panic!("docs/{file} links to {link}, which the portal does not serve");
    };
    fragment.map_or(format!("/portal/docs/{name}"), |id| format!("/portal/docs/{name}#{id}"))
}

/// Resolves a link in a document to a path below `docs`.
fn resolved(file: &str, link: &str) -> PathBuf {
    let mut path = Path::new(file).parent().unwrap_or(Path::new("")).to_owned();
    for part in Path::new(link).components() {
        match part {
            Component::ParentDir if path.parent().is_some() => {
                path.pop();
            }
            part => path.push(part),
        }
    }
    path
}
