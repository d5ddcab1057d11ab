//! Boards as SVG: sound documents with the right cells, pieces and marks, whatever names a sheet has.

use ludens::draw::{BoardPicture, BoardShape, CellIndex, Knowledge, Marks};
use propnet::game::Game;
use propnet::gdl::Source;
use propnet::reference::{Reasoner, load};
use roxmltree::Document;

use crate::support::{known, root};

/// The picture of a game of ours, and its first state.
fn first(name: &str) -> (BoardPicture, Vec<String>) {
    let (mut game, knowledge) = known(&root().join(format!("games/{name}.kif")));
    let state = game.initial_state().expect("a state");
    let sentences = game.sentences(&state).expect("sentences");
    (BoardPicture::new(&knowledge), sentences)
}

/// The picture of a sheet, and its first state.
fn of_sheet(sheet: &str) -> (BoardPicture, Vec<String>) {
    let rules = load(Source::from_text("sheet", sheet)).expect("rules");
    let mut game = Reasoner::new(&rules);
    let state = game.initial_state().expect("a state");
    let sentences = game.sentences(&state).expect("sentences");
    let states = vec![sentences.clone()];
    let knowledge = Knowledge { states, ..Knowledge::new(&rules, game.roles()) };
    (BoardPicture::new(&knowledge), sentences)
}

/// How many elements of a document have this class.
fn count(svg: &str, class: &str) -> usize {
    let document = Document::parse(svg).expect("sound XML");
    let has = |node: &roxmltree::Node<'_, '_>| {
        node.attribute("class").is_some_and(|all| all.split(' ').any(|one| one == class))
    };
    document.descendants().filter(has).count()
}

#[test]
fn every_cell_and_piece_is_drawn_from_the_first_state_on() {
    // Cells, and pieces of two colours.
    for (name, cells, pieces) in [
        ("tic_tac_toe", 9, [("stroke-blue", 0), ("stroke-red", 0)]),
        ("chess", 64, [("fill-white", 16), ("fill-black", 16)]),
        ("checkers", 32, [("fill-white", 12), ("fill-black", 12)]),
        ("othello", 64, [("fill-white", 2), ("fill-black", 2)]),
        ("breakthrough", 64, [("fill-white", 16), ("fill-black", 16)]),
        ("connect_four", 42, [("fill-red", 0), ("fill-blue", 0)]),
        ("hex", 81, [("fill-white", 0), ("fill-black", 0)]),
        ("eight_puzzle", 9, [("letters", 8), ("fill-ink", 8)]),
    ] {
        let (picture, sentences) = first(name);
        let svg = picture.svg(&sentences, &Marks::default());
        assert_eq!(count(&svg, "cell"), cells, "{name}");
        for (class, number) in pieces {
            assert_eq!(count(&svg, class), number, "{name} {class}");
        }
    }
}

#[test]
fn boards_have_their_shapes() {
    let shape = |name| first(name).0.layout().boards[0].shape;
    assert_eq!(shape("hex"), BoardShape::Hexagonal);
    assert_eq!(shape("chinese_checkers_3p"), BoardShape::Hexagonal);
    assert_eq!(shape("chess"), BoardShape::Square);
    let (picture, _) = first("tic_tac_toe_3d");
    assert_eq!(picture.layout().boards.len(), 4);
}

#[test]
fn moves_name_their_cells() {
    let cell = |picture: &BoardPicture, at: CellIndex| {
        let board = &picture.layout().boards[at.board];
        let cell = board.cells[at.cell];
        format!("{} {}", board.columns[cell.column], board.rows[cell.row])
    };
    let cells = |name: &str, text: &str| -> Vec<String> {
        let (picture, _) = first(name);
        picture.cells_of(text).into_iter().map(|at| cell(&picture, at)).collect()
    };
    assert_eq!(cells("breakthrough", "(move 1 2 2 3)"), ["1 2", "2 3"]);
    assert_eq!(cells("tic_tac_toe", "(MARK 2 3)"), ["2 3"]);
    assert_eq!(cells("connect_four", "(drop 3)").len(), 6);
    assert!(cells("tic_tac_toe", "noop").is_empty());
    let (picture, _) = first("tic_tac_toe_3d");
    let found = picture.cells_of("(mark 1 2 3)");
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn marks_are_laid_over_the_cells() {
    let (picture, sentences) = first("breakthrough");
    let mut marks = picture.last_marks(&["(move 1 2 2 3)".to_string(), "noop".to_string()]);
    marks.targets = picture.cells_of("(move 3 2 3 3)");
    let moves = [("(move 1 2 2 3)", 90), ("(move 3 2 3 3)", 10), ("(move 4 2 4 3)", 0)];
    picture.mark_visits(&mut marks, moves.into_iter());
    let shares = [("(cell 1 1 white)", 0.25), ("(cell 1 8 black)", 0.5), ("(control white)", 1.0)];
    picture.mark_shares(&mut marks, shares.into_iter());
    let svg = picture.svg(&sentences, &marks);
    let found = ["last", "target", "visits", "share"].map(|class| count(&svg, class));
    assert_eq!(found, [2, 2, 2, 2], "moves that were never tried are not drawn");
    assert!(svg.contains("white 25 %") && svg.contains("(move 1 2 2 3): 90 visits"));
    let overlay = picture.overlay(&marks);
    assert_eq!((count(&overlay, "cell"), count(&overlay, "visits")), (0, 2));
}

#[test]
fn comments_of_a_sheet_say_how_it_is_drawn() {
    let sheet = "
        ; draw: board at x=2 y=1 content=3
        ; draw: piece gizmo G
        ; draw: blank dirt
        (role a) (init (at low 1 gizmo)) (init (at low 2 dirt)) (init (at high 1 dirt))
        (init (at high 2 gizmo)) (legal a go) (<= (next (at ?x ?y ?z)) (true (at ?x ?y ?z)))
        (<= terminal (true (at low 1 dirt))) (goal a 0)";
    let (picture, sentences) = of_sheet(sheet);
    let board = &picture.layout().boards[0];
    assert_eq!((board.columns.len(), board.rows.len()), (2, 2));
    assert_eq!(board.columns, ["1", "2"]);
    let svg = picture.svg(&sentences, &Marks::default());
    assert_eq!(svg.matches(">g</text>").count(), 2, "{svg}");
    let listed = of_sheet(&sheet.replace("board at x=2 y=1 content=3", "list at")).0;
    assert!(!listed.has_boards());
}

#[test]
fn hostile_names_come_out_as_text() {
    let long = "z".repeat(3000);
    for name in ["<script>harm=1</script>", "a\"b'c", "&lt", "<g", long.as_str(), "א"] {
        let sheet = format!(
            "(role a) (init (cell 1 1 {name})) (init (cell 1 2 {name})) (init (cell 2 1 o))
             (init (cell 2 2 b)) (legal a go) (<= (next (cell ?x ?y ?z)) (true (cell ?x ?y ?z)))
             (<= terminal (true (cell 1 1 o))) (goal a 0)"
        );
        let (picture, sentences) = of_sheet(&sheet);
        let svg = picture.svg(&sentences, &Marks::default());
        let document = Document::parse(&svg).expect("sound XML");
        let known = ["svg", "g", "title", "path", "text", "circle", "rect"];
        let odd = document.descendants().filter(|node| node.is_element());
        let odd: Vec<_> =
            odd.map(|node| node.tag_name().name()).filter(|tag| !known.contains(tag)).collect();
        assert!(odd.is_empty(), "{name}: {odd:?}");
        assert!(svg.len() < 20_000, "{name}: {} bytes", svg.len());
    }
}
