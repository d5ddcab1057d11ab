//! The page: games, boards, matches, searches and circuits in a browser, and the API behind it.
//!
//! ```text
//! server    an address, connections and the end    guard     who may ask: hosts, origins, a token
//! http      a request -> a response                api       what can be asked, and by which path
//! sheets    opened sheets, and what was made       position  a state, drawn, with its legal moves
//! analyses  searches that stream what they find    analysis  one of them
//! ends      what is true at the end of playouts    figures   a sheet in figures
//! matches   matches that are played and watched    seats     people who choose their moves there
//! replays   records, played again                  circuit   parts of a circuit as pictures
//! feed      what viewers get, as it happens        files     files that are opened by their path
//! page      the files of the page                  error     why a request is refused
//! ```
//!
//! Requests are answered from what they say: a position is the sentences of its state, so the page can
//! be loaded again at any time. Only searches and matches live on the server, and they end soon after
//! their last viewer has gone.

mod analyses;
mod analysis;
mod api;
mod circuit;
mod ends;
mod error;
mod feed;
mod figures;
mod files;
mod guard;
mod http;
mod live_match;
mod matches;
mod page;
mod position;
mod replays;
mod seats;
mod server;
mod sheets;

pub use api::{API, ApiEntry};
pub use server::{WebOptions, WebServer};
