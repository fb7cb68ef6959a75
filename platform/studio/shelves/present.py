"""Turns rows and reports into the schemas of the API."""

from __future__ import annotations

from studio.accounts.sight import Sight
from studio.deployments.models import Deployment
from studio.galleries.models import Gallery
from studio.shelves.checking import Checked, FoundPack
from studio.shelves.models import Shelf
from studio.shelves.report import ProductShare, ShelfReport
from studio.shelves.schemas import (
    ShelfBox,
    ShelfCheckOut,
    ShelfOut,
    ShelfPackOut,
    ShelfPartOut,
    ShelfProductOut,
    ShelfReportOut,
    ShelfUnknownOut,
)


def shelf_out(shelf: Shelf, sight: Sight) -> ShelfOut:
    """A shelf, with the gallery where the caller sees its project."""
    deployment, gallery = shelf.deployment, shelf.gallery
    if gallery is not None and not sight.has(gallery.project.workspace_id, gallery.project_id):
        gallery = None
    return ShelfOut(
        id=shelf.id,
        project=shelf.project_id,
        name=shelf.name,
        deployment=_part_out(deployment),
        gallery=_part_out(gallery),
        plan=shelf.plan,
        created_at=shelf.created_at,
    )


def check_out(shelf: str, model: str, gallery_model: str, checked: Checked) -> ShelfCheckOut:
    """A photo that was checked.

    Args:
        shelf: its id.
        model: id of the one that found the packs.
        gallery_model: id of the one that named them.
        checked: what was found.
    """
    return ShelfCheckOut(
        shelf=shelf,
        model=model,
        gallery_model=gallery_model,
        limit=checked.limit,
        width=checked.width,
        height=checked.height,
        packs=[_pack_out(each) for each in checked.packs],
        report=_report_out(checked.report, len(checked.packs)),
    )


def _part_out(part: Deployment | Gallery | None) -> ShelfPartOut | None:
    return ShelfPartOut(id=part.id, project=part.project_id, name=part.name) if part is not None else None


def _pack_out(pack: FoundPack) -> ShelfPackOut:
    match = pack.match
    return ShelfPackOut(
        box=ShelfBox(x=pack.box.x, y=pack.box.y, width=pack.box.width, height=pack.box.height),
        label=pack.label,
        score=pack.score,
        name=pack.name,
        nearest=match.name if match is not None else None,
        similarity=match.similarity if match is not None else None,
        entry=match.entry if match is not None else None,
        row=pack.place.row,
        is_facing=pack.place.is_facing,
    )


def _report_out(report: ShelfReport, num_packs: int) -> ShelfReportOut:
    unknown = report.unknown
    return ShelfReportOut(
        num_packs=num_packs,
        num_facings=report.num_facings,
        num_rows=report.num_rows,
        products=[_product_out(each) for each in report.products],
        unknown=ShelfUnknownOut(count=unknown.count, facings=unknown.facings, share=unknown.share),
        not_seen=[each.name for each in report.products if not each.count],
    )


def _product_out(product: ProductShare) -> ShelfProductOut:
    return ShelfProductOut(
        name=product.name,
        count=product.count,
        facings=product.facings,
        share=product.share,
        expected=product.expected,
        missing=product.missing,
    )
