"""Adds up the results of cargo test and lit: prints "N passed, N failed" last, and fails when anything failed.

Called with cargo's output, its exit status, lit's JSON and its exit status."""

import json
import pathlib
import re
import sys

cargo_log, cargo_status, lit_json, lit_status = sys.argv[1:]
passed = failed = 0

for line in re.findall(r"^test result: .*", pathlib.Path(cargo_log).read_text(), re.MULTILINE):
    counts = dict((word, int(number)) for number, word in re.findall(r"(\d+) (passed|failed)", line))
    passed += counts["passed"]
    failed += counts["failed"]
if cargo_status != "0" and failed == 0:
    print("cargo test did not come to an end")
    failed += 1

failed_before_lit = failed
try:
    tests = json.loads(pathlib.Path(lit_json).read_text())["tests"]
except FileNotFoundError:
    tests = []
for test in tests:
    if test["code"] in ("PASS", "XFAIL", "FLAKYPASS"):
        passed += 1
    elif test["code"] not in ("UNSUPPORTED", "EXCLUDED", "SKIPPED"):
        failed += 1
        print(f"failed: {test['name']}")
if lit_status != "0" and failed == failed_before_lit:
    print("lit did not come to an end")
    failed += 1

print(f"{passed} passed, {failed} failed")
sys.exit(failed != 0)
