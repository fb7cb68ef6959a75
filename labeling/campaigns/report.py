"""How people do: in a campaign, and in a project over some days. Reads only."""

from __future__ import annotations

import itertools
import statistics
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, Q
from django.db.models.functions import TruncDate
from django.utils import timezone

from automl.contracts.annotation import Annotation, Annotations, item_numbers
from labeling.agreement import classes_of, interval, kappa_of_pairs, krippendorff_alpha, masi, object_agreement
from labeling.campaigns.models import Campaign, CampaignItem, CampaignMember, Opinion, Outcome
from labeling.campaigns.opinions import agreed_answer
from labeling.campaigns.schemas import CampaignPersonOut, CampaignReportOut, PairOut, WorkerOut
from labeling.campaigns.services import campaign_consensus
from labeling.models import AnnotationRevision, Decision, Review
from labeling.selectors import names_of
from studio.datasets.models import Dataset, Item

ItemAnnotations = tuple[Annotation, ...]

MAX_OBJECT_ITEMS = 500
"""Most items on which drawn objects are compared: each comparison draws outlines."""


@dataclass(frozen=True)
class Answer:
    """One current answer of a campaign."""

    item: str
    person: str
    annotations: ItemAnnotations
    at: datetime
    duration_s: float | None


def campaign_report(campaign: Campaign, *, now: datetime | None = None) -> CampaignReportOut:
    """Who does how well, and how far people agree."""
    answers = _answers(campaign)
    gold = {
        item: Annotations.validate_python(annotations)
        for item, annotations in CampaignItem.objects.filter(campaign=campaign)
        .exclude(gold__isnull=True)
        .values_list("item", "gold")
    }
    ordinary = [one for one in answers if one.item not in gold]
    by_item: dict[str, dict[str, ItemAnnotations]] = defaultdict(dict)
    for one in ordinary:
        by_item[one.item][one.person] = one.annotations
    by_person: dict[str, dict[str, frozenset[str]]] = defaultdict(dict)
    for one in answers:
        by_person[one.person][one.item] = classes_of(one.annotations)
    pairs = [
        PairOut(first=first, second=second, kappa=kappa, num_items=num)
        for (first, second), (kappa, num) in kappa_of_pairs(by_person).items()
    ]
    return CampaignReportOut(
        people=_people(campaign, answers, gold, now or timezone.now()),
        pairs=pairs,
        alpha=_alpha(by_item.values()),
        mean_iou=_mean_iou(by_item.values()),
    )


def _alpha(items: Collection[Mapping[str, ItemAnnotations]]) -> float | None:
    """Of class labels, or of numbers, which agree the better the nearer they are."""
    numbers = [[number for annotations in people.values() for number in item_numbers(annotations)] for people in items]
    if any(numbers):
        return krippendorff_alpha(numbers, interval)
    return krippendorff_alpha([[classes_of(annotations) for annotations in people.values()] for people in items], masi)


def _answers(campaign: Campaign) -> list[Answer]:
    rows = Opinion.objects.filter(campaign_item__campaign=campaign, is_current=True).order_by("created_at")
    fields = rows.values_list("campaign_item__item", "person", "annotations", "created_at", "duration_s")
    return [
        Answer(item, person, Annotations.validate_python(annotations), at, duration_s)
        for item, person, annotations, at, duration_s in fields.iterator()
    ]


def _people(
    campaign: Campaign, answers: Sequence[Answer], gold: Mapping[str, ItemAnnotations], now: datetime
) -> list[CampaignPersonOut]:
    members = list(CampaignMember.objects.filter(campaign=campaign).order_by("id").values_list("person", flat=True))
    people = list(dict.fromkeys([*members, *(one.person for one in answers)]))
    names = names_of(people)
    trust = campaign_consensus(campaign).accuracy
    settled, disputed = _settled(campaign), _disputed(campaign)
    midnight = now.replace(hour=0, minute=0, second=0, microsecond=0)
    out = []
    for person in people:
        mine = [one for one in answers if one.person == person]
        work = [one for one in mine if one.item not in gold]
        tests = [agreed_answer([one.annotations, gold[one.item]]) is not None for one in mine if one.item in gold]
        fits = [agreed_answer([one.annotations, settled[one.item]]) is not None for one in work if one.item in settled]
        fits += [False for one in work if one.item in disputed]  # nobody agrees yet
        times = [one.duration_s for one in mine if one.duration_s is not None]
        out.append(
            CampaignPersonOut(
                person=person,
                name=names.get(person, ""),
                num_opinions=len(work),
                num_today=sum(one.at >= midnight for one in work),
                median_s=statistics.median(times) if times else None,
                num_gold=len(tests),
                gold_accuracy=statistics.fmean(tests) if tests else None,
                agreement=statistics.fmean(fits) if fits else None,
                trust=trust.get(person),
            )
        )
    return out


def _settled(campaign: Campaign) -> dict[str, ItemAnnotations]:
    """The annotations of finished items that more than one person has answered."""
    if campaign.opinions_per_item == 1:
        return {}
    done = CampaignItem.objects.filter(campaign=campaign, outcome__in=[Outcome.AGREED, Outcome.SETTLED])
    rows = Item.objects.filter(id__in=done.values("item")).exclude(annotations__isnull=True)
    return {item: Annotations.validate_python(annotations) for item, annotations in rows.values_list("id", "annotations")}


def _disputed(campaign: Campaign) -> set[str]:
    rows = CampaignItem.objects.filter(campaign=campaign, outcome=Outcome.DISPUTED)
    return set(rows.values_list("item", flat=True))


def _mean_iou(items: Iterable[Mapping[str, ItemAnnotations]]) -> float | None:
    drawn = (
        people
        for people in items
        if len(people) > 1 and any(not one.is_of_whole_item for annotations in people.values() for one in annotations)
    )
    overlaps = [
        object_agreement(first, second).mean_iou
        for people in itertools.islice(drawn, MAX_OBJECT_ITEMS)
        for first, second in itertools.combinations(people.values(), 2)
    ]
    return statistics.fmean(overlaps) if overlaps else None


def workers(dataset: Dataset, *, days: int, now: datetime | None = None) -> list[WorkerOut]:
    """What each person did in a project over the last days: how much, how fast, how well; most first."""
    since = (now or timezone.now()) - timedelta(days=days)
    per_day: dict[str, Counter[str]] = defaultdict(Counter)
    changes = AnnotationRevision.objects.filter(
        item__dataset=dataset, created_at__gte=since, provenance__startswith="person:", operation__isnull=False
    ).exclude(
        Q(operation__startswith="rev_") | Q(operation__startswith="set_") | Q(operation__startswith="und_")
    )  # reviews and answers count below
    answers = Opinion.objects.filter(campaign_item__campaign__dataset=dataset, created_at__gte=since)
    for rows, field in ((changes, "provenance"), (answers, "person")):
        counted = rows.annotate(day=TruncDate("created_at")).values_list(field, "day").annotate(num=Count("id")).order_by()
        for person, day, num in counted:
            per_day[person][day.isoformat()] += num
    reviews: dict[str, Counter[str]] = defaultdict(Counter)
    decided = Review.objects.filter(item__dataset=dataset, created_at__gte=since)
    for author, decision, num in decided.values_list("author", "decision").annotate(num=Count("id")).order_by():
        reviews[author][decision] = num
    tests, times = _tests_and_times(dataset, since)
    people = sorted(per_day, key=lambda person: -per_day[person].total())
    names = names_of(people)
    return [
        WorkerOut(
            person=person,
            name=names.get(person, ""),
            num_changes=per_day[person].total(),
            per_day=dict(sorted(per_day[person].items())),
            num_approved=reviews[person][Decision.APPROVE],
            num_returned=reviews[person][Decision.RETURN],
            gold_accuracy=statistics.fmean(tests[person]) if tests[person] else None,
            num_gold=len(tests[person]),
            median_s=statistics.median(times[person]) if times[person] else None,
        )
        for person in people
    ]


def _tests_and_times(dataset: Dataset, since: datetime) -> tuple[dict[str, list[bool]], dict[str, list[float]]]:
    """By person: gold items answered right or wrong, and seconds an answer took."""
    tests: dict[str, list[bool]] = defaultdict(list)
    times: dict[str, list[float]] = defaultdict(list)
    rows = Opinion.objects.filter(campaign_item__campaign__dataset=dataset, created_at__gte=since, is_current=True)
    for person, duration_s in rows.values_list("person", "duration_s"):
        if duration_s is not None:
            times[person].append(duration_s)
    on_gold = rows.exclude(campaign_item__gold__isnull=True)
    for person, answer, truth in on_gold.values_list("person", "annotations", "campaign_item__gold"):
        both = [Annotations.validate_python(answer), Annotations.validate_python(truth)]
        tests[person].append(agreed_answer(both) is not None)
    return tests, times
