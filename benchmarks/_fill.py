"""Fills a dataset with rows by SQL: ``python -m benchmarks._fill DATASET NUM_ITEMS FIRST``, in the platform's environment.

Six in ten items are labelled with one of ten labels by one of five people, three in a hundred are flagged, each has two facts.
Ids are those of ``item_id``, from FIRST on. Pictures are not needed: nothing that is measured looks at one. Triggers are away
meanwhile and the counts are taken once.
"""

from __future__ import annotations

import os
import sys

import django

LABELS = [f"label-{n}" for n in range(10)]

_SERIES = {
    "sqlite": "(WITH RECURSIVE g(n) AS (SELECT {first} UNION ALL SELECT n + 1 FROM g WHERE n < {last}) SELECT n FROM g) s",
    "postgresql": "generate_series({first}, {last}) AS s(n)",
}
_WORDS = {
    "sqlite": {
        "id": "printf('itm_01m%023d', {base} + n)",
        "name": "printf('site-%d/IMG_%07d.jpg', n % 20, n)",
        "blob": "printf('%064d', n)",
        "label": "'label-' || (n * 7 % 10)",
        "json": '\'[{"kind":"class","label":"label-\' || (n * 7 % 10) || \'","score":null}]\'',
        "at": "'2026-11-20 10:00:00'",
        "meta": '\'{"site":"site-\' || (n % 20) || \'","batch":"\' || (n / 5000) || \'"}\'',
        "cast": "",
    },
    "postgresql": {
        "id": "'itm_01m' || lpad(({base} + n)::text, 23, '0')",
        "name": "'site-' || n % 20 || '/IMG_' || lpad(n::text, 7, '0') || '.jpg'",
        "blob": "lpad(n::text, 64, '0')",
        "label": "'label-' || (n * 7 % 10)",
        "json": '\'[{"kind":"class","label":"label-\' || (n * 7 % 10) || \'","score":null}]\'',
        "at": "'2026-11-20 10:00:00+00'",
        "meta": '\'{"site":"site-\' || (n % 20) || \'","batch":"\' || (n / 5000) || \'"}\'',
        "cast": "::jsonb",
    },
}
_LABELLED = "n % 10 < 6"


def item_id(number: int) -> str:
    """Id of the item of this number."""
    return f"itm_01m{number:023d}"


def statements(vendor: str, dataset: str, first: int, last: int, base: int = 0) -> list[str]:
    """The inserts, for items with numbers ``first`` to ``last``, which ids count from ``base``."""
    words, series = _WORDS[vendor], _SERIES[vendor].format(first=first, last=last)
    columns = (
        'id, created_at, name, blob, width, height, format, size_bytes, "group", split, state, annotations, revision, '
        "annotated_at, provenance, metadata, quarantine, dataset_id"
    )
    words = words | {"id": words["id"].format(base=base)}
    cast = words["cast"]
    values = (
        f"{words['id']}, {words['at']}{'::timestamptz' if cast else ''}, {words['name']}, {words['blob']}, "
        f"640, 480, 'jpeg', 50000 + n % 1000, {words['blob']}, "
        f"CASE WHEN n % 20 < 14 THEN 'train' WHEN n % 20 < 17 THEN 'validation' ELSE 'test' END, "
        f"CASE WHEN {_LABELLED} THEN 'annotated' ELSE 'unlabelled' END, "
        f"CASE WHEN {_LABELLED} THEN ({words['json']}){cast} END, CASE WHEN {_LABELLED} THEN 1 ELSE 0 END, "
        f"CASE WHEN {_LABELLED} THEN {words['at']}{'::timestamptz' if cast else ''} END, "
        f"CASE WHEN {_LABELLED} THEN 'person:usr_' || (n % 5) ELSE '' END, ({words['meta']}){cast}, '', '{dataset}'"
    )
    fact = "INSERT INTO datasets_itemfact (dataset_id, item_id, name, value)"
    text = "::text" if cast else ""
    return [
        f"INSERT INTO datasets_item ({columns}) SELECT {values} FROM {series}",
        f"INSERT INTO datasets_itemlabel (dataset_id, item_id, label) "
        f"SELECT '{dataset}', {words['id']}, {words['label']} FROM {series} WHERE {_LABELLED}",
        f"{fact} SELECT '{dataset}', {words['id']}, 'site', 'site-' || (n % 20) FROM {series}",
        f"{fact} SELECT '{dataset}', {words['id']}, 'batch', (n / 5000){text} || '' FROM {series}",
        "INSERT INTO datasets_itemflag (dataset_id, item_id, kind, severity, detail, created_at) "
        f"SELECT '{dataset}', {words['id']}, CASE WHEN n % 200 < 3 THEN 'dark' ELSE 'blurred' END, 0.5, '{{}}'{cast}, "
        f"{words['at']}{'::timestamptz' if cast else ''} FROM {series} WHERE n % 100 < 3",
    ]


def main() -> None:
    """Fills and takes the counts."""
    dataset, num_items, base = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "studio.config.settings")
    django.setup()
    from django.db import connection, transaction

    from studio.datasets.items.counts import counts_rebuild
    from studio.datasets.migrations._counters_0004 import drop_sql, install_sql

    with transaction.atomic(), connection.cursor() as cursor:
        for statement in drop_sql(connection.vendor):
            cursor.execute(statement)
        for first in range(0, num_items, 100_000):
            for statement in statements(connection.vendor, dataset, first, min(first + 100_000, num_items) - 1, base):
                cursor.execute(statement)
        for statement in install_sql(connection.vendor):
            cursor.execute(statement)
    counts_rebuild(dataset=dataset)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("VACUUM ANALYZE")
        else:
            cursor.execute("ANALYZE")


if __name__ == "__main__":
    main()
