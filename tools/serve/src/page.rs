//! The page: files that are part of this program.

use crate::query::Request;
use crate::reply::{Answered, Refusal, Reply};
use crate::sources::Sources;
use std::sync::OnceLock;

/// Files of a folder, by their names.
macro_rules! files {
    ($folder:literal: $($name:literal)*) => {
        &[$(($name, include_bytes!(concat!($folder, $name)))),*]
    };
}
pub(crate) use files;

/// The files of the page.
pub const FILES: &[(&str, &[u8])] = files! { "page/":
    "index.html" "page.css" "bars.js" "beside.js" "board.js" "compare.js" "controls.js"
    "coverage.js" "dom.js" "engine.js" "files.js" "filter.js" "filter_panel.js" "first.js"
    "games.js" "games_panel.js" "hints.js" "keep.js" "line.js" "local.js" "main.js" "named.js"
    "notes.js" "offline.js" "panels.js" "pieces.js" "record.js" "record_pgn.js" "record_sgf.js"
    "records.js" "save.js" "site_facts.js" "site_file.js" "site_games.js" "source.js"
    "source_error.js" "state.js" "stats.js" "summary.js" "table.js" "tabs.js" "theme.js"
    "views.js" "walk.js" "worker.js"
};

/// The page. Its other files are at addresses that change with them, so that a browser that has them
/// asks for none of them again.
pub fn page(_: &Sources, _: &Request) -> Answered {
    let (_, html) = index();
    let reply = Reply::new("text/html; charset=utf-8", html.as_bytes());
    Ok(reply.checked_each_time())
}

/// Another file of it.
pub fn asset(_: &Sources, request: &Request) -> Answered {
    let (version, _) = index();
    let name = request.part("file")?;
    let found = FILES.iter().find(|(known, _)| *known == name);
    let (_, bytes) = found.ok_or_else(|| Refusal::Missing("not found".to_owned()))?;
    let kind = match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        _ => "text/javascript; charset=utf-8",
    };
    let reply = Reply::new(kind, *bytes);
    // Of another version is what a page asks for that was loaded from an earlier server.
    Ok(if request.part("version")? == version { reply.for_good() } else { reply })
}

/// What the page's version is, and its first file, which names the others by it.
fn index() -> &'static (String, String) {
    static INDEX: OnceLock<(String, String)> = OnceLock::new();
    INDEX.get_or_init(|| {
        let mut hasher = xxhash_rust::xxh3::Xxh3::new();
        for (name, bytes) in FILES {
            hasher.update(name.as_bytes());
            hasher.update(bytes);
        }
        let version = format!("{:016x}", hasher.digest());
        let html = String::from_utf8_lossy(FILES[0].1);
        let html = html.replace("\"page/", &format!("\"page/{version}/"));
        // The first paint waits for the style, so that it comes with the page.
        let link = format!("<link rel=\"stylesheet\" href=\"page/{version}/page.css\">");
        let style = String::from_utf8_lossy(FILES[1].1);
        let html = html.replace(&link, &format!("<style>\n{style}</style>"));
        (version, html)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn text(name: &str) -> &'static str {
        let file = FILES.iter().find(|(known, _)| *known == name);
        std::str::from_utf8(file.unwrap_or_else(|| panic!("there is no {name}")).1).unwrap()
    }

    /// The modules that a module can't do without, itself among them.
    fn needed(name: &str, found: &mut BTreeSet<String>) {
        if !found.insert(name.to_owned()) {
            return;
        }
        let imports = text(name).lines().filter(|line| line.starts_with("import "));
        for line in imports {
            let path = line.split('"').nth(1).unwrap_or_else(|| panic!("{name}: {line}"));
            needed(path.strip_prefix("./").unwrap(), found);
        }
    }

    /// The others are found as they are imported: more of them at once would hold up the first paint.
    #[test]
    fn the_modules_that_ask_for_the_first_figures_are_asked_for_at_once() {
        let mut first = BTreeSet::new();
        needed("first.js", &mut first);
        let preloaded = text("index.html").lines().filter_map(|line| {
            line.strip_prefix("<link rel=\"modulepreload\" href=\"page/")?.strip_suffix("\">")
        });
        let preloaded: Vec<_> = preloaded.map(str::to_owned).collect();
        assert_eq!(preloaded.iter().cloned().collect::<BTreeSet<_>>(), first);
        assert_eq!(preloaded.len(), first.len());
    }

    #[test]
    fn the_page_names_its_files_by_their_version() {
        let (version, html) = index();
        assert!(html.contains(&format!("src=\"page/{version}/main.js\"")));
        let all = html.matches("\"page/").count();
        assert_eq!(html.matches(&format!("\"page/{version}/")).count(), all);
        assert!(html.contains("<style>\n") && !html.contains("rel=\"stylesheet\""));
    }
}
