//! Mixed strategies: the paper's own matrices, and random ones against bounds that need no solver.

use proptest::prelude::*;
use tabia_play::mix::{FictitiousPlay, Matrix, Pair, solve};

/// Table 1 of Gaudel et al. 2010, by simulations per move.
fn table(simulations: u32) -> Matrix {
    let path = format!("{}/tests/data/gaudel-{simulations}.tsv", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(path).unwrap().parse().unwrap()
}

/// After the paper's 10,000 iterations.
fn played(matrix: &Matrix) -> Pair {
    let mut play = FictitiousPlay::new(matrix);
    (0..10_000).for_each(|_| play.round());
    play.pair()
}

/// Strategies played at all, with their parts in percent to the tenth, as the paper prints them.
fn told(names: &[String], parts: &[f64]) -> String {
    let all = names.iter().zip(parts).map(|(name, part)| format!("{name} {:.1}", 100.0 * part));
    all.filter(|text| !text.ends_with(" 0.0")).collect::<Vec<_>>().join(", ")
}

#[test]
fn at_15000_simulations_both_players_mix() {
    let matrix = table(15_000);
    for pair in [solve(&matrix).unwrap(), played(&matrix)] {
        let parts = [pair.first[1], pair.first[3], pair.second[1], pair.second[4]].into_iter();
        let near = |(part, expected): (f64, f64)| (part - expected).abs() < 0.001;
        assert!(parts.zip([0.696, 0.304, 0.286, 0.714]).all(near), "{pair:?}");
        let gets = matrix.guarantees(&pair);
        let found = (format!("{:.1}", gets.first), format!("{:.1}", 100.0 - gets.second));
        assert_eq!(found, ("28.0".into(), "72.0".into()));
    }
    let exact = solve(&matrix).unwrap();
    assert_eq!(told(&matrix.rows, &exact.first), "lcb 69.6, nr 30.4");
    assert_eq!(told(&matrix.columns, &exact.second), "lcb 28.6, nr+reg 71.4");
    // By hand: with x of lcb, 26.8 x + 30.8 (1 - x) = 28.5 x + 26.9 (1 - x).
    assert!(
        (exact.first[1] - 39.0 / 56.0).abs() < 1e-9 && (exact.second[1] - 16.0 / 56.0).abs() < 1e-9
    );
    // "Each pure strategy reaches success rate 26.9 % at most", and 71.5 % as White.
    let (row, column, pure) = matrix.pure();
    assert_eq!((matrix.rows[row].as_str(), matrix.columns[column].as_str()), ("nr", "nr+reg"));
    assert_eq!((pure.first, 100.0 - pure.second), (26.9, 71.5));
}

/// In the text it is Reg for Black, in the table Reg2, which is right. White's Default is as good
/// against it as LCB, and any mix of the two that gives no other row more is an equilibrium too.
#[test]
fn at_1500_simulations_reg2_meets_lcb() {
    let matrix = table(1500);
    let (played, exact) = (played(&matrix), solve(&matrix).unwrap());
    let found = (told(&matrix.rows, &played.first), told(&matrix.columns, &played.second));
    assert_eq!(found, ("reg2 100.0".into(), "lcb 100.0".into()));
    assert_eq!(told(&matrix.rows, &exact.first), "reg2 100.0");
    let gets = matrix.guarantees(&exact);
    assert!((gets.first - 36.1).abs() < 1e-9 && gets.exploitability() < 1e-9);
    assert_eq!((matrix.score(5, 0), matrix.score(5, 1)), (36.1, 36.1));
    let default_alone = Pair { first: exact.first, second: vec![1.0, 0.0, 0.0, 0.0, 0.0, 0.0] };
    let holds = matrix.guarantees(&default_alone).exploitability() < 1e-9;
    assert!(holds, "the table's equilibrium isn't the only one");
}

#[test]
fn at_150000_simulations_reg_meets_reg() {
    let matrix = table(150_000);
    assert_eq!(matrix.left_out, ["reg2", "nr+reg2"][1..]);
    for pair in [solve(&matrix).unwrap(), played(&matrix)] {
        let found = (told(&matrix.rows, &pair.first), told(&matrix.columns, &pair.second));
        assert_eq!(found, ("reg 100.0".into(), "nr+reg 100.0".into()));
        assert!((matrix.guarantees(&pair).first - 24.0).abs() < 0.01);
    }
}

proptest! {
    #[test]
    fn a_pair_is_an_equilibrium_and_fictitious_play_comes_near_it(
        columns in 1usize..6,
        scores in prop::collection::vec((0u16..=1000).prop_map(|tenths| f64::from(tenths) / 10.0), 1..30),
    ) {
        let rows = scores.len() / columns;
        prop_assume!(rows > 0);
        let names = |count: usize| (0..count).map(|number| number.to_string()).collect::<Vec<_>>();
        let matrix = Matrix::new(names(rows), names(columns), scores[..rows * columns].to_vec()).unwrap();
        let exact = solve(&matrix).unwrap();
        prop_assert!(exact.first.iter().chain(&exact.second).all(|&part| (0.0..=1.0).contains(&part)));
        prop_assert!((exact.first.iter().sum::<f64>() - 1.0).abs() < 1e-9 && (exact.second.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        let gets = matrix.guarantees(&exact);
        // No first player gets more than the second one's guarantee: so a gap of nothing proves
        // both.
        prop_assert!(gets.second - gets.first > -1e-6 && gets.exploitability() < 1e-6, "{gets:?}");
        let mut play = FictitiousPlay::new(&matrix);
        prop_assert!((play.pair().first.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        (0..3000).for_each(|_| play.round());
        let near = matrix.guarantees(&play.pair());
        prop_assert!(near.first <= gets.second + 1e-6 && near.second >= gets.first - 1e-6);
        prop_assert!(near.exploitability() < 5.0, "{near:?} of {matrix}");
        let (row, column, pure) = matrix.pure();
        prop_assert!(row < rows && column < columns && pure.first <= gets.first + 1e-6 && pure.second >= gets.second - 1e-6);
    }
}

#[test]
fn a_file_of_weights_is_a_rule() {
    use tabia_play::choice::Mixture;
    use tabia_play::mix::Weights;
    let matrix = table(15_000);
    let mut weights = Weights::new(&matrix, &solve(&matrix).unwrap());
    let mixture = Mixture::new(&weights).unwrap();
    let whole = (1u64 << 53) as f64;
    let told = mixture.sides.map(|side| {
        let said = |(rule, weight): &(_, u64)| format!("{rule} {:.6}", *weight as f64 / whole);
        side.iter().map(said).collect::<Vec<_>>()
    });
    assert_eq!(told, [["lcb 0.696429", "nr 0.303571"], ["lcb 0.285714", "nr+reg 0.714286"]]);
    weights.first[0].rule = "my best".to_owned();
    assert!(Mixture::new(&weights).unwrap_err().to_string().contains("`my best` is no rule"));
}
