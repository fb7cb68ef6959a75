"""Writes of who has access to a project: open to its workspace or restricted, and the people named in it.

Whoever may manage the members of a workspace manages this, and always has access, so that nobody can lock a project away.
"""

from __future__ import annotations

from django.db import transaction

from studio.accounts.access import Principal
from studio.accounts.audit import audit_record
from studio.accounts.errors import OwnerSeesAllError, ProjectRoleError
from studio.accounts.hooks import keys_changed
from studio.accounts.models import Membership, ProjectMember, RestrictedProject, Workspace
from studio.accounts.roles import PROJECT_ROLES, Role
from studio.common.errors import NotFoundError


def project_restrict(*, workspace: Workspace, project: str, is_restricted: bool, actor: Principal) -> None:
    """Opens a project to its whole workspace or restricts it to the people named in it; what is so already stays.

    Args:
        workspace: of the project.
        project: id.
        is_restricted: whether it is open to named people only.
        actor: whose doing it is.
    """
    with transaction.atomic():
        Workspace.objects.select_for_update().get(id=workspace.id)
        rows = RestrictedProject.objects.filter(project=project)
        if rows.exists() == is_restricted:
            return
        if is_restricted:
            RestrictedProject.objects.create(project=project, workspace=workspace)
        else:
            rows.delete()
        action = "access.restrict" if is_restricted else "access.open"
        audit_record(workspace=workspace.id, project=project, actor=actor, action=action, subject=project)
        keys_changed()


def project_member_set(*, workspace: Workspace, project: str, user_id: str, role: Role, actor: Principal) -> None:
    """Names a member of the workspace in a project, or changes the role that they have there.

    Args:
        workspace: of the project.
        project: id.
        user_id: whom; a member of the workspace.
        role: one of ``PROJECT_ROLES``.
        actor: whose doing it is.

    Raises:
        NotFoundError: there is no such member.
        OwnerSeesAllError: the member is an owner of the workspace.
        ProjectRoleError: nobody can have the role in a single project.
    """
    if role not in PROJECT_ROLES:
        raise ProjectRoleError(hint=f"Choose one of {', '.join(PROJECT_ROLES)}.", fields={"role": ["not for a project"]})
    with transaction.atomic():
        membership = _member_locked(workspace, user_id)
        if membership.role == Role.OWNER.value:
            raise OwnerSeesAllError(hint="Give the person another role in the workspace first.")
        before = ProjectMember.objects.filter(project=project, user=user_id).first()
        if before is not None and before.role == role.value:
            return
        detail = {"email": membership.user.email, "role": role.value}
        if before is None:
            ProjectMember.objects.create(workspace=workspace, project=project, user_id=user_id, role=role.value)
            audit_record(
                workspace=workspace.id, project=project, actor=actor, action="access.add", subject=project, detail=detail
            )
        else:
            detail = {"email": membership.user.email, "from": before.role, "to": role.value}
            before.role = role.value
            before.save(update_fields=["role"])
            audit_record(
                workspace=workspace.id, project=project, actor=actor, action="access.change", subject=project, detail=detail
            )
        keys_changed()


def project_member_remove(*, workspace: Workspace, project: str, user_id: str, actor: Principal) -> None:
    """Removes a person from a project: they have the role of the workspace there, or no longer see it.

    Raises:
        NotFoundError: the project names no such person.
    """
    with transaction.atomic():
        found = ProjectMember.objects.select_related("user").filter(workspace=workspace, project=project, user=user_id).first()
        if found is None:
            raise NotFoundError("The project names no such person.")
        found.delete()
        detail = {"email": found.user.email, "role": found.role}
        audit_record(
            workspace=workspace.id, project=project, actor=actor, action="access.remove", subject=project, detail=detail
        )
        keys_changed()


def project_join(*, membership: Membership, project: str, role: Role, actor: Principal) -> None:
    """Lets somebody who accepted an invitation to a project in; who is named there, or owns the workspace, stays what they are.

    Runs inside the transaction of the acceptance.
    """
    if membership.role == Role.OWNER.value or ProjectMember.objects.filter(project=project, user=membership.user_id).exists():
        return
    project_member_set(workspace=membership.workspace, project=project, user_id=membership.user_id, role=role, actor=actor)


def _member_locked(workspace: Workspace, user_id: str) -> Membership:
    """Locks the workspace, so that a member cannot go at the same moment, and finds the member."""
    Workspace.objects.select_for_update().get(id=workspace.id)
    membership = Membership.objects.select_related("user").filter(workspace=workspace, user_id=user_id).first()
    if membership is None:
        raise NotFoundError("There is no such member.")
    return membership
