//! The help: of every verb, and of every flag.

use crate::stage::Stage;

/// What each of these flags is in all verbs that explain it in different words.
const ARGUED: &str = include_str!("../flags.txt");

/// The commands of this one: of each line of a list in its help, the first word.
fn commands(help: &str) -> Vec<&str> {
    let lists = help.split("\n\n").filter(|list| !list.starts_with("Options:"));
    let lines = lists.flat_map(|list| list.lines().skip(1));
    lines
        .filter_map(|line| line.strip_prefix("  ")?.split_once("  "))
        .map(|(name, _)| name)
        .collect()
}

/// A debug build of clap looks at the description of a command before it shows its help.
#[test]
fn the_short_help_has_a_line_for_each_option_and_examples_of_eighty_columns() {
    let stage = Stage::new();
    let all = stage.good("help");
    assert!(
        all.lines().filter(|line| line.starts_with("  ")).all(|line| line.chars().count() <= 80)
    );
    let mut verbs: Vec<String> = commands(&all).into_iter().map(str::to_owned).collect();
    assert!(verbs.len() > 30, "{verbs:?}");
    while let Some(verb) = verbs.pop() {
        let help = stage.good(&format!("{verb} -h"));
        let (options, examples) = help.split_once("\nExamples:\n").unwrap_or((&help, ""));
        if options.contains("\nFormats:\n") {
            verbs.extend(commands(options).into_iter().map(|format| format!("{verb} {format}")));
        }
        // What an option may be, or is by default, is of any length.
        let options = options.replace(" [possible", "\0").replace(" [default", "\0");
        let options = options.split('\0').enumerate();
        let options = options.filter_map(|(place, rest)| match place {
            0 => Some(rest),
            _ => rest.split_once(']').map(|(_, rest)| rest),
        });
        let options: String = options.collect();
        for line in options.lines().skip(1).filter(|line| line.starts_with(' ')) {
            let of = line.trim_start();
            assert!(line.len() - of.len() <= 6 && line.contains("  "), "{verb}: {line:?} goes on");
            assert!(line.chars().count() <= 100, "{verb}: {line}");
        }
        assert!(examples.lines().all(|line| line.chars().count() <= 80), "{verb}: {examples}");
    }
}

#[test]
fn a_flag_means_the_same_in_every_verb_that_has_it() {
    let table = Stage::new().good("man --flags");
    let argued = || ARGUED.lines().filter_map(|line| line.split_once(": ")).map(|(name, _)| name);
    let mut name = "";
    let mut names = Vec::new();
    for line in table.lines() {
        let (first, meaning) = line.split_at(20.min(line.len()));
        match line.strip_prefix("--").and_then(|line| line.split_whitespace().next()) {
            Some(first) => name = first,
            None => assert!(argued().any(|argued| argued == name), "--{name}: {line:?}"),
        }
        names.push(name);
        let meaning =
            if first.starts_with("--") { &line[(name.len() + 3).max(21)..] } else { meaning };
        let help = meaning.rsplit_once(": ").map_or(meaning, |(help, _)| help).trim();
        assert!((1..=60).contains(&help.chars().count()), "--{name}: {help}");
    }
    assert!(argued().all(|argued| names.contains(&argued)), "{names:?}");
}
