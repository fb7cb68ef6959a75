"""Labels of examples have names in every language, and a project in any of them can be trained on."""

from importlib import import_module

import pytest

from automl.contracts.dataset import Label, LabelSet
from engine.tasks import task_names, task_part, task_spec

NAMED = [
    name
    for name in task_names()
    if task_spec(name).has_examples and hasattr(import_module(f"engine.tasks.{name}.quickstart"), "LABEL_NAMES")
]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("task", NAMED)
def test_names_differ_and_suit_the_task(task, language):
    titles = task_part(task, "quickstart").LABEL_NAMES
    names = [title.in_language(language) for title in titles.values()]
    assert len(set(names)) == len(names) >= 1
    is_chinese = [any("\u4e00" <= letter <= "\u9fff" for letter in name) for name in names]
    assert sum(is_chinese) > 0.9 * len(names) if language == "zh" else not any(is_chinese), "but for names of their own"
    label_set = LabelSet(labels=tuple(Label(name=name) for name in names))
    of_labels = {problem.code for problem in task_part(task, "check").problems([], label_set, {})}
    assert not of_labels & {"normal_label_unknown", "too_few_labels", "too_many_labels"}
