"""Calls that ask about rows of a table: all rows of a request are read and answered at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from ...annotations import Annotation
from ...answers import Answers
from ...errors import RuntimeFault
from ...tensors import Tensor, TensorSpec
from .bodies import MAX_ROWS, RowsRequest, rows_request
from .errors import RowsTooManyError
from .explain import explain_parse, row_explain
from .rows import RowCells, RowReader, Rows, row_data
from .schema import description
from .tensors import rows_of_tensors, tensor_specs

if TYPE_CHECKING:
    from ...explaining import ExplainCall
    from ...predictor import Predictor
    from ..kind import Description
    from .kind import RowItems


class RowCalls:
    """See ``Calls``."""

    max_items: ClassVar[int] = MAX_ROWS
    too_many: ClassVar[type[RuntimeFault]] = RowsTooManyError

    def __init__(self, items: RowItems) -> None:
        self._reader: RowReader = items.reader

    def request(self, body: bytes, content_type: str, query: Mapping[str, str]) -> RowsRequest:
        """See ``Calls``."""
        return rows_request(body, content_type, query, self._reader.names)

    def parts(self, request: RowsRequest) -> Sequence[Sequence[RowCells]]:
        """All rows in one piece: the graph takes many."""
        return (request.items,)

    def read(self, part: Sequence[RowCells], request: RowsRequest) -> Rows:
        """See ``Calls``."""
        return self._reader.read(part, is_lenient=request.is_lenient)

    @staticmethod
    def tensor_specs(decode: Mapping[str, Any]) -> Sequence[TensorSpec]:
        """See ``Calls``: a tensor of JSON objects, or one a column."""
        return tensor_specs(decode)

    def tensor_request(self, tensors: Mapping[str, Tensor], *, is_binary: bool) -> RowsRequest | None:
        """See ``Calls``."""
        del is_binary
        rows = rows_of_tensors(tensors, self._reader.names)
        return None if rows is None else RowsRequest(rows)

    def log_bytes(self, item: RowCells) -> bytes | None:
        """See ``Calls``."""
        return row_data(item)

    def notes(self, decoded: Sequence[Rows]) -> dict[str, Any]:
        """Columns and cells that a caller should look at."""
        (rows,) = decoded
        return {
            "unknown_columns": rows.unknown,
            "missing_columns": rows.missing,
            "unseen_categories": dict(rows.unseen),
            "mostly_missing_rows": list(rows.mostly_missing),
        }

    def easydl_batch(
        self, request: RowsRequest, predictions: Sequence[Sequence[Annotation]], answers: Answers
    ) -> dict[str, Any]:
        """A row each with what is predicted in the target's column."""
        batch = []
        for row, values in zip(request.items, predictions, strict=True):
            cells: dict[str, Any] = dict(row) if request.has_rows else {}
            batch.append(cells | (answers.easydl_cells(values[0], self._reader.target) if values else {}))
        return {"batch_result": batch}

    def explain(self, predictor: Predictor, call: ExplainCall) -> dict[str, Any]:
        """See ``Calls`` and ``row_explain``."""
        request = explain_parse(call.body, call.query)
        return row_explain(predictor.run, self._reader, predictor.labels, request).fields()

    @staticmethod
    def description(decode: Mapping[str, Any] | None) -> Description:
        """See ``Calls``."""
        return description(decode)
