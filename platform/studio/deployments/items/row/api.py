"""Endpoints of the try-out page that only rows have."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from ninja import Router

from studio.deployments.http import deployment_for, passed_on
from studio.deployments.items.row.schemas import (
    ExplainRowIn,
    RowFieldOut,
    RowFormOut,
    TryRowsIn,
)
from studio.deployments.items.row.tryout import RowForm, deployment_explain_row, deployment_try_rows, row_form
from studio.deployments.schemas import PredictOut
from studio.deployments.tryout import Answer
from studio.registry.present import explained_row_out
from studio.registry.schemas import ExplainedRowOut

router = Router()


@router.get("/deployments/{deployment_id}/form", response=RowFormOut, operation_id="deployment_form")
def deployment_form(request: HttpRequest, deployment_id: str) -> RowFormOut:
    """What a form for rows needs to know: columns with their values, and rows to begin with."""
    return row_form_out(row_form(deployment_for(request, deployment_id, "deployment.read")))


@router.post("/deployments/{deployment_id}/try/rows", response=PredictOut, operation_id="deployment_try_rows")
def deployment_try_out_rows(request: HttpRequest, deployment_id: str, body: TryRowsIn, top: int | None = None) -> HttpResponse:
    """Asks the deployment about rows, through the prediction server; its answer is passed on as it is."""
    deployment = deployment_for(request, deployment_id, "deployment.predict")
    return passed_on(deployment_try_rows(deployment=deployment, rows=body.rows, top=top))


@router.post("/deployments/{deployment_id}/explain/rows", response=ExplainedRowOut, operation_id="deployment_explain_row")
def deployment_explain_a_row(request: HttpRequest, deployment_id: str, body: ExplainRowIn) -> ExplainedRowOut | HttpResponse:
    """Shows what each column of a row adds to the answer (Shapley values). Such calls are in no log."""
    deployment = deployment_for(request, deployment_id, "deployment.predict")
    explained = deployment_explain_row(
        deployment=deployment, row=body.row, label=body.label, max_evaluations=body.max_evaluations
    )
    return passed_on(explained) if isinstance(explained, Answer) else explained_row_out(explained)


def row_form_out(form: RowForm) -> RowFormOut:
    """What a form for rows needs to know."""
    return RowFormOut(
        target=form.target,
        output=form.output,
        labels=list(form.labels),
        fields=[
            RowFieldOut(**field.column.model_dump(), minimum=field.minimum, maximum=field.maximum) for field in form.fields
        ],
        examples=[dict(row) for row in form.examples],
    )
