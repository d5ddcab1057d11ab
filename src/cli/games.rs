//! `ludens games`: the games that come with the program.

use std::io::Write;

use anyhow::Result;
use ludens::library::{ENTRIES, Entry, Figures, figures};
use serde::Serialize;

use super::exit::Status;
use super::{input, output};

/// List the games that come with the program, or print the rules of one
///
/// The names are accepted wherever a SHEET is. Of each game: the players and how they move, and its
/// size in fluents, moves and gates.
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

pub(crate) fn run(args: Args, out: &mut dyn Write) -> Result<Status> {
    let figures = figures();
    let item = |entry: &'static Entry| Item::new(entry, figures.get(entry.name));
    match &args.name {
        Some(name) => {
            let entry = input::game(name)?;
            if args.json {
                output::json(out, &Sheet { item: item(entry), sheet: entry.text })?;
            } else {
                out.write_all(entry.text.as_bytes())?;
            }
        }
        None => {
            let items: Vec<Item> = ENTRIES.iter().map(item).collect();
            if args.json {
                output::json(out, &items)?;
            } else {
                list(out, &items)?;
            }
        }
    }
    Ok(Status::Good)
}

/// A game, for scripts.
#[derive(Serialize)]
struct Item {
    name: &'static str,
    title: &'static str,
    description: String,
    /// Nothing where the sheet was not measured.
    figures: Option<Figures>,
}

#[derive(Serialize)]
struct Sheet {
    #[serde(flatten)]
    item: Item,
    sheet: &'static str,
}

impl Item {
    fn new(entry: &'static Entry, figures: Option<&Figures>) -> Item {
        Item {
            name: entry.name,
            title: entry.title(),
            description: entry.description(),
            figures: figures.cloned(),
        }
    }
}

fn list(out: &mut dyn Write, items: &[Item]) -> Result<()> {
    let width = items.iter().map(|item| item.name.len()).max().unwrap_or(0);
    writeln!(out, "{:<width$}  players  kind          fluents  moves   gates  what it is", "game")?;
    for item in items {
        let sizes = match &item.figures {
            Some(Figures { players, kind, fluents, moves, gates, .. }) => {
                format!(
                    "{players:>7}  {:<12}  {fluents:>7}  {moves:>5}  {gates:>6}",
                    kind.to_string()
                )
            }
            None => format!("{:>7}  {:<12}  {:>7}  {:>5}  {:>6}", "-", "-", "-", "-", "-"),
        };
        let Item { name, title, description, .. } = item;
        writeln!(out, "{name:<width$}  {sizes}  {title}: {description}")?;
    }
    Ok(())
}
