//! Why a request is refused.

use std::fmt::Display;

use warp::http::StatusCode;

/// A refusal, with a message for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ApiError {
    pub(super) status: StatusCode,
    pub(super) message: String,
}

impl ApiError {
    /// The request cannot be understood or carried out.
    pub(super) fn bad(message: impl Display) -> Self {
        ApiError { status: StatusCode::BAD_REQUEST, message: message.to_string() }
    }

    /// What is named does not exist, or no longer.
    pub(super) fn unknown(message: impl Display) -> Self {
        ApiError { status: StatusCode::NOT_FOUND, message: message.to_string() }
    }

    /// Too much is going on.
    pub(super) fn busy(message: impl Display) -> Self {
        ApiError { status: StatusCode::SERVICE_UNAVAILABLE, message: message.to_string() }
    }

    /// It is not allowed.
    pub(super) fn forbidden(message: impl Display) -> Self {
        ApiError { status: StatusCode::FORBIDDEN, message: message.to_string() }
    }
}
