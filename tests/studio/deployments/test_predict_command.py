"""``modelyard predict`` against the platform and the prediction server, as somebody types it."""

import csv
import io
import json

import pytest

from automl.contracts.artefact import MANIFEST_FILE, ArtefactManifest
from automl.contracts.task import OutputKind
from modelyard.cli import main
from studio.accounts.keys import key_create
from studio.accounts.roles import Role
from studio.common.blobs import blobs
from studio.deployments.services import deployment_create
from studio.registry.models import Artefact
from tests.exporters.artefact_factory import artefact_write, picture_bytes
from tests.exporters.row_artefact_factory import LABELS, ROWS
from tests.studio.deployments.test_row_deployment import artefact_make, setup_of
from tests.studio.studies.material import version_make
from tests.support.project_setup import setup_make

NAMES = ("id", "age", "city", "income", "since", "note")


@pytest.fixture
def command(transactional_db, home, server, live_server, monkeypatch, tmp_path, capsys):
    """Runs ``modelyard predict`` with a key of a workspace; gives exit status, what it wrote and what it said beside."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))

    def run(setup, *arguments):
        _, secret = key_create(workspace=setup.workspace, name="command", role=Role.ENGINEER, actor=setup.actor)
        monkeypatch.setenv("MODELYARD_URL", live_server.url)
        monkeypatch.setenv("MODELYARD_KEY", secret)
        status = main(["predict", *map(str, arguments)])
        output = capsys.readouterr()
        return status, output.out, output.err

    return run


def deploy(setup, artefact, server):
    deployment = deployment_create(artefact=artefact, name="The people", slug="people", actor=setup.actor)
    server.wait(deployment.id, state="ready")
    return deployment


def table_write(path, rows):
    lines = [";".join(NAMES), *(";".join([str(n), *(row.get(name, "") for name in NAMES[1:])]) for n, row in enumerate(rows))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.mark.parametrize("output", [OutputKind.CLASS_SCORES, OutputKind.NUMBER], ids=str)
def test_a_table_comes_back_with_its_predictions(command, server, tmp_path, output):
    setup = setup_of(output)
    deployment = deploy(setup, artefact_make(setup, output, tmp_path / "made"), server)
    path = table_write(tmp_path / "people.csv", ROWS)
    status, out, err = command(setup, "people", path)
    assert (status, err) == (0, "3 answered by The people.\n")
    rows = list(csv.DictReader(io.StringIO(out), delimiter=";"))
    added = ["churn_predicted"] if output is OutputKind.NUMBER else ["churn_predicted", "churn_score"]
    assert list(rows[0]) == [*NAMES, *added]
    assert [{name: cell for name, cell in row.items() if cell and name in NAMES[1:]} for row in rows] == list(ROWS)
    response = setup.client().post(
        f"/api/deployments/{deployment.id}/try/rows", {"rows": list(ROWS)}, content_type="application/json"
    )
    best = [one["annotations"][0] for one in response.json()["predictions"]]
    if output is OutputKind.NUMBER:
        assert [float(row["churn_predicted"]) for row in rows] == [one["value"] for one in best]
    else:
        assert [(row["churn_predicted"], float(row["churn_score"])) for row in rows] == [
            (one["label"], one["score"]) for one in best
        ]
        _, scored, _ = command(setup, deployment.id, path, "--scores")
        for row in csv.DictReader(io.StringIO(scored), delimiter=";"):
            assert sum(float(row[f"churn_score_{label}"]) for label in LABELS) == pytest.approx(1, abs=1e-5)
    status, out, _ = command(setup, "The people", path, path, "--format", "jsonl", "--output", tmp_path / "said.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "said.jsonl").read_text(encoding="utf-8").splitlines()]
    assert (status, out, len(lines)) == (0, "", 6)
    assert lines[0]["annotations"][0] == best[0]
    # What came out may go in again: names that are there already stay free for what they hold.
    _, again, _ = command(setup, "people", tmp_path / "people.csv", "--output", tmp_path / "again.csv")
    _, again, _ = command(setup, "people", tmp_path / "again.csv")
    assert again.splitlines()[0].endswith(";".join([*added, *(f"{name}_2" for name in added)]))


def test_refusals_are_printed_in_words(command, server, tmp_path):
    setup = setup_of(OutputKind.NUMBER)
    deploy(setup, artefact_make(setup, OutputKind.NUMBER, tmp_path / "made"), server)
    wrong = table_write(tmp_path / "wrong.csv", [ROWS[0], {"age": "old"}])
    status, _, err = command(setup, "people", wrong)
    assert status == 1
    assert "row 2, column age: 'old' is no number" in err
    status, out, _ = command(setup, "people", wrong, "--lenient")
    assert (status, len(out.splitlines())) == (0, 3)
    other = tmp_path / "other.csv"
    other.write_text("age\n3\n", encoding="utf-8")
    status, _, err = command(setup, "people", wrong, other, "--lenient")
    assert (status, "other columns" in err) == (1, True)
    status, _, err = command(setup, "nobody", wrong)
    assert (status, "There are: people." in err) == (1, True)


def test_pictures_are_answered_file_by_file(command, server, setup_of_pictures, tmp_path):
    setup, artefact = setup_of_pictures
    deploy(setup, artefact, server)
    paths = [tmp_path / f"{number}.png" for number in range(3)]
    for number, path in enumerate(paths):
        path.write_bytes(picture_bytes(number))
    status, out, err = command(setup, "people", *paths, "--top", "1", "--project", setup.project.name)
    assert (status, err) == (0, "3 answered by The people.\n")
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["file"] for row in rows] == list(map(str, paths))
    assert all(row["label"] in ("cat", "dog") and 0 < float(row["score"]) <= 1 and row["x"] == "" for row in rows)
    status, out, _ = command(setup, "people", paths[0], "--format", "jsonl")
    (line,) = map(json.loads, out.splitlines())
    assert {one["label"] for one in line["annotations"]} == {"cat", "dog"}
    _, out, _ = command(setup, "people", paths[0], "--threshold", "1")
    assert next(csv.DictReader(io.StringIO(out)))["label"] == ""
    status, _, err = command(setup, "people", tmp_path / "absent.png")
    assert (status, "absent.png" in err) == (1, True)


@pytest.fixture
def setup_of_pictures(transactional_db, home, tmp_path):
    setup = setup_make()
    version = version_make(setup)
    made = artefact_write(tmp_path / "pictures", labels=("cat", "dog"))
    blobs().put_tree("artefacts/pictures", made)
    artefact = Artefact.objects.create(
        project=setup.project,
        number=1,
        version=version,
        tree="artefacts/pictures",
        manifest=ArtefactManifest.read(made / MANIFEST_FILE).model_dump(mode="json"),
        latency_ms=2,
        model_bytes=3,
        size_bytes=4,
    )
    return setup, artefact
