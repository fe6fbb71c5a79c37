//! The portal's files: embedded in the program or read from a folder during development.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, RwLock};

use ring::digest::{Context, SHA256};
use rust_embed::RustEmbed;

use crate::PATH;
use crate::file::File;
use crate::shell::{Shell, ShellError};

/// The file name of the shell.
const SHELL: &str = "index.html";

/// The file name of the document template.
const DOCUMENT: &str = "document.html";

/// The placeholder, in the shell and the document template, for the base address of the files.
pub(crate) const FILES: &str = "{{files}}";

/// The length of the digest in file addresses, in bytes. Each byte is written as two hexadecimal digits.
const DIGEST_BYTES: usize = 8;

/// The portal's files, which are embedded in the program or read from a folder.
#[derive(Debug)]
pub struct Pages {
    current: RwLock<Arc<Edition>>,
    /// The folder, which is read again for each shell and document. `None` if the files are embedded.
    folder: Option<PathBuf>,
}

/// A set of files that belong together.
#[derive(Debug)]
pub(crate) struct Edition {
    /// The digest of all file names and contents, in hexadecimal.
    pub(crate) digest: String,
    pub(crate) shell: Shell,
    pub(crate) document_template: String,
    pub(crate) files: BTreeMap<String, File>,
}

/// The reason the portal's files can't be loaded.
#[derive(Debug, thiserror::Error)]
pub enum PagesError {
    #[error("cannot read the pages in {folder}: {source}")]
    Folder { folder: PathBuf, source: io::Error },
    #[error("the portal's files don't include {0}")]
    Missing(&'static str),
    #[error("{DOCUMENT} is not UTF-8")]
    Encoding(#[from] std::string::FromUtf8Error),
    #[error(transparent)]
    Shell(#[from] ShellError),
}

/// The files of a folder by relative path, before they are compressed.
struct Contents {
    digest: String,
    files: BTreeMap<String, Vec<u8>>,
}

#[derive(RustEmbed)]
#[folder = "web"]
struct BuiltIn;

impl Pages {
    /// Loads the files that are embedded in the program.
    pub fn built_in() -> Result<Self, PagesError> {
        let files = BuiltIn::iter().filter_map(|name| {
            let content = BuiltIn::get(&name)?.data.into_owned();
            Some((name.into_owned(), content))
        });
        Ok(Self { current: RwLock::new(Arc::new(Edition::of(Contents::of(files.collect()))?)), folder: None })
    }

    /// Loads the files in a folder. Changes to the folder take effect when the next page loads.
    pub fn in_folder(folder: PathBuf) -> Result<Self, PagesError> {
        let edition = Edition::of(Contents::in_folder(&folder)?)?;
        Ok(Self { current: RwLock::new(Arc::new(edition)), folder: Some(folder) })
    }

    /// Returns the files that were current when the last shell or document was served.
    pub(crate) fn current(&self) -> Arc<Edition> {
        self.current.read().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
    }

    /// Returns the latest files. If there is a folder, reads it again first.
    pub(crate) fn newest(&self) -> Result<Arc<Edition>, PagesError> {
        let current = self.current();
        let Some(folder) = &self.folder else { return Ok(current) };
        let contents = Contents::in_folder(folder)?;
        // Keep an unchanged edition, because its files may already be compressed.
        if contents.digest == current.digest {
            return Ok(current);
        }
        let edition = Arc::new(Edition::of(contents)?);
        *self.current.write().unwrap_or_else(std::sync::PoisonError::into_inner) = Arc::clone(&edition);
        Ok(edition)
    }
}

impl Edition {
    fn of(contents: Contents) -> Result<Self, PagesError> {
        let Contents { digest, mut files } = contents;
        let address = format!("{PATH}/files/{digest}");
        let document = files.remove(DOCUMENT).ok_or(PagesError::Missing(DOCUMENT))?;
        let document_template = String::from_utf8(document)?.replace(FILES, &address);
        let shell = files.remove(SHELL).ok_or(PagesError::Missing(SHELL))?;
        let shell = Shell::of(&shell, &address, files.keys().map(String::as_str))?;
        let files = files.into_iter().map(|(name, content)| {
            let (served, file) = File::stored(&name, content);
            (served.to_owned(), file)
        });
        Ok(Self { digest, shell, document_template, files: files.collect() })
    }
}

impl Contents {
    fn of(files: BTreeMap<String, Vec<u8>>) -> Self {
        let mut context = Context::new(&SHA256);
        for (name, content) in &files {
            context.update(&(name.len() as u64).to_le_bytes());
            context.update(name.as_bytes());
            context.update(&(content.len() as u64).to_le_bytes());
            context.update(content);
        }
        let digest = hex::encode(&context.finish().as_ref()[..DIGEST_BYTES]);
        Self { digest, files }
    }

    /// Reads all files in a folder and its subfolders.
    fn in_folder(folder: &Path) -> Result<Self, PagesError> {
        let mut files = BTreeMap::new();
        let mut open = vec![folder.to_owned()];
        let failed = |source| PagesError::Folder { folder: folder.to_owned(), source };
        while let Some(next) = open.pop() {
            for entry in std::fs::read_dir(&next).map_err(failed)? {
                let path = entry.map_err(failed)?.path();
                if path.is_dir() {
                    open.push(path);
                } else if let Ok(name) = path.strip_prefix(folder) {
                    let content = std::fs::read(&path).map_err(failed)?;
                    files.insert(name.to_string_lossy().into_owned(), content);
                }
            }
        }
        Ok(Self::of(files))
    }
}
