"""Which items a campaign measures people by."""

from __future__ import annotations

from labeling.campaigns.models import CampaignItem, CampaignState
from labeling.campaigns.services import campaign_update
from tests.labeling.test_campaigns import filled, label_by_hand, make
from tests.support.project_setup import home, setup

__all__ = ["filled", "home", "setup"]


def test_each_campaign_draws_gold_of_its_own(filled):
    label_by_hand(filled, 5)
    lin = filled.member("lin")
    known = CampaignItem.objects.exclude(gold__isnull=True)
    made = []
    for _ in range(12):
        made.append(make(filled, [lin], num_gold=2))
        campaign_update(campaign=made[-1], actor=filled.actor, state=CampaignState.CLOSED)  # it holds its items until then
    drawn = {frozenset(known.filter(campaign=one).values_list("item", flat=True)) for one in made}
    assert {len(one) for one in drawn} == {2}
    assert len(drawn) > 1  # twelve times the same of ten pairs: once in 10**11
