"""What a caller of the campaigns can do wrong, each with its cure."""

from __future__ import annotations

from studio.common.errors import ConflictError, InvalidInputError, PermissionDeniedError


class CampaignEmptyError(InvalidInputError):
    """A campaign without items or without people."""

    code = "campaign_empty"
    title = "The campaign would have nothing to do"
    param_names = ("context", "opinions", "people", "count")


class CampaignGoldError(InvalidInputError):
    """Gold items need a known answer, and a share above zero needs gold items."""

    code = "campaign_gold"
    title = "The gold items do not fit"
    param_names = ("context", "wanted", "labelled")


class CampaignPersonError(InvalidInputError):
    """Somebody who may not label here."""

    code = "campaign_person"
    title = "This person cannot label in this workspace"


class CampaignOverlapError(ConflictError):
    """An item is in one open campaign at most."""

    code = "campaign_overlap"
    title = "Another open campaign has these items"
    param_names = ("count",)

    def __init__(self, count: int) -> None:
        super().__init__(
            f"{count} of the items are in another open campaign.",
            hint="Close that campaign first, or choose others.",
            params={"count": count},
        )


class CampaignClosedError(ConflictError):
    """The campaign takes no more answers."""

    code = "campaign_closed"
    title = "The campaign is closed"


class CampaignMemberError(PermissionDeniedError):
    """The caller has no part in the campaign."""

    code = "campaign_member"
    title = "You have no part in this campaign"


class OpinionFullError(ConflictError):
    """Enough people have answered and the answer is settled."""

    code = "opinion_full"
    title = "This item has been settled meanwhile"


class DisputeOwnError(ConflictError):
    """Who answered does not decide between the answers."""

    code = "dispute_own"
    title = "Somebody else must decide"


class DisputeNothingError(ConflictError):
    """The item has no open dispute."""

    code = "dispute_nothing"
    title = "There is nothing to decide"
