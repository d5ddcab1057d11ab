//! `ludens games`: the games that come with the program.

use std::io::Write;

use anyhow::Result;
use ludens::library::{ENTRIES, Entry, GameFigures, figures};
use ludens::sheets::library_game;
use serde::Serialize;

use super::exit::ExitStatus;
use super::output;

/// List the games that come with the program, or print the rules of one
///
/// The names are accepted wherever a SHEET is. The list shows for each game the players, how they
/// move, and its size in fluents, moves and gates.
///
/// Examples: ludens games; ludens games breakthrough; ludens play breakthrough
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Print the rules of this game
    name: Option<String>,
    /// Print one JSON document instead of text
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<ExitStatus> {
    let figures = figures();
    let item = |entry: &'static Entry| GameItem::new(entry, figures.get(entry.name));
    match &args.name {
        Some(name) => {
            let entry = library_game(name)?;
            if args.json {
                output::json(out, &SheetItem { item: item(entry), sheet: entry.text })?;
            } else {
                out.write_all(entry.text.as_bytes())?;
            }
        }
        None => {
            let items: Vec<GameItem> = ENTRIES.iter().map(item).collect();
            if args.json {
                output::json(out, &items)?;
            } else {
                list(out, &items)?;
            }
        }
    }
    Ok(ExitStatus::Good)
}

/// A game, for scripts.
#[derive(Serialize)]
struct GameItem {
    name: &'static str,
    title: &'static str,
    description: String,
    /// None if the sheet was not measured.
    figures: Option<GameFigures>,
}

#[derive(Serialize)]
struct SheetItem {
    #[serde(flatten)]
    item: GameItem,
    sheet: &'static str,
}

impl GameItem {
    fn new(entry: &'static Entry, figures: Option<&GameFigures>) -> GameItem {
        GameItem {
            name: entry.name,
            title: entry.title(),
            description: entry.description(),
            figures: figures.cloned(),
        }
    }
}

fn list(out: &mut dyn Write, items: &[GameItem]) -> Result<()> {
    let width = items.iter().map(|item| item.name.len()).max().unwrap_or(0);
    writeln!(out, "{:<width$}  players  kind          fluents  moves   gates  what it is", "game")?;
    for item in items {
        let sizes = match &item.figures {
            Some(GameFigures { players, kind, fluents, moves, gates, .. }) => {
                format!(
                    "{players:>7}  {:<12}  {fluents:>7}  {moves:>5}  {gates:>6}",
                    kind.to_string()
                )
            }
            None => format!("{:>7}  {:<12}  {:>7}  {:>5}  {:>6}", "-", "-", "-", "-", "-"),
        };
        let GameItem { name, title, description, .. } = item;
        writeln!(out, "{name:<width$}  {sizes}  {title}: {description}")?;
    }
    Ok(())
}
