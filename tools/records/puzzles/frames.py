"""Highest scores that tree searches for puzzles have found at some times.

usage: frames.py LUDENS SECONDS ROUNDS NAME=STRATEGY,... SHEET...
"""
import json, os, subprocess, sys
ludens, seconds, rounds, players, sheets = sys.argv[1], sys.argv[2], int(sys.argv[3]), sys.argv[4], sys.argv[5:]
for sheet in sheets:
    line = {"game": os.path.basename(sheet).removesuffix(".kif"), "seconds": int(seconds)}
    for player in players.split(","):
        name, strategy = player.split("=", 1)
        scores = []
        for seed in range(rounds):
            # One move after the start clock; the portfolio of ludens solve does not help.
            command = [ludens, "match", sheet, "--players", strategy + ":threads=1:memory=512:portfolio=off",
                       "--start-clock", seconds, "--play-clock", "1", "--max-steps", "1",
                       "--seed", str(seed), "--json", "-q"]
            out = subprocess.run(command, capture_output=True, text=True)
            try:
                moves = json.loads(out.stdout)["reports"][0][0]["roles"][0]["moves"]
                scores.append(max((move["best"] or 0 for move in moves), default=0))
            except (ValueError, KeyError, IndexError, TypeError) as error:
                scores.append(None)
                line["failed"] = (str(error) + " " + out.stderr)[:200]
        line[name] = scores
    print(json.dumps(line), flush=True)
