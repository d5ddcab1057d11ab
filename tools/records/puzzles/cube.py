"""Plays matches of one player, and prints the time of a core that each took.

usage: cube.py LUDENS SHEET START PLAY ROUNDS
"""
import json, resource, subprocess, sys, time
ludens, sheet, start, play, rounds = sys.argv[1:]
for seed in range(int(rounds)):
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.time()
    out = subprocess.run([ludens, "match", sheet, "--players", "uct:threads=1:memory=512", "--start-clock", start,
                          "--play-clock", play, "--seed", str(seed), "--json", "-q"], capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    match = json.loads(out.stdout)
    print(json.dumps({
        "goal": match["goalValues"], "steps": len(match["reports"]),
        "line": (match["reports"][0][0] or {}).get("found_line"), "wall": round(time.time() - begun, 1),
        "processor": round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 2),
    }), flush=True)
