"""Several models at one address: who answers whom, what happens when one fails, and what the shadow hears of it."""

from __future__ import annotations

import base64
import json
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from runtime.metrics import Metrics
from tests.exporters.artefact_factory import artefact_write, picture, picture_bytes
from tests.exporters.prediction_server import SECRET, Serving, running, wait_for
from tests.exporters.row_artefact_factory import row_artefact_write
from tests.exporters.test_server_reload import Load

PNG = picture_bytes(3)
NUM_CHANGES = 20


@pytest.fixture(scope="module")
def dirs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Models that answer differently."""
    folder = tmp_path_factory.mktemp("models")
    return [artefact_write(folder / str(seed), seed=seed) for seed in range(10, 14)]


def model(number: int, artefact_dir: Path, **fields: Any) -> dict[str, Any]:
    return {"artefact": f"art_{number}", "artefact_dir": str(artefact_dir), "thresholds": None, **fields}


def answered_by(server, name: str, number: int, **headers: str) -> Counter[str]:
    answers = (server.predict(name, content=PNG, headers=headers) for _ in range(number))
    return Counter(answer.json()["model"] for answer in answers)


def test_calls_are_shared_and_a_sticky_id_keeps_its_model(serving: Serving, dirs: list[Path]) -> None:
    serving.deploy("dep_a", dirs[0], artefact="art_0", variants=[model(1, dirs[1], share=30)])
    with running(serving) as server:
        shared = answered_by(server, "dep_a", 400)
        assert 75 <= shared["art_1"] <= 165, shared  # five standard deviations about 120
        assert shared.total() == 400
        by_id = {str(n): answered_by(server, "dep_a", 3, **{"Sticky-Id": str(n)}) for n in range(60)}
        assert all(len(models) == 1 for models in by_id.values())
        of_variant = {n for n, models in by_id.items() if "art_1" in models}
        assert 5 <= len(of_variant) <= 32
        one = next(iter(of_variant))
        query = server.http.post(
            f"/v1/deployments/dep_a/predict?sticky_id={one}", content=PNG, headers={"Authorization": "Bearer my_secret"}
        )
        assert query.json()["model"] == "art_1"
        # A larger share takes callers from the first model only.
        serving.deploy("dep_a", dirs[0], artefact="art_0", variants=[model(1, dirs[1], share=60)])
        wait_for(lambda: answered_by(server, "dep_a", 60)["art_1"] > 24, "the larger share")
        later = {n for n in by_id if "art_1" in answered_by(server, "dep_a", 1, **{"Sticky-Id": n})}
        assert of_variant < later


def test_a_named_model_answers_and_an_unknown_one_is_refused(serving: Serving, dirs: list[Path]) -> None:
    serving.deploy("dep_a", dirs[0], artefact="art_0", variants=[model(1, dirs[1], share=50)])
    with running(serving) as server:
        headers = {"Authorization": "Bearer my_secret"}

        def named(model: str):
            return server.http.post(f"/v1/deployments/dep_a/predict?model={model}", content=PNG, headers=headers)

        assert {named("art_1").json()["model"] for _ in range(10)} == {"art_1"}
        refused = named("art_9")
        assert (refused.status_code, refused.json()["code"]) == (404, "version_not_found")
        described = server.http.get("/v2/models/dep_a", headers=headers).json()
        assert described["versions"] == ["art_0", "art_1"]
        ready = server.http.get("/v2/models/dep_a/versions/art_1/ready", headers=headers)
        assert (ready.status_code, ready.json()["ready"]) == (200, True)
        server.stop()
    assert all(line["pinned"] for line in serving.log("dep_a") if line["status"] == 200)


def test_a_model_that_cannot_be_loaded_is_replaced_by_the_other(serving: Serving, dirs: list[Path], tmp_path: Path) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(dirs[1], broken)
    (broken / "model.onnx").write_bytes(b"no model")
    serving.deploy("dep_a", dirs[0], artefact="art_0", variants=[model(1, broken, share=90)])
    serving.deploy("dep_b", broken, artefact="art_1", variants=[model(0, dirs[0], share=10)])
    with running(serving) as server:
        assert answered_by(server, "dep_a", 30) == {"art_0": 30}
        assert answered_by(server, "dep_b", 30) == {"art_0": 30}
        status = serving.wait_for_status("dep_a", state="ready")
        assert status["message"] is None
        assert status["models"]["art_0"] is None
        assert status["models"]["art_1"]


def test_what_a_model_cannot_answer_the_other_one_does(serving: Serving, tmp_path: Path) -> None:
    first, other = (row_artefact_write(tmp_path / name) for name in ("first", "other"))
    manifest = json.loads((other / "artefact.json").read_bytes())
    for column in manifest["decode"]["columns"]:
        column["decimal"] = "." if column["name"] == "income" else column.get("decimal", ".")
    (other / "artefact.json").write_text(json.dumps(manifest))
    serving.deploy("dep_a", first, artefact="art_0", variants=[model(1, other, share=100)])
    with running(serving) as server:
        answer = server.predict("dep_a", json={"rows": [{"income": "2.400,00"}]})
        assert (answer.status_code, answer.json()["model"]) == (200, "art_0")
        assert server.predict("dep_a", json={"rows": [{"income": "2400"}]}).json()["model"] == "art_1"
        wrong = server.predict("dep_a", json={"rows": [{"income": "many"}]})
        assert (wrong.status_code, wrong.json()["code"]) == (400, "cell_invalid")
        server.stop()
    stood_in, fine, wrong = serving.log("dep_a")
    assert (stood_in["artefact"], stood_in["fallback_from"], stood_in["fallback_code"]) == ("art_0", "art_1", "cell_invalid")
    assert (fine["artefact"], fine.get("fallback_from")) == ("art_1", None)
    assert (wrong["artefact"], wrong["status"], wrong.get("fallback_from")) == ("art_1", 400, None)


@pytest.mark.parametrize("keep_inputs", ["none", "all"])
def test_a_shadow_hears_what_was_answered(serving: Serving, dirs: list[Path], keep_inputs: str) -> None:
    fields = {"artefact": "art_0", "shadow": model(1, dirs[1]), "keep_inputs": keep_inputs}
    serving.deploy("dep_a", dirs[0], **fields)
    pictures = [picture_bytes(seed) for seed in range(12)]
    with running(serving) as server:
        ids = [server.predict("dep_a", content=picture).json()["id"] for picture in pictures]
        assert {line["artefact"] for line in wait_for(lambda: _shadows(serving, 12), "the shadow's answers")} == {"art_1"}
        alone = {
            id_: [server.predict("dep_a", content=picture).json()["predictions"][0]["annotations"][0]["label"]]
            for id_, picture in zip(ids, pictures, strict=True)
        }
        serving.deploy("dep_b", dirs[1], artefact="art_1")
        serving.wait_for_status("dep_b", state="ready")
        for id_, picture in zip(ids, pictures, strict=True):
            alone[id_].append(server.predict("dep_b", content=picture).json()["predictions"][0]["annotations"][0]["label"])
    line_of = {line["shadow_of"]: line for line in _shadows(serving, 12)}
    assert {id_: line_of[id_]["disagreement"] == 1.0 for id_ in ids} == {id_: len(set(two)) == 2 for id_, two in alone.items()}
    assert {line_of[id_]["top"][0]["label"] for id_ in ids} == {two[1] for two in alone.values()}
    apart = [line for line in line_of.values() if line["disagreement"] == 1.0]
    assert apart
    assert all(("input" in line) == (keep_inputs == "all") for line in apart)
    if keep_inputs == "all":
        assert all((serving.folder / "inputs" / line["input"]).exists() for line in apart)
        assert all(line["held"][0]["label"] == alone[line["shadow_of"]][0] for line in apart if line["shadow_of"] in alone)
    lines = serving.log("dep_a")
    places = {line.get("id") or f"shadow {line['shadow_of']}": place for place, line in enumerate(lines)}
    assert all(places[id_] < places[f"shadow {id_}"] for id_ in ids)  # so that the reader knows the call


@pytest.mark.parametrize("is_encoded", [True, False], ids=["files", "pixels"])
def test_a_shadow_hears_calls_of_the_inference_protocol(serving: Serving, dirs: list[Path], is_encoded: bool) -> None:
    serving.deploy("dep_a", dirs[0], artefact="art_0", shadow=model(1, dirs[1]), keep_inputs="all")
    pixels = np.stack([np.asarray(picture(seed)) for seed in range(6)])
    tensor = {"name": "picture", "shape": list(pixels.shape), "datatype": "UINT8", "data": pixels.ravel().tolist()}
    if is_encoded:
        files = [base64.b64encode(picture_bytes(seed)).decode() for seed in range(6)]
        tensor = {"name": "image", "shape": [6], "datatype": "BYTES", "data": files}
    headers = {"Authorization": f"Bearer {SECRET}"}
    with running(serving) as server:
        answer = server.http.post("/v2/models/dep_a/infer", json={"inputs": [tensor]}, headers=headers).json()
        labels = [server.predict("dep_a", content=picture_bytes(seed)).json()["predictions"][0] for seed in range(6)]
        wait_for(lambda: _shadows(serving, 7), "the shadow's answers")
    assert answer["outputs"][1]["data"] == [each["annotations"][0]["label"] for each in labels]
    lines = serving.log("dep_a")
    call = next(line for line in lines if line.get("num_pictures") == 6 and "shadow_of" not in line)
    shadowed = next(line for line in lines if line.get("shadow_of") == call["id"])
    assert [each["label"] for each in call["top"]] == answer["outputs"][1]["data"]
    assert len(shadowed["top"]) == 6
    assert shadowed["disagreement"] == 1.0
    assert ("input" in shadowed) == is_encoded
    assert bool(call.get("inputs")) == is_encoded


def _shadows(serving: Serving, number: int) -> list[dict[str, Any]]:
    lines = [line for line in serving.log("dep_a") if "shadow_of" in line]
    return lines if len(lines) >= number else []


def test_calls_that_are_too_many_for_a_shadow_are_counted() -> None:
    text = Metrics().text(num_inputs_dropped=0, shadows_dropped={"dep_a": 3})
    assert 'modelyard_shadow_calls_dropped_total{deployment="dep_a"} 3' in text


def test_no_call_fails_while_shares_and_models_change(serving: Serving, dirs: list[Path]) -> None:
    serving.deploy("dep_a", dirs[0], artefact="art_0")
    with running(serving) as server:
        with Load(server, "dep_a") as load:
            for number in range(NUM_CHANGES):
                first, second, third = ((number + n) % len(dirs) for n in range(3))
                serving.deploy(
                    "dep_a",
                    dirs[first],
                    artefact=f"art_{first}",
                    variants=[] if number % 5 == 4 else [model(second, dirs[second], share=10 + 4 * number)],
                    shadow=model(third, dirs[third]) if number % 2 else None,
                )
                serving.wait_for_status("dep_a", artefact=f"art_{first}", state="ready")
                seen = load.answers.total()
                wait_for(lambda n=seen: load.answers.total() > n + 10, "calls under the new shares")
        assert {status for status, _ in load.answers} == {200}, load.answers
        assert {answer for _, answer in load.answers} == {f"art_{n}" for n in range(len(dirs))}
        server.stop()
    calls = [line for line in serving.log("dep_a") if "id" in line]
    assert Counter((line["status"], line["artefact"]) for line in calls) == load.answers
