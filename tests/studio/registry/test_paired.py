"""Paired tests of two models, against values worked out elsewhere, and the items behind them."""

import pytest

from automl.contracts.report import REPORT_FILE
from automl.search.paired import amounts_test, shares_test
from studio.common.blobs import blobs
from studio.registry.reports import report_of
from tests.studio.studies.material import artefact_make, version_make
from tests.support.project_setup import setup_make


@pytest.mark.parametrize(
    ("num_first_only", "num_second_only", "p_value"),
    # scipy.stats.binomtest(min, n, 0.5).pvalue
    [(0, 0, 1.0), (5, 5, 1.0), (1, 9, 0.021484375), (9, 1, 0.021484375), (2, 10, 0.03857421875), (0, 5, 0.0625)],
)
def test_mcnemars_exact_test(num_first_only, num_second_only, p_value):
    found = shares_test(num_items=100, num_first_only=num_first_only, num_second_only=num_second_only)
    assert found.p_value == pytest.approx(p_value, abs=1e-12)
    assert found.difference == pytest.approx((num_second_only - num_first_only) / 100)
    assert found.interval[0] <= found.difference <= found.interval[1]


def test_the_exact_test_takes_very_many_items():
    found = shares_test(num_items=1_000_000, num_first_only=50_000, num_second_only=50_300)
    assert found.p_value == pytest.approx(0.345, abs=0.002)  # normal approximation: z = 300 / sqrt(100300)


def test_amounts_separate_a_clear_difference_from_none():
    first = [float(i % 7) for i in range(200)]
    better = amounts_test(first, [each - 0.5 - (i % 3) * 0.1 for i, each in enumerate(first)])
    assert better.p_value < 0.01
    assert better.interval[1] < 0 < -better.difference
    equal = amounts_test(first, [each + (1 if i % 2 else -1) for i, each in enumerate(first)])
    assert equal.p_value > 0.5
    assert equal.interval[0] < 0 < equal.interval[1]


@pytest.fixture
def pair(setup, version):
    """Two models of one version; the second gets two of the first one's mistakes right and a right one wrong."""
    first, second = (artefact_make(setup, version, accuracy=accuracy) for accuracy in (0.7, 0.8))
    report = report_of(first.tree)
    split = next(each for each in report.splits if each.split == "test")
    wrong = [item for item in split.items if item.truth[0].label != item.prediction[0].label][:1]
    right = [item for item in split.items if item.truth[0].label == item.prediction[0].label][:2]
    names = {item.item: item.truth[0].label for item in wrong} | {
        item.item: next(name for name in report.labels if name != item.truth[0].label) for item in right
    }
    items = tuple(
        item.model_copy(
            update={
                "prediction": (item.prediction[0].model_copy(update={"label": names.get(item.item, item.prediction[0].label)}),)
            }
        )
        for item in split.items
    )
    splits = tuple(each.model_copy(update={"items": items}) if each.split == "test" else each for each in report.splits)
    report.model_copy(update={"splits": splits}).write(blobs().fetch_tree(second.tree) / REPORT_FILE)
    report_of.cache_clear()
    return first, second, {item.item for item in wrong}, {item.item for item in right}


def ask(client, first, second, path="", **query):
    return client.get(f"/api/artefacts/{first.id}/paired{path}", {"other": second.id, **query})


def test_what_the_other_model_mends_and_breaks_is_counted_and_listed(setup, pair):
    first, second, fixed, broken = pair
    client = setup.client()
    report = ask(client, first, second).json()
    assert (report["num_fixed"], report["num_broken"], report["is_amount"]) == (len(fixed), len(broken), False)
    assert report["test"]["p_value"] == 1.0  # one against two says nothing
    for outcome, expected in (("fixed", fixed), ("broken", broken)):
        page = ask(client, first, second, "/items", outcome=outcome).json()
        assert {item["after"]["item"] for item in page["items"]} == expected
        assert all(item["before"]["item"] == item["after"]["item"] for item in page["items"])
        assert page["num_items"] == len(expected)
    turned = ask(client, second, first).json()
    assert (turned["num_fixed"], turned["num_broken"]) == (len(broken), len(fixed))
    assert turned["test"]["difference"] == pytest.approx(-report["test"]["difference"])


def test_pairs_are_paged_without_gaps(setup, pair):
    first, second, _, broken = pair
    client = setup.client()
    page = ask(client, first, second, "/items", outcome="broken", limit=1).json()
    rest = ask(client, first, second, "/items", outcome="broken", limit=1, cursor=page["next_cursor"]).json()
    assert {each["after"]["item"] for each in (*page["items"], *rest["items"])} == broken
    assert rest["next_cursor"] is None


def test_models_of_other_items_are_not_compared(setup, pair):
    later = artefact_make(setup, version_make(setup, num_items=20, first=60))
    reply = ask(setup.client(), pair[0], later)
    assert (reply.status_code, reply.json()["code"]) == (422, "models_not_comparable")


def test_a_model_of_another_workspace_is_not_there(setup, pair):
    other = setup_make(email="eve@example.org")
    assert ask(other.client(), pair[0], pair[1]).status_code == 404
