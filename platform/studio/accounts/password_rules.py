"""Passwords that the common lists do not know, but that people here would try first."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from django.contrib.auth.base_user import AbstractBaseUser

GUESSED_FIRST = frozenset(
    {
        "modelyard",
        "admin",
        "administrator",
        "password",
        "passwort",
        "account",
        "welcome",
        "changeme",
        "login",
        "signin",
        "user",
        "owner",
        "root",
        "test",
        "demo",
        "secret",
        "letmein",
        "qwerty",
    }
)
_LEET = str.maketrans("013457@$!", "oieastasi")


class ProductWordValidator:
    """Refuses the product's name and words of accounts, also with digits and signs around or in them."""

    def validate(self, password: str, user: AbstractBaseUser | None = None) -> None:
        """Looks at a password.

        Raises:
            ValidationError: nothing but such words is left of it.
        """
        del user
        plain = re.sub(r"[^a-z]+", "", re.sub(r"^[^a-z]+|[^a-z]+$", "", password.lower()).translate(_LEET))
        if plain and _made_of_words(plain):
            raise ValidationError(_("This password is made of words that are guessed first."), code="password_product_word")

    def get_help_text(self) -> str:
        """The rule, as the form shows it beforehand."""
        return _("Your password cannot be made of the product's name or words like admin alone.")


def _made_of_words(text: str) -> bool:
    """Whether the whole text is such words, one after another."""
    reached = {0}
    for start in range(len(text)):
        if start in reached:
            reached.update(start + len(word) for word in GUESSED_FIRST if text.startswith(word, start))
    return len(text) in reached
