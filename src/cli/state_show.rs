//! `ludens show SHEET state`: a state, drawn.

use std::io::{self, Write};

use anyhow::{Result, ensure};
use ludens::draw::{BoardPicture, Drawing};
use ludens::pipeline::{Engine, PipelineOptions};
use ludens::run::Run;

use super::args::{PositionArgs, Start};
use super::exit::ExitStatus;
use super::knowledge::knowledge;
use super::{interrupt, output};

/// How a state is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum StateForm {
    Text,
    Svg,
    Json,
}

impl StateForm {
    pub(crate) fn new(svg: bool, json: bool) -> Result<Self> {
        ensure!(!(svg && json), "a state is shown with --svg or with --json, not with both");
        Ok(if svg {
            StateForm::Svg
        } else if json {
            StateForm::Json
        } else {
            StateForm::Text
        })
    }
}

/// Shows the state after the given moves.
pub(crate) fn write(
    sheet: &str,
    position: &PositionArgs,
    options: PipelineOptions,
    form: StateForm,
    out: &mut dyn Write,
) -> Result<ExitStatus> {
    // A single state needs no fast engine.
    let start = Start::read(sheet, position, 0, Engine::Reference, options)?;
    let mut game = start.game();
    let mut run = Run::new(&mut *game, &start.setup)?;
    let mut last: Vec<String> = Vec::new();
    while run.has_script() {
        if game.is_terminal(&run.state)? {
            run.check_script_is_done()?;
        }
        let joint = run.advance(&mut *game)?;
        let texts = joint.iter().enumerate().map(|(role, &one)| game.move_text(role, one));
        last = texts.collect::<Result<_, _>>()?;
    }
    let mut sentences = game.sentences(&run.state)?;
    sentences.sort_unstable();
    if form == StateForm::Json {
        output::json(out, &sentences)?;
        return Ok(ExitStatus::Good);
    }
    let knowledge = knowledge(&start, &mut *game, &*interrupt::flag()?);
    for (line, problem) in &knowledge.hints.problems {
        let name = start.rules.source.name();
        // The state is shown even if the notice cannot be written.
        let _ = writeln!(io::stderr(), "ludens: notice: {name}:{line}: {problem}");
    }
    match form {
        StateForm::Svg => {
            let mut picture = BoardPicture::new(&knowledge);
            picture.include(&sentences);
            let marks = picture.last_marks(&last);
            ensure!(picture.has_boards(), "{} has no board to draw", start.rules.source.name());
            out.write_all(picture.svg(&sentences, &marks).as_bytes())?;
        }
        StateForm::Text | StateForm::Json => {
            write!(out, "{}", Drawing::new(&knowledge).draw(&sentences))?;
        }
    }
    Ok(ExitStatus::Good)
}
