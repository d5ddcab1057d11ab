//! The protocol of game managers: text in, text out.
//!
//! ```text
//! message  text -> what a manager wants          reply    what it is told -> text
//! session  messages -> replies, no sockets       contest  one match of a session
//! play     what is known of a match              scribe   writes a match down, beside
//! server   the session behind HTTP               gate     how many may come in at once
//! http     a request -> a response               access   which web pages and host names may ask
//! tally    which matches still run               metrics  what was done, in figures
//! ```
//!
//! Whatever comes in, an answer goes out, and no match touches another. A session is told when a
//! message arrived, and all clocks of a match count from there, so what is said can be tested as
//! text. It looks at the time itself only for what is left of a clock, and at the end of a match.

mod access;
mod contest;
mod gate;
mod http;
mod message;
mod metrics;
mod play;
mod reply;
mod scribe;
mod server;
mod session;
mod tally;

pub use access::Access;
pub use http::MAX_BODY;
pub use message::{Message, MessageError, Start, read_message};
pub use reply::Reply;
pub use server::{Server, ServerError, ServerOptions};
pub use session::{Session, SessionOptions};
