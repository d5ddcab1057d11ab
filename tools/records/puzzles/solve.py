"""Solves sheets, each in its own process with bounded memory, and prints a line for each.

usage: solve.py LUDENS SECONDS MEGABYTES SHEET...
"""
import json, os, resource, subprocess, sys, time
ludens, seconds, megabytes, sheets = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
for sheet in sheets:
    name = os.path.basename(sheet).removesuffix(".kif")
    command = [ludens, "solve", sheet, "--search-time", seconds, "--search-memory", megabytes,
               "--threads", "1", "--time", "60", "--json"]
    begun = time.time()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    out, err = process.communicate()
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    line = {"game": name, "code": process.returncode, "seconds": round(time.time() - begun, 2),
            "processor_seconds": round(used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime, 2)}
    try:
        report = json.loads(out)
        for key in ("score", "is_proven", "bound", "found_by", "proven_by"):
            line[key] = report[key]
        line["moves"] = len(report["moves"])
        after = report["found_after"]
        line["found_after"] = after and round(after["secs"] + after["nanos"] / 1e9, 3)
    except (ValueError, KeyError):
        line["message"] = err.strip().replace(os.path.dirname(sheet) + "/", "")[:200]
    # The largest of all processes so far.
    line["peak_megabytes_so_far"] = used.ru_maxrss // 1024
    print(json.dumps(line), flush=True)
