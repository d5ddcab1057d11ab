"""Counts new states per second of processor time of breadth-first search on the 8-puzzle.

usage: frontier.py LUDENS games/eight_puzzle.kif

Two tiles are swapped and the goals that ask for a number of moves are left out, so that all 181,440
states are searched and none is a goal. What a search that does nothing takes is taken off.
"""
import os, resource, subprocess, sys, tempfile
ludens, sheet = sys.argv[1:]
text = open(sheet).read()
for one, other in [("(cell 2 3 1)", "(cell 2 3 2)"), ("(cell 1 3 2)", "(cell 1 3 1)")]:
    assert f"(init {one})" in text
    text = text.replace(f"(init {one})", f"(init {other})")
text = text[:text.index("(<= (goal solver 100)")] + "(<= (goal solver 100) (not unsolved))\n(<= (goal solver 0) unsolved)\n"


def seconds(method, path):
    took = []
    for _ in range(10):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([ludens, "solve", path, "--methods", method, "--threads", "1"], capture_output=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        took.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return sorted(took)[5]


with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "sheet.kif")
    open(path, "w").write(text)
    all_states, nothing = seconds("breadth-first", path), seconds("parts", path)
    print(f"{all_states - nothing:.3f} s, {181440 / (all_states - nothing) / 1e6:.1f} million new states/s")
