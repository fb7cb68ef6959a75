"""What a change can have broken, as far as two minutes go: test modules near to what changed, the nearest first.

Near is who imports it (the arrows of ``grimp``, which also reads the tests), whose folder is called like its package, and whose
parameters bear its name: what is found by listing folders nobody imports. What is too far or too long is named and left
to ``make test``, and so are journeys, the browser and production's services.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from tests.support.rings import NUM_WORKERS, SPREAD, Ring, pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("studio", "labeling", "automl", "engine", "exporters", "runtime", "modelyard", "tests", "benchmarks")
SOURCE_ROOTS = ("platform/", "client/")
SECONDS = ROOT / "var" / "test-seconds.json"
"""What each test module took when it last ran here."""
UNKNOWN_S = 4.0
BUDGET_S = 52.0
"""For each core; what comes before (starting, collecting) takes about as long again."""
LIMIT_S = 72.0
"""After it no test begins but those of the architecture: what was expected of a module was wrong, or the machine is busy."""
UNTIL = "MODELYARD_TEST_UNTIL"
"""Names that moment, in seconds since 1970, to the processes that test."""
NEVER = ("tests/journeys", "tests/client", "tests/e2e", "tests/gpu")
ALWAYS = "tests/architecture"
KINDS = {
    "engine/models": ("*/family.py", "tests/contracts"),
    "engine/tasks": ("*/spec.py", "tests/contracts"),
    "exporters": ("*/target.py", "tests/contracts"),
    "automl/search/samplers": ("[!_]*.py", "tests/contracts"),
    "labeling/formats": ("[!_]*.py", "tests/labeling/formats"),
    "labeling/kinds": ("[!_]*.py", "tests/contracts"),
    "platform/studio/datasets/items/kinds": ("[!_]*.py", "tests/contracts"),
}
"""Folders whose members are found by listing: what a member has, and the tests that ask them all."""
MOST_KINDS = 3
SAYS_LITTLE = {"api", "errors", "handlers", "jobs", "models", "schemas", "selectors", "services", "tasks", "init"}


class UnknownRevisionError(Exception):
    """Git does not know what the change is to be compared with."""


@dataclass
class Reach:
    """What a change comes near to."""

    base: str
    """The commit since which things changed."""
    files: list[str]
    chosen: list[str] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    """Test modules that it reaches too, for ``make test``."""
    kinds: dict[str, list[str]] = field(default_factory=dict)
    """Names of members by the tests that ask them."""
    kinds_left: list[str] = field(default_factory=list)

    def rings(self) -> list[Ring]:
        """What to run, the nearest first; what has not begun after ``LIMIT_S`` from now is left out."""
        limit = {UNTIL: str(time.time() + LIMIT_S)}
        found = []
        for folder, names in sorted(self.kinds.items()):
            named = pytest("-n", str(NUM_WORKERS), "-k", " or ".join(names))
            found.append(Ring(f"{', '.join(names)}", named, {folder: (folder,)}, limit, may_be_empty=True))
        if any(name.startswith("frontend/") for name in self.files):
            npm = (sys.executable, "manage.py", "npm", "test", "--", "--passWithNoTests", "--changed", self.base)
            found.append(Ring("front end", npm))
        always = sorted(str(path.relative_to(ROOT)) for path in (ROOT / ALWAYS).glob("test_*.py"))
        return [*found, Ring("near", SPREAD, {"near": dealt([*always, *self.chosen])}, limit)]

    def explained(self) -> str:
        """In words: what runs and what is left."""
        lines = [f"{len(self.files)} files changed since {self.base[:10]}; {len(self.chosen)} test modules are near."]
        if self.left or self.kinds_left:
            some = ", ".join(self.left[:5]) + (" ..." if len(self.left) > 5 else "")
            far = [f"{len(self.left)} modules farther away ({some})"] if self.left else []
            far += [f"the contracts of {', '.join(self.kinds_left)}"] if self.kinds_left else []
            lines.append(f"Left to `make test`: {'; '.join(far)}.")
        lines.append(f"What has not begun after {LIMIT_S:.0f} s is skipped, and said.")
        lines.append("Never here: journeys, the client, the browser, PostgreSQL and S3.")
        return "\n".join(lines)


def dealt(modules: Sequence[str]) -> tuple[str, ...]:
    """In an order in which the first modules begin first: each process gets one piece of the list to begin with."""
    return tuple(name for first in range(NUM_WORKERS) for name in modules[first::NUM_WORKERS])


def reach_of(revision: str) -> Reach:
    """What changed since the revision, uncommitted changes too, and what is near to it."""
    base, files = changed_since(revision)
    return reach_among(files, base)


def reach_among(files: list[str], base: str = "HEAD") -> Reach:
    """What is near to these files, as much of it as two minutes hold."""
    reach = Reach(base, files)
    distances = distances_from(files)
    known = json.loads(SECONDS.read_text()) if SECONDS.exists() else {}
    rest_s = BUDGET_S * NUM_WORKERS - sum(s for name, s in known.items() if name.startswith(ALWAYS))
    for name in sorted(distances, key=lambda name: (distances[name], known.get(name, UNKNOWN_S), name)):
        seconds = known.get(name, UNKNOWN_S)
        if reach.chosen and seconds > rest_s:
            reach.left.append(name)
        else:
            reach.chosen.append(name)
            rest_s -= seconds
    for folder, names in kinds_of(files).items():
        reach.kinds[folder], more = names[:MOST_KINDS], names[MOST_KINDS:]
        reach.kinds_left += more
    return reach


def changed_since(revision: str) -> tuple[str, list[str]]:
    """The commit from which this branch went its own way, and every file that differs from it, committed or not."""
    found = subprocess.run(["git", "merge-base", revision, "HEAD"], cwd=ROOT, capture_output=True, text=True, check=False)
    if found.returncode:
        raise UnknownRevisionError(f"Git knows no {revision!r} here: name a commit or branch with --since.")
    base = found.stdout.strip()
    new = _git("ls-files", "--others", "--exclude-standard")
    return base, sorted({*_git("diff", "--name-only", base), *new})


def _git(*arguments: str) -> list[str]:
    return subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()


def module_of(file: str) -> str | None:
    """``platform/studio/jobs/api.py`` is ``studio.jobs.api``; None for what is no module."""
    for root in SOURCE_ROOTS:
        file = file.removeprefix(root)
    if not file.endswith(".py") or file.split("/")[0] not in PACKAGES:
        return None
    return file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")


def distances_from(files: Iterable[str]) -> dict[str, float]:
    """Test modules by how far they are from the files: 0 changed itself, else steps of imports, or a namesake's folder."""
    steps = _steps_from([module for file in files if (module := module_of(file))])
    found: dict[str, float] = {}

    def take(name: str, distance: float) -> None:
        if not name.startswith((*NEVER, ALWAYS)) and (ROOT / name).exists():
            found[name] = min(distance, found.get(name, distance))

    for module, distance in steps.items():
        name = module.replace(".", "/") + ".py"
        if name.rsplit("/", 1)[-1].startswith("test_"):
            take(name, distance)
        elif name.endswith("/conftest.py") and (distance == 0 or name != "tests/conftest.py"):
            for test in _tests_below(Path(name).parent):
                take(test, distance + 1)
    for file in files:
        for test, distance in _namesakes(file):
            take(test, distance)
    return found


def _steps_from(modules: Iterable[str]) -> dict[str, int]:
    import grimp

    graph = grimp.build_graph(*PACKAGES, cache_dir=str(ROOT / ".import_linter_cache"))
    steps = {module: 0 for module in modules if module in graph.modules}
    waiting = deque(steps)
    while waiting:
        module = waiting.popleft()
        for other in graph.find_modules_that_directly_import(module):
            if other not in steps:
                steps[other] = steps[module] + 1
                waiting.append(other)
    return steps


def _tests_below(folder: Path) -> list[str]:
    return [str(path.relative_to(ROOT)) for path in (ROOT / folder).rglob("test_*.py")]


def _namesakes(file: str) -> list[tuple[str, float]]:
    """Tests in the folder that mirrors the file's package; those that share a word are as near as who imports it twice."""
    for root in SOURCE_ROOTS:
        file = file.removeprefix(root)
    path = Path(file)
    if file.startswith("tests/"):  # a file of data of theirs
        return [] if file.endswith(".py") else [(name, 1.0) for name in _beside(path.parent)]
    depth = 0
    while depth < len(path.parts) - 1 and (ROOT / "tests" / Path(*path.parts[: depth + 1])).is_dir():
        depth += 1
    if not depth or path.parts[0] not in PACKAGES:
        return []
    member = _member(file)
    parts = (*path.parts[depth:-1], path.stem) if member is None else (member,)
    words = {word.rstrip("s") for part in parts for word in part.split("_")} - SAYS_LITTLE
    found = []
    for name in (p.relative_to(ROOT) for p in (ROOT / "tests" / Path(*path.parts[:depth])).glob("test_*.py")):
        shared = words & {word.rstrip("s") for word in name.stem.split("_")}
        if shared or (depth > 1 and member is None):
            found.append((str(name), 1.5 if shared else 3.5))
    return found


def _beside(folder: Path) -> list[str]:
    """Test modules of the nearest folder that has some."""
    while folder.parts and not (found := list((ROOT / folder).glob("test_*.py"))):
        folder = folder.parent
    return [str(path.relative_to(ROOT)) for path in found]


def kinds_of(files: Iterable[str]) -> dict[str, list[str]]:
    """Members of folders that are found by listing: those changed, or those who import what changed beside them."""
    found: dict[str, list[str]] = {}
    for parent, (_, folder) in KINDS.items():
        inside = [file for file in files if file.startswith(f"{parent}/")]
        if not inside:
            continue
        own = {member for file in inside if (member := _member(file))}
        beside = [module for file in inside if not _member(file) and (module := module_of(file))]
        importers = [module.replace(".", "/") + ".py" for module in (_steps_from(beside) if beside else ())]
        own |= {member for file in importers if file.startswith(f"{parent}/") and (member := _member(file))}
        if own:
            found[folder] = sorted({*found.get(folder, []), *own})
    return found


def _member(file: str) -> str | None:
    """Of a file of ``engine/models/fcos``: ``fcos``; None for what belongs to no member of a listed folder."""
    for parent, (member, _) in KINDS.items():
        if file.startswith(f"{parent}/"):
            name = Path(file).relative_to(parent).parts[0].removesuffix(".py")
            if name in {path.parent.name if "/" in member else path.stem for path in (ROOT / parent).glob(member)}:
                return name
    return None


def remember(seconds: dict[str, float]) -> None:
    """Keeps what test modules took, by file."""
    known = json.loads(SECONDS.read_text()) if SECONDS.exists() else {}
    SECONDS.parent.mkdir(exist_ok=True)
    SECONDS.write_text(json.dumps(dict(sorted((known | seconds).items())), indent=1))
