//! The lines of play in `tests/games/lines`, replayed on the reference reasoner and the circuit.

use std::fs;
use std::path::PathBuf;

use ludens::start::{Given, make_state, read_state};
use propnet::game::{Game, Move, State};
use propnet::gdl::Source;
use propnet::reference::Reasoner;
use rayon::prelude::*;

use super::line::{Line, Step, read};
use super::sheet::{Sheet, is_restricted, sheets};
use crate::support;

/// Sheets without a file of lines, each with the reason.
const WITHOUT_LINES: &[&str] = &[];

fn file(name: &str) -> PathBuf {
    support::root().join(format!("tests/games/lines/{name}.lines"))
}

#[test]
fn every_sheet_has_lines() {
    let names: Vec<&str> = sheets().iter().map(|sheet| sheet.name.as_str()).collect();
    let without = |name: &&str| !WITHOUT_LINES.contains(name) && !file(name).is_file();
    let missing: Vec<&str> = names.iter().copied().filter(without).collect();
    assert!(missing.is_empty(), "no lines of play for {}", missing.join(", "));
    if is_restricted() {
        return;
    }
    for entry in fs::read_dir(support::root().join("tests/games/lines")).expect("the folder") {
        let name = support::name_of(&entry.expect("an entry").path());
        assert!(names.contains(&name.as_str()), "lines of {name}, which is no sheet");
    }
}

#[test]
fn lines_come_out_as_they_should() {
    let complaints: Vec<String> =
        sheets().par_iter().with_max_len(1).flat_map(complaints).collect();
    assert!(complaints.is_empty(), "\n{}", complaints.join("\n"));
}

fn complaints(sheet: &Sheet) -> Vec<String> {
    let Ok(text) = fs::read_to_string(file(&sheet.name)) else { return Vec::new() };
    let lines = match read(&text) {
        Ok(lines) => lines,
        Err(error) => return vec![format!("{}: {error}", sheet.name)],
    };
    let engines: [(&str, Box<dyn Game>); 2] =
        [("reference", Box::new(Reasoner::new(&sheet.rules))), ("circuit", Box::new(sheet.game()))];
    let mut complaints = Vec::new();
    for (engine, mut game) in engines {
        for line in &lines {
            if let Err(error) = replay(&mut *game, line) {
                complaints.push(format!("{}, {engine}, {}: {error}", sheet.name, line.title));
            }
        }
    }
    complaints
}

fn replay(game: &mut dyn Game, line: &Line) -> Result<(), String> {
    let mut state = match &line.state {
        None => game.initial_state().map_err(|error| error.to_string())?,
        Some(text) => state_of(game, text)?,
    };
    for (number, step) in line.steps.iter().enumerate() {
        take(game, &mut state, step)
            .map_err(|error| format!("step {}, {step:?}: {error}", number + 1))?;
    }
    Ok(())
}

/// Makes a move or checks a claim.
fn take(game: &mut dyn Game, state: &mut State, step: &Step) -> Result<(), String> {
    match step {
        Step::Play(texts) => *state = play(game, state, texts)?,
        Step::Legal { role, text, wanted } => {
            if is_legal(game, state, role, text)? != *wanted {
                return Err("it is not so".to_string());
            }
        }
        Step::Holds { sentences, wanted } => {
            for sentence in given(sentences)? {
                // A sentence that no state has is not true here, either.
                let asked = make_state(game, std::slice::from_ref(&sentence)).ok();
                let holds = asked.is_some_and(|a| a.iter().all(|index| state.contains(index)));
                if holds != *wanted {
                    let state = game.sentences(state).expect("sentences").join(" ");
                    return Err(format!("{}: {holds}; the state is {state}", sentence.text));
                }
            }
        }
        Step::End(goals) => {
            let over = game.is_terminal(state).map_err(|error| error.to_string())?;
            let found: Result<Vec<i32>, _> =
                (0..game.roles().len()).map(|role| game.goal(state, role)).collect();
            let found = found.map_err(|error| error.to_string())?;
            if !over || found != *goals {
                return Err(format!("terminal: {over}, goals: {found:?}"));
            }
        }
        Step::Open => {
            if game.is_terminal(state).map_err(|error| error.to_string())? {
                return Err("the game is over".to_string());
            }
        }
    }
    Ok(())
}

fn play(game: &mut dyn Game, state: &State, texts: &[String]) -> Result<State, String> {
    if game.is_terminal(state).map_err(|error| error.to_string())? {
        return Err("the game is over already".to_string());
    }
    let moves: Result<Vec<Move>, _> =
        texts.iter().enumerate().map(|(role, text)| game.move_of(role, text)).collect();
    let moves = moves.map_err(|error| error.to_string())?;
    game.next_state(state, &moves).map_err(|error| error.to_string())
}

/// A move that no state allows is not legal, whether the engine has heard of it or not.
fn is_legal(game: &mut dyn Game, state: &State, role: &str, text: &str) -> Result<bool, String> {
    let role = game.roles().iter().position(|name| name == role).ok_or("no such role")?;
    let legal = game.legal_moves(state, role).map_err(|error| error.to_string())?;
    Ok(game.move_of(role, text).is_ok_and(|chosen| legal.contains(chosen)))
}

fn state_of(game: &mut dyn Game, text: &str) -> Result<State, String> {
    make_state(game, &given(text)?).map_err(|error| error.to_string())
}

fn given(text: &str) -> Result<Vec<Given>, String> {
    read_state(&Source::from_text("state", text)).map_err(|error| error.to_string())
}
