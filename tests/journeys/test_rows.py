"""Tables by API: a CSV comes in, a target is chosen, a version trains, is judged and answers. Real processes."""

from __future__ import annotations

import csv
import io
import json
import random

import httpx
import pytest

from tests.journeys.walk import Walk

pytestmark = [pytest.mark.journey, pytest.mark.timeout(300)]

ROWS = 240
SIZES = {"cat": (4.0, 30.0), "dog": (20.0, 60.0), "horse": (450.0, 160.0)}
"""Mean weight in kilograms and height in centimetres."""


def pets(*, seed: int) -> list[dict[str, str]]:
    """Rows from which both the kind and the price can be learned; some cells are empty."""
    chance, rows = random.Random(seed), []
    for number in range(ROWS):
        kind = list(SIZES)[number % 3]
        weight, height = (mean * chance.uniform(0.8, 1.2) for mean in SIZES[kind])
        rows.append(
            {
                "id": str(number),
                "kind": kind,
                "weight_kg": f"{weight:.2f}" if number % 17 else "",
                "height_cm": f"{height:.1f}",
                "born": f"20{10 + number % 10}-0{1 + number % 9}-15",
                "price": f"{20 * weight + 3 * height + chance.uniform(-5, 5):.2f}",
            }
        )
    return rows


def as_csv(rows: list[dict[str, str]]) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.DictWriter(out, list(rows[0]), delimiter=";")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue().encode("utf-8-sig")


def columns_choose(walk: Walk, dataset: str, *, target: str, ignored: tuple[str, ...]) -> dict:
    """Chooses the target, leaves columns out, and waits until the rows are labelled."""
    now = walk.call("GET", f"/datasets/{dataset}/columns")
    for column in now["columns"]:
        role = "target" if column["name"] == target else "ignored" if column["name"] in ignored else "feature"
        column["role"] = role
    body = {"columns": now["columns"], "revision": now["revision"]}
    chosen = walk.call("PUT", f"/datasets/{dataset}/columns", json=body)
    job = walk.job(chosen["job"]["id"])
    assert job["state"] == "succeeded", job
    return chosen


def upload_file(walk: Walk, dataset: str, data: bytes, name: str) -> dict:
    folder = f"/datasets/{dataset}/uploads"
    upload = walk.call("POST", folder, json={"name": name, "size_bytes": len(data), "kind": "file"})
    walk.call("PUT", f"{folder}/{upload['id']}/parts", params={"offset": 0}, content=data)
    finished = walk.call("POST", f"{folder}/{upload['id']}/finish", json={"labels": "auto"})
    job = walk.job(finished["job"]["id"])
    assert job["state"] == "succeeded", job
    return walk.call("GET", f"{folder}/{upload['id']}")


@pytest.mark.parametrize("predicts", ["category", "number"])
def test_a_table_comes_in_trains_and_answers(walk: Walk, predicts: str):
    target = "kind" if predicts == "category" else "price"
    body = {"workspace": walk.workspace, "name": "Pets", "task": "tabular_prediction", "task_options": {"predicts": predicts}}
    project = walk.call("POST", "/projects", json=body)
    dataset = project["dataset"]
    upload = upload_file(walk, dataset, as_csv(pets(seed=0)), "pets.csv")
    assert (upload["num_items"], upload["num_rejected"]) == (ROWS, 0)
    columns_choose(walk, dataset, target=target, ignored=("id",))
    summary = walk.call("GET", f"/datasets/{dataset}/summary")
    assert summary["annotated"] == ROWS
    assert summary["by_label"] == (dict.fromkeys(SIZES, ROWS // 3) if predicts == "category" else {})
    found = walk.call("GET", f"/datasets/{dataset}/items", params={"q": "2013-04"})["items"]
    assert found
    assert all("2013-04" in item["row"]["cells"]["born"] for item in found)

    version = walk.snapshot(project["id"])
    assert version["num_items"] == ROWS
    study = walk.study(project["id"], version["id"], families=["gradient_boosting"])
    ended, trials = walk.study_ended(study["id"], timeout_s=180)
    assert ended["state"] == "succeeded", (ended, trials)
    artefact = trials[0]["artefact"]
    report = walk.call("GET", f"/artefacts/{artefact}/report")
    metrics = next(split for split in report["splits"] if split["split"] == "test")["metrics"]
    assert metrics["accuracy"] > 0.9 if predicts == "category" else metrics["r2"] > 0.9, metrics

    deployment = walk.deploy(project["id"], artefact)
    fresh = pets(seed=1)[:30]
    rows = [{name: cell for name, cell in row.items() if name not in {"id", target}} for row in fresh]
    answer = httpx.post(
        deployment["url"],
        content=json.dumps({"rows": rows}),
        headers={"Authorization": f"Bearer {walk.key()}", "Content-Type": "application/json"},
        timeout=30,
    )
    assert answer.status_code == 200, answer.text
    predicted = [one["annotations"][0] for one in answer.json()["predictions"]]
    if predicts == "category":
        assert sum(one["label"] == row["kind"] for one, row in zip(predicted, fresh, strict=True)) >= 27
    else:
        errors = [
            abs(one["value"] - float(row["price"])) / float(row["price"]) for one, row in zip(predicted, fresh, strict=True)
        ]
        assert sorted(errors)[len(errors) // 2] < 0.2
    tried = walk.call("POST", f"/deployments/{deployment['id']}/try/rows", json={"rows": rows[:3]})["predictions"]
    assert [one["annotations"][0] for one in tried] == predicted[:3]


def with_units(rows: list[dict[str, str]]) -> list[dict[str, str]]:
    """The same as people write it: kilograms, centimetres and dollars beside the numbers."""
    return [
        row
        | {
            "weight_kg": row["weight_kg"] and f"{row['weight_kg']} kg",
            "height_cm": f"{row['height_cm']}cm",
            "price": f"USD {float(row['price']):,.2f}",
            "girth": f"{number} {'cm' if number % 2 else 'in'}",
        }
        for number, row in enumerate(rows)
    ]


def test_numbers_with_units_train_an_ensemble_that_learns_from_validation_too(walk: Walk):
    options = {"predicts": "number"}
    project_body = {"workspace": walk.workspace, "name": "Pets", "task": "tabular_prediction", "task_options": options}
    project = walk.call("POST", "/projects", json=project_body)
    dataset = project["dataset"]
    upload_file(walk, dataset, as_csv(with_units(pets(seed=0))), "pets.csv")
    chosen = columns_choose(walk, dataset, target="price", ignored=("id",))
    known = {column["name"]: column for column in chosen["columns"]}
    assert {name: known[name]["units"][0] for name in ("weight_kg", "height_cm", "price")} == {
        "weight_kg": "kg",
        "height_cm": "cm",
        "price": "USD",
    }
    assert known["girth"]["kind"] == "category"
    looked = walk.call("POST", f"/datasets/{dataset}/profile")
    walk.job(looked["id"])
    warned = walk.call("GET", f"/datasets/{dataset}/profile")["profile"]["warnings"]
    assert [one["value"] for one in warned if one["code"] == "mixed_units"] == ["in, cm"]

    version = walk.snapshot(project["id"])
    params = {"budget_s": 8, "num_folds": 3, "learns_validation": True}
    single = {"family": "table_ensemble", "size": "100k", "params": params}
    wrong = single | {"params": params | {"learns_validation": "perhaps"}}
    plan = {"families": ["table_ensemble"], "strategy": "single"}
    body = {"project": project["id"], "version": version["id"], "name": "Wrong", "max_trials": 1, "train": wrong} | plan
    walk.call("POST", "/studies", json=body, expect=422)
    study = walk.study(project["id"], version["id"], train=single, **plan)
    ended, trials = walk.study_ended(study["id"], timeout_s=180)
    assert ended["state"] == "succeeded", (ended, trials)
    report = walk.call("GET", f"/artefacts/{trials[0]['artefact']}/report")
    assert report["table"]["models"][0]["params"]["learns_validation"] is True
    assert next(split for split in report["splits"] if split["split"] == "test")["metrics"]["r2"] > 0.9

    deployment = walk.deploy(project["id"], trials[0]["artefact"])
    rows = [{"kind": "horse", "weight_kg": cell, "height_cm": "160"} for cell in ("450 kg", "450", "450KG")]
    answer = walk.call("POST", f"/deployments/{deployment['id']}/try/rows", json={"rows": rows})["predictions"]
    values = [one["annotations"][0]["value"] for one in answer]
    assert values[0] == values[1] == values[2] > 5_000
    refused = walk.call(
        "POST", f"/deployments/{deployment['id']}/try/rows", json={"rows": [{"weight_kg": "992 lb"}]}, expect=400
    )
    assert "weight_kg" in json.dumps(refused)
    fields = {field["name"]: field for field in walk.call("GET", f"/deployments/{deployment['id']}/form")["fields"]}
    assert fields["weight_kg"]["units"][0] == "kg"
