//! The protocol of game managers: text in, text out.
//!
//! ```text
//! message       text -> a typed message          reply            a typed reply -> text
//! session       messages -> replies, no sockets  session_match    one match of a session
//! match_state   the state of a match             record_writer    writes its record, in a thread
//! server        the session served over HTTP     connections      limits what comes in at once
//! http          a request -> a response          access           allowed origins and hosts
//! running_matches  counts matches until they end metrics          counters for Prometheus
//! ```
//!
//! Every message gets a reply, and no match affects another. The caller tells a session when a
//! message arrived, and all clocks of a match count from there, so tests compare replies as text. A
//! session reads the clock itself only for the time that is left, and at the end of a match.

mod access;
mod connections;
mod http;
mod listen;
mod match_state;
mod message;
mod metrics;
mod record_writer;
mod reply;
mod running_matches;
mod server;
mod session;
mod session_match;

pub use access::Access;
pub(crate) use connections::{Connection, ConnectionLimiter, ConnectionLimits, MessageSlot};
pub use http::MAX_BODY;
pub(crate) use http::collect;
pub(crate) use listen::{accept, bind_to, end_of_process};
pub use message::{Message, MessageError, StartMessage, read_message};
pub use reply::Reply;
pub use server::{Server, ServerError, ServerOptions};
pub use session::{Session, SessionOptions};
