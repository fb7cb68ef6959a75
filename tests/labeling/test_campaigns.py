"""Work shared out among people: blind, leased, measured, settled."""

from __future__ import annotations

import threading
from datetime import UTC, datetime, timedelta

import pytest
from django.db import connections

from automl.contracts.annotation import ClassLabel
from labeling.campaigns.errors import (
    CampaignClosedError,
    CampaignEmptyError,
    CampaignGoldError,
    CampaignMemberError,
    CampaignOverlapError,
    CampaignPersonError,
    DisputeOwnError,
    OpinionFullError,
)
from labeling.campaigns.models import Campaign, CampaignItem, CampaignState, MergeRule, Opinion, Outcome
from labeling.campaigns.opinions import LEASE, campaign_items_take, opinion_save
from labeling.campaigns.report import campaign_report, workers
from labeling.campaigns.selectors import my_campaigns
from labeling.campaigns.services import CampaignPlan, campaign_create, campaign_merge, campaign_update, dispute_settle
from labeling.errors import AnnotationInvalidError
from labeling.selectors import item_history
from labeling.services import annotation_save
from studio.accounts.access import principal_of_user
from studio.accounts.roles import Role
from studio.accounts.sight import whole
from studio.datasets.models import Item
from tests.support.project_setup import ingest, picture, setup_make, zip_of

pytestmark = pytest.mark.both_databases

NOW = datetime(2026, 1, 1, 12, tzinfo=UTC)


@pytest.fixture
def filled(setup):
    ingest(setup.dataset, zip_of({f"{n}.png": picture(n) for n in range(8)}))
    setup.labels("rose", "tulip")
    return setup


def make(setup, people, **plan) -> Campaign:
    plan = CampaignPlan(title="Spring", people=[user.id for user in people], **plan)
    return campaign_create(dataset=setup.dataset, plan=plan, actor=setup.actor)


def take(campaign, user, count=1, skip=(), now=NOW) -> list[CampaignItem]:
    return campaign_items_take(campaign=campaign, actor=principal_of_user(user), skip=skip, count=count, now=now)


def answer(row, user, *labels, operation=None, now=NOW, takes_back=False) -> None:
    row = CampaignItem.objects.select_related("campaign", "item__dataset__project").get(id=row.id)
    annotations = None if takes_back else tuple(ClassLabel(label=label) for label in labels)
    opinion_save(
        row=row, annotations=annotations, operation=operation or f"{row.id}-{user.id}", actor=principal_of_user(user), now=now
    )


def answer_all(campaign, user, label_of) -> None:
    while rows := take(campaign, user, count=5):
        for row in rows:
            answer(row, user, label_of(row))


def label_by_hand(setup, count, label="rose") -> list[str]:
    ids = list(Item.objects.order_by("id").values_list("id", flat=True)[:count])
    for item in Item.objects.select_related("dataset__project").filter(id__in=ids):
        annotation_save(
            item=item, annotations=(ClassLabel(label=label),), revision=0, operation=f"hand-{item.id}", actor=setup.actor
        )
    return ids


def test_one_answer_settles_an_item_as_annotated_by_the_person(filled):
    lin = filled.member("lin")
    campaign = make(filled, [lin])
    row = take(campaign, lin)[0]
    answer(row, lin, "rose", now=NOW + timedelta(seconds=7))
    item = Item.objects.get(id=row.item_id)
    assert (item.state, item.provenance, item.annotations[0]["label"]) == ("annotated", f"person:{lin.id}", "rose")
    assert [entry.by_name for entry in item_history(item)] == ["lin"]
    assert Opinion.objects.get().duration_s == 7


def test_two_answers_that_agree_annotate_the_item_and_none_before(filled):
    lin, max_ = filled.member("lin"), filled.member("max")
    campaign = make(filled, [lin, max_], opinions_per_item=2)
    row = take(campaign, lin)[0]
    answer(row, lin, "rose")
    assert Item.objects.get(id=row.item_id).state == "unlabelled"
    assert take(campaign, max_)[0].id == row.id  # begun work first
    answer(row, max_, "rose")
    item = Item.objects.get(id=row.item_id)
    assert (item.provenance, item.annotations[0]["label"]) == (f"campaign:{campaign.id}", "rose")


def test_answers_that_differ_wait_for_a_third_person(filled):
    lin, max_, eva = (filled.member(name, Role.ENGINEER) for name in ("lin", "max", "eva"))
    campaign = make(filled, [lin, max_], opinions_per_item=2)
    row = take(campaign, lin)[0]
    answer(row, lin, "rose")
    answer(row, max_, "tulip")
    row = CampaignItem.objects.select_related("campaign", "item__dataset__project").get(id=row.id)
    assert row.outcome == Outcome.DISPUTED
    assert campaign_merge(campaign=campaign, actor=filled.actor) == 0
    with pytest.raises(DisputeOwnError):
        dispute_settle(row=row, annotations=(ClassLabel(label="rose"),), actor=principal_of_user(lin))
    dispute_settle(row=row, annotations=(ClassLabel(label="tulip"),), actor=principal_of_user(eva))
    assert Item.objects.get(id=row.item_id).provenance == f"person:{eva.id}"
    with pytest.raises(OpinionFullError):
        answer(row, lin, "tulip", operation="too-late")


def test_a_changed_mind_is_one_answer_and_the_old_one_stays(filled):
    lin, max_ = filled.member("lin"), filled.member("max")
    campaign = make(filled, [lin, max_], opinions_per_item=2)
    row = take(campaign, lin)[0]
    answer(row, lin, "rose", operation="first-thought")
    answer(row, lin, "rose", operation="first-thought")
    answer(row, lin, "tulip", operation="second-thought")
    assert list(Opinion.objects.order_by("created_at").values_list("is_current", flat=True)) == [False, True]
    answer(row, max_, "tulip")
    assert Item.objects.get(id=row.item_id).annotations[0]["label"] == "tulip"


def test_a_lone_answer_can_be_changed_and_taken_back(filled):
    lin = filled.member("lin")
    campaign = make(filled, [lin])
    row = take(campaign, lin)[0]
    answer(row, lin, "rose", operation="slip-of-key")
    answer(row, lin, "tulip", operation="what-was-meant")
    assert Item.objects.get(id=row.item_id).annotations[0]["label"] == "tulip"
    answer(row, lin, operation="never-mind", takes_back=True)
    item, row = Item.objects.get(id=row.item_id), CampaignItem.objects.get(id=row.id)
    assert (item.state, row.outcome, row.num_opinions) == ("unlabelled", Outcome.OPEN, 0)
    assert row.id in [one.id for one in take(campaign, lin, count=8)]
    answer(row, lin, "rose", operation="in-the-end")
    assert Item.objects.get(id=row.item_id).annotations[0]["label"] == "rose"
    item.refresh_from_db()
    assert len(item_history(item)) == 4


def test_no_more_people_work_on_an_item_than_are_required(filled):
    people = [filled.member(name) for name in ("lin", "max", "eva")]
    campaign = make(filled, people, opinions_per_item=2, max_items=1)
    assert [len(take(campaign, user)) for user in people] == [1, 1, 0]
    late = NOW + LEASE + timedelta(seconds=1)
    assert len(take(campaign, people[2], now=late)) == 1


def test_skipped_items_go_back_and_held_ones_come_again(filled):
    lin, max_ = filled.member("lin"), filled.member("max")
    campaign = make(filled, [lin, max_])
    mine = [row.id for row in take(campaign, lin, count=3)]
    assert [row.id for row in take(campaign, lin, count=3)] == mine
    skip = [row.item_id for row in take(campaign, lin, count=3)[:1]]
    assert mine[0] not in [row.id for row in take(campaign, lin, count=3, skip=skip)]
    assert mine[0] in [row.id for row in take(campaign, max_, count=8)]


def test_gold_comes_in_its_share_is_measured_and_changes_nothing(filled):
    gold = label_by_hand(filled, 3)
    lin = filled.member("lin")
    campaign = make(filled, [lin], num_gold=2, gold_items=gold[:1], gold_fraction=0.4)
    assert CampaignItem.objects.filter(campaign=campaign).exclude(gold__isnull=True).count() == 3
    answer_all(campaign, lin, lambda row: "tulip" if row.item_id == gold[0] else "rose")
    mine = campaign_report(campaign).people[0]
    assert (mine.num_opinions, mine.num_gold) == (5, 3)
    assert mine.gold_accuracy == pytest.approx(2 / 3)
    assert {item.annotations[0]["label"] for item in Item.objects.filter(id__in=gold)} == {"rose"}
    assert {item.provenance for item in Item.objects.filter(id__in=gold)} == {f"person:{filled.owner.id}"}


def test_dawid_skene_settles_what_majority_cannot(filled):
    gold = label_by_hand(filled, 3)
    people = [filled.member(name) for name in ("lin", "max")]
    rules = {}
    for rule in MergeRule:
        campaign = make(filled, people, opinions_per_item=2, gold_items=gold, gold_fraction=0.5, merge=rule)
        answer_all(campaign, people[0], lambda row: "rose")
        answer_all(campaign, people[1], lambda row: "tulip")
        assert CampaignItem.objects.filter(campaign=campaign, outcome=Outcome.DISPUTED).count() == 5
        rules[rule] = campaign_merge(campaign=campaign, actor=filled.actor, min_confidence=0.9)
        campaign_update(campaign=campaign, actor=filled.actor, state=CampaignState.CLOSED)
        Item.objects.exclude(id__in=gold).update(state="unlabelled", annotations=None, annotated_at=None)
    assert rules == {MergeRule.MAJORITY: 0, MergeRule.DAWID_SKENE: 5}


def test_an_item_is_in_one_open_campaign_at_most(filled):
    gold = label_by_hand(filled, 2)
    lin, max_ = filled.member("lin"), filled.member("max")
    first = make(filled, [lin, max_], opinions_per_item=2, max_items=4, num_gold=1)
    held = set(CampaignItem.objects.filter(campaign=first).values_list("item", flat=True))
    second = make(filled, [lin], max_items=8, num_gold=1)
    others = set(CampaignItem.objects.filter(campaign=second).values_list("item", flat=True))
    assert (len(held), len(others), held & others) == (5, 3, set())
    for plan in ({"items": list(held - set(gold))}, {"gold_items": list(held & set(gold))}):
        with pytest.raises(CampaignOverlapError):
            make(filled, [lin], **plan)
    campaign_update(campaign=first, actor=filled.actor, state=CampaignState.CLOSED)
    make(filled, [lin], items=list(held - set(gold)))
    with pytest.raises(CampaignOverlapError):
        campaign_update(campaign=first, actor=filled.actor, state=CampaignState.OPEN)


def test_trust_and_agreement_count_open_disputes_and_gold(filled):
    gold = label_by_hand(filled, 2)
    lin, max_ = filled.member("lin"), filled.member("max")
    campaign = make(filled, [lin, max_], opinions_per_item=2, gold_items=gold, gold_fraction=0.3)
    told = [one for one in my_campaigns(whole([filled.workspace.id]), f"person:{max_.id}") if one.id == campaign.id]
    assert (told[0].num_mine, told[0].num_open) == (0, 8)  # gold is counted like the rest
    answer_all(campaign, lin, lambda row: "rose")
    disputed = CampaignItem.objects.filter(campaign=campaign, gold__isnull=True)[:3].values_list("id", flat=True)
    answer_all(campaign, max_, lambda row: "tulip" if row.gold or row.id in set(disputed) else "rose")
    told = [one for one in my_campaigns(whole([filled.workspace.id]), f"person:{max_.id}") if one.id == campaign.id]
    assert (told[0].num_mine, told[0].num_open) == (8, 0)
    of = {one.name: one for one in campaign_report(campaign).people}
    assert of["max"].agreement == of["lin"].agreement == pytest.approx(3 / 6)
    assert of["lin"].trust == pytest.approx((2 + 3 + 3 * 0.5) / 8)
    assert of["max"].trust == pytest.approx((0 + 3 + 3 * 0.5) / 8)


def test_the_report_names_pairs_and_agreement(filled):
    lin, max_ = filled.member("lin"), filled.member("max")
    campaign = make(filled, [lin, max_], opinions_per_item=2)
    answer_all(campaign, lin, lambda row: "rose" if row.position % 2 else "tulip")
    answer_all(campaign, max_, lambda row: "rose" if row.position % 2 else "tulip")
    report = campaign_report(campaign, now=NOW)
    assert (report.alpha, report.pairs[0].kappa, report.pairs[0].num_items, report.mean_iou) == (1.0, 1.0, 8, None)
    assert {(one.name, one.agreement, one.num_today) for one in report.people} == {("lin", 1.0, 8), ("max", 1.0, 8)}
    assert [(one.name, one.num_changes) for one in workers(filled.dataset, days=3650)] == [("lin", 8), ("max", 8)]


def test_what_cannot_be(filled):
    lin, guest = filled.member("lin"), filled.member("guest", Role.VIEWER)
    with pytest.raises(CampaignPersonError):
        make(filled, [lin, guest])
    with pytest.raises(CampaignEmptyError):
        make(filled, [lin], opinions_per_item=2)
    with pytest.raises(CampaignEmptyError):
        make(filled, [lin], items=[])
    with pytest.raises(CampaignGoldError):
        make(filled, [lin], num_gold=1)
    campaign = make(filled, [lin])
    with pytest.raises(CampaignEmptyError, match="8 unlabelled items are in other open campaigns"):
        make(filled, [lin])
    row = take(campaign, lin)[0]
    with pytest.raises(CampaignMemberError):
        answer(row, filled.owner, "rose")
    with pytest.raises(AnnotationInvalidError):
        answer(row, lin, "oak")
    campaign_update(campaign=campaign, actor=filled.actor, state=CampaignState.CLOSED)
    campaign.refresh_from_db()
    with pytest.raises(CampaignClosedError):
        answer(row, lin, "rose")
    with pytest.raises(CampaignClosedError):
        take(campaign, lin)


def test_an_annotator_meets_the_own_share_and_nothing_else(filled):
    ann = filled.member("ann", Role.ANNOTATOR)
    campaign = make(filled, [ann], max_items=2)
    client = filled.client(ann)
    base = f"/api/labeling/campaigns/{campaign.id}"
    assert [one["title"] for one in client.get("/api/labeling/campaigns/mine").json()] == ["Spring"]
    items = client.post(f"{base}/items", {"prefetch": 5}, content_type="application/json").json()["items"]
    assert len(items) == 2
    assert client.get(items[0]["picture_url"]).status_code == 200
    body = {"annotations": [{"kind": "class", "label": "rose"}], "operation": "an-operation"}
    assert client.put(f"{base}/items/{items[0]['item']}", body, content_type="application/json").json()["outcome"] == "agreed"
    assert [one["item"] for one in client.get(f"{base}/answers").json()["items"]] == [items[0]["item"]]
    project, dataset = filled.project.id, filled.dataset.id
    for path in (
        f"/api/datasets/{dataset}/items",
        f"/api/items/{items[0]['item']}",
        f"/api/items/{items[0]['item']}/picture",
        f"/api/labeling/history?item={items[0]['item']}",
        f"/api/labeling/campaigns?project={project}",
        f"{base}/report",
        f"{base}/disputes",
        f"/api/labeling/workers?project={project}",
    ):
        assert client.get(path).status_code == 403, path


def test_the_review_queue_holds_others_work_that_nobody_looked_at(filled):
    lin = filled.member("lin")
    campaign = make(filled, [lin])
    answer_all(campaign, lin, lambda row: "rose")
    client = filled.client()
    path = f"/api/labeling/reviews/queue?project={filled.project.id}"
    queue = client.get(path).json()["items"]
    assert len(queue) == 8
    assert queue[0]["author_name"] == "lin"
    for decision, one in zip(("approve", "return"), queue, strict=False):
        body = {"item": one["item"], "decision": decision, "comment": "look at the leaves"}
        assert client.post("/api/labeling/reviews", body, content_type="application/json").status_code == 201
    assert len(client.get(path).json()["items"]) == 6
    assert filled.client(lin).get(path).json()["items"] == []
    one = workers(filled.dataset, days=3650)[0]
    assert (one.num_approved, one.num_returned) == (1, 1)


@pytest.mark.django_db(transaction=True)
def test_people_who_ask_at_the_same_moment_do_not_get_too_much(home):
    setup = setup_make()
    ingest(setup.dataset, zip_of({f"{n}.png": picture(n) for n in range(6)}))
    setup.labels("rose")
    people = [setup.member(f"p{n}") for n in range(4)]
    campaign = make(setup, people, opinions_per_item=2)
    start = threading.Barrier(len(people))
    failed: list[Exception] = []

    def work(user) -> None:
        try:
            start.wait()
            answer_all(campaign, user, lambda row: "rose")
        except Exception as error:  # noqa: BLE001 - any failure of the thread fails the test
            failed.append(error)
        finally:
            connections.close_all()

    threads = [threading.Thread(target=work, args=(user,)) for user in people]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []
    assert Opinion.objects.filter(is_current=True).count() == 12
    assert set(CampaignItem.objects.values_list("num_opinions", "outcome")) == {(2, "agreed")}
    assert set(Item.objects.values_list("state", flat=True)) == {"annotated"}
