"""Plays matches of one player and prints a line for each game.

usage: matches.py LUDENS START PLAY ROUNDS SHEET...
"""
import json, os, subprocess, sys
ludens, start, play, rounds, sheets = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4], sys.argv[5:]
for sheet in sheets:
    name = os.path.basename(sheet).removesuffix(".kif")
    command = [ludens, "match", sheet, "--players", "uct:threads=1:memory=512", "--start-clock", start,
               "--play-clock", play, "--rounds", rounds, "--json", "-q"]
    out = subprocess.run(command, capture_output=True, text=True)
    line = {"game": name, "start_clock": int(start), "play_clock": int(play), "rounds": int(rounds)}
    try:
        matches = json.loads(out.stdout)
        matches = matches.get("matches", [matches])
        line["scores"] = [match["goalValues"][0] for match in matches]
        first = [match["reports"][0][0] if match["reports"] else None for match in matches]
        lines = [report.get("found_line") for report in first if report]
        line["found_by"] = sorted({found["found_by"] for found in lines if found})
        line["proven_at_first_move"] = sum(1 for found in lines if found and found["is_proven"])
        line["errors"] = sum(1 for match in matches for step in match["errors"] for error in step if error)
    except (ValueError, KeyError, IndexError) as error:
        line["failed"] = (str(error) + " " + out.stderr)[:200]
    print(json.dumps(line), flush=True)
