"""Runs every row, or those named, one after the other, and prints a table."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

_NO_ROWS = {"__init__", "__main__", "harness"}


def main() -> int:
    """Exit status 1 when a row broke, or missed its gate."""
    rows = sorted(path.stem for path in Path(__file__).parent.glob("*.py") if not _is_helper(path.stem))
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(rows)}")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--gate", action="store_true")
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(rows)
    if unknown:
        parser.error(f"there is no row {', '.join(sorted(unknown))}; known: {', '.join(rows)}")
    flags = [flag for flag, is_set in (("--quick", arguments.quick), ("--gate", arguments.gate)) if is_set]
    results, status = [], 0
    for name in arguments.names or rows:
        run = subprocess.run(
            [sys.executable, "-m", f"benchmarks.{name}", *flags], stdout=subprocess.PIPE, text=True, check=False
        )
        status |= run.returncode != 0
        sys.stdout.write(run.stdout)
        lines = [json.loads(line) for line in run.stdout.splitlines() if line.startswith("{")]
        results += lines or [{"name": name, "skipped": f"broke with exit status {run.returncode}"}]
    sys.stdout.write("\n" + _table(results) + "\n")
    return status


def _is_helper(stem: str) -> bool:
    return stem in _NO_ROWS or stem.startswith("_")


def _table(results: list[dict]) -> str:
    lines = ["| row | claim | ours | anchor | ratio | target | |", "| --- | --- | --- | --- | --- | --- | --- |"]
    for result in results:
        if "skipped" in result:
            lines.append(f"| {result['name']} | {result['skipped']} | | | | | - |")
            continue
        sign, mark = ("<=" if result["is_at_most"] else ">="), ("ok" if result["ok"] else "missed")
        numbers = f"{result['ours']} | {result['anchor']} | {result['ratio']} | {sign} {result['target']}"
        lines.append(f"| {result['name']} | {result['metric']} | {numbers} | {mark} |")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
