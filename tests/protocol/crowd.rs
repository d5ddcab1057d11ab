//! More clients than a game needs: those that say nothing, and those that say too much.

use std::io::Write;
use std::net::TcpStream;
use std::thread;
use std::time::Duration;

use super::STEPS;
use super::serve::{Served, read_response, request, sheet};

/// Far more than are let in for one match, and few enough for a process with 1024 files.
const CROWD: usize = 800;

#[test]
fn a_crowd_that_says_nothing_does_not_stop_a_match() {
    let player = Served::start(&["--simulations", "10"]);
    assert_eq!(player.say(&format!("(start m white ({STEPS}) 60 60)")), "ready");
    let mut crowd: Vec<TcpStream> = (0..CROWD / 2).map(|_| player.connect()).collect();
    assert_eq!(player.say("(play m nil)"), "Go");
    // Some begin to speak, and do not go on.
    crowd.extend((0..CROWD / 2).map(|_| {
        let mut stream = player.connect();
        // It may be closed already.
        let _ = stream.write_all(b"POST / HTTP/1.1\r\nContent-Length: 9\r\n\r\n(");
        stream
    }));
    assert_eq!(player.say("(play m (go wait))"), "Go");
    let open = player.open_files();
    assert!(open < CROWD / 2, "{open} files are open");
    assert_eq!(player.say("(stop m (go wait))"), "done");
    drop(crowd);
}

#[test]
fn too_many_messages_at_once_are_told_so() {
    let player = Served::start(&[]);
    let start = format!("(start m white ({}\n) 1 3600)", sheet("breakthrough"));
    assert_eq!(player.say(&start), "ready");
    let question = request("(play m nil)");
    let send = || {
        let mut stream = player.connect();
        stream.write_all(question.as_bytes()).expect("it is sent");
        stream
    };
    let mut waiting: Vec<TcpStream> = (0..CROWD / 8).map(|_| send()).collect();
    // Whoever asks after them is told so, and who does not have to wait is answered, as soon as all
    // have come in.
    assert_eq!(player.post("(play m nil)").body, "busy");
    let is_answered = |_| {
        thread::sleep(Duration::from_millis(50));
        player.post("(info)").status == 200
    };
    assert!((0..600).any(is_answered), "nobody is answered any more");
    // Those who wait are not forgotten.
    player.signal("-TERM");
    assert!(read_response(waiting.remove(0)).body.starts_with("(move "));
    assert_eq!(player.wait(), Some(0));
}

#[test]
fn nobody_who_is_let_in_waits_for_the_clocks_of_others() {
    let player = Served::start(&["--matches", "150"]);
    let start = format!("(start m white ({}\n) 1 3600)", sheet("breakthrough"));
    assert_eq!(player.say(&start), "ready");
    let question = request("(play m nil)");
    // More than the threads that a server usually has, and fewer than are let in.
    let mut waiting: Vec<TcpStream> = (0..600)
        .map(|_| {
            let mut stream = player.connect();
            stream.write_all(question.as_bytes()).expect("it is sent");
            stream
        })
        .collect();
    let all_are_in = |_| {
        thread::sleep(Duration::from_millis(100));
        player.figure("Threads") >= 600
    };
    assert!((0..600).any(all_are_in), "{} threads", player.figure("Threads"));
    assert_eq!(player.say("(abort m)"), "aborted");
    assert!(read_response(waiting.remove(0)).body.starts_with("(move "));
}
