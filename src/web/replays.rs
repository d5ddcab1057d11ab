//! Records of matches, played again for the page; those that grow are told as they grow.

use std::fs::DirEntry;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use propnet::gdl::Source;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::task::spawn_blocking;
use tokio::time::sleep;

use super::error::ApiError;
use super::feed::Feed;
use super::files;
use super::sheets::Sheets;
use crate::record::{MatchRecord, ReplayedMatch, read_record};

/// A record: its text, or the path of its file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RecordRequest {
    text: Option<String>,
    pub(super) path: Option<String>,
    /// The sheet it was played by, if it is not its own.
    sheet: Option<String>,
}

/// How often a file that grows is looked at.
const LOOK: Duration = Duration::from_millis(700);

/// No more files of a folder are looked at.
const MOST_FILES: usize = 20_000;

/// Plays a record again.
pub(super) fn replay(sheets: &Sheets, request: &RecordRequest) -> Result<Value, ApiError> {
    let (bytes, name) = match (&request.text, &request.path) {
        (Some(text), _) => (text.clone().into_bytes(), "record".to_string()),
        (None, Some(path)) => (files::read(path, files::RECORDS)?, path.clone()),
        (None, None) => return Err(ApiError::bad("a record is a text or a path")),
    };
    let record = read_record(&bytes).map_err(ApiError::bad)?;
    let sheet = match &request.sheet {
        Some(id) => sheets.get(id)?,
        None => sheets.open(source_of(&record, &name)?),
    };
    let mut game = sheet.new_game()?;
    let replayed = ReplayedMatch::play(&record, &name, &mut *game);
    let steps: Vec<Value> = replayed
        .steps
        .iter()
        .map(|one| {
            let before = one.step.checked_sub(1);
            let reports = before.and_then(|before| record.reports.get(before));
            json!({
                "step": one.step, "state": one.state, "moves": one.moves,
                "errors": record.errors.get(one.step), "reports": reports,
            })
        })
        .collect();
    Ok(json!({
        "sheet": sheet.id, "game": sheet.name, "roles": sheet.roles,
        "match": record.match_id, "players": record.player_names_from_host,
        "steps": steps, "goals": replayed.goals, "recorded_goals": record.goal_values,
        "over": record.is_over(), "error": replayed.error.map(|error| error.to_string()),
    }))
}

/// The rules that a record carries, or those of the game that it names.
fn source_of(record: &MatchRecord, name: &str) -> Result<Source, ApiError> {
    record.rules(name).ok_or_else(|| {
        ApiError::bad(
            "this record does not carry its rules, and its game is not known: open its sheet first",
        )
    })
}

/// A feed of a record's file that is read again whenever it changes, as long as somebody watches. In a
/// folder, such as that of `ludens serve --out`, it is the record of the match that is played now.
pub(super) fn follow(sheets: Arc<Sheets>, path: String) -> Arc<Feed> {
    let feed = Arc::new(Feed::latest());
    let own = feed.clone();
    tokio::spawn(async move {
        let mut seen: Option<(SystemTime, u64)> = None;
        let mut path = path;
        while !own.is_abandoned(2 * LOOK) {
            let (own_path, own_sheets, before) = (path.clone(), sheets.clone(), seen);
            let looked = spawn_blocking(move || {
                let file = newest(&own_path).unwrap_or(own_path);
                (look(&own_sheets, &file, before), file)
            });
            let looked = looked.await.map(|(found, file)| {
                // A match is followed to its end, also when another one begins.
                path = file;
                found
            });
            match looked {
                Ok(Some((now, document))) => {
                    seen = now;
                    own.publish(document.to_string());
                    if document["over"] == true {
                        break;
                    }
                }
                Ok(None) => {}
                Err(_) => break,
            }
            sleep(LOOK).await;
        }
        own.close();
    });
    feed
}

/// The newest journal in a folder; if no match is played, its newest record.
fn newest(folder: &str) -> Option<String> {
    let written = |entry: &DirEntry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()));
    let files = std::fs::read_dir(folder).ok()?.flatten().take(MOST_FILES);
    let files: Vec<(SystemTime, PathBuf)> = files.filter_map(|entry| written(&entry)).collect();
    let with = |extension: &str| {
        let has = |path: &PathBuf| path.extension().is_some_and(|found| found == extension);
        files.iter().filter(|(_, path)| has(path)).max()
    };
    let (_, path) = with("part").or_else(|| with("json"))?;
    Some(path.to_str()?.to_string())
}

/// The record, if its file has changed, and what it looked like.
fn look(
    sheets: &Sheets,
    path: &str,
    before: Option<(SystemTime, u64)>,
) -> Option<(Option<(SystemTime, u64)>, Value)> {
    let finished = path.strip_suffix(".part").map(|stem| format!("{stem}.json"));
    let found = |path: &str| {
        let meta = std::fs::metadata(path).ok()?;
        Some((meta.modified().ok()?, meta.len()))
    };
    // A journal that has gone was finished: its record has taken its place.
    let (now, path) = match (found(path), finished) {
        (None, Some(finished)) => (found(&finished), finished),
        (now, _) => (now, path.to_string()),
    };
    if now.is_some() && now == before {
        return None;
    }
    let request = RecordRequest { text: None, path: Some(path), sheet: None };
    let document = replay(sheets, &request);
    Some((
        now,
        document.unwrap_or_else(|error| json!({"error": error.message, "over": now.is_none()})),
    ))
}
