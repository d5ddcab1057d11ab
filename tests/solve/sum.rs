//! Which games of the library have goals with the same sum at every end, as far as that is proven.

use ludens::library;
use ludens::pipeline::{Control, PipelineOptions, Stages};
use propnet::circuit::WorkBudget;
use propnet::circuit::plan::{GoalSum, goal_sum};
use propnet::gdl::Source;
use propnet::reference::load;

fn sum_of(name: &str) -> GoalSum {
    let entry = library::find(name).expect("a game");
    let rules = load(Source::from_text(entry.name, entry.text)).expect("rules");
    let stages = Stages::new(rules);
    let circuit = stages.circuit(&PipelineOptions::default(), Control::default());
    goal_sum(&circuit.expect("a circuit"), &WorkBudget::with_proofs(500_000_000, &|| true))
}

#[test]
fn games_that_somebody_wins_have_a_constant_sum() {
    for name in [
        "bidding_tic_tac_toe",
        "breakthrough",
        "connect_four",
        "goofspiel_5_win",
        "knightthrough",
        "pawn_whopping",
        "pentago",
        "quarto",
        "rock_paper_scissors",
        "tic_tac_toe",
        "tic_tac_toe_3d",
        "tron",
    ] {
        assert_eq!(sum_of(name), GoalSum::Proven(100), "{name}");
    }
}

#[test]
fn other_games_have_none() {
    // Both may win, or three play, or only one does.
    for name in ["battle", "penalties_4x5", "three_player_tic_tac_toe", "hanoi"] {
        assert_eq!(sum_of(name), GoalSum::Unknown, "{name}");
    }
}
