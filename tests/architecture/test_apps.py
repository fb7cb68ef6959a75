"""What apps name is there: handlers say where their kinds run, hooks have the signature by which they are called."""

from __future__ import annotations

import inspect
import re
from importlib import import_module
from typing import get_type_hints

import pytest
from django.core.management import call_command

from studio.accounts.quotas import Quota
from studio.common.app_config import hook_functions, studio_apps
from studio.datasets.workspace_api import StoragePart
from studio.jobs.handlers import executor_of, handler_of, job_kinds

CALLERS = (
    "studio.common.blob_fields",
    "studio.accounts.hooks",
    "studio.projects.hooks",
    "studio.projects.places",
    "studio.projects.glance",
    "studio.datasets.hooks",
    "studio.registry.hooks",
    "studio.studies.hooks",
    "studio.deployments.hooks",
    "studio.devices.hooks",
)
"""Where the Protocols stand, and the calls."""
NAMED = sorted({(name, path) for app in studio_apps() for name, path in app.hooks.items()})


def protocol_of(name: str) -> type:
    """The Protocol whose ``__call__`` a hook is called by."""
    camel = "".join(word.capitalize() for word in name.partition(":")[0].split("_"))
    found = [getattr(module, camel) for module in map(import_module, CALLERS) if hasattr(module, camel)]
    assert len(found) == 1, f"no Protocol {camel} in {CALLERS}: nobody calls the hook {name}"
    return found[0]


def test_django_s_own_checks_find_nothing():
    """Neither ``up`` nor the workers run them when they start."""
    call_command("check", fail_level="WARNING")


def test_hooks_are_named():
    assert len(NAMED) > 10


@pytest.mark.parametrize(("name", "path"), NAMED)
def test_a_hook_has_the_signature_by_which_it_is_called(name, path):
    function = getattr(import_module(path), name.partition(":")[0])
    call = protocol_of(name).__call__
    expected = [get_type_hints(call)[parameter] for parameter in list(inspect.signature(call).parameters)[1:]]
    assert [get_type_hints(function)[parameter] for parameter in inspect.signature(function).parameters] == expected
    assert function in list(hook_functions(name))


@pytest.mark.parametrize("name", sorted({name.partition(":")[0] for name, _ in NAMED}))
def test_a_hook_is_called_where_its_protocol_stands(name):
    source = inspect.getsource(import_module(protocol_of(name).__module__))
    assert re.search(rf'hook_functions\(f?"{name}(:\{{\w+\}})?"\)', source)


@pytest.mark.parametrize("kind", job_kinds())
def test_a_handler_runs_the_kinds_that_its_app_names(kind):
    part = {"engine": "job_prepare", "platform": "job_run"}[executor_of(kind)]
    assert callable(getattr(handler_of(kind), part))


def test_every_quota_scope_and_part_of_the_storage_has_a_hook():
    quotas, scopes = {f"quota_used:{quota.value}" for quota in Quota}, {"scope_names:project", "scope_names:deployment"}
    parts = {f"storage_by_project:{part.value}" for part in StoragePart if part is not StoragePart.DATA}
    assert quotas | scopes | parts == {name for name, _ in NAMED if ":" in name}


def test_a_kind_has_one_handler():
    kinds = [kind for app in studio_apps() for kind in app.job_handlers]
    assert len(kinds) == len(set(kinds))


@pytest.mark.parametrize("path", [path for app in studio_apps() for path in app.routers])
def test_a_router_is_of_its_app(path):
    (app,) = (app for app in studio_apps() if path in app.routers)
    assert path.startswith(f"{app.name}.")
    router = import_module(path).router
    assert router.path_operations or router._routers  # its own, or those of the packages that it gathers
