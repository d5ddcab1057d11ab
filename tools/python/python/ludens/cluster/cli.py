"""`ludens-cluster`: a player and a laboratory on a Ray cluster."""

from __future__ import annotations

import argparse
import logging
import sys
from typing import List, Optional

import ludens

from .driver_options import DriverOptions


def parser() -> argparse.ArgumentParser:
    """The arguments of all commands."""
    main = argparse.ArgumentParser(
        prog="ludens-cluster",
        description="Ludens on a Ray cluster. Needs `pip install 'ludens[cluster]'`.",
    )
    main.add_argument("--version", action="version", version=ludens.__version__)
    commands = main.add_subparsers(dest="command", required=True)
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--address",
        help="the cluster: HOST:PORT of its head, or `auto` for the one of this machine; "
        "without it one is started here",
    )
    shared.add_argument("--workers", type=_positive, default=2, help="actors of one core each")
    shared.add_argument("--verbose", action="store_true", help="log each answer")
    serve = commands.add_parser(
        "serve", parents=[shared], help="play matches for game managers, over HTTP"
    )
    serve.add_argument("--port", type=int, default=9147)
    serve.add_argument("--host", default="", help="the address to listen on; all by default")
    serve.add_argument("--strategy", default="uct", help="that of each worker")
    serve.add_argument("--seed", type=int, default=0, help="the seed of all random choices")
    serve.add_argument(
        "--local",
        default="random",
        help="the strategy of this process, for when the cluster has no answer in time",
    )
    serve.add_argument(
        "--margin", type=float, default=0.5, help="seconds kept in reserve before a deadline"
    )
    serve.add_argument(
        "--mode",
        choices=["root", "leaf"],
        default="root",
        help="root: trees on all workers, merged; leaf: one tree, playouts on the workers",
    )
    lab = commands.add_parser(
        "lab", parents=[shared], help="run an experiment file of the laboratory"
    )
    lab.add_argument("file", help="the experiment, as `ludens-tools lab` reads it")
    lab.add_argument("--out", help="the records; by default the file with the extension .jsonl")
    return main


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("at least 1")
    return number


def main(arguments: Optional[List[str]] = None) -> int:
    """Runs a command; the exit code."""
    options = parser().parse_args(arguments)
    level = logging.INFO if options.verbose else logging.WARNING
    logging.basicConfig(level=level, format="%(asctime)s %(message)s")
    try:
        import ray  # noqa: F401
    except ImportError:
        print("ludens-cluster: Ray is missing; pip install 'ludens[cluster]'", file=sys.stderr)
        return 1
    try:
        return serve(options) if options.command == "serve" else lab(options)
    except (ludens.LudensError, OSError) as error:
        print(f"ludens-cluster: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def serve(options: argparse.Namespace) -> int:
    """Plays until it is interrupted."""
    from .player import PlayerOptions
    from .server import ClusterServer
    from .supervisor import Supervisor

    # A strategy that does not exist is reported now, not in the first match.
    for strategy in (options.strategy, options.local):
        ludens.Search(ludens.load("tic_tac_toe"), strategy)
    driver = DriverOptions(options.address, options.workers, options.mode)
    player = PlayerOptions(options.strategy, options.local, options.seed, options.margin)
    supervisor = Supervisor(driver)
    server = ClusterServer(supervisor, player, options.port, options.host)
    print(f"listening on port {server.port}, {options.workers} workers", flush=True)
    try:
        server.serve_forever()
    finally:
        # It also ends a match that is under way.
        server.close()
        supervisor.close()
    return 0


def lab(options: argparse.Namespace) -> int:
    """Runs an experiment."""
    from .lab import run_file

    return run_file(options.file, options.address, options.workers, options.out)


if __name__ == "__main__":
    sys.exit(main())
