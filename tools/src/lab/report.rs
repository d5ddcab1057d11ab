//! One page with the tables and plots of several experiments, which opens without a network.

use std::fmt::Write;

use anyhow::Result;

use super::chart::svg;
use super::experiment::Experiment;
use super::figure::Figure;
use super::table::{OpponentTable, ScoredCell, introduction, legend, tables};

/// An experiment with its scores.
pub(super) type Scored<'e> = (&'e Experiment, Vec<ScoredCell<'e>>);

/// The page.
pub(super) fn html(experiments: &[Scored], warnings: &[String]) -> Result<String> {
    let mut page = HEAD.to_string();
    for (experiment, scores) in experiments {
        page += &format!("<h2>{}</h2>\n", escaped(&experiment.title));
        for paragraph in introduction(experiment) {
            page += &format!("<p>{}</p>\n", escaped(&paragraph));
        }
        for table in tables(scores) {
            write_table(&mut page, &table)?;
        }
        page += &format!("<p class=\"legend\">{}</p>\n", escaped(&legend(scores)));
        page += &format!("<figure>{}</figure>\n", svg(&Figure::of(experiment, scores))?);
    }
    for warning in warnings {
        page += &format!("<p class=\"legend\">{}</p>\n", escaped(warning));
    }
    Ok(page + "</main>\n</html>\n")
}

fn write_table(page: &mut String, table: &OpponentTable) -> Result<()> {
    write!(page, "<h3>Against {}</h3>\n<table>\n<tr><th>game</th>", escaped(table.opponent))?;
    for column in &table.columns {
        write!(page, "<th>{}</th>", escaped(column))?;
    }
    page.push_str("</tr>\n");
    for (game, cells) in &table.rows {
        write!(page, "<tr><th>{}</th>", escaped(game))?;
        for cell in cells {
            write!(page, "<td>{}</td>", escaped(cell))?;
        }
        page.push_str("</tr>\n");
    }
    page.push_str("</table>\n");
    Ok(())
}

/// Text that means nothing to a browser.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const HEAD: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<title>Ludens laboratory</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 100rem; padding: 0 1rem; }
table { border-collapse: collapse; font-size: 0.85rem; }
th, td { border: 1px solid #ccc; padding: 0.25rem 0.6rem; text-align: left; white-space: nowrap; }
figure { margin: 1rem 0 3rem; overflow-x: auto; }
.legend { color: #555; font-size: 0.85rem; }
</style>
<main>
<h1>Ludens laboratory</h1>
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_the_page() {
        assert_eq!(escaped("a<b>&\"c\""), "a&lt;b&gt;&amp;&quot;c&quot;");
    }
}
