"""HTTP endpoints of an account's safety: second factor, sessions."""

from __future__ import annotations

from datetime import UTC, datetime

from allauth.mfa.adapter import get_adapter
from django.http import HttpRequest
from ninja import Router, Status

from studio.accounts import headless, sign_in
from studio.accounts.access import person_of
from studio.accounts.account_events import account_event
from studio.accounts.auth_schemas import (
    CodeIn,
    ReauthenticateIn,
    RecoveryCodesOut,
    SecondFactorOut,
    SecondFactorSetupOut,
    SessionOut,
)
from studio.accounts.codes import code_ask
from studio.accounts.errors import SessionMissingError
from studio.accounts.models import Session
from studio.common.errors import ConflictError, InvalidInputError

router = Router(tags=["accounts"])


@router.post("/auth/reauthenticate", response={204: None}, operation_id="reauthenticate")
def reauthenticate(request: HttpRequest, body: ReauthenticateIn) -> Status[None]:
    """Confirms the password: for five minutes, the second factor can be changed."""
    user = person_of(request)
    if (body.password is None) == (body.code is None):
        raise InvalidInputError("Send either the password or a code.", fields={"password": ["this or the code"]})
    if body.password is not None:
        headless.ask("account.views.ReauthenticateView", request)
        return Status(204, None)
    code_ask("mfa.views.ReauthenticateView", request, user=user.id, code=str(body.code))
    return Status(204, None)


@router.get("/auth/totp", response=SecondFactorOut, operation_id="second_factor_get")
def second_factor_get(request: HttpRequest) -> SecondFactorOut:
    """Whether signing in needs a code."""
    user = person_of(request)
    found = {each["type"]: each for each in headless.ask("mfa.views.AuthenticatorsView", request)["data"]}
    num_left = found.get("recovery_codes", {}).get("unused_code_count", 0)
    return SecondFactorOut(is_on="totp" in found, num_recovery_codes=num_left, has_password=user.has_usable_password())


@router.get("/auth/totp/setup", response=SecondFactorSetupOut, operation_id="second_factor_setup")
def second_factor_setup(request: HttpRequest) -> SecondFactorSetupOut:
    """A new secret for an authenticator app. It counts from the first right code on: POST /auth/totp."""
    person_of(request)
    answer = headless.ask("mfa.views.ManageTOTPView", request, also=(404,))
    if answer["status"] == 200:
        raise ConflictError("The second factor is switched on already.", hint="Switch it off first.")
    meta = answer["meta"]
    return SecondFactorSetupOut(secret=meta["secret"], url=meta["totp_url"], svg=get_adapter().build_totp_svg(meta["totp_url"]))


@router.post("/auth/totp", response=SecondFactorOut, operation_id="second_factor_on")
def second_factor_on(request: HttpRequest, body: CodeIn) -> SecondFactorOut:
    """Switches the second factor on with the app's first code; recovery codes are made. Needs a fresh session."""
    del body  # allauth's view reads it
    user = person_of(request)
    headless.ask("mfa.views.ManageTOTPView", request)
    return SecondFactorOut(is_on=True, num_recovery_codes=_num_codes(request), has_password=user.has_usable_password())


@router.delete("/auth/totp", response={204: None}, operation_id="second_factor_off")
def second_factor_off(request: HttpRequest) -> Status[None]:
    """Switches the second factor off; recovery codes go with it. Needs a fresh session."""
    person_of(request)
    headless.ask("mfa.views.ManageTOTPView", request)
    return Status(204, None)


@router.get("/auth/recovery-codes", response=RecoveryCodesOut, operation_id="recovery_codes_get")
def recovery_codes_get(request: HttpRequest) -> RecoveryCodesOut:
    """The recovery codes not used yet. Needs a fresh session."""
    person_of(request)
    answer = headless.ask("mfa.views.ManageRecoveryCodesView", request, also=(404,))
    return RecoveryCodesOut(codes=answer.get("data", {}).get("unused_codes", []))


@router.post("/auth/recovery-codes", response=RecoveryCodesOut, operation_id="recovery_codes_make")
def recovery_codes_make(request: HttpRequest) -> RecoveryCodesOut:
    """New recovery codes; the ones from before are worthless. Needs a fresh session."""
    person_of(request)
    return RecoveryCodesOut(codes=headless.ask("mfa.views.ManageRecoveryCodesView", request)["data"]["unused_codes"])


@router.get("/auth/sessions", response=list[SessionOut], operation_id="sessions_list")
def sessions_list(request: HttpRequest) -> list[SessionOut]:
    """The browsers that one is signed in with, the one at work first, then the last used."""
    from allauth.usersessions.models import UserSession  # noqa: PLC0415 - seldom needed

    user = person_of(request)
    UserSession.objects.create_from_request(request)  # one that began before sessions were listed
    answer = headless.ask("usersessions.views.SessionsView", request)["data"]
    keys = dict(UserSession.objects.filter(user=user).values_list("id", "session_key"))
    seen = dict(Session.objects.filter(user=user).values_list("session_key", "last_seen_at"))
    found = [
        SessionOut(
            id=each["id"],
            user_agent=each["user_agent"],
            address=each["ip"],
            created_at=datetime.fromtimestamp(each["created_at"], UTC),
            last_seen_at=seen[keys[each["id"]]],
            is_current=each["is_current"],
        )
        for each in answer
    ]
    return sorted(found, key=lambda each: (each.is_current, each.last_seen_at), reverse=True)


@router.delete("/auth/sessions/{session_id}", response={204: None}, operation_id="session_end")
def session_end(request: HttpRequest, session_id: int) -> Status[None]:
    """Ends one of one's sessions."""
    from allauth.usersessions.models import UserSession  # noqa: PLC0415 - seldom needed

    found = UserSession.objects.filter(user=person_of(request), id=session_id).first()
    if found is None:
        raise SessionMissingError
    found.end()
    return Status(204, None)


@router.delete("/auth/sessions", response={204: None}, operation_id="sessions_end_others")
def sessions_end_others(request: HttpRequest) -> Status[None]:
    """Ends all of one's sessions but this one."""
    user = person_of(request)
    num_ended = sign_in.sessions_end_others(request=request, user=user)
    account_event("account.sessions_ended", request, user, sessions=str(num_ended))
    return Status(204, None)


def _num_codes(request: HttpRequest) -> int:
    from allauth.mfa.models import Authenticator  # noqa: PLC0415 - seldom needed

    found = Authenticator.objects.filter(user_id=request.user.pk, type=Authenticator.Type.RECOVERY_CODES).first()
    return len(found.wrap().get_unused_codes()) if found else 0
