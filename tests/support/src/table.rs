//! Cases as text: tables of a line each, and scripts.

/// The rows of a table: of each line that isn't blank its `N` cells, parted by ` | `. In a cell
/// `\n` and `\r` are ends of lines, `\t` a tab.
///
/// # Panics
///
/// If a line has another number of cells.
pub fn rows<const N: usize>(table: &str) -> Vec<[String; N]> {
    let cell = |cell: &str| cell.replace("\\n", "\n").replace("\\r", "\r").replace("\\t", "\t");
    let row = |line: &str| -> [String; N] {
        let cells: Vec<String> = line.split(" | ").map(cell).collect();
        cells.try_into().unwrap_or_else(|_| panic!("not {N} cells: {line}"))
    };
    table.lines().map(str::trim_start).filter(|line| !line.is_empty()).map(row).collect()
}

/// Follows the scripts of a text, each of which stands behind `# ` and what it shows; that is
/// printed, so that a failure says which it was.
pub fn scripts(text: &str, follow: impl Fn(&str)) {
    for script in format!("\n{text}").split("\n# ").skip(1) {
        let (name, lines) = script.split_once('\n').unwrap_or((script, ""));
        println!("{name}");
        follow(lines);
    }
}
