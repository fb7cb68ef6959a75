"""Makes a small home with the platform of another checkout, by its API, and packs it: see README.md beside this file."""

from __future__ import annotations

import argparse
import io
import json
import random
import sqlite3
import tarfile
import time
import uuid
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
from PIL import Image, ImageDraw

from tests.support import platform_process
from tests.support.platform_process import Platform

ENDED = {"succeeded", "failed", "cancelled", "stopped"}
STUDY = {"strategy": "portfolio", "max_trials": 1, "concurrency": 1, "pruner": "none"}


def pictures() -> dict[str, bytes]:
    """Discs and squares: ``label/name`` -> bytes."""
    chance = random.Random(0)
    made = {}
    for label in ("disc", "square"):
        for number in range(12):
            picture = Image.new("RGB", (24, 24), tuple(chance.randrange(60) for _ in range(3)))
            x, y, side = chance.randrange(2, 8), chance.randrange(2, 8), chance.randrange(8, 14)
            draw = ImageDraw.Draw(picture)
            shape = draw.ellipse if label == "disc" else draw.rectangle
            shape((x, y, x + side, y + side), fill=(250, 200, chance.randrange(255)))
            out = io.BytesIO()
            picture.save(out, "png")
            made[f"{label}/{number}.png"] = out.getvalue()
    return made


class Maker:
    """The person whose home it is."""

    def __init__(self, platform: Platform) -> None:
        self.http = httpx.Client(base_url=f"{platform.url}/api", timeout=60)
        me = self.call(
            "POST", "/auth/sign-up", json={"email": "ada@example.org", "password": "a long pass phrase", "name": "Ada"}
        )
        self.workspace = me["workspaces"][0]["id"]
        self.notes: dict[str, Any] = {"workspace": self.workspace}
        body = {"name": "old key", "role": "engineer"}
        self.notes["key"] = self.call("POST", f"/workspaces/{self.workspace}/keys", json=body)["secret"]

    def call(self, method: str, path: str, **arguments: Any) -> Any:
        reply = self.http.request(method, path, **arguments)
        self.http.headers["X-CSRFToken"] = self.http.cookies.get("csrftoken", "")
        assert reply.is_success, f"{method} {path} -> {reply.status_code} {reply.text}"
        return reply.json() if "json" in reply.headers.get("content-type", "") else reply.content

    def until(self, path: str, is_done: Callable[[Any], bool]) -> Any:
        deadline = time.monotonic() + 240
        while not is_done(found := self.call("GET", path)):
            assert time.monotonic() < deadline, found
            time.sleep(0.2)
        return found

    def job(self, job: str) -> None:
        found = self.until(f"/jobs/{job}", lambda one: one["state"] in ENDED)
        assert found["state"] == "succeeded", found

    def project(self, name: str, task: str, **options: str) -> dict[str, Any]:
        made = self.call(
            "POST", "/projects", json={"workspace": self.workspace, "name": name, "task": task, "task_options": options}
        )
        return {"project": made["id"], "dataset": made["dataset"]}

    def upload(self, dataset: str, name: str, data: bytes, *, kind: str, labels: str) -> None:
        folder = f"/datasets/{dataset}/uploads"
        upload = self.call("POST", folder, json={"name": name, "size_bytes": len(data), "kind": kind})
        self.call("PUT", f"{folder}/{upload['id']}/parts", params={"offset": 0}, content=data)
        self.job(self.call("POST", f"{folder}/{upload['id']}/finish", json={"labels": labels})["job"]["id"])

    def trained(
        self, notes: dict[str, Any], family: str, slug: str, *, train: dict[str, Any] | None = None, **options: Any
    ) -> None:
        """Version, study, deployment and one answer; noted."""
        version = self.call("POST", "/labeling/snapshots", json={"project": notes["project"], "note": "first"})["id"]
        body = {"project": notes["project"], "version": version, "name": "First", "families": [family], **STUDY}
        if train is not None:
            body |= {"strategy": "single", "train": {"family": family, **train}}
        study = self.call("POST", "/studies", json=body)["id"]
        ended = self.until(f"/studies/{study}", lambda one: one["state"] != "running")
        trials = {trial["id"]: trial for trial in self.call("GET", f"/studies/{study}/trials")}
        assert ended["state"] == "succeeded", trials
        artefact = trials[ended["best_trial"]]["artefact"]
        body = {"project": notes["project"], "artefact": artefact, "name": slug.title(), "slug": slug}
        deployment = self.call("POST", "/deployments", json={**body, "keep_inputs": "all", "retention_days": 3650})["id"]
        found = self.until(f"/deployments/{deployment}", lambda one: one["state"] == "running")
        reply = httpx.post(found["url"], headers={"Authorization": f"Bearer {self.notes['key']}"}, timeout=60, **options)
        assert reply.status_code == 200, reply.text
        notes.update(version=version, study=study, artefact=artefact, deployment=deployment, answer=reply.json())

    def pictures(self, home: Path) -> None:
        made = pictures()
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            for name, data in made.items():
                archive.writestr(name, data)
        self.notes.update(self.project("Shapes", "image_classification"))
        self.upload(self.notes["dataset"], "shapes.zip", out.getvalue(), kind="archive", labels="folder")
        first = self.call("GET", f"/datasets/{self.notes['dataset']}/items", params={"limit": 1})["items"][0]
        label = {"disc": "square", "square": "disc"}[first["annotations"][0]["label"]]
        annotation = {
            "operation": uuid.uuid4().hex,
            "annotations": [{"kind": "class", "label": label}],
            "revision": first["revision"],
        }
        self.call("PUT", f"/labeling/items/{first['id']}/annotations", json=annotation)
        self.notes["corrected"] = {"item": first["id"], "label": label}
        (home / "picture.png").write_bytes(made["disc/0.png"])
        self.trained(self.notes, "resnet", "shapes", content=made["disc/0.png"])

    def rows(self) -> None:
        notes = self.notes["rows"] = self.project("Prices", "tabular_prediction")
        cells = [f"{40 + number},{1 + number % 5},{'dear' if number > 29 else 'cheap'}" for number in range(60)]
        self.table(notes, cells)
        self.trained(notes, "table_linear", "prices", json={"row": {"size": "50", "rooms": "2"}})

    def others(self, home: Path) -> None:
        """What a model of each other kind of items and answers said, by its name."""
        self.notes["others"] = {"texts": self.texts(), "numbers": self.numbers(), "boxes": self.boxes(home)}

    def texts(self) -> dict[str, Any]:
        notes = self.project("Letters", "text_classification")
        words = {"praise": ["good", "bright", "warm", "kind"], "blame": ["bad", "dark", "cold", "rude"]}
        lines = [
            f"{' '.join(phrases[n % 4 :] + phrases[: n % 3])} day {n},{label}"
            for label, phrases in words.items()
            for n in range(15)
        ]
        table = "\n".join(["text,label", *lines, ""]).encode()
        self.upload(notes["dataset"], "letters.csv", table, kind="file", labels="auto")
        self.trained(notes, "text_bag", "letters", json={"text": "a good and warm day"})
        return notes | {"num_items": 30, "asked": {"text": "a good and warm day"}}

    def numbers(self) -> dict[str, Any]:
        notes = self.project("Rents", "tabular_prediction", predicts="number")
        self.table(notes, [f"{40 + n},{1 + n % 5},{300 + 7 * n + n % 5}" for n in range(60)])
        self.trained(notes, "table_linear", "rents", json={"row": {"size": "50", "rooms": "2"}})
        return notes | {"num_items": 60, "asked": {"row": {"size": "50", "rooms": "2"}}}

    def boxes(self, home: Path) -> dict[str, Any]:
        notes = self.project("Parts", "object_detection")
        chance = random.Random(1)
        out, images, annotations = io.BytesIO(), [], []
        with zipfile.ZipFile(out, "w") as archive:
            for number in range(16):
                picture = Image.new("RGB", (64, 64), tuple(chance.randrange(60) for _ in range(3)))
                x, y, side = chance.randrange(4, 30), chance.randrange(4, 30), chance.randrange(16, 28)
                ImageDraw.Draw(picture).rectangle((x, y, x + side, y + side), fill=(250, 200, 30))
                data = io.BytesIO()
                picture.save(data, "png")
                archive.writestr(f"{number}.png", data.getvalue())
                images.append({"id": number, "file_name": f"{number}.png", "width": 64, "height": 64})
                box = {"bbox": [x, y, side + 1, side + 1], "area": (side + 1) ** 2, "iscrowd": 0}
                annotations.append({"id": number, "image_id": number, "category_id": 1, **box})
            coco = {"images": images, "annotations": annotations, "categories": [{"id": 1, "name": "part"}]}
            archive.writestr("annotations.json", json.dumps(coco))
        self.upload(notes["dataset"], "parts.zip", out.getvalue(), kind="archive", labels="auto")
        (home / "parts.png").write_bytes(data.getvalue())
        train = {"size": "resnet18", "params": {"epochs": 3, "resolution_px": 128}}
        self.trained(notes, "fcos", "parts", train=train, content=data.getvalue(), params={"threshold": 0})
        return notes | {"num_items": 16, "asked_file": "parts.png", "query": {"threshold": 0}}

    def table(self, notes: dict[str, Any], cells: list[str]) -> None:
        """Uploads rows and says that their last column is the target."""
        table = "\n".join(["size,rooms,price", *cells, ""]).encode()
        self.upload(notes["dataset"], "prices.csv", table, kind="file", labels="none")
        seen = self.call("GET", f"/datasets/{notes['dataset']}/columns")
        columns = [{**column, "role": "target"} if column["name"] == "price" else column for column in seen["columns"]]
        body = {"columns": columns, "revision": seen["revision"]}
        self.job(self.call("PUT", f"/datasets/{notes['dataset']}/columns", json=body)["job"]["id"])


def pack(home: Path, target: Path) -> None:
    with sqlite3.connect(home / "modelyard.sqlite3") as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        database.execute("PRAGMA journal_mode=DELETE")
        database.execute("VACUUM")
    packed = [home / name for name in ("modelyard.sqlite3", "secret_key", "notes.json", "picture.png", "parts.png")]
    packed = [path for path in packed if path.exists()]
    packed += [path for folder in ("blobs", "serving") for path in sorted((home / folder).rglob("*")) if path.is_file()]
    with tarfile.open(target, "w:xz", preset=9) as archive:
        for path in packed:
            name = path.relative_to(home).as_posix()
            if not name.startswith("blobs/objects/graphs/"):
                archive.add(path, name)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkout", type=Path)
    parser.add_argument("home", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--rows", action="store_true", help="a table too")
    parser.add_argument("--others", action="store_true", help="texts, numbers and boxes too")
    options = parser.parse_args()
    platform_process.ROOT = options.checkout
    path = f"{options.checkout / 'platform'}:{options.checkout}"
    platform = Platform(options.home, {"PYTHONPATH": path}).start()
    try:
        maker = Maker(platform)
        maker.pictures(options.home)
        if options.rows:
            maker.rows()
        if options.others:
            maker.others(options.home)
        time.sleep(3)  # the log of predictions is collected
        (options.home / "notes.json").write_text(json.dumps(maker.notes, indent=2))
    finally:
        platform.stop()
    pack(options.home, options.target)


if __name__ == "__main__":
    main()
