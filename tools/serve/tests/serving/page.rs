//! The page's files.

use crate::served::Served;

#[test]
fn a_page_s_files_are_asked_for_once() {
    let served = Served::new(1);
    let page = served.get("/");
    assert_eq!((page.status, page.header("cache-control")), (200, Some("no-cache")));
    let address = page.body.split('"').find(|part| part.ends_with("/main.js")).unwrap().to_owned();
    let module = served.get(&format!("/{address}"));
    let found = (module.status, module.header("content-type"));
    assert_eq!(found, (200, Some("text/javascript; charset=utf-8")));
    assert!(module.header("cache-control").unwrap().contains("immutable"));
    // A page of an earlier version still finds them, but doesn't keep them.
    let earlier = served.get("/page/earlier/main.js");
    assert_eq!((earlier.status, earlier.header("cache-control")), (200, Some("no-cache")));
    assert_eq!(served.get("/page/earlier/nothing.js").status, 404);
    let again = format!("If-None-Match: {}\r\n", page.header("etag").unwrap());
    assert_eq!(served.ask("GET", "/", &again).status, 304);
}
