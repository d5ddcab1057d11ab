//! The example programs of the player do what they say, with tiny budgets.

#[path = "../examples/agent.rs"]
#[expect(dead_code, reason = "its main function is for people")]
mod agent;
#[path = "../examples/search.rs"]
#[expect(dead_code, reason = "its main function is for people")]
mod search;
#[path = "../examples/self_play.rs"]
#[expect(dead_code, reason = "its main function is for people")]
mod self_play;

use ludens::Game;

#[test]
fn a_search_has_statistics_of_every_move() {
    let report = search::search("tic_tac_toe", "uct:threads=1", 300).expect("a report");
    let table = search::table(&report);
    assert!(table.starts_with("300 simulations by uct\nx:\n"), "{table}");
    assert_eq!(table.matches("(mark ").count(), 9 + report.principal_line.len(), "{table}");
    assert!(table.contains("\nprincipal variation: (mark "), "{table}");
}

#[test]
fn two_strategies_play_to_the_end() {
    let game = Game::named("tic_tac_toe").expect("a game");
    let strategies = ["uct:threads=1", "mast:threads=1"].map(str::to_string);
    let played = self_play::play(&game, &strategies, 50).expect("a game");
    assert!((5..=9).contains(&played.moves.len()));
    assert_eq!(played.goals.iter().sum::<f64>(), 100.0);
    assert!(self_play::play(&game, &strategies[..1], 50).is_err());
}

#[test]
fn a_player_answers_a_manager() {
    let game = Game::named("tic_tac_toe").expect("a game");
    let said = agent::conversation(&game);
    let replies: Vec<&str> = said.iter().map(|(_, reply)| reply.as_str()).collect();
    assert_eq!(replies[..2], ["((name ludens) (status available))", "ready"]);
    assert!(replies[2].starts_with("(mark "), "{replies:?}");
    assert_eq!(replies[3], "aborted");
}
