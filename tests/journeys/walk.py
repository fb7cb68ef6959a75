"""A person's walk through the product by API, step by step; journeys compose it."""

from __future__ import annotations

import io
import time
import uuid
import zipfile
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Self, TypeVar

import httpx

from tests.support.platform_process import ASSETS, Platform

ENDED = {"succeeded", "failed", "cancelled", "stopped"}
T = TypeVar("T")


def digits(num_classes: int = 4, per_class: int = 24, skip: int = 0) -> dict[str, bytes]:
    """Real handwritten digits of the small quick-start set: ``label/name`` -> bytes."""
    with zipfile.ZipFile(ASSETS / "mnist_digits" / "pictures.zip") as archive:
        names = sorted(name for name in archive.namelist() if not name.endswith("/"))
        labels = sorted({name.split("/")[-2] for name in names})[:num_classes]
        chosen = [name for label in labels for name in [n for n in names if n.split("/")[-2] == label][skip : skip + per_class]]
        return {"/".join(name.split("/")[-2:]): archive.read(name) for name in chosen}


def zipped(pictures: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, data in pictures.items():
            archive.writestr(name, data)
    return buffer.getvalue()


class Walk:
    """One person with a session; each method is one step and returns what the API said."""

    def __init__(self, platform: Platform) -> None:
        self.platform = platform
        self.http = httpx.Client(base_url=f"{platform.url}/api", timeout=60, verify=False)  # to read certificates takes 20 ms
        self.email = f"{uuid.uuid4().hex[:10]}@example.org"
        me = self.call("POST", "/auth/sign-up", json={"email": self.email, "password": "a long pass phrase", "name": "Ada"})
        self.workspace: str = me["workspaces"][0]["id"]
        self.user: str = me["id"]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Takes leave: the platform looks at pictures by itself, and need not at those of a test that is over."""
        with suppress(httpx.HTTPError):  # a server that is away has nothing to forget
            for project in self.http.get("/projects", params={"workspace": self.workspace}).json().get("items", []):
                self.http.delete(f"/projects/{project['id']}")  # refused where something is deployed
        self.http.close()

    def call(self, method: str, path: str, *, expect: int | None = None, **arguments: Any) -> Any:
        """One request; fails with the problem document when it was refused (or was not refused with ``expect``)."""
        reply = self.http.request(method, path, **arguments)
        self.http.headers["X-CSRFToken"] = self.http.cookies.get("csrftoken", "")
        is_expected = reply.status_code == expect if expect else reply.is_success
        assert is_expected, f"{method} {path} -> {reply.status_code} {reply.text}"
        return reply.json() if reply.content and "json" in reply.headers.get("content-type", "") else reply.content

    def join(self, host: Walk, role: str) -> None:
        """Says yes to an invitation of somebody else's workspace."""
        made = host.call("POST", f"/workspaces/{host.workspace}/invitations", json={"role": role, "email": self.email})
        self.call("POST", "/invitations/accept", json={"secret": made["link"].partition("#")[2]})

    def project(self, **options: str) -> dict[str, Any]:
        body = {"workspace": self.workspace, "name": "Digits", "task": "image_classification", "task_options": options}
        return self.call("POST", "/projects", json=body)

    def upload(self, dataset: str, data: bytes, *, name: str = "digits.zip", labels: str = "folder") -> dict[str, Any]:
        """Uploads an archive in parts and waits for the ingest job."""
        folder = f"/datasets/{dataset}/uploads"
        upload = self.call("POST", folder, json={"name": name, "size_bytes": len(data), "kind": "archive"})
        part = max(1, len(data) // 3)
        for offset in range(0, len(data), part):
            where = f"{folder}/{upload['id']}/parts"
            self.call("PUT", where, params={"offset": offset}, content=data[offset : offset + part])
        finished = self.call("POST", f"{folder}/{upload['id']}/finish", json={"labels": labels})
        return self.job(finished["job"]["id"])

    def job(self, job_id: str, *, timeout_s: float = 120, until: set[str] | None = None) -> dict[str, Any]:
        """Waits for a job to end (or to reach one of ``until``)."""
        ends = ENDED | (until or set())

        def look() -> dict[str, Any] | None:
            job = self.call("GET", f"/jobs/{job_id}")
            return job if job["state"] in ends else None

        # A state that passes must not pass between two looks.
        return self.until(look, f"job {job_id} did not end", timeout_s, longest_s=0.1 if until else 0.5)

    def until(self, look: Callable[[], T | None], complaint: str, timeout_s: float, *, longest_s: float = 0.5) -> T:
        """Looks until there is an answer, ever less often, since each look takes a moment of the server's processor."""
        deadline, pause_s = time.monotonic() + timeout_s, 0.05
        while (found := look()) is None:
            assert time.monotonic() < deadline, f"{complaint}\n{self.platform.log()}"
            time.sleep(pause_s)
            pause_s = min(longest_s, 1.3 * pause_s)
        return found

    def snapshot(self, project: str, **options: Any) -> dict[str, Any]:
        """A version of what is there now; of a large dataset a job cuts it."""
        cut = self.call("POST", "/labeling/snapshots", json={"project": project, **options})
        if "job" not in cut:
            return cut
        job = self.job(cut["job"]["id"])
        assert job["state"] == "succeeded", job
        return self.call("GET", f"/projects/{project}/versions")["items"][0]  # the newest

    def study(self, project: str, version: str, **options: Any) -> dict[str, Any]:
        body = {"families": ["linear_probe"], "strategy": "portfolio", "max_trials": 1, "concurrency": 1, "pruner": "none"}
        return self.call("POST", "/studies", json={"project": project, "version": version, "name": "First", **body, **options})

    def study_ended(self, study: str, *, timeout_s: float = 180) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        def look() -> dict[str, Any] | None:
            state = self.call("GET", f"/studies/{study}")
            return state if state["state"] != "running" else None

        return self.until(look, f"study {study} did not end", timeout_s), self.trials(study)

    def trials(self, study: str) -> list[dict[str, Any]]:
        return self.call("GET", f"/studies/{study}/trials")

    def key(self, role: str = "engineer") -> str:
        return self.call("POST", f"/workspaces/{self.workspace}/keys", json={"name": "test", "role": role})["secret"]

    def deploy(self, project: str, artefact: str, **options: Any) -> dict[str, Any]:
        """Publishes an artefact and waits until it answers."""
        name = f"digits-{uuid.uuid4().hex[:8]}"
        body = {"name": name, "slug": name, "keep_inputs": "all", "retention_days": 30, **options}
        deployment = self.call("POST", "/deployments", json={"project": project, "artefact": artefact, **body})
        deployed = f"/deployments/{deployment['id']}"

        def look() -> dict[str, Any] | None:
            found = self.call("GET", deployed)
            return found if found["state"] == "running" else None

        return self.until(look, f"{deployed} does not run", 40)

    def predict(self, deployment: dict[str, Any], key: str, picture: bytes) -> dict[str, Any]:
        headers = {"Authorization": f"Bearer {key}", "Content-Type": "application/octet-stream"}
        reply = httpx.post(deployment["url"], content=picture, headers=headers, timeout=30, verify=False)
        assert reply.status_code == 200, reply.text
        return reply.json()

    def trained(self, per_class: int = 24) -> dict[str, Any]:
        """The walk up to an artefact, on four digits."""
        project = self.project()
        pictures = digits(per_class=per_class)
        job = self.upload(project["dataset"], zipped(pictures))
        assert job["state"] == "succeeded", job
        version = self.snapshot(project["id"])
        study, trials = self.study_ended(self.study(project["id"], version["id"])["id"])
        assert study["state"] == "succeeded", (study, trials)
        artefact = next(trial["artefact"] for trial in trials if trial["id"] == study["best_trial"])
        return {
            "project": project,
            "version": version,
            "study": study,
            "trials": trials,
            "artefact": artefact,
            "pictures": pictures,
        }
