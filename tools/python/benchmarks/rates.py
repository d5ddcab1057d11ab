"""Random stepping from Python: Ludens, OpenSpiel and pgx side by side, in one run, on one core.

    python tools/python/benchmarks/rates.py [--seconds 2] [--games N] [--json FILE]

A step is a move of a game, chosen at random among the legal ones; games that are over start anew. Rates
are steps in a second of this process on its processors, so that others on the machine change little.
Where a library uses several threads, the time of all of them counts. The columns:

    rust      Ludens, the loop in Rust (`Batch.step_at_random`)
    python    Ludens, a loop in Python: `batch.step(batch.random_actions())`
    arrays    the same, and legal masks and observations of all games as arrays in each step
    openspiel OpenSpiel, one game at a time: `state.apply_action(random.choice(state.legal_actions()))`
    pgx       pgx on the CPU: a jitted, vectorised step of as many games, actions by masked logits
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import time

# One core for everybody; to be said before the libraries are loaded.
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")

import ludens  # noqa: E402

#: Our game, that of OpenSpiel, and that of pgx.
GAMES = [
    ("tic_tac_toe", "tic_tac_toe", "tic_tac_toe"),
    ("connect_four", "connect_four", "connect_four"),
    ("breakthrough", "breakthrough", None),
    ("hex", "hex(board_size=9)", "hex"),
]


def measured(seconds, step):
    """The rate of `step`, which returns how many steps of games it made."""
    step()
    start, made = time.process_time(), 0
    while time.process_time() - start < seconds:
        made += step()
    return made / (time.process_time() - start)


def ludens_rates(name, games, seconds):
    game = ludens.load(name)
    batch = game.batch(games, autoreset=True)

    def loop():
        batch.step(batch.random_actions())
        return games

    def arrays():
        for role in game.roles:
            batch.legal(role)
        batch.observations
        return loop()

    return {
        "rust": measured(seconds, lambda: batch.step_at_random(20)),
        "python": measured(seconds, loop),
        "arrays": measured(seconds, arrays),
    }


def openspiel_rate(name, seconds):
    try:
        import pyspiel
    except ImportError:
        return None
    game = pyspiel.load_game(name)

    def playout():
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            state.apply_action(random.choice(state.legal_actions()))
            steps += 1
        return steps

    return measured(seconds, playout)


def pgx_rate(name, games, seconds):
    try:
        import jax
        import jax.numpy as jnp
        import pgx
        from pgx.experimental.wrappers import auto_reset
    except ImportError:
        return None
    env = pgx.make(name)
    step = auto_reset(env.step, env.init)

    @jax.jit
    def many(state, key):
        def once(carry, _):
            state, key = carry
            key, own, reset = jax.random.split(key, 3)
            logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
            actions = jax.random.categorical(own, logits, axis=1)
            state = jax.vmap(step)(state, actions, jax.random.split(reset, games))
            return (state, key), None

        return jax.lax.scan(once, (state, key), None, length=20)[0]

    key = jax.random.PRNGKey(0)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(key, games))
    held = [many(state, key)]

    def steps():
        held[0] = many(*held[0])
        jax.block_until_ready(held[0][0].terminated)
        return 20 * games

    return measured(seconds, steps)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=2.0, help="for each figure")
    parser.add_argument("--games", type=int, default=4096, help="side by side")
    parser.add_argument("--only", nargs="*", help="names of our games")
    parser.add_argument("--json", help="write the figures to this file")
    options = parser.parse_args()
    rows = []
    print("| game | rust | python | arrays | OpenSpiel | pgx |\n|---|---|---|---|---|---|")
    for own, spiel, pgx_name in GAMES:
        if options.only and own not in options.only:
            continue
        row = {"game": own, **ludens_rates(own, options.games, options.seconds)}
        row["openspiel"] = openspiel_rate(spiel, options.seconds)
        row["pgx"] = pgx_name and pgx_rate(pgx_name, options.games, options.seconds)
        rows.append(row)
        cells = [row[key] for key in ("rust", "python", "arrays", "openspiel", "pgx")]
        print("| " + " | ".join([own] + [f"{cell:,.0f}" if cell else "" for cell in cells]) + " |")
    worst = min(row["python"] / row["rust"] for row in rows)
    print(f"python / rust: at least {worst:.2f}")
    if options.json:
        with open(options.json, "w") as file:
            machine = {"machine": platform.processor() or platform.machine(), "rows": rows}
            json.dump(machine, file, indent=1)
    return 0 if worst >= 0.5 else 1


if __name__ == "__main__":
    raise SystemExit(main())
