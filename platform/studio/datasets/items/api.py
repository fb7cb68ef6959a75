"""HTTP endpoints of datasets and items."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from ninja import Query, Router, Status

from studio.accounts.access import principal_of
from studio.common.paging import PageOut
from studio.datasets.items import facets, selectors, services
from studio.datasets.items.http import cached_until_forever, dataset_for, is_cached, item_for, item_response
from studio.datasets.items.item_pages import SEGMENT, item_page, item_positions
from studio.datasets.items.kinds import kind_of_format
from studio.datasets.items.orders import ordered_ids
from studio.datasets.items.present import item_out
from studio.datasets.items.schemas import (
    FacetsOut,
    FactValueOut,
    ItemOut,
    ItemsChangedOut,
    ItemsIn,
    ItemsQuery,
    PositionsOut,
    PositionsQuery,
    SummaryOut,
)

router = Router()


@router.get("/datasets/{dataset}/items", response=PageOut[ItemOut], operation_id="items_list")
def items_list(
    request: HttpRequest,
    dataset: str,
    query: Query[ItemsQuery],
) -> PageOut[ItemOut]:
    """Items, oldest first. A page that is not the last may hold fewer than asked for: go on with its cursor."""
    found = item_page(
        dataset_for(request, "data.read", dataset),
        criteria=query.criteria(),
        cursor=query.cursor,
        limit=query.limit,
        start=query.start,
        stop=query.stop,
    )
    return PageOut[ItemOut](items=[item_out(item) for item in found.items], next_cursor=found.next_cursor)


@router.get("/datasets/{dataset}/items/positions", response=PositionsOut, operation_id="items_positions")
def items_positions(request: HttpRequest, dataset: str, query: Query[PositionsQuery]) -> PositionsOut:
    """Where every so many-th item starts, part by part, so that a scroll bar can jump anywhere."""
    found = dataset_for(request, "data.read", dataset)
    if query.order is not None:
        ids = ordered_ids(
            found, criteria=query.criteria(), order=query.order, column=query.column, is_descending=query.descending
        )
        return PositionsOut(starts=ids[::SEGMENT], segment=SEGMENT, num_items=len(ids), ids=ids, next_cursor=None)
    part = item_positions(found, criteria=query.criteria(), cursor=query.cursor)
    return PositionsOut(
        starts=part.starts, segment=SEGMENT, num_items=part.num_items, ids=part.ids, next_cursor=part.next_cursor
    )


@router.get("/datasets/{dataset}/items/named", response=list[ItemOut], operation_id="items_named")
def items_named(request: HttpRequest, dataset: str, ids: str) -> list[ItemOut]:
    """Up to 200 items by their ids, with commas between; in the order of ids, deleted ones too, unknown ones left out."""
    found = dataset_for(request, "data.read", dataset)
    return [item_out(item) for item in selectors.items_of(found, ids.split(",")[:200])]


@router.get("/datasets/{dataset}/facets", response=FacetsOut, operation_id="dataset_facets")
def facets_read(request: HttpRequest, dataset: str) -> FacetsOut:
    """What the items can be filtered by, with counts."""
    return facets.dataset_facets(dataset_for(request, "data.read", dataset))


@router.get("/datasets/{dataset}/facets/{name}", response=list[FactValueOut], operation_id="dataset_fact_values")
def fact_values(request: HttpRequest, dataset: str, name: str, prefix: str = "") -> list[FactValueOut]:
    """The first values of a name of metadata, in order."""
    return facets.fact_values(dataset_for(request, "data.read", dataset), name=name, prefix=prefix)


@router.get("/datasets/{dataset}/summary", response=SummaryOut, operation_id="dataset_summary")
def summary(request: HttpRequest, dataset: str) -> SummaryOut:
    """Counts by state, label and split."""
    return selectors.dataset_summary(dataset_for(request, "data.read", dataset))


@router.post("/datasets/{dataset}/items/delete", response=ItemsChangedOut, operation_id="items_delete")
def items_delete(request: HttpRequest, dataset: str, body: ItemsIn) -> ItemsChangedOut:
    """Takes items out; versions keep them, and restoring undoes it."""
    found = dataset_for(request, "data.write", dataset)
    return ItemsChangedOut(num_items=len(services.item_delete(dataset=found, items=body.items, actor=principal_of(request))))


@router.post("/datasets/{dataset}/items/restore", response=ItemsChangedOut, operation_id="items_restore")
def items_restore(request: HttpRequest, dataset: str, body: ItemsIn) -> ItemsChangedOut:
    """Brings deleted items back."""
    found = dataset_for(request, "data.write", dataset)
    return ItemsChangedOut(num_items=len(services.item_restore(dataset=found, items=body.items, actor=principal_of(request))))


@router.get("/items/{item}", response=ItemOut, operation_id="item_read")
def item_read(request: HttpRequest, item: str) -> ItemOut:
    """One item, deleted or not."""
    return item_out(item_for(request, "data.read", item))


@router.delete("/items/{item}", response={204: None}, operation_id="item_delete")
def item_delete(request: HttpRequest, item: str) -> Status[None]:
    """Takes one item out."""
    found = item_for(request, "data.write", item)
    services.item_delete(dataset=found.dataset, items=[found.id], actor=principal_of(request))
    return Status(204, None)


@router.get("/items/{item}/picture", response={200: bytes}, operation_id="item_picture")
def item_picture(request: HttpRequest, item: str) -> HttpResponseBase:
    """The picture as it was uploaded, or as JPEG when browsers cannot show it; the whole of a text as plain UTF-8."""
    found = item_for(request, "data.read", item)
    if is_cached(request, f"{found.blob}-full"):
        return HttpResponse(status=304)
    return cached_until_forever(item_response(found), f"{found.blob}-full")


@router.get("/items/{item}/thumbnail", response={200: bytes}, operation_id="item_thumbnail")
def item_thumbnail(request: HttpRequest, item: str, size: int = 256) -> HttpResponseBase:
    """A small upright JPEG of the picture; a text has none (404, ``no_thumbnail``)."""
    found = item_for(request, "data.read", item)
    tag = f"{found.blob}-{size}"
    if is_cached(request, tag):
        return HttpResponse(status=304)
    response = HttpResponse(kind_of_format(found.format).thumbnail(found, size_px=size), content_type="image/jpeg")
    return cached_until_forever(response, tag)
