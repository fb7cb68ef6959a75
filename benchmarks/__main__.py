"""Runs every row, or those named, one after the other, and prints a table; what broke is named and stops nobody."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack

from benchmarks._smoke import Ran, Smoke, on_platform, row_names
from benchmarks.harness import ROOT, Size


def main() -> int:
    """Exit status 1 when a row broke, or missed its gate."""
    rows = row_names()
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(rows)}")
    sizes = parser.add_mutually_exclusive_group()
    for size in (Size.SMOKE, Size.QUICK, Size.FULL):
        sizes.add_argument(f"--{size}", action="store_const", dest="size", const=size)
    parser.add_argument("--gate", action="store_true")
    arguments = parser.parse_args()
    unknown = set(arguments.names) - set(rows)
    if unknown:
        parser.error(f"there is no row {', '.join(sorted(unknown))}; known: {', '.join(rows)}")
    flags = [f"--{arguments.size}"] if arguments.size else []
    names = arguments.names or rows
    results, missed = [], False
    with ExitStack() as stack:
        run = _smoker(stack, names) if arguments.size == Size.SMOKE else _alone([*flags, *["--gate"] * arguments.gate])
        for name in names:
            ran = run(name)
            sys.stdout.write(ran.output)
            sys.stdout.flush()
            lines = [json.loads(line) for line in ran.output.splitlines() if line.startswith("{")]
            is_broken = ran.status != 0 and not (arguments.gate and lines)
            missed |= ran.status != 0
            results += [{"name": name, "broken": _reason(ran)}] if is_broken else lines
            if arguments.size == Size.SMOKE:
                sys.stderr.write(f"{ran.stderr}{name}: status {ran.status}, {ran.cpu_s:.1f} s of processor\n")
    broken = [result["name"] for result in results if "broken" in result]
    sys.stdout.write(f"\n{_table(results)}\n\n" + (f"Broken: {', '.join(broken)}\n" if broken else "None broke.\n"))
    return int(missed)


def _alone(flags: list[str]) -> Callable[[str], Ran]:
    """Each row in a process of its own, which says on standard error what it says."""

    def run(name: str) -> Ran:
        command = [sys.executable, "-m", f"benchmarks.{name}", *flags]
        with tempfile.TemporaryFile("w+") as output:
            with subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=subprocess.PIPE, text=True) as process:
                stderr = []
                for line in process.stderr or ():
                    sys.stderr.write(line)
                    stderr.append(line)
            output.seek(0)
            return Ran(process.returncode, output.read(), "".join(stderr), 0.0)

    return run


def _smoker(stack: ExitStack, names: list[str]) -> Callable[[str], Ran]:
    """Rows forked from one process, on one platform if any needs it."""
    from benchmarks._platform import own_platform, shared_environment

    smoke = stack.enter_context(Smoke())
    environment = {}
    if any(map(on_platform, names)):
        environment = shared_environment(stack.enter_context(own_platform()))
    return lambda name: smoke.run(name, environment if on_platform(name) else None)


def _reason(ran: Ran) -> str:
    """The last line of the error."""
    lines = [line.strip() for line in ran.stderr.splitlines() if line.strip()]
    return f"exit status {ran.status}: {lines[-1] if lines else 'no error was printed'}"


def _table(results: list[dict]) -> str:
    lines = ["| row | claim | ours | anchor | ratio | target | | commit | load |", "| --- " * 9 + "|"]
    for result in results:
        where = f"{result.get('commit', '')} | {result.get('load', '')} |"
        if "ratio" not in result:
            message, mark = next((result[kind], kind) for kind in ("broken", "skipped", "smoke") if kind in result)
            lines.append(f"| {result['name']} | {str(message).replace('|', '/')} | | | | | {mark} | {where}")
            continue
        sign, mark = ("<=" if result["is_at_most"] else ">="), ("ok" if result["ok"] else "missed")
        numbers = f"{result['ours']} | {result['anchor']} | {result['ratio']} | {sign} {result['target']}"
        lines.append(f"| {result['name']} | {result['metric']} | {numbers} | {mark} | {where}")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())
