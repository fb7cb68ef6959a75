"""The tables of an upload: one that comes alone, or those of an archive, which are unpacked while they are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from engine.tasks import task_spec
from studio.datasets.files.archive import ArchiveKind, Fault, archive_walk
from studio.datasets.files.formats import LabelFileProblem, LabelFormat, Sheet, format_load, format_names
from studio.datasets.files.table_options import TableOptions
from studio.projects.models import Project

_NO_TABLES = frozenset({"version.json", "__meta__/version", "__meta__/version.json"})


class TableFiles(Mapping[str, bytes]):
    """Files on disk by name; formats that read streams ask for their paths."""

    def __init__(self, paths: Mapping[str, Path], options: TableOptions | None = None) -> None:
        """Args are the paths by the names that people know, and how the tables are read."""
        self._paths = dict(paths)
        self.options = options or TableOptions()

    def path(self, name: str) -> Path:
        """Where a file lies."""
        return self._paths[name]

    def __getitem__(self, name: str) -> bytes:
        return self._paths[name].read_bytes()

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


def table_format(project: Project) -> LabelFormat:
    """The format that reads rows of the project's kind of items."""
    return format_load(format_names(task_spec(project.task).modality)[0])


@contextmanager
def tables_opened(
    path: Path,
    name: str,
    kind: ArchiveKind | None,
    *,
    form: LabelFormat,
    complain: Callable[[LabelFileProblem], None],
    options: TableOptions | None = None,
) -> Iterator[TableFiles]:
    """Makes the tables of an upload readable.

    Args:
        path: its bytes.
        name: by which a person knows it.
        kind: of the archive that it is; None of a single file.
        form: what reads the tables.
        complain: called for files in it that are no tables.
        options: how a person says that they are read.
    """
    with TemporaryDirectory(prefix="tables-") as folder:
        paths = {name: path} if kind is None else {}
        for entry in archive_walk(path, kind, is_needed=lambda each: each not in _NO_TABLES, title=name) if kind else ():
            if isinstance(entry, Fault):
                complain(LabelFileProblem(entry.name, entry.code))
            elif not form.is_label_file(entry.name):
                complain(LabelFileProblem(entry.name, "table_kind_unknown"))
            else:
                paths[entry.name] = Path(folder) / str(len(paths))
                paths[entry.name].write_bytes(entry.data)
        yield TableFiles(paths, options)


def table_sheets(files: TableFiles, name: str, *, form: LabelFormat) -> Iterator[Sheet | LabelFileProblem]:
    """The tables in files, or why there are none; ``name`` is that of the upload."""
    if any(form.is_label_file(each) for each in files):
        yield from form.read([], files).sheets
    else:
        yield from (LabelFileProblem(each, "table_kind_unknown") for each in files or (name,))
