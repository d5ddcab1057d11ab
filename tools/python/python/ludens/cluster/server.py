"""A GGP player over HTTP: each message is the body of a POST, each reply that of its answer."""

from __future__ import annotations

import logging
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Dict, Optional

import ludens

from .player import ClusterMatch, PlayerOptions, SearchService

log = logging.getLogger("ludens.cluster")

#: The longest message that is read, in bytes; that of `ludens serve`.
MAX_BODY = 16 << 20
#: The time within which a message must arrive, in seconds.
BODY_TIME = 30.0
#: The longest clock that is accepted, in seconds.
LONGEST_CLOCK = 24 * 3600.0


class ClusterServer:
    """Matches by name, and the server that gets their messages. One match is played at a time."""

    def __init__(
        self, cluster: SearchService, options: PlayerOptions, port: int = 9147, host: str = ""
    ) -> None:
        self.cluster, self.options = cluster, options
        self._match: Optional[ClusterMatch] = None
        self._clock = 0.0
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer((host, port), self._handler())
        self._server.daemon_threads = True

    @property
    def port(self) -> int:
        """The port that it listens on."""
        return int(self._server.server_address[1])

    @property
    def match(self) -> Optional[ClusterMatch]:
        """The match that is played."""
        return self._match

    def serve_forever(self) -> None:
        """Answers until it is closed."""
        self._server.serve_forever(poll_interval=0.1)

    def close(self) -> None:
        """Ends the server and its match."""
        self._server.shutdown()
        self._server.server_close()
        self._end()

    def reply(self, text: str, arrived: float) -> str:
        """The reply to a message that arrived at this time of the monotonic clock."""
        try:
            message = ludens.read_message(text)
            return getattr(self, "_" + message["kind"])(message, arrived)
        except ludens.LudensError as error:
            return f"error: {str(error).splitlines()[0]}"

    def _info(self, message: Dict[str, Any], arrived: float) -> str:
        return f"((name ludens) (status {'busy' if self._match else 'available'}))"

    def _preview(self, message: Dict[str, Any], arrived: float) -> str:
        return "done"

    def _start(self, message: Dict[str, Any], arrived: float) -> str:
        for clock in ("start_clock", "play_clock"):
            if message[clock] > LONGEST_CLOCK:
                return f"error: a clock of more than {LONGEST_CLOCK:.0f} seconds"
        with self._lock:
            # A manager that begins another match has given up the last one.
            self._end()
            self._clock = message["play_clock"]
            left = message["start_clock"] - (time.monotonic() - arrived)
            self._match = ClusterMatch(
                message["id"],
                message["sheet"],
                message["role"],
                self.cluster,
                self.options,
                max(0.0, left),
            )
            return "ready"

    def _play(self, message: Dict[str, Any], arrived: float) -> str:
        with self._lock:
            match = self._match
            if match is None or match.match != message["id"]:
                return "busy"
            previous = message["previous"]
            if previous and not match.answers and all(move.lower() == "nil" for move in previous):
                previous = None
            answer = match.play(previous, self._clock - (time.monotonic() - arrived))
            log.info("%s: %s", match.match, answer)
            return answer.move

    def _stop(self, message: Dict[str, Any], arrived: float) -> str:
        with self._lock:
            if self._match is None or self._match.match != message["id"]:
                return "busy"
            self._end()
            return "done"

    def _abort(self, message: Dict[str, Any], arrived: float) -> str:
        return "aborted" if self._stop(message, arrived) == "done" else "busy"

    def _end(self) -> None:
        if self._match is not None:
            self._match.stop()
            self._match = None

    def _handler(self) -> Any:
        server = self

        class Handler(BaseHTTPRequestHandler):
            """Reads a request and writes its answer."""

            protocol_version = "HTTP/1.1"
            timeout = BODY_TIME

            def do_POST(self) -> None:
                arrived = time.monotonic()
                try:
                    length = int(self.headers.get("Content-Length", ""))
                except ValueError:
                    return self._answer(411, "error: the length of the message is missing")
                if not 0 <= length <= MAX_BODY:
                    self.close_connection = True
                    return self._answer(413, f"error: the message has more than {MAX_BODY} bytes")
                text = self.rfile.read(length).decode("utf-8", "replace")
                reply = server.reply(text, arrived)
                self._answer(400 if reply.startswith("error:") else 200, reply)

            def do_GET(self) -> None:
                self._answer(405, "a game manager sends its messages by POST, such as (info)")

            def _answer(self, status: int, text: str) -> None:
                body = text.encode()
                self.send_response(status)
                self.send_header("Content-Type", "text/acl")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *arguments: Any) -> None:
                log.debug(format, *arguments)

        return Handler
