"""Who is told of what: once, not of their own doing, and by mail only of what they have not read."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core import mail
from django.utils import timezone

from labeling.campaigns.services import CampaignPlan, campaign_create
from labeling.comments.mentions import Reader, mentioned
from labeling.models import Review, Suggestion
from studio.accounts.models import Notice
from studio.accounts.notices import MAIL_AFTER, notices_mail
from studio.accounts.project_access import project_member_set, project_restrict
from studio.accounts.roles import Role
from studio.accounts.services import user_update
from studio.datasets.models import Item
from tests.labeling.test_comments import JSON, say
from tests.support.project_setup import ingest, picture, zip_of

pytestmark = pytest.mark.both_databases


@pytest.fixture
def team(setup):
    """A project with two items, a labeller, and an annotator without a share."""
    setup.labels("rose", "tulip")
    ingest(setup.dataset, zip_of({f"{n}.png": picture(n) for n in range(2)}))
    people = {"Mia Lund": setup.member("mia"), "Tom": setup.member("Tom", Role.ANNOTATOR)}
    user_update(user=people["Mia Lund"], name="Mia Lund")
    return setup, list(Item.objects.select_related("dataset__project").order_by("id")), people


def notices(client, **query):
    return [(one["kind"], one["text"]["en"], one["path"]) for one in client.get("/api/notices", query).json()["items"]]


def test_names_are_found_behind_at_signs():
    readers = [
        Reader(str(n), name, True) for n, name in enumerate(("Tom", "Tom Reed", "李明", "Mia Lund", "Ada Bay", "Ada Noor"))
    ]
    for text, names in (
        ("@tom reed: look", ["Tom Reed"]),
        ("@Tom, please", ["Tom"]),
        ("ask @Tomas", []),
        ("@Mia, @Ada", ["Mia Lund"]),  # two are called Ada
        ("@李明请看", ["李明"]),
        ("mail tom@example.org", []),
    ):
        assert [one.name for one in mentioned(text, readers)] == names, text


def test_who_does_not_see_the_project_is_told_nothing_and_the_comment_says_so(team):
    setup, (item, _), people = team
    place = {"workspace": setup.workspace, "project": setup.project.id, "actor": setup.actor}
    project_restrict(is_restricted=True, **place)
    project_member_set(user_id=people["Tom"].id, role=Role.LABELLER, **place)
    made = say(setup.client(), item, "@Mia Lund and @Tom: a rose?", "operation-9").json()
    assert (made["mentions"], made["unnotified"]) == (["Tom"], ["Mia Lund"])
    named = setup.client().get(f"/api/labeling/comments/people?item={item.id}").json()
    assert "Mia Lund" not in [one["name"] for one in named]
    assert notices(setup.client(people["Mia Lund"])) == []
    assert [kind for kind, *_ in notices(setup.client(people["Tom"]))] == ["mention"]


def test_people_are_told_of_mentions_answers_and_work(team):
    setup, (item, other), people = team
    owner, mia, tom = setup.client(), setup.client(people["Mia Lund"]), setup.client(people["Tom"])
    made = say(owner, item, "@Mia Lund and @Tom and @ada: a rose?", "operation-1").json()
    assert made["mentions"] == ["Ada", "Mia Lund", "Tom"]
    page = f"/projects/{setup.project.id}/labelling?item={item.id}"
    assert notices(mia) == [("mention", "Ada mentioned you: “@Mia Lund and @Tom and @ada: a rose?”", page)]
    assert notices(tom) == notices(owner) == []  # no part in the item; one's own doing
    say(mia, item, "Yes.", "operation-2")
    assert notices(owner)[0][:2] == ("reply", "Mia Lund answered your comment: “Yes.”")
    plan = CampaignPlan(title="Spring", people=[people["Tom"].id, people["Mia Lund"].id], items=[other.id])
    campaign_create(dataset=setup.dataset, plan=plan, actor=setup.actor)
    assert notices(tom) == [("campaign", "Ada assigned you the campaign “Spring”", "/tasks")]
    say(owner, other, "@Tom mind the leaf", "operation-3")
    assert notices(tom)[0][2] == "/tasks"
    assert [
        one["item"]["name"] for one in mia.get(f"/api/labeling/comments/open?project={setup.project.id}").json()["items"]
    ] == [
        other.name,
        item.name,
        item.name,
    ]
    waiting = owner.get(f"/api/waiting?workspace={setup.workspace.id}").json()
    assert [(one["project"], one["waiting"]) for one in waiting] == [
        (setup.project.id, [{"key": "comments", "count": 2, "number": None}])
    ]
    mia.post("/api/notices/read", {}, content_type=JSON)
    assert mia.get("/api/notices/count").json() == {"num_unread": 0}
    owner.delete(f"/api/labeling/comments/{made['id']}")
    assert [kind for kind, *_ in notices(mia)] == ["campaign"]  # what is taken back takes its notice along


def test_only_what_nobody_has_read_is_mailed_once(team, settings):
    settings.HAS_MAIL = True
    setup, (item, _), people = team
    mia = setup.client(people["Mia Lund"])
    say(setup.client(), item, "@Mia Lund one", "operation-1")
    assert mia.get("/api/notices/count").json() == {"num_unread": 1}
    later = timezone.now() + MAIL_AFTER + timedelta(seconds=1)
    assert notices_mail() == 0
    assert (notices_mail(now=later), notices_mail(now=later)) == (1, 0)
    assert (mail.outbox[0].to, "Ada mentioned you" in mail.outbox[0].body) == ([people["Mia Lund"].email], True)
    say(setup.client(), item, "@Mia Lund two", "operation-2")
    mia.post("/api/notices/read", {}, content_type=JSON)
    mia.patch("/api/auth/me", {"has_notice_mail": False}, content_type=JSON)
    say(setup.client(), item, "@Mia Lund three", "operation-3")
    assert notices_mail(now=later) == 0


def test_a_decision_of_a_review_is_taken_back(team):
    setup, (item, _), people = team
    owner, mia = setup.client(), setup.client(people["Mia Lund"])
    rose = [{"kind": "class", "label": "rose"}]
    body = {"annotations": rose, "revision": 0, "operation": "operation-1"}
    assert mia.put(f"/api/labeling/items/{item.id}/annotations", body, content_type=JSON).status_code == 200
    for decision, state in (("approve", "annotated"), ("return", "unlabelled")):
        verdict = {"item": item.id, "decision": decision, "comment": "Mind the leaf."}
        review = owner.post("/api/labeling/reviews", verdict, content_type=JSON).json()
        assert Item.objects.get(id=item.id).state == state
        assert mia.post(f"/api/labeling/reviews/{review['id']}/undo").status_code == 403
        assert owner.post(f"/api/labeling/reviews/{review['id']}/undo").status_code == 204
        found = Item.objects.get(id=item.id)
        assert (found.state, found.provenance, found.annotations[0]["label"]) == (
            "annotated",
            f"person:{people['Mia Lund'].id}",
            "rose",
        )
    assert (Review.objects.count(), Suggestion.objects.count(), Notice.objects.filter(kind="returned").count()) == (0, 0, 0)
    review = owner.post("/api/labeling/reviews", {"item": item.id, "decision": "return"}, content_type=JSON).json()
    assert "returned your label of" in notices(mia)[0][1]
    body = {"annotations": rose, "revision": Item.objects.get(id=item.id).revision, "operation": "operation-9"}
    mia.put(f"/api/labeling/items/{item.id}/annotations", body, content_type=JSON)
    assert owner.post(f"/api/labeling/reviews/{review['id']}/undo").json()["code"] == "review_changed"
