//! Players in matches: what they answer, what they make of bad moves, and how they take over.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use ludens::agent::{
    Agent, AgentError, AgentOptions, AgentSettings, Answer, Log, Origin, StopHandle,
};
use ludens::pipeline::{Cache, PipelineBounds, PipelineOptions};
use ludens::search::{Budget, RunEnd, Settings};

use crate::support;

/// A strategy on one thread.
fn on_one_thread(strategy: &str) -> AgentSettings {
    let settings: Settings = format!("{strategy}:threads=1").parse().expect("settings");
    settings.into()
}

/// A player that thinks for so many simulations a move, on one thread.
fn fixed(simulations: u64) -> AgentOptions {
    AgentOptions {
        settings: on_one_thread("uct"),
        budget: Some(Budget::simulations(simulations)),
        ..AgentOptions::default()
    }
}

/// A player that thinks as long as the clock allows.
fn clocked() -> AgentOptions {
    AgentOptions {
        settings: AgentSettings { margin: Duration::from_millis(50), ..on_one_thread("uct") },
        ..AgentOptions::default()
    }
}

fn soon() -> Option<Instant> {
    Some(Instant::now() + Duration::from_millis(200))
}

fn game(name: &str) -> String {
    let path = support::root().join(format!("games/{name}.kif"));
    std::fs::read_to_string(path).expect("a sheet of our own")
}

fn agent(sheet: &str, role: &str, options: &AgentOptions) -> Agent {
    Agent::start(sheet, role, options, None).unwrap_or_else(|error| panic!("{error}"))
}

fn joint(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| text.to_string()).collect()
}

/// Plays a match between players of one kind; gives the joint moves and the goals.
fn play(sheet: &str, roles: &[&str], options: &AgentOptions) -> (Vec<Vec<String>>, Vec<i32>) {
    let mut players: Vec<Agent> = roles.iter().map(|role| agent(sheet, role, options)).collect();
    let mut moves: Vec<Vec<String>> = Vec::new();
    loop {
        let previous = moves.last().map(Vec::as_slice);
        let ask = |player: &mut Agent| player.play(previous, None);
        let answers: Result<Vec<Answer>, AgentError> = players.iter_mut().map(ask).collect();
        match answers {
            Ok(answers) => moves.push(answers.into_iter().map(|answer| answer.text).collect()),
            Err(AgentError::Over) => break,
            Err(error) => panic!("{error}"),
        }
    }
    let end = players[0].position(None).expect("the last position").clone();
    assert!(end.is_over);
    (moves, end.goals.into_iter().map(|goal| goal.expect("a goal")).collect())
}

#[test]
fn with_a_budget_the_same_seed_plays_the_same_match() {
    let sheet = game("tic_tac_toe");
    let (moves, goals) = play(&sheet, &["x", "o"], &fixed(2000));
    assert_eq!(goals, [50, 50], "{moves:?}");
    assert_eq!(play(&sheet, &["X", "O"], &fixed(2000)).0, moves);
    let other = AgentOptions { seed: 1, ..fixed(20) };
    assert_ne!(play(&sheet, &["x", "o"], &other).0, play(&sheet, &["x", "o"], &fixed(20)).0);
}

#[test]
fn moves_are_spelled_as_the_sheet_spells_them() {
    let mut player = agent(support::SMALL, "a", &fixed(10));
    let position = player.position(None).expect("a position").clone();
    let mut legal = position.legal;
    legal.sort();
    assert_eq!(legal, ["(Say 0)", "up"]);
    for strategy in ["uct", "random"] {
        let mut options = fixed(10);
        options.settings = on_one_thread(strategy);
        let answer = agent(support::SMALL, "A", &options).play(None, None).expect("a move");
        assert!(legal.contains(&answer.text), "{}", answer.text);
    }
}

#[test]
fn a_joint_move_counts_in_any_spelling_and_whatever_was_answered() {
    let mut player = agent(support::SMALL, "b", &fixed(10));
    player.play(None, None).expect("a move");
    player.play(Some(&joint(&["UP", "(say\n 0)"])), None).expect("a move");
    let position = player.position(None).expect("a position");
    assert_eq!(position.step, 1);
    assert_eq!(position.sentences, ["(n 1)", "(said b)"]);
    let last = joint(&["up", "up"]);
    let end = player.stop(Some(&last), None).expect("a position");
    assert!(end.is_over);
    assert_eq!(end.goals, [Some(100), Some(40)]);
}

#[test]
fn players_with_one_cache_ground_a_sheet_once() {
    let (told, heard) = channel();
    let log = Log::new(move |line| drop(told.send(line.to_string())));
    let options = AgentOptions { log, ..fixed(10) };
    let groundings = || heard.try_iter().filter(|line| line.contains("are grounded")).count();
    let players = ["a", "b"].map(|role| agent(support::SMALL, role, &options));
    assert_eq!(groundings(), 1);
    // Another text is another sheet, and what nobody uses any more is made anew.
    let other = agent(&format!("{} (extra)", support::SMALL), "a", &options);
    assert_eq!(groundings(), 1);
    drop((players, other));
    let own = AgentOptions { cache: Cache::default(), ..options };
    let _player = agent(support::SMALL, "a", &own);
    assert_eq!(groundings(), 1);
}

#[test]
fn a_joint_move_that_cannot_be_is_noted_and_play_goes_on() {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let noted = lines.clone();
    let log = Log::new(move |line| noted.lock().expect("no panic").push(line.to_string()));
    let mut player = agent(support::SMALL, "a", &AgentOptions { log, ..fixed(10) });
    for wrong in [&["up", "(say 5)"][..], &["up"], &["(((", "?x"], &[]] {
        let wrong = joint(wrong);
        assert_eq!(player.can_follow(&wrong, None), Some(false));
        let answer = player.play(Some(&wrong), None).expect("a move");
        let position = player.position(None).expect("a position");
        assert_eq!(position.step, 0);
        assert!(position.refused.is_some());
        assert!(position.legal.contains(&answer.text));
    }
    assert_eq!(player.can_follow(&joint(&["up", "up"]), None), Some(true));
    let noted = lines.lock().expect("no panic").join("\n");
    assert!(noted.contains("the joint move (up (say 5)): "), "{noted}");
    assert!(noted.contains("a joint move needs 2 moves"), "{noted}");
}

#[test]
fn what_cannot_be_played_is_refused() {
    let refusal = |sheet: &str, role: &str| match Agent::start(sheet, role, &fixed(1), None) {
        Ok(_) => panic!("{sheet} cannot be played"),
        Err(error) => error.to_string(),
    };
    assert_eq!(
        refusal("(role a)\n(legal a go)\n(goal a 1)\n)\n)", "a"),
        "the sheet cannot be played: error[surplus-parenthesis]: this `)` closes nothing (line 4, \
         column 1; 1 more error)"
    );
    assert_eq!(refusal(support::SMALL, "c"), "the game has no role c; its roles are a, b");
}

#[test]
fn the_reference_reasoner_plays_where_there_is_no_circuit() {
    let sheet = support::explosion();
    let little = PipelineOptions {
        bounds: PipelineBounds { bytes: 1 << 20, ..PipelineBounds::default() },
        ..PipelineOptions::default()
    };
    let options = AgentOptions { pipeline: little.clone(), ..fixed(20) };
    let answer = agent(&sheet, "a", &options).play(None, None).expect("a move");
    assert_eq!(answer.origin, Origin::Reference);
    assert_eq!(answer.report.map(|report| report.simulations), Some(20));

    let options = AgentOptions { pipeline: little, ..clocked() };
    let mut player = Agent::start(&sheet, "a", &options, soon()).expect("a player");
    let answer = player.play(None, soon()).expect("a move");
    assert_ne!(answer.origin, Origin::Circuit);
}

#[test]
fn without_a_circuit_a_winning_move_is_found_although_no_playout_ends() {
    let mut options = clocked();
    options.settings.set_value("playout_limit", "65534").expect("a limit");
    options.pipeline.bounds.bytes = 1 << 20;
    let sheet = support::without_circuit(support::ENDLESS);
    let mut player = Agent::start(&sheet, "a", &options, soon()).expect("a player");
    let answer = player.play(None, Some(Instant::now() + Duration::from_secs(2))).expect("a move");
    assert_eq!((answer.text.as_str(), answer.origin), ("Win", Origin::Reference));
}

/// Far longer than a test may take.
fn hours() -> Option<Instant> {
    Some(Instant::now() + Duration::from_secs(7200))
}

#[test]
fn a_move_without_an_alternative_is_made_at_once() {
    let begun = Instant::now();
    for sheet in [game("tic_tac_toe"), support::without_circuit(FORCED)] {
        let mut options = clocked();
        options.pipeline.bounds.bytes = 1 << 20;
        let role = if sheet.contains("noop") { "o" } else { "a" };
        let mut player = Agent::start(&sheet, role, &options, soon()).expect("a player");
        let answer = player.play(None, hours()).expect("a move");
        assert!(["noop", "Only"].contains(&answer.text.as_str()), "{}", answer.text);
        assert_ne!(answer.origin, Origin::Fallback);
    }
    assert!(begun.elapsed() < Duration::from_secs(600), "{:?}", begun.elapsed());
}

/// A walk without end, and only one way.
const FORCED: &str = "
    (role a) (init (n 0)) (succ 0 1) (succ 1 0) (legal a Only)
    (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y)) (<= terminal (true (n 7))) (goal a 0)";

#[test]
fn an_answer_comes_at_once_where_nothing_is_left_to_learn() {
    let begun = Instant::now();
    let mut player = Agent::start(support::SMALL, "a", &clocked(), hours()).expect("a player");
    let answer = player.play(None, hours()).expect("a move");
    assert_eq!(answer.report.map(|report| report.end), Some(RunEnd::Settled));
    assert!(begun.elapsed() < Duration::from_secs(600), "{:?}", begun.elapsed());
}

#[test]
fn the_circuit_takes_over_when_it_is_ready() {
    // Whoever makes the circuit tells so, and is held up there.
    let (go_on, held_up) = channel::<()>();
    let held_up = Mutex::new(held_up);
    let log = Log::new(move |line| {
        if line.starts_with("the rules are grounded") {
            // Nothing is sent: it goes on when the other end is gone.
            let _ = held_up.lock().expect("no panic").recv();
        }
    });
    let options = AgentOptions { log, ..clocked() };
    let mut player = Agent::start(&game("tic_tac_toe"), "x", &options, soon()).expect("a player");
    let mut origin = player.play(None, soon()).expect("a move").origin;
    // On a machine that has more to do a search may not be over in time.
    while origin == Origin::Fallback {
        origin = player.play(None, soon()).expect("a move").origin;
    }
    assert_eq!(origin, Origin::Reference);
    drop(go_on);
    let moves = joint(&["(mark 2 2)", "noop"]);
    let mut origin = player.play(Some(&moves), soon()).expect("a move").origin;
    // As long as it takes on a machine that has more to do.
    while origin != Origin::Circuit {
        origin = player.play(None, soon()).expect("a move").origin;
    }
    // It has made the moves that were made before.
    let answer = player.play(None, soon()).expect("a move");
    assert_eq!(answer.text, "noop");
    assert_eq!(player.position(None).map(|position| position.step), Some(1));
}

#[test]
fn a_clock_that_is_over_gets_an_answer_all_the_same() {
    let mut player =
        Agent::start(&game("connect_four"), "red", &clocked(), soon()).expect("a player");
    for _ in 0..3 {
        match player.play(None, Some(Instant::now())) {
            Ok(answer) => assert!(answer.text.starts_with("(drop "), "{}", answer.text),
            // Not even a legal move is known at once.
            Err(error) => assert!(matches!(error, AgentError::NoMove), "{error}"),
        }
    }
}

#[test]
fn a_player_can_be_ended_while_it_thinks() {
    let stop_handle = StopHandle::default();
    let theirs = stop_handle.clone();
    let hours = Some(Instant::now() + Duration::from_secs(7200));
    let thinking = std::thread::spawn(move || {
        let sheet = game("breakthrough");
        let mut player = Agent::start_stoppable(&sheet, "white", &clocked(), hours, &theirs)?;
        player.play(None, hours).map(|answer| answer.text)
    });
    std::thread::sleep(Duration::from_millis(100));
    stop_handle.stop();
    let answer = thinking.join().expect("no panic").expect("a move");
    assert!(answer.starts_with("(move "), "{answer}");
}

/// Each step takes the reference reasoner seconds, and the circuit no time.
fn slow_game() -> String {
    let values: Vec<String> = (0..64).map(|value| format!("(d {value})")).collect();
    format!(
        "(role a) (role b) (init (n 0)) (succ 0 1) (succ 1 2) {}
        (<= (legal ?r go) (role ?r)) (<= (legal a stay) (true (n ?n)))
        (<= (all ?a ?b ?c ?d) (true (n ?n)) (d ?a) (d ?b) (d ?c) (d ?d))
        (<= (next slow) (all ?a ?b ?c ?d))
        (<= (next (n ?y)) (true (n ?x)) (succ ?x ?y))
        (<= terminal (true (n 2))) (<= (goal a 70) (true (n 2))) (<= (goal a 0) (true (n 1)))
        (goal b 30)",
        values.join(" ")
    )
}

#[test]
fn the_circuit_says_what_the_reference_reasoner_cannot_say_in_time() {
    let mut player = agent(&slow_game(), "a", &fixed(20));
    let go = joint(&["go", "go"]);
    player.play(None, None).expect("a move");
    player.play(Some(&go), None).expect("a move");
    // Less than the reasoner takes for the two steps, and far more than the circuit does.
    let deadline = Some(Instant::now() + Duration::from_secs(4));
    assert_eq!(player.can_follow(&go, deadline), Some(true));
    assert_eq!(player.can_follow(&joint(&["go", "stay"]), deadline), Some(false));
    let end = player.stop(Some(&go), deadline).expect("the end is known");
    assert!(end.is_over);
    assert_eq!((end.step, end.goals), (2, vec![Some(70), Some(30)]));
}

#[test]
fn no_joint_move_is_made_when_the_game_is_over() {
    let mut player = agent(support::SMALL, "a", &fixed(10));
    let up = joint(&["up", "up"]);
    for _ in 0..2 {
        player.play(None, None).expect("a move");
        // The last of them is answered by the complaint that all is over.
        let _ = player.play(Some(&up), None);
    }
    assert_eq!(player.can_follow(&up, None), Some(false));
    let end = player.stop(Some(&up), None).expect("a position");
    assert!(end.refused.is_some_and(|why| why.contains("the game is over")));
    assert_eq!((end.step, end.goals), (2, vec![Some(100), Some(40)]));
}

/// Follows a player of a game for one role to its end, from a joint move on. What it scores.
fn play_out(player: &mut Agent, mut previous: Option<Vec<String>>) -> (Vec<Answer>, i32) {
    let mut answers = Vec::new();
    loop {
        match player.play(previous.as_deref(), hours()) {
            Ok(answer) => {
                previous = Some(vec![answer.text.clone()]);
                answers.push(answer);
            }
            Err(AgentError::Over) => break,
            Err(error) => panic!("{error}"),
        }
    }
    let end = player.position(None).expect("the last position");
    (answers, end.goals[0].expect("a goal"))
}

#[test]
fn a_puzzle_is_solved_from_the_start_on_and_its_line_followed() {
    let (told, heard) = channel();
    let log = Log::new(move |line| drop(told.send(line.to_string())));
    let options = AgentOptions { log, ..clocked() };
    let mut player = Agent::start(&game("hanoi"), "player", &options, hours()).expect("a player");
    let (answers, score) = play_out(&mut player, None);
    assert_eq!((score, answers.len()), (100, 31));
    for (answer, left) in answers.iter().zip((1..=31).rev()) {
        assert_eq!(answer.origin, Origin::Puzzle);
        let report = answer.report.as_ref().expect("a report");
        let line = report.found_line.as_ref().expect("a line");
        assert_eq!((line.score, line.moves, line.is_proven), (100, left, true));
        assert_eq!((report.end, report.best_move(0)), (RunEnd::Solved, Some(&*answer.text)));
    }
    let said: Vec<String> = heard.try_iter().filter(|line| line.starts_with("a line of")).collect();
    assert_eq!(said.len(), 1, "{said:?}");
    assert!(said[0].contains("moves scores 100, found by ") && said[0].ends_with("the best"));
}

#[test]
fn a_puzzle_is_solved_again_where_another_move_was_made() {
    let mut player = Agent::start(&game("hanoi"), "player", &clocked(), hours()).expect("a player");
    let answer = player.play(None, hours()).expect("a move");
    let legal = player.position(None).expect("a position").legal.clone();
    let other = legal.into_iter().find(|text| *text != answer.text).expect("two moves");
    let (answers, score) = play_out(&mut player, Some(vec![other]));
    let line = answers[0].report.as_ref().and_then(|report| report.found_line.clone());
    let line = line.expect("a line");
    assert!(line.is_proven && line.score == score && score < 100, "{line:?}, {score}");
}

#[test]
fn without_the_portfolio_a_puzzle_is_searched_by_the_tree_alone() {
    let mut options = clocked();
    options.settings.set_value("portfolio", "off").expect("a switch");
    let mut player = Agent::start(&game("hanoi"), "player", &options, soon()).expect("a player");
    for _ in 0..3 {
        let answer = player.play(None, soon()).expect("a move");
        assert_ne!(answer.origin, Origin::Puzzle);
        assert!(answer.report.is_none_or(|report| report.found_line.is_none()));
    }
}

/// Tells all lines of a log.
fn listening() -> (Log, Arc<Mutex<Vec<String>>>) {
    let lines: Arc<Mutex<Vec<String>>> = Arc::default();
    let written = lines.clone();
    let log = Log::new(move |line| written.lock().expect("lines").push(line.to_string()));
    (log, lines)
}

#[test]
fn auto_tells_what_it_chose_and_plays_the_same_with_the_same_seed() {
    let sheet = game("tic_tac_toe");
    let (log, lines) = listening();
    let options = AgentOptions {
        settings: on_one_thread("auto"),
        budget: Some(Budget::simulations(3000)),
        log,
        ..AgentOptions::default()
    };
    let (moves, goals) = play(&sheet, &["x", "o"], &options);
    assert_eq!(goals, [50, 50], "{moves:?}");
    assert_eq!(play(&sheet, &["x", "o"], &options).0, moves);
    let told = lines.lock().expect("lines").clone();
    let chosen = told.iter().filter(|line| line.starts_with("auto plays "));
    assert_eq!(chosen.clone().count(), 4, "once for each player: {told:?}");
    assert!(chosen.clone().all(|line| line.contains("2 roles in turn")), "{told:?}");
    let answer = agent(&sheet, "x", &options).play(None, None).expect("a move");
    let report = answer.report.expect("a report");
    let choice = report.choice.as_ref().expect("a choice");
    assert!(choice.games > 0 && !choice.evidence.is_empty(), "{choice}");
    assert_eq!(report.strategy, choice.scheme);
    assert!(report.to_string().contains("auto plays "), "{report}");
}

#[test]
fn auto_answers_within_the_clock_while_it_chooses() {
    let options = AgentOptions {
        settings: AgentSettings { margin: Duration::from_millis(50), ..on_one_thread("auto") },
        ..AgentOptions::default()
    };
    let (sheet, start) = (game("breakthrough"), Instant::now() + Duration::from_secs(2));
    let mut player =
        Agent::start(sheet.as_str(), "white", &options, Some(start)).expect("a player");
    let legal = player.position(None).expect("a position").legal.clone();
    let answer = player.play(None, Some(Instant::now() + Duration::from_secs(2))).expect("a move");
    assert!(legal.contains(&answer.text), "{}", answer.text);
    // On a busy machine the circuit may come too late.
    if answer.origin == Origin::Circuit {
        let choice = answer.report.and_then(|report| report.choice).expect("a choice");
        assert_eq!(choice.base.name(), "uct+solver");
    }
}
