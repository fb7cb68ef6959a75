"""Writes of accounts: people, workspaces, members, keys."""

from __future__ import annotations

from django.contrib.auth import password_validation
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction

from automl.contracts.words import Words, sentences
from studio.accounts.access import SYSTEM, Principal, principal_of_user
from studio.accounts.audit import audit_record
from studio.accounts.errors import (
    AlreadyMemberError,
    EmailTakenError,
    LastOwnerError,
    PasswordTooWeakError,
    PasswordWrongError,
    UserNotFoundError,
)
from studio.accounts.hooks import keys_changed
from studio.accounts.keys import keys_end
from studio.accounts.models import Language, Membership, ProjectMember, Theme, User, Workspace
from studio.accounts.roles import Role
from studio.common.errors import InvalidInputError, NotFoundError

words = Words(__file__)


def user_sign_up(*, email: str, password: str, name: str, language: Language = Language.EN) -> User:
    """Makes an account with a workspace of its own.

    Raises:
        InvalidInputError: the address is none.
        PasswordTooWeakError: with what is wrong with it.
        EmailTakenError: there is an account.
    """
    user = User(email=email.strip().lower(), name=name.strip(), language=language)
    try:
        validate_email(user.email)
    except ValidationError as error:
        raise InvalidInputError("This is no email address.", fields={"email": error.messages}) from error
    password_set(user, password)
    try:
        with transaction.atomic():
            user.save(force_insert=True)
            workspace_of_new_person(user)
    except IntegrityError as error:
        raise EmailTakenError(hint="Sign in instead.", fields={"email": ["taken"]}) from error
    return user


def workspace_of_new_person(user: User) -> Workspace:
    """Makes the workspace that comes with an account."""
    name = f"{user.name}'s workspace" if user.language == Language.EN else f"{user.name}的工作空间"
    return workspace_create(name=name, owner=user)


def user_update(
    *,
    user: User,
    name: str | None = None,
    language: Language | None = None,
    theme: Theme | None = None,
    has_notice_mail: bool | None = None,
) -> User:
    """Changes a person's own data; None leaves a value as it is."""
    if name is not None:
        user.name = name.strip()
    if language is not None:
        user.language = language
    if theme is not None:
        user.theme = theme
    if has_notice_mail is not None:
        user.has_notice_mail = has_notice_mail
    user.save(update_fields=["name", "language", "theme", "has_notice_mail"])
    return user


def user_change_password(*, user: User, old: str, new: str) -> None:
    """Changes the password; every other session of the person ends by that.

    Raises:
        PasswordWrongError: ``old`` is not the present one.
        PasswordTooWeakError: with what is wrong with ``new``.
    """
    if not user.check_password(old):
        raise PasswordWrongError(fields={"password.old": ["wrong"]})
    password_set(user, new)
    user.save(update_fields=["password"])


def password_set(user: User, password: str) -> None:
    """Gives a person a password, without saving.

    Raises:
        PasswordTooWeakError: with what is wrong with it.
    """
    try:
        password_validation.validate_password(password, user)
    except ValidationError as error:
        reasons = [words(f"password.{each.code}", **(each.params or {})) for each in error.error_list]
        raise PasswordTooWeakError(sentences(reasons), fields={"password": error.messages}) from error
    user.set_password(password)


def workspace_create(*, name: str, owner: User) -> Workspace:
    """Makes a workspace with its owner."""
    with transaction.atomic():
        workspace = Workspace.objects.create(name=name.strip())
        Membership.objects.create(workspace=workspace, user=owner, role=Role.OWNER.value)
        audit_record(workspace=workspace.id, actor=principal_of_user(owner), action="workspace.create", subject=workspace.id)
    return workspace


def workspace_rename(*, workspace: Workspace, name: str, actor: Principal) -> Workspace:
    """Renames a workspace."""
    with transaction.atomic():
        detail = {"from": workspace.name, "to": name.strip()}
        workspace.name = name.strip()
        workspace.save(update_fields=["name"])
        audit_record(workspace=workspace.id, actor=actor, action="workspace.rename", subject=workspace.id, detail=detail)
    return workspace


def member_add(*, workspace: Workspace, email: str, role: Role, actor: Principal = SYSTEM) -> Membership:
    """Lets a person with an account in.

    Raises:
        UserNotFoundError: nobody has an account with this address.
        AlreadyMemberError: the person is in.
    """
    user = User.objects.filter(email=email.strip().lower(), is_active=True).first()
    if user is None:
        raise UserNotFoundError(hint="Ask the person to sign up first.", fields={"email": ["no account"]})
    try:
        with transaction.atomic():
            membership = Membership.objects.create(workspace=workspace, user=user, role=role.value)
            detail = {"email": user.email, "role": role.value}
            audit_record(workspace=workspace.id, actor=actor, action="member.add", subject=user.id, detail=detail)
    except IntegrityError as error:
        raise AlreadyMemberError(hint="Change the role in the list of members.") from error
    return membership


def member_set_role(*, workspace: Workspace, user_id: str, role: Role, actor: Principal) -> Membership:
    """Gives a member another role.

    Raises:
        NotFoundError: there is no such member.
        LastOwnerError: the workspace would have no owner.
    """
    with transaction.atomic():
        membership = _member_locked(workspace, user_id)
        detail = {"email": membership.user.email, "from": membership.role, "to": role.value}
        membership.role = role.value
        membership.save(update_fields=["role"])
        _keeps_owner(workspace)
        audit_record(workspace=workspace.id, actor=actor, action="member.set_role", subject=user_id, detail=detail)
        keys_changed()  # a key never may more than its owner
    return membership


def member_remove(*, workspace: Workspace, user_id: str, actor: Principal) -> None:
    """Lets a member go, or oneself, and ends their API keys; what the person did stays.

    Raises:
        NotFoundError: there is no such member.
        LastOwnerError: the workspace would have no owner.
    """
    with transaction.atomic():
        membership = _member_locked(workspace, user_id)
        detail = {"email": membership.user.email, "role": membership.role}
        membership.delete()
        ProjectMember.objects.filter(workspace=workspace, user=user_id).delete()
        _keeps_owner(workspace)
        keys_end(workspace=workspace, person=membership.user, actor=actor)
        action = "member.leave" if actor.user is not None and actor.user.id == user_id else "member.remove"
        audit_record(workspace=workspace.id, actor=actor, action=action, subject=user_id, detail=detail)


def _member_locked(workspace: Workspace, user_id: str) -> Membership:
    """Locks the workspace, so that two owners cannot leave at the same moment, and finds a member."""
    Workspace.objects.select_for_update().get(id=workspace.id)
    membership = Membership.objects.select_related("user").filter(workspace=workspace, user_id=user_id).first()
    if membership is None:
        raise NotFoundError("There is no such member.")
    return membership


def _keeps_owner(workspace: Workspace) -> None:
    if not Membership.objects.filter(workspace=workspace, role=Role.OWNER.value).exists():
        raise LastOwnerError(hint="Make another member owner first.")
