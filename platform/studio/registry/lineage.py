"""From people over items, a version, a study and a trial to a model, and on to its deployments and exports."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from datetime import datetime

from automl.contracts.annotation import label_of
from automl.contracts.dataset import ItemRecord
from studio.accounts.models import ApiKey, User
from studio.datasets.models import DatasetVersion, Upload
from studio.datasets.versions.manifest import version_all_items
from studio.registry.hooks import artefact_uses
from studio.registry.models import Artefact
from studio.registry.selectors import artefacts_of_trials

ITEMS_SHOWN = 20
"""Items that get a node of their own; the version lists the others page by page."""


@dataclass(frozen=True)
class Node:
    """One thing on the way."""

    kind: str
    id: str
    title: str
    """In English, for programs and logs; a page makes its own of what follows."""
    name: str = ""
    """What people call it: of a study, a deployment, an upload, a person; empty where only a number tells."""
    number: int | None = None
    """Of a model, a trial, a version: counted from 1. Of who annotated: how many items."""
    at: datetime | None = None
    by: str | None = None
    """Who made it; in the end a name."""


@dataclass(frozen=True)
class Lineage:
    """A graph of origins: an edge goes from an object to one that it was made of."""

    nodes: list[Node]
    edges: list[tuple[str, str]]


@dataclass(frozen=True)
class Source:
    """Who annotated items of a version: a person, a key, an import or a model."""

    name: str
    num_items: int


def version_sources(version: DatasetVersion) -> list[Source]:
    """Everybody whose annotations are in a version, by name, most items first."""
    counts = Counter(record.provenance.partition(":")[2] or record.provenance for record in version_all_items(version))
    names: dict[str, str] = {}
    for table in (User, ApiKey, Upload):
        names |= dict(table.objects.filter(id__in=list(counts)).values_list("id", "name"))
    return [Source(names.get(source, source), number) for source, number in counts.most_common()]


def artefact_lineage(artefact: Artefact) -> Lineage:
    """Walks from a model back to the people whose annotations it learned from, and on to what was made of it."""
    lineage = Lineage([], [])
    _add(lineage, None, _model("artefact", artefact))
    for use in artefact_uses(artefact):
        _add(lineage, None, Node(use.kind, use.id, use.name, use.name, at=use.at, by=use.by))
        lineage.edges.append((use.id, artefact.id))
    last, origin = artefact.id, artefact.parent or artefact
    if origin is not artefact:
        _add(lineage, last, _model("artefact", origin))
        last = origin.id
    trial = origin.trial
    if trial is not None:
        number = trial.number + 1
        _add(lineage, last, Node("trial", trial.id, f"Trial {number}", number=number, at=trial.created_at))
        study = trial.study
        _add(lineage, trial.id, Node("study", study.id, study.name, study.name, at=study.created_at, by=study.created_by))
        last = study.id
        for member in artefacts_of_trials(origin.facts.lineage.members):
            _add(lineage, trial.id, _model("artefact", member))
        if study.teacher is not None:
            _add(lineage, study.id, _model("artefact", study.teacher))
        if study.start is not None:
            _add(lineage, study.id, _model("start", study.start))
    _versions(lineage, last, artefact.version)
    _sources(lineage, artefact.version)
    _uploads(lineage)
    _people(lineage)
    return lineage


def _model(kind: str, artefact: Artefact) -> Node:
    return Node(kind, artefact.id, f"Model {artefact.number}", number=artefact.number, at=artefact.created_at)


def _versions(lineage: Lineage, last: str, version: DatasetVersion | None) -> None:
    """The version and those it follows."""
    while version is not None:
        node = Node(
            "version",
            version.id,
            f"Version {version.number}",
            number=version.number,
            at=version.created_at,
            by=version.created_by,
        )
        _add(lineage, last, node)
        last, version = version.id, version.parent


def _sources(lineage: Lineage, version: DatasetVersion) -> None:
    """Some items of the version one by one, and everybody whose annotations are in it."""
    num_by_source: Counter[str] = Counter()
    for position, record in enumerate(version_all_items(version)):
        num_by_source[record.provenance] += 1
        if position < ITEMS_SHOWN:
            _item(lineage, version, record)
    for provenance, number in sorted(num_by_source.items()):
        _add(lineage, version.id, _source(provenance, number))


def _item(lineage: Lineage, version: DatasetVersion, record: ItemRecord) -> None:
    _add(lineage, version.id, Node("item", record.item, record.name))
    summary = ", ".join(label_of(each) or each.kind for each in record.annotations) or "nothing on it"
    annotation = f"{record.item}#annotations"
    _add(lineage, record.item, Node("annotation", annotation, summary))
    source = record.provenance.partition(":")[2] or record.provenance
    lineage.edges.append((annotation, source))


def _source(provenance: str, number: int) -> Node:
    kind, _, source = provenance.partition(":")
    return Node(kind, source or provenance, f"{number} annotated items", number=number)


def _uploads(lineage: Lineage) -> None:
    """Names uploads, with the people who sent them."""
    uploads = Upload.objects.in_bulk([node.id for node in lineage.nodes if node.kind == "import"])
    for position, node in enumerate(lineage.nodes):
        if (upload := uploads.get(node.id)) is not None:
            title = f"{upload.name}: {node.title}"
            lineage.nodes[position] = replace(node, title=title, name=upload.name, at=upload.created_at, by=upload.created_by)


def _people(lineage: Lineage) -> None:
    """Names people and keys, and draws an arrow from what somebody made to that person."""
    makers = {node.id: node.by for node in lineage.nodes if node.by}
    ids = {node.id for node in lineage.nodes} | set(makers.values())
    people = dict(User.objects.filter(id__in=ids).values_list("id", "name"))
    keys = dict(ApiKey.objects.filter(id__in=ids).values_list("id", "name"))
    names = people | keys
    for position, node in enumerate(lineage.nodes):
        if node.id in names:
            lineage.nodes[position] = replace(node, title=f"{names[node.id]}: {node.title}", name=names[node.id])
        elif node.by in names:
            lineage.nodes[position] = replace(node, by=names[node.by])
    for made, maker in makers.items():
        if maker in people or maker in keys:
            _add(lineage, made, Node("person" if maker in people else "key", maker, names[maker], names[maker]))


def _add(lineage: Lineage, after: str | None, node: Node) -> None:
    if all(known.id != node.id for known in lineage.nodes):
        lineage.nodes.append(node)
    if after is not None:
        lineage.edges.append((after, node.id))
