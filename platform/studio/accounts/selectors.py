"""Reads of accounts."""

from __future__ import annotations

from collections.abc import Collection

from studio.accounts.models import ApiKey, Membership, User, Workspace


def membership_list_of(user: User) -> list[Membership]:
    """A person's memberships with their workspaces, oldest first."""
    return list(Membership.objects.filter(user=user).select_related("workspace").order_by("id"))


def member_list(workspace: Workspace) -> list[Membership]:
    """Members with their persons, oldest first."""
    return list(Membership.objects.filter(workspace=workspace).select_related("user").order_by("id"))


def actor_names(ids: Collection[str]) -> dict[str, str]:
    """Names of the people and API keys among these ids; who is gone is left out."""
    people = User.objects.filter(id__in=ids).values_list("id", "name")
    return dict(people) | dict(ApiKey.objects.filter(id__in=ids).values_list("id", "name"))
