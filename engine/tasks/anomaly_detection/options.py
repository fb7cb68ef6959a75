"""What a project chooses: how many false alarms it can live with, and whether there are defects to judge by. Without torch."""

from __future__ import annotations

from collections.abc import Mapping

from automl.contracts.task import TaskChoice, TaskOption
from automl.contracts.words import Words

words = Words(__file__)

FALSE_ALARMS_OPTION = "false_alarms"
FALSE_ALARM_RATES = ("0.01", "0.02", "0.05", "0.1")
_USUAL_RATE = "0.05"
DEFECTS_OPTION = "defects"
SOME, NONE = "some", "none"


def task_options() -> tuple[TaskOption, ...]:
    """The options of the task."""
    rates = tuple(
        TaskChoice(value=rate, title=words("false_alarms.choice", percent=round(float(rate) * 100)))
        for rate in FALSE_ALARM_RATES
    )
    defects = tuple(TaskChoice(value=value, title=words(f"defects.{value}")) for value in (SOME, NONE))
    return (
        TaskOption(
            name=FALSE_ALARMS_OPTION,
            title=words("false_alarms.title"),
            help=words("false_alarms.help"),
            choices=rates,
            default=_USUAL_RATE,
        ),
        TaskOption(
            name=DEFECTS_OPTION,
            title=words("defects.title"),
            help=words("defects.help"),
            choices=defects,
            default=SOME,
        ),
    )


def false_alarm_rate(options: Mapping[str, str]) -> float:
    """The share of normal pictures that may be taken for defects, 0..1."""
    return float(options.get(FALSE_ALARMS_OPTION, _USUAL_RATE))


def has_defects(options: Mapping[str, str]) -> bool:
    """Whether pictures of defects are there to judge by."""
    return options.get(DEFECTS_OPTION, SOME) == SOME
