//! Where sheets and recorded data are that are not part of the repository. Benchmarks ask here too.

use std::env;
use std::path::{Path, PathBuf};

/// Names the folder with the corpus.
pub(crate) const VARIABLE: &str = "LUDENS_SHARED";

/// The folder with `corpus/`, `traces/` and `perft.json`, which are not ours to copy: the one that
/// `LUDENS_SHARED` names, or else `../shared` beside the repository. An empty `LUDENS_SHARED` stands
/// for no corpus, and a relative one begins at the root of the repository.
pub(crate) fn shared() -> Option<PathBuf> {
    let has_corpus = |folder: &PathBuf| folder.join("corpus").is_dir();
    match env::var_os(VARIABLE) {
        Some(name) if name.is_empty() => None,
        Some(name) => {
            let folder = repository().join(name);
            assert!(
                has_corpus(&folder),
                "{VARIABLE} is {}, which has no folder `corpus`; correct it or leave it out",
                folder.display()
            );
            Some(folder)
        }
        None => Some(repository().join("../shared")).filter(has_corpus),
    }
}

/// The root of the repository, whichever crate is tested.
fn repository() -> &'static Path {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    own.ancestors().find(|folder| folder.join("Cargo.lock").is_file()).unwrap_or(own)
}
