//! Tables of cases as text, a line each.

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
