//! The files of the page, as they are in `src/web/page`.

/// A file: its path, its type, its bytes.
pub(super) struct PageFile {
    pub(super) path: &'static str,
    pub(super) content_type: &'static str,
    pub(super) text: &'static str,
}

macro_rules! file {
    ($path:literal, $name:literal, $content_type:expr) => {
        PageFile {
            path: $path,
            content_type: $content_type,
            text: include_str!(concat!("page/", $name)),
        }
    };
}

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// All files.
const FILES: &[PageFile] = &[
    file!("/", "index.html", "text/html; charset=utf-8"),
    file!("/style.css", "style.css", "text/css; charset=utf-8"),
    file!("/icon.svg", "icon.svg", "image/svg+xml"),
    file!("/app.js", "app.js", SCRIPT),
    file!("/api.js", "api.js", SCRIPT),
    file!("/dom.js", "dom.js", SCRIPT),
    file!("/board.js", "board.js", SCRIPT),
    file!("/plot.js", "plot.js", SCRIPT),
    file!("/editor.js", "editor.js", SCRIPT),
    file!("/stepper.js", "stepper.js", SCRIPT),
    file!("/report.js", "report.js", SCRIPT),
    file!("/games.js", "games.js", SCRIPT),
    file!("/play.js", "play.js", SCRIPT),
    file!("/watch.js", "watch.js", SCRIPT),
    file!("/analyse.js", "analyse.js", SCRIPT),
    file!("/circuit.js", "circuit.js", SCRIPT),
    file!("/bench.js", "bench.js", SCRIPT),
];

/// What the page may load: only its own files, nothing inline, nothing from elsewhere.
pub(super) const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; form-action 'none'; base-uri 'none'; \
    frame-ancestors 'none'";

/// The file with this path.
pub(super) fn file(path: &str) -> Option<&'static PageFile> {
    FILES.iter().find(|file| file.path == path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_no_inline_script_or_style_and_names_no_other_host() {
        for file in FILES {
            for banned in
                ["<style", " style=\"", "onclick=", "javascript:", "https://", "innerHTML"]
            {
                assert!(!file.text.contains(banned), "{} has {banned}", file.path);
            }
            let hosts = file.text.matches("http://").count();
            let allowed = file.text.matches("http://www.w3.org/").count()
                + file.text.matches("http://HOST").count()
                + file.text.matches("http://localhost:9147").count();
            assert_eq!(hosts, allowed, "{}", file.path);
        }
        let scripts = file("/").expect("a page").text.matches("<script").count();
        assert_eq!(scripts, 1, "one module that loads the others");
    }

    #[test]
    fn all_modules_that_are_imported_are_there() {
        for one in FILES.iter().filter(|file| file.path.ends_with(".js")) {
            for line in one.text.lines().filter(|line| line.contains(" from \"./")) {
                let name = line.split("from \".").nth(1).and_then(|rest| rest.split('"').next());
                assert!(name.and_then(file).is_some(), "{}: {line}", one.path);
            }
        }
    }
}
