//! Players over HTTP, good ones and bad ones. The sheet has two steps; in the first one each role may
//! say something, in the second one it may only go up.

use std::time::Duration;

use ludens::manager::{Clocks, EndReason};
use ludens::record::MatchRecord;

use super::fake::{Act, Fake};
use super::table::{AMPLE, FAIR, SHORT, play, setup};
use crate::support::SMALL;

/// The errors of a role, step by step: with the start first.
fn errors(record: &MatchRecord, role: usize) -> Vec<&str> {
    record.errors.iter().map(|errors| errors[role].as_str()).collect()
}

/// Plays a match between a fake player and moves at random, with this time for each move.
fn match_with(fake: &Fake, play_clock: Duration) -> MatchRecord {
    let mut setup = setup(SMALL, &[&fake.address, "random"]);
    setup.clocks = Clocks { start: SHORT.max(play_clock), play: play_clock };
    let outcome = play(&setup);
    assert!(matches!(outcome.end, EndReason::Completed(_)), "{:?}", outcome.end);
    assert_eq!(outcome.record.goal_values, [Some(100), Some(40)]);
    assert_eq!(errors(&outcome.record, 1), ["", "", ""]);
    outcome.record
}

#[test]
fn messages_are_those_of_the_protocol() {
    let fake = Fake::playing({
        let mut answers = [" ( sAY\n0 ) ", "UP"].into_iter();
        move || Act::Say(answers.next().expect("two turns"))
    });
    let mut setup = setup(SMALL, &["first", &fake.address]);
    setup.clocks = Clocks { start: AMPLE, play: Duration::from_secs(9) };
    let record = play(&setup).record;
    // Answers are read in any letter case, and told in that of the sheet.
    assert_eq!(record.moves, [["(Say 0)", "(Say 0)"], ["up", "up"]]);
    assert_eq!(errors(&record, 1), ["", "", ""]);
    let messages = fake.messages();
    assert_eq!(messages.len(), 4, "{messages:?}");
    assert!(
        messages[0].starts_with("(START m.1 b ((role a) (role b) (init (n 0)) "),
        "{messages:?}"
    );
    assert!(messages[0].ends_with(" (goal b 40)) 20 9)"), "{messages:?}");
    assert_eq!(messages[1..3], ["(PLAY m.1 nil)", "(PLAY m.1 ((Say 0) (Say 0)))"]);
    assert_eq!(messages[3], "(STOP m.1 (up up))");
}

#[test]
fn one_who_never_answers_does_not_stop_the_match() {
    let fake = Fake::new(|_| Act::Silence);
    assert_eq!(errors(&match_with(&fake, SHORT), 0), ["TO", "TO", "TO"]);
}

#[test]
fn an_answer_that_comes_late_counts_neither_now_nor_in_the_next_step() {
    let fake = Fake::playing({
        let mut turn = 0;
        move || {
            turn += 1;
            if turn == 1 { Act::Late(FAIR + FAIR / 4, "(say 0)") } else { Act::Say("up") }
        }
    });
    let record = match_with(&fake, FAIR);
    assert_eq!(errors(&record, 0), ["", "TO", ""]);
    assert_eq!(record.moves[1][0], "up");
}

#[test]
fn what_is_no_legal_move_is_replaced_and_counted() {
    let long = "x".repeat(5000);
    let cases = [
        ("(say 7)", "IL (say 7)".to_string()),
        ("noop", "IL noop".to_string()),
        ("hello (", "IL hello (".to_string()),
        ("", "IL ".to_string()),
        ("(say\n\t1)", "IL (say 1)".to_string()),
        ("?x", "IL ?x".to_string()),
        ("naïve \u{0}\u{1b}[31m", "IL naïve [31m".to_string()),
        (long.leak(), format!("IL {}...", "x".repeat(100))),
    ];
    for (answer, error) in cases {
        let record = match_with(&Fake::saying(answer), AMPLE);
        assert_eq!(errors(&record, 0), ["", &error, &error], "{answer:?}");
    }
    let nested = "(".repeat(50_000).leak();
    let record = match_with(&Fake::saying(nested), AMPLE);
    assert!(errors(&record, 0)[1].starts_with("IL (((((("));
}

#[test]
fn replaced_moves_are_legal_ones_from_the_seed() {
    let firsts = |seed: u64| {
        let fake = Fake::saying("nonsense");
        let mut setup = setup(SMALL, &[&fake.address, "first"]);
        setup.seed = seed;
        play(&setup).record.moves[0][0].clone()
    };
    let moves: Vec<String> = (0..8).map(firsts).collect();
    assert!(moves.iter().all(|text| text == "up" || text == "(Say 0)"), "{moves:?}");
    assert!(moves.contains(&"up".to_string()) && moves.contains(&"(Say 0)".to_string()));
    assert_eq!(moves, (0..8).map(firsts).collect::<Vec<_>>());
}

#[test]
fn one_who_is_busy_at_the_start_is_counted() {
    let fake = Fake::new(|_| Act::Say("busy"));
    assert_eq!(errors(&match_with(&fake, AMPLE), 0), ["IL busy", "IL busy", "IL busy"]);
}

#[test]
fn one_who_dies_does_not_stop_the_match() {
    let fake = Fake::playing(|| Act::Die);
    let record = match_with(&fake, AMPLE);
    assert_eq!(errors(&record, 0), ["", "CE", "CE"]);
    assert_eq!(fake.messages().len(), 2, "{:?}", fake.messages());
}

#[test]
fn broken_connections_are_counted() {
    let answers: [fn() -> Act; 6] = [
        || Act::HangUp,
        || Act::Raw(b"HTTP/1.1 500 Oh\r\nContent-Length: 2\r\n\r\nup".to_vec()),
        || Act::Raw(b"HTTP/1.1 302 Found\r\nLocation: /up\r\nContent-Length: 2\r\n\r\nup".to_vec()),
        || Act::Raw(b"no HTTP at all\r\n\r\n".to_vec()),
        || Act::Raw(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nup".to_vec()),
        || {
            let body = "x".repeat(1 << 20);
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
            Act::Raw([head.as_bytes(), body.as_bytes()].concat())
        },
    ];
    for (case, answer) in answers.into_iter().enumerate() {
        let record = match_with(&Fake::playing(answer), AMPLE);
        assert_eq!(errors(&record, 0), ["", "CE", "CE"], "case {case}");
    }
}

#[test]
fn answers_come_in_pieces_too() {
    let chunked =
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nu\r\n1\r\np\r\n0\r\n\r\n";
    let unbounded = b"HTTP/1.0 200 OK\r\n\r\nup";
    for answer in [&chunked[..], unbounded] {
        let record = match_with(&Fake::playing(move || Act::Raw(answer.to_vec())), AMPLE);
        assert_eq!(errors(&record, 0), ["", "", ""]);
        assert_eq!([&record.moves[0][0], &record.moves[1][0]], ["up", "up"]);
    }
}

#[test]
fn one_who_is_silent_does_not_spoil_the_moves_of_others() {
    let (silent, good) = (Fake::new(|_| Act::Silence), Fake::saying("up"));
    let mut setup = setup(SMALL, &[&silent.address, &good.address]);
    setup.clocks = Clocks { start: FAIR, play: FAIR };
    let record = play(&setup).record;
    assert_eq!(errors(&record, 0), ["TO", "TO", "TO"]);
    assert_eq!(errors(&record, 1), ["", "", ""]);
    assert_eq!([&record.moves[0][1], &record.moves[1][1]], ["up", "up"]);
    // Both are told how it ended.
    good.wait_for("STOP");
    silent.wait_for("STOP");
}
