"""Every endpoint with the action that it asks for: the other half of ``accounts/roles.py``, written by hand.

``{name}`` in a path or body stands for the id of that thing in the workspace under test.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal

from studio.accounts.roles import Action

Who = Literal["anybody", "signed_in", "person", "device"]
"""Instead of an action: no account needed; any principal, sees its own only; a person, not a key; a device by its own key."""


@dataclass(frozen=True)
class Entry:
    """What an endpoint asks for, and a request that is right in form."""

    needs: Action | Who
    body: dict[str, Any] | bytes | None = None
    query: str = ""
    form: dict[str, Any] | None = None
    """Fields of a multipart body."""


PICTURE = b"not a picture, but bytes"
OPERATION = "3f0b9c1e-5a64-4b3c-9d2e-0123456789ab"
CLASS = [{"kind": "class", "label": "cat"}]
RENAME = {"project": "{project_id}", "plan": {"kind": "rename", "source": "cat", "target": "puma"}}
TOOK = {"p50_ms": 11.0, "p95_ms": 13.0, "p99_ms": 14.0}
MEASURED = {"device": "gate", "backend": "onnxruntime_cpu", "num_runs": 9, "per_second": 80.0, **TOOK}
SINCE = {"begins_at": "2026-11-26T10:00:00Z", "ends_at": "2026-11-26T10:01:00Z"}
USED = {"id": "a-1", "model": "{artefact_id}", "num_calls": 3, "num_failed": 1, **TOOK, **SINCE}

ENTRIES: dict[str, Entry] = {
    "GET /health": Entry("anybody"),
    "POST /auth/sign-up": Entry("anybody", {"email": "x@example.org", "password": "correct horse battery", "name": "X"}),
    "POST /auth/sign-in": Entry("anybody", {"email": "x@example.org", "password": "wrong"}),
    "POST /auth/sign-out": Entry("signed_in"),
    "GET /auth/options": Entry("anybody"),
    "POST /auth/second-factor": Entry("anybody", {"code": "123456"}),
    "POST /auth/email/confirm": Entry("anybody", {"key": "x"}),
    "POST /auth/password-reset": Entry("anybody", {"email": "x@example.org"}),
    "POST /auth/password-reset/confirm": Entry("anybody", {"key": "x-y", "password": "correct horse battery"}),
    "POST /auth/provider": Entry("anybody", {"provider": "oidc"}),
    "POST /auth/reauthenticate": Entry("person", {"password": "correct horse battery"}),
    "GET /auth/totp": Entry("person"),
    "GET /auth/totp/setup": Entry("person"),
    "POST /auth/totp": Entry("person", {"code": "123456"}),
    "DELETE /auth/totp": Entry("person"),
    "GET /auth/recovery-codes": Entry("person"),
    "POST /auth/recovery-codes": Entry("person"),
    "GET /auth/sessions": Entry("person"),
    "DELETE /auth/sessions/{session_id}": Entry("person"),
    "DELETE /auth/sessions": Entry("person"),
    "GET /workspaces/{workspace_id}/invitations": Entry("member.manage"),
    "POST /workspaces/{workspace_id}/invitations": Entry("member.manage", {"role": "viewer"}),
    "DELETE /workspaces/{workspace_id}/invitations/{invitation_id}": Entry("member.manage"),
    "POST /workspaces/{workspace_id}/members/{user_id}/password-reset": Entry("member.manage"),
    "POST /invitations/look": Entry("anybody", {"secret": "x"}),
    "POST /invitations/accept": Entry("person", {"secret": "x"}),
    "GET /auth/me": Entry("person"),
    "DELETE /auth/me": Entry("person"),
    "PATCH /auth/me": Entry("person", {"theme": "dark"}),
    "POST /workspaces": Entry("person", {"name": "Another"}),
    "PATCH /workspaces/{workspace_id}": Entry("workspace.manage", {"name": "Renamed"}),
    "GET /workspaces/{workspace_id}/members": Entry("member.read"),
    "POST /workspaces/{workspace_id}/members": Entry("member.manage", {"email": "guest@example.org", "role": "viewer"}),
    "PATCH /workspaces/{workspace_id}/members/{user_id}": Entry("member.manage", {"role": "viewer"}),
    "DELETE /workspaces/{workspace_id}/members/{user_id}": Entry("member.manage"),
    "GET /workspaces/{workspace_id}/keys": Entry("key.manage"),
    "POST /workspaces/{workspace_id}/keys": Entry("key.manage", {"name": "k", "role": "viewer"}),
    "DELETE /workspaces/{workspace_id}/keys/{key_id}": Entry("key.manage"),
    "GET /workspaces/{workspace_id}/usage": Entry("member.read"),
    "GET /workspaces/{workspace_id}/audit": Entry("audit.read"),
    "GET /workspaces/{workspace_id}/audit/actors": Entry("audit.read"),
    "GET /workspaces/{workspace_id}/audit/verify": Entry("audit.read"),
    "GET /workspaces/{workspace_id}/audit/export": Entry("audit.read"),
    "GET /tasks": Entry("signed_in"),
    "GET /tasks/{task}/illustration": Entry("signed_in"),
    "GET /targets": Entry("signed_in"),
    "GET /projects": Entry("project.read", query="workspace={workspace_id}"),
    "GET /project-cards": Entry("project.read", query="workspace={workspace_id}"),
    "GET /places": Entry("project.read", query="workspace={workspace_id}"),
    "POST /projects": Entry("project.write", {"workspace": "{workspace_id}", "name": "P", "task": "image_classification"}),
    "GET /projects/{project_id}": Entry("project.read"),
    "PATCH /projects/{project_id}": Entry("project.write", {"name": "Q"}),
    "DELETE /projects/{project_id}": Entry("project.write"),
    "POST /projects/{project_id}/restore": Entry("project.write"),
    "PUT /projects/{project_id}/labels": Entry("project.write", {"labels": [{"name": "cat"}, {"name": "dog"}]}),
    "GET /projects/{project_id}/problems": Entry("data.read"),
    "GET /projects/{project_id}/guide": Entry("project.read"),
    "GET /projects/{project_id}/glance": Entry("project.read"),
    "GET /projects/{project_id}/events": Entry("project.read"),
    "GET /projects/{project}/split-fields": Entry("data.read"),
    "GET /projects/{project}/split-preview": Entry("data.read"),
    "GET /projects/{project}/label-formats": Entry("data.read"),
    "GET /projects/{project}/labels/download": Entry("data.read", query="format=coco"),
    "GET /projects/{project}/versions": Entry("data.read"),
    "GET /projects/{project}/branches": Entry("data.read"),
    "GET /projects/{project}/diff": Entry("data.read", query="before={version}&after=working"),
    "GET /projects/{project}/diff/items": Entry("data.read", query="before={version}&after=working"),
    "POST /labeling/restores": Entry("version.write", {"project": "{project}", "version": "{version}"}),
    "POST /labeling/restores/undo": Entry("version.write", {"job": "{restore}"}),
    "GET /labeling/restores/last": Entry("data.read", query="project={project}"),
    "POST /labeling/branches": Entry("version.write", {"project": "{project}", "name": "other", "version": "{version}"}),
    "POST /labeling/archives/{project_id}": Entry("project.write"),
    "GET /labeling/archives/{project_id}": Entry("project.write"),
    "GET /labeling/archives/{project_id}/download": Entry("project.write"),
    "POST /labeling/archives": Entry("project.write", {"dataset": "{dataset}", "upload": "{upload}"}),
    "POST /labeling/branches/switch": Entry("version.write", {"project": "{project}", "name": "main"}),
    "GET /jobs": Entry("signed_in", query="project={project_id}"),
    "GET /jobs/{job_id}": Entry("job.read"),
    "POST /jobs/{job_id}/cancel": Entry("job.cancel"),
    "GET /jobs/{job_id}/log": Entry("job.read"),
    "GET /jobs/{job_id}/events": Entry("job.read"),
    "GET /datasets/{dataset}/quality": Entry("data.read"),
    "POST /datasets/{dataset}/quality/run": Entry("data.write"),
    "GET /datasets/{dataset}/quality/findings": Entry("data.read", query="kind=blurred"),
    "POST /datasets/{dataset}/quality/actions": Entry("data.write", {"action": "dismiss", "kind": "blurred"}),
    "GET /datasets/{dataset}/quality/actions": Entry("data.read"),
    "POST /quality/actions/{quality_action}/undo": Entry("data.write"),
    "GET /datasets/{dataset}/items": Entry("data.read"),
    "GET /datasets/{dataset}/items/positions": Entry("data.read"),
    "GET /datasets/{dataset}/items/named": Entry("data.read", query="ids={item}"),
    "GET /datasets/{dataset}/facets": Entry("data.read"),
    "GET /datasets/{dataset}/facets/{name}": Entry("data.read"),
    "GET /datasets/{dataset}/summary": Entry("data.read"),
    "POST /datasets/{dataset}/bulk": Entry("data.write", {"items": ["{item}"], "change": {"kind": "delete"}}),
    "GET /datasets/{dataset}/bulk": Entry("data.read"),
    "POST /datasets/{dataset}/bulk/{change}/undo": Entry("data.write"),
    "POST /datasets/{dataset}/items/delete": Entry("data.write", {"items": ["{item}"]}),
    "POST /datasets/{dataset}/items/restore": Entry("data.write", {"items": ["{item}"]}),
    "GET /datasets/{dataset}/columns": Entry("data.read"),
    "PUT /datasets/{dataset}/columns": Entry("data.write", {"columns": [], "revision": 0}),
    "GET /datasets/{dataset}/profile": Entry("data.read"),
    "POST /datasets/{dataset}/profile": Entry("data.write"),
    "POST /datasets/{dataset}/uploads": Entry("data.write", {"name": "a.png", "size_bytes": 10}),
    "POST /datasets/{dataset}/uploads/batch": Entry("data.write", form={"files": ("a.png", PICTURE), "paths": '["cat/a.png"]'}),
    "GET /datasets/{dataset}/sources": Entry("data.write"),
    "POST /datasets/{dataset}/examples": Entry("data.write"),
    "POST /datasets/{dataset}/sources": Entry("data.write", {"source": {"kind": "urls", "text": "http://127.0.0.1:9/a.png"}}),
    "POST /datasets/{dataset}/uploads/known": Entry("data.write", {"files": [{"path": "a.png", "sha256": "0" * 64}]}),
    "GET /datasets/{dataset}/uploads": Entry("data.read"),
    "GET /datasets/{dataset}/uploads/{upload}": Entry("data.read"),
    "PUT /datasets/{dataset}/uploads/{upload}/parts": Entry("data.write", PICTURE, query="offset=0"),
    "POST /datasets/{dataset}/uploads/{upload}/finish": Entry("data.write", {"labels": "none"}),
    "DELETE /datasets/{dataset}/uploads/{upload}": Entry("data.write"),
    "GET /datasets/{dataset}/uploads/{upload}/rejects": Entry("data.read"),
    "GET /items/{item}": Entry("data.read"),
    "PATCH /items/{item}/cells": Entry("data.write", {"cells": {"a": "1"}, "blob": "0" * 64}),
    "POST /items/{item}/cells/undo": Entry("data.write", {"blob": "0" * 64}),
    "GET /items/{item}/cells/history": Entry("data.read"),
    "DELETE /items/{item}": Entry("data.write"),
    "GET /items/{item}/picture": Entry("data.read"),
    "GET /items/{item}/thumbnail": Entry("data.read"),
    "GET /versions/{version}": Entry("data.read"),
    "GET /versions/{version}/items": Entry("data.read"),
    "GET /versions/{version}/formats": Entry("data.read"),
    "GET /label-formats": Entry("signed_in"),
    "GET /versions/{version}/download": Entry("data.read"),
    "PUT /labeling/items/{item}/annotations": Entry(
        "label.write", {"annotations": CLASS, "revision": 1, "operation": OPERATION}
    ),
    "POST /labeling/presence": Entry("label.write", {"item": "{item}"}),
    "PUT /labeling/changes": Entry(
        "label.write", {"changes": [{"item": "{item}", "operation": OPERATION, "before": None, "after": CLASS}]}
    ),
    "POST /labeling/annotations/batch": Entry(
        "label.write", {"items": ["{item}"], "annotations": CLASS, "operation": OPERATION}
    ),
    "POST /labeling/assignments": Entry("label.write", {"project": "{project_id}"}),
    "GET /labeling/history": Entry("data.read", query="item={item}"),
    "POST /labeling/reviews": Entry("label.write", {"item": "{item}", "decision": "approve"}),
    "POST /labeling/snapshots": Entry("version.write", {"project": "{project_id}"}),
    "GET /labeling/campaigns": Entry("campaign.read", query="project={project_id}"),
    "POST /labeling/campaigns": Entry(
        "campaign.manage", {"project": "{project_id}", "title": "C", "people": ["{user_id}"], "items": ["{item}"]}
    ),
    "GET /labeling/campaigns/mine": Entry("signed_in"),
    "GET /labeling/campaigns/{campaign}": Entry("campaign.read"),
    "PATCH /labeling/campaigns/{campaign}": Entry("campaign.manage", {"title": "D"}),
    "GET /labeling/campaigns/{campaign}/report": Entry("campaign.read"),
    "GET /labeling/campaigns/{campaign}/disputes": Entry("campaign.read"),
    "POST /labeling/campaigns/{campaign}/disputes/{item}": Entry("campaign.manage", {"annotations": CLASS}),
    "POST /labeling/campaigns/{campaign}/merge": Entry("campaign.manage", {}),
    "POST /labeling/campaigns/{campaign}/items": Entry("campaign.label", {}),
    "GET /labeling/campaigns/{campaign}/answers": Entry("campaign.label"),
    "PUT /labeling/campaigns/{campaign}/items/{item}": Entry("campaign.label", {"annotations": CLASS, "operation": OPERATION}),
    "GET /labeling/campaigns/{campaign}/items/{item}/picture": Entry("campaign.label"),
    "GET /labeling/reviews/queue": Entry("data.read", query="project={project_id}"),
    "GET /labeling/workers": Entry("campaign.read", query="project={project_id}"),
    "POST /labeling/label-changes/preview": Entry("project.write", RENAME),
    "POST /labeling/label-changes": Entry("project.write", RENAME),
    "GET /labeling/label-changes": Entry("data.read", query="project={project_id}"),
    "POST /labeling/label-changes/{label_change}/undo": Entry("project.write"),
    "GET /labeling/stats": Entry("data.read", query="project={project_id}"),
    "POST /labeling/feedback": Entry("data.write", {"deployment": "{deployment_id}"}),
    "GET /labeling/assist": Entry("data.read", query="project={project_id}"),
    "PUT /labeling/assist": Entry("label.write", {"project": "{project_id}", "strategy": "margin"}),
    "GET /labeling/assist/items": Entry("data.read", query="project={project_id}"),
    "GET /labeling/map": Entry("data.read", query="project={project_id}"),
    "POST /labeling/map": Entry("label.write", query="project={project_id}"),
    "GET /items/{item}/similar": Entry("data.read"),
    "GET /labeling/items/{item}/evidence": Entry("data.read"),
    "GET /labeling/similar": Entry("data.read", query="project={project_id}&text=late"),
    "POST /labeling/similar": Entry("data.read", query="project={project_id}", form={"file": ("a.png", PICTURE)}),
    "GET /labeling/comments": Entry("data.read", query="item={item}"),
    "POST /labeling/comments": Entry("label.write", {"item": "{item}", "text": "A cat?", "operation": OPERATION}),
    "PATCH /labeling/comments/{comment}": Entry("label.write", {"text": "A puma?"}),
    "PUT /labeling/comments/{comment}/resolved": Entry("label.write", {"is_resolved": True}),
    "DELETE /labeling/comments/{comment}": Entry("label.write"),
    "POST /labeling/comments/{comment}/restore": Entry("label.write"),
    "GET /datasets/{dataset}/comments/open": Entry("data.read", query="first={item}&last={item}"),
    "GET /labeling/suggestions": Entry("signed_in", query="items={item}"),
    "POST /studies/plan": Entry("study.read", {"project": "{project_id}", "version": "{version}"}),
    "POST /studies": Entry("study.write", {"project": "{project_id}", "version": "{version}", "max_trials": 1}),
    "GET /studies": Entry("study.read", query="project={project_id}"),
    "GET /studies/{study_id}": Entry("study.read"),
    "POST /studies/{study_id}/cancel": Entry("study.write"),
    "POST /studies/{study_id}/finish": Entry("study.write"),
    "POST /studies/{study_id}/extend": Entry("study.write", {"max_trials": 2}),
    "POST /studies/{study_id}/ship": Entry("study.write", {"trial": "trl_none"}),
    "GET /studies/{study_id}/trials": Entry("study.read"),
    "GET /studies/{study_id}/importance": Entry("study.read"),
    "GET /studies/{study_id}/gain": Entry("study.read"),
    "GET /studies/{study_id}/history": Entry("study.read"),
    "GET /artefacts": Entry("model.read", query="project={project_id}"),
    "GET /artefacts/{artefact_id}": Entry("model.read"),
    "PATCH /artefacts/{artefact_id}": Entry("model.write", {"note": "the one for the shop"}),
    "GET /artefacts/{artefact_id}/paired": Entry("model.read", query="other={artefact_id}"),
    "GET /artefacts/{artefact_id}/paired/items": Entry("model.read", query="other={artefact_id}&outcome=fixed"),
    "GET /artefacts/{artefact_id}/report": Entry("model.read"),
    "GET /artefacts/{artefact_id}/robustness": Entry("model.read"),
    "POST /artefacts/{artefact_id}/robustness": Entry("model.write", {"split": "test"}),
    "GET /artefacts/{artefact_id}/report.html": Entry("model.read"),
    "GET /artefacts/{artefact_id}/card.md": Entry("model.read"),
    "GET /artefacts/{artefact_id}/report/items": Entry("model.read"),
    "POST /artefacts/{artefact_id}/promote": Entry("model.promote", {"stage": "candidate", "reason": "better"}),
    "GET /artefacts/{artefact_id}/stages": Entry("model.read"),
    "GET /artefacts/{artefact_id}/lineage": Entry("model.read"),
    "GET /artefacts/{artefact_id}/explain": Entry("model.read", query="item={item}"),
    "GET /artefacts/{artefact_id}/files/{name}": Entry("model.read"),
    "POST /artefacts/{artefact_id}/evaluate": Entry("model.write", {"version": "{version}"}),
    "GET /artefacts/{artefact_id}/evaluations": Entry("model.read"),
    "GET /artefacts/{artefact_id}/compressions": Entry("model.read"),
    "POST /artefacts/{artefact_id}/compressions": Entry("model.write", {"budget": {"max_loss": 0.01}}),
    "GET /compressions/{compression_id}": Entry("model.read"),
    "POST /compressions/{compression_id}/keep": Entry("model.write", {"method": "static_8bit"}),
    "POST /projects/{project}/predictions": Entry("deployment.predict", {"artefact": "{artefact_id}", "source": "items"}),
    "GET /projects/{project}/predictions": Entry("data.read"),
    "GET /predictions/{prediction}": Entry("data.read"),
    "DELETE /predictions/{prediction}": Entry("deployment.predict"),
    "POST /predictions/{prediction}/cancel": Entry("deployment.predict"),
    "POST /predictions/{prediction}/resume": Entry("deployment.predict"),
    "POST /predictions/{prediction}/again": Entry("deployment.predict", {}),
    "POST /predictions/{prediction}/suggestions": Entry("label.write"),
    "GET /predictions/{prediction}/results": Entry("data.read"),
    "GET /predictions/{prediction}/results/{place}/thumbnail": Entry("data.read"),
    "GET /predictions/{prediction}/download": Entry("data.read"),
    "POST /deployments": Entry("deployment.write", {"project": "{project_id}", "artefact": "{artefact_id}", "name": "D"}),
    "GET /deployments": Entry("deployment.read", query="project={project_id}"),
    "GET /deployments/{deployment_id}": Entry("deployment.read"),
    "PATCH /deployments/{deployment_id}": Entry("deployment.write", {"name": "E"}),
    "DELETE /deployments/{deployment_id}": Entry("deployment.write"),
    "PUT /deployments/{deployment_id}/traffic": Entry(
        "deployment.write", {"models": [{"artefact": "{artefact_id}", "share": 100}]}
    ),
    "POST /deployments/{deployment_id}/feedback": Entry(
        "deployment.predict", {"items": [{"call": "prd_00000000000000000000000000", "label": "cat"}]}
    ),
    "GET /deployments/{deployment_id}/rollouts": Entry("deployment.read"),
    "POST /deployments/{deployment_id}/rollouts": Entry("deployment.write", {"candidate": "{artefact_id}"}),
    "POST /deployments/{deployment_id}/rollouts/stop": Entry("deployment.write"),
    "GET /deployments/{deployment_id}/comparison": Entry("deployment.read"),
    "GET /deployments/{deployment_id}/timeline": Entry("deployment.read"),
    "GET /deployments/{deployment_id}/drift": Entry("deployment.read"),
    "GET /deployments/{deployment_id}/input-drift": Entry("deployment.read"),
    "GET /deployments/{deployment_id}/alerts": Entry("deployment.read"),
    "GET /deployments/{deployment_id}/alerts/state": Entry("deployment.read"),
    "GET /deployments/{deployment_id}/alerts/settings": Entry("deployment.write"),
    "PUT /deployments/{deployment_id}/alerts/settings": Entry("deployment.write", {}),
    "POST /deployments/{deployment_id}/alerts/secret": Entry("deployment.write"),
    "POST /deployments/{deployment_id}/alerts/test": Entry("deployment.write"),
    "GET /deployments/{deployment_id}/retraining": Entry("deployment.read"),
    "PUT /deployments/{deployment_id}/retraining": Entry("deployment.write", {}),
    "POST /deployments/{deployment_id}/try": Entry("deployment.predict", form={"file": ("a.png", PICTURE)}),
    "POST /deployments/{deployment_id}/try/texts": Entry("deployment.predict", {"texts": ["a text"]}),
    "POST /deployments/{deployment_id}/try/rows": Entry("deployment.predict", {"rows": [{"age": 34}]}),
    "POST /deployments/{deployment_id}/explain/rows": Entry("deployment.predict", {"row": {"age": 34}}),
    "POST /deployments/{deployment_id}/explain/pictures": Entry("deployment.predict", form={"file": ("a.png", PICTURE)}),
    "GET /deployments/{deployment_id}/form": Entry("deployment.read"),
    "POST /deployments/{deployment_id}/explain/texts": Entry("deployment.predict", {"text": "a text"}),
    "GET /deployments/{deployment_id}/log": Entry("deployment.read"),
    "GET /deployments/{deployment_id}/inputs/{sha256}": Entry("deployment.read"),
    "POST /projects/{project}/devices/join-codes": Entry("deployment.write"),
    "GET /projects/{project}/devices": Entry("deployment.read"),
    "POST /projects/{project}/devices/rollout": Entry("deployment.write", {"artefact": "{artefact_id}"}),
    "GET /projects/{project}/devices/rollout": Entry("deployment.read"),
    "DELETE /projects/{project}/devices/rollout": Entry("deployment.write"),
    "POST /devices/{device}/model": Entry("deployment.write", {"artefact": "{artefact_id}"}),
    "PATCH /devices/{device}": Entry("deployment.write", {"sends_inputs": True}),
    "DELETE /devices/{device}": Entry("deployment.write"),
    "GET /artefacts/{artefact_id}/measurements": Entry("model.read"),
    "POST /artefacts/{artefact_id}/measurements": Entry("model.write", MEASURED),
    "POST /device/join": Entry("anybody", {"code": "x", "name": "gate", "version": 1}),
    "POST /device/beat": Entry("device", {"version": 1, "state": "serving", "model": ""}),
    "GET /device/updates/{update}": Entry("device"),
    "POST /device/usage": Entry("device", USED),
    "POST /device/items": Entry("device", form={"about": "{}", "file": ("a.png", PICTURE)}),
    "POST /device/measurements": Entry("device", {"model": "{artefact_id}", **MEASURED}),
    "POST /projects/{project}/galleries": Entry("deployment.write", {"name": "G", "deployment": "{deployment_id}"}),
    "GET /projects/{project}/galleries": Entry("deployment.read"),
    "GET /galleries/{gallery}": Entry("deployment.read"),
    "PATCH /galleries/{gallery}": Entry("deployment.write", {"name": "H"}),
    "DELETE /galleries/{gallery}": Entry("deployment.write"),
    "POST /galleries/{gallery}/model": Entry("deployment.write"),
    "GET /galleries/{gallery}/entries": Entry("deployment.read"),
    "POST /galleries/{gallery}/entries": Entry("deployment.write", form={"name": "mug", "file": ("a.png", PICTURE)}),
    "DELETE /galleries/{gallery}/entries": Entry("deployment.write", query="name=mug"),
    "DELETE /galleries/{gallery}/entries/{entry}": Entry("deployment.write"),
    "GET /galleries/{gallery}/entries/{entry}/thumbnail": Entry("deployment.read"),
    "POST /galleries/{gallery}/search": Entry("deployment.predict", form={"file": ("a.png", PICTURE)}),
    "POST /galleries/{gallery}/verify": Entry(
        "deployment.predict", form={"first": ("a.png", PICTURE), "second": ("b.png", PICTURE)}
    ),
    "POST /exports": Entry("deployment.write", {"artefact": "{artefact_id}", "target": "onprem_server"}),
    "GET /exports": Entry("deployment.read", query="artefact={artefact_id}"),
    "GET /exports/{export_id}": Entry("deployment.read"),
    "GET /exports/{export_id}/download": Entry("deployment.read"),
}


@dataclass
class Ids:
    """Ids of one workspace's things, by the names that paths and bodies use."""

    values: dict[str, str] = field(default_factory=dict)

    def fill(self, value: Any) -> Any:
        """Puts the ids into a path, a query or a body."""
        if isinstance(value, str):
            for name, id_ in self.values.items():
                value = value.replace("{" + name + "}", id_)
            return value
        if isinstance(value, dict):
            return {key: self.fill(one) for key, one in value.items()}
        if isinstance(value, list):
            return [self.fill(one) for one in value]
        return value
