"""Which workspaces and projects a caller can see: every list and every look-up is limited to them."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from django.db.models import Q

from studio.accounts.roles import Action, Role, role_allows, role_in_project


class NamedRole(NamedTuple):
    """The role of a person in a project that names them."""

    workspace: str
    role: Role


@dataclass(frozen=True)
class Sight:
    """The projects in which somebody may do something, or which they see at all."""

    workspaces: Collection[str] = ()
    """Ids of the workspaces of which every project counts, but those of ``without``."""
    without: Collection[str] = ()
    """Ids of projects of these workspaces that do not count."""
    beside: Mapping[str, str] = field(default_factory=dict)
    """Ids of single projects of other workspaces, with the workspace of each."""
    only: str | None = None
    """Id of the only project that counts; None: there is no such limit."""

    @property
    def reach(self) -> list[str]:
        """Ids of the workspaces of which at least some projects may count."""
        return [*self.workspaces, *(set(self.beside.values()) - set(self.workspaces))]

    def has(self, workspace: str, project: str) -> bool:
        """Whether a project of a workspace counts."""
        if self.only is not None and project != self.only:
            return False
        if workspace in self.workspaces:
            return project not in self.without
        return self.beside.get(project) == workspace

    def of(self, project: str, workspace: str | None = None) -> Q:
        """The condition that a row lies in a project that counts.

        Args:
            project: the way from the row to the project: ``id`` for projects themselves.
            workspace: the way to the workspace; None: over the project.
        """
        found = Q(**{f"{workspace or f'{project}__workspace'}__in": list(self.workspaces)})
        if self.without:
            found &= ~Q(**{f"{project}__in": list(self.without)})
        if self.beside:
            found |= Q(**{f"{project}__in": list(self.beside)})
        return found if self.only is None else found & Q(**{project: self.only})

    def within(self, workspace: str) -> Sight:
        """What counts of one workspace."""
        whole = [workspace] if workspace in self.workspaces else []
        beside = {project: place for project, place in self.beside.items() if place == workspace}
        return Sight(whole, self.without if whole else (), beside, self.only)


def whole(workspaces: Collection[str]) -> Sight:
    """All projects of workspaces, for whoever asks on behalf of nobody."""
    return Sight(tuple(workspaces))


@dataclass(frozen=True)
class Access:
    """What a person is, in workspaces and in projects."""

    roles: Mapping[str, Role] = field(default_factory=dict)
    """Workspace id -> role."""
    restricted: Mapping[str, str] = field(default_factory=dict)
    """Projects that are open to named people only -> workspace; those of workspaces that the person owns are left out."""
    named: Mapping[str, NamedRole] = field(default_factory=dict)
    """Projects that the person is named in."""

    def role_in(self, workspace: str, project: str | None = None) -> Role | None:
        """The role in a workspace or in a project of it; None: it is not there for this person."""
        role = self.roles.get(workspace)
        if role is None or project is None:
            return role
        named = self.named.get(project)
        return role_in_project(
            role,
            named=named.role if named is not None and named.workspace == workspace else None,
            is_restricted=project in self.restricted,
        )

    def sight(self, action: Action = "project.read", *, only: str | None = None) -> Sight:
        """The projects in which the person may do an action: which every role allows, if none is given."""
        whole = {workspace for workspace, role in self.roles.items() if role is not Role.GUEST and role_allows(role, action)}
        places = {**self.restricted, **{project: named.workspace for project, named in self.named.items()}}
        without, beside = [], {}
        for project, workspace in places.items():
            role = self.role_in(workspace, project)
            is_allowed = role is not None and role_allows(role, action)
            if workspace in whole and not is_allowed:
                without.append(project)
            elif workspace not in whole and is_allowed:
                beside[project] = workspace
        return Sight(tuple(whole), tuple(without), beside, only)
