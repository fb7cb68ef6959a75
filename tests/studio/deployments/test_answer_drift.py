"""Calls against the model's own report: what counts as its test, which calls count, and what is said of too few."""

import random
from datetime import timedelta

import numpy as np
import pytest
from django.utils import timezone

from automl.contracts.annotation import Box, ClassLabel, Value
from automl.contracts.dataset import Split
from automl.contracts.report import JudgedItem, SplitReport
from runtime.answers import answers_kind
from runtime.ids import prediction_id, prediction_number
from studio.deployments import answer_drift
from studio.deployments.calls import INTERNAL_KEY_ID
from studio.deployments.drift import FEWEST_ANSWERS, BestAnswer
from studio.deployments.models import PredictionLog, Variant
from tests.studio.studies.material import artefact_make, version_make


@pytest.fixture
def num_items():
    """Enough that the test has more than a few; in it cats and dogs are answered equally often, always at 0.8."""
    return 400


@pytest.fixture
def version(setup, num_items):
    """A version of so many pictures."""
    return version_make(setup, num_items=num_items)


def called(deployment, artefact, number, *, cats, score=0.8, days_ago=1.0, **fields):
    chance = random.Random(7)
    tops = [[{"label": "cat" if chance.random() < cats else "dog", "score": score}] for _ in range(number)]
    PredictionLog.objects.bulk_create(
        PredictionLog(
            id=prediction_id(prediction_number()),
            deployment=deployment,
            at=timezone.now() - timedelta(days=days_ago),
            artefact=artefact.id,
            num_pictures=1,
            latency_ms=2.0,
            **{"status": 200, "key": "key_1", "top": top} | fields,
        )
        for top in tops
    )


def shown(setup, deployment):
    reply = setup.client().get(f"/api/deployments/{deployment.id}/drift")
    assert reply.status_code == 200, reply.content
    return reply.json()["models"]


def test_calls_like_the_test_are_quiet_and_others_are_named(setup, deployment, artefact):
    called(deployment, artefact, 300, cats=0.5)
    (quiet,) = shown(setup, deployment)
    assert (quiet["state"], quiet["split"], quiet["num_calls"]) == ("quiet", "test", 300)
    PredictionLog.objects.all().delete()
    called(deployment, artefact, 300, cats=0.9)
    (changed,) = shown(setup, deployment)
    assert (changed["state"], changed["is_answers_changed"], changed["is_scores_changed"]) == ("changed", True, False)
    by_label = {each["label"]: each for each in changed["changes"]}
    assert by_label["cat"]["before"] == pytest.approx(0.5, abs=0.1)
    assert by_label["cat"]["after"] == pytest.approx(0.9, abs=0.05)
    assert changed["psi"] > 0.25


def test_scores_that_sink_raise_an_alert(setup, deployment, artefact):
    called(deployment, artefact, 300, cats=0.5, score=0.55)
    (changed,) = shown(setup, deployment)
    assert (changed["is_answers_changed"], changed["is_scores_changed"]) == (False, True)
    assert (changed["before"]["median"], changed["after"]["median"]) == (0.8, 0.55)


def test_only_answers_to_callers_of_the_last_days_by_this_model_count(setup, deployment, artefact, version):
    other = artefact_make(setup, version)
    called(deployment, artefact, 300, cats=0.9, key=INTERNAL_KEY_ID)
    called(deployment, artefact, 300, cats=0.9, days_ago=7.5)
    called(deployment, artefact, 300, cats=0.9, status=500, top=[])
    called(deployment, other, 300, cats=0.9)
    called(deployment, artefact, FEWEST_ANSWERS - 1, cats=0.9)
    (few,) = shown(setup, deployment)
    assert (few["state"], few["num_calls"], few["psi"], few["changes"]) == ("few_calls", FEWEST_ANSWERS - 1, None, [])


def test_each_model_that_answers_is_judged_by_its_own_calls_and_the_shadow_is_not(setup, deployment, artefact, version):
    second, shadow = artefact_make(setup, version), artefact_make(setup, version)
    Variant.objects.create(deployment=deployment, artefact=second, share=30)
    Variant.objects.create(deployment=deployment, artefact=shadow, is_shadow=True)
    called(deployment, artefact, 200, cats=0.5)
    called(deployment, second, 200, cats=1.0)
    assert [(each["artefact"], each["state"]) for each in shown(setup, deployment)] == [
        (artefact.id, "quiet"),
        (second.id, "changed"),
    ]


def test_of_a_batch_the_first_item_counts(setup, deployment, artefact):
    alike = [[{"label": "cat", "score": 0.8}] * 30]
    called(deployment, artefact, 5, cats=1, top=alike[0])
    (few,) = shown(setup, deployment)
    assert (few["state"], few["num_calls"]) == ("few_calls", 5)


@pytest.mark.parametrize("num_items", [40])
def test_a_test_of_few_items_judges_nothing(setup, deployment, artefact):
    called(deployment, artefact, 300, cats=1.0)
    assert shown(setup, deployment)[0]["state"] == "no_test"


def items(losses, prediction=()):
    return tuple(JudgedItem(item=f"i{n}", truth=(), prediction=prediction, loss=loss) for n, loss in enumerate(losses))


def test_items_with_large_losses_weigh_no_more_than_they_are():
    """A report of 21,000 rows keeps the 1,000 worst and 4,000 of the others: one worst in five stands for as many."""
    listed = items([9.0] * 1000 + [0.1] * 4000)
    split = SplitReport(split=Split.TEST, num_items=21_000, metrics={}, intervals={}, per_class=(), confusion=(), items=listed)
    even = answer_drift._evenly(split)
    assert sum(item.loss == 9.0 for item in even) == 200
    assert len(even) == 4200
    whole = split.model_copy(update={"num_items": 5000})
    assert len(answer_drift._evenly(whole)) == 5000


@pytest.mark.parametrize(
    ("output", "predicted", "thresholds", "best"),
    [
        ("class_scores", (ClassLabel(label="cat", score=0.6), ClassLabel(label="dog", score=0.4)), {}, ("cat", 0.6)),
        (
            "class_scores",
            (ClassLabel(label="cat", score=0.6), ClassLabel(label="dog", score=0.4)),
            {"cat": 0.9, "dog": 0.1},
            ("dog", 0.4),
        ),
        ("label_scores", (ClassLabel(label="cat", score=0.6), ClassLabel(label="dog", score=0.4)), {}, ("cat", 0.6)),
        ("boxes", (Box(label="dog", x=0, y=0, width=9, height=9, score=0.7),), {}, ("dog", 0.7)),
        ("boxes", (), {}, (None, None)),
    ],
)
def test_a_test_item_is_answered_as_the_prediction_server_says_it(output, predicted, thresholds, best):
    labels = ("cat", "dog")
    (item,) = items([0.0], predicted)
    found = answer_drift._judged(answers_kind(output)(labels), labels, item, thresholds)
    assert (found.label, found.score and pytest.approx(found.score)) == best
    if found.label and output != "boxes":
        answer = np.array([0.6, 0.4], dtype=np.float32)
        assert answers_kind(output)(labels).best(answer, thresholds)["label"] == found.label


def test_a_number_is_a_number():
    (item,) = items([0.0], (Value(value=3.5),))
    assert answer_drift._judged(answers_kind("number")(()), (), item, {}) == BestAnswer(value=3.5)
