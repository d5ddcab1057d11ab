//! The lines a trace is made of, and their hash.

use propnet::game::{Game, PlayError, Role, State};

/// The sentences of a state, sorted bytewise.
pub fn sorted_sentences(game: &dyn Game, state: &State) -> Result<Vec<String>, PlayError> {
    let mut sentences = game.sentences(state)?;
    sentences.sort_unstable();
    Ok(sentences)
}

/// The texts of a role's legal moves, sorted bytewise.
pub fn sorted_moves(
    game: &mut dyn Game,
    state: &State,
    role: Role,
) -> Result<Vec<String>, PlayError> {
    let legal = game.legal_moves(state, role)?;
    let texts = legal.iter().map(|chosen| game.move_text(role, chosen));
    let mut moves = texts.collect::<Result<Vec<String>, _>>()?;
    moves.sort_unstable();
    Ok(moves)
}

/// All roles' legal moves as the lines that are hashed: `ROLE_INDEX MOVE`.
pub fn legal_lines(legals: &[Vec<String>]) -> Vec<String> {
    let lines = legals.iter().enumerate();
    lines.flat_map(|(role, moves)| moves.iter().map(move |text| format!("{role} {text}"))).collect()
}

/// FNV-1a, 64 bits, of the lines joined by line feeds, as 16 hex digits.
pub fn hash_lines(lines: &[String]) -> String {
    hash_each(lines)
}

/// The same for lines that are made one by one and need not be in memory all at once.
pub fn hash_each(lines: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let mut hash = Fnv::default();
    for (index, line) in lines.into_iter().enumerate() {
        if index > 0 {
            hash.add(b"\n");
        }
        hash.add(line.as_ref().as_bytes());
    }
    hash.hex()
}

/// The same hash of several contents, each with its length, so that different lists cannot look
/// alike.
pub fn hash_contents(contents: &[&[u8]]) -> String {
    let mut hash = Fnv::default();
    for content in contents {
        hash.add(&(content.len() as u64).to_le_bytes());
        hash.add(content);
    }
    hash.hex()
}

/// The hash in progress: FNV-1a of Fowler, Noll and Vo, 64 bits.
struct Fnv(u64);

impl Default for Fnv {
    fn default() -> Self {
        Fnv(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    fn hex(&self) -> String {
        format!("{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_format() {
        let lines = |text: &[&str]| text.iter().map(|&line| line.to_string()).collect::<Vec<_>>();
        assert_eq!(hash_lines(&lines(&["(state 0)"])), "7acd11f6e3fa3753");
        assert_eq!(hash_lines(&lines(&["(state 1)"])), "7ad035f6e3fcaa56");
        assert_eq!(hash_lines(&legal_lines(&[lines(&["proceed"])])), "c5412cc0be0ae795");
        assert_eq!(hash_lines(&[]), "cbf29ce484222325");
        assert_eq!(hash_lines(&lines(&["a", "b"])), hash_lines(&lines(&["a\nb"])));
    }
}
