"""RealMLP (Holzmueller et al. 2024, https://arxiv.org/abs/2407.04491), the parts of it that pay on a CPU.

The preparation of columns has scaled numbers and bent them softly at the ends. Each becomes a few values by waves of learned
length (periodic embeddings, Gorishniy et al. 2022, https://arxiv.org/abs/2203.05556). Columns have a learned weight each. The
weights are divided by the root of their inputs where they are used (neural tangent parametrisation), so that one learning rate
serves all layers. Left out of the paper's recipe: parametric activations and label smoothing, which spoils probabilities.

Shapes: B batch, F columns as prepared, K columns that are embedded, W waves, E values of an embedding, H units, O outputs.
"""

from __future__ import annotations

import itertools
import math

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 (the name that everybody knows)
from numpy.typing import NDArray
from torch import Tensor, nn

from engine.models.table_network.family import NUM_FREQUENCIES, NUM_LAYERS
from engine.table.graph import GraphWriter

WAVE_SPREAD = 0.1
"""Standard deviation of the frequencies at the beginning, as in the paper."""


def numbers_among(x_NF: NDArray[np.float32]) -> NDArray[np.int64]:
    """The columns that are numbers rather than marks: those with more than two values."""
    is_between_NF = (x_NF != x_NF.min(axis=0)) & (x_NF != x_NF.max(axis=0))
    return np.flatnonzero(is_between_NF.any(axis=0)).astype(np.int64)


class RowNetwork(nn.Module):
    """Prepared columns ``_BF`` to logits or standardised numbers ``_BO``."""

    embedded_K: Tensor

    def __init__(
        self,
        num_columns: int,
        numbers_K: NDArray[np.int64],
        start_O: NDArray[np.float32],
        *,
        width: int,
        embedding_size: int,
        dropout: float,
        generator: torch.Generator,
    ):
        """Makes a network that answers ``start_O`` for every row.

        Args:
            num_columns: F.
            numbers_K: the columns that are embedded.
            start_O: log frequencies of the labels, or 0.
            width: H.
            embedding_size: E; 1 leaves numbers as they are.
            dropout: share of units left out while training, 0..1.
            generator: draws the weights.
        """
        super().__init__()
        self.dropout, self.is_classifier = dropout, len(start_O) > 1
        embedded_K = numbers_K if embedding_size > 1 else numbers_K[:0]
        self.register_buffer("embedded_K", torch.from_numpy(embedded_K.astype(np.int64)))
        num_embedded, num_new = len(embedded_K), embedding_size - 1

        def normal(*shape: int) -> Tensor:
            return torch.randn(*shape, generator=generator)

        def even(*shape: int) -> Tensor:
            return torch.rand(*shape, generator=generator) * 2 - 1

        self.frequency_K1W = nn.Parameter(WAVE_SPREAD * 2 * math.pi * normal(num_embedded, 1, NUM_FREQUENCIES))
        self.phase_K1W = nn.Parameter(math.pi * even(num_embedded, 1, NUM_FREQUENCIES))
        root = 1 / math.sqrt(NUM_FREQUENCIES)
        self.mix_KWE = nn.Parameter(root * even(num_embedded, NUM_FREQUENCIES, num_new))
        self.shift_K1E = nn.Parameter(root * even(num_embedded, 1, num_new))
        num_inputs = num_columns + num_embedded * num_new
        self.column_weights = nn.Parameter(torch.ones(num_inputs))
        sizes = [num_inputs, *[width] * NUM_LAYERS]
        self.weights = nn.ParameterList([normal(*pair) for pair in itertools.pairwise(sizes)])
        self.biases = nn.ParameterList([normal(size) for size in sizes[1:]])
        self.last_weight = nn.Parameter(torch.zeros(width, len(start_O)))
        self.last_bias = nn.Parameter(torch.from_numpy(start_O.copy()))

    def forward(self, x_BF: Tensor) -> Tensor:
        """Logits or standardised numbers of prepared rows."""
        hidden = x_BF
        if len(self.embedded_K):
            numbers_KB1 = x_BF[:, self.embedded_K].T.unsqueeze(2)
            waves_KBW = torch.cos(numbers_KB1 * self.frequency_K1W + self.phase_K1W)
            embedded_KBE = torch.baddbmm(self.shift_K1E, waves_KBW, self.mix_KWE)
            hidden = torch.cat([x_BF, embedded_KBE.permute(1, 0, 2).flatten(1)], dim=1)
        hidden = hidden * self.column_weights
        for weight, bias in zip(self.weights, self.biases, strict=True):
            hidden = torch.addmm(bias, hidden, weight / math.sqrt(len(weight)))
            hidden = F.selu(hidden) if self.is_classifier else F.silu(hidden)
            hidden = F.dropout(hidden, self.dropout, self.training)
        return torch.addmm(self.last_bias, hidden, self.last_weight / math.sqrt(len(self.last_weight)))

    def write(self, graph: GraphWriter, x: str) -> str:
        """Adds the same to a graph.

        Args:
            graph: to add to.
            x: name of the prepared columns ``[batch, F]``.

        Returns:
            Name of the logits or standardised numbers ``[batch, O]``.
        """
        state = {name: value.detach().numpy() for name, value in self.state_dict().items()}
        hidden = x
        if len(self.embedded_K):
            hidden = graph.add("Concat", [hidden, self._write_embedded(graph, x, state)], axis=1)
        num_inputs = len(state["column_weights"])
        for number in range(NUM_LAYERS):
            weight = state[f"weights.{number}"] / np.float32(math.sqrt(len(state[f"weights.{number}"])))
            if number == 0:
                weight = state["column_weights"].reshape(num_inputs, 1) * weight
            hidden = graph.add("Gemm", [hidden, graph.constant(weight), graph.constant(state[f"biases.{number}"])])
            if self.is_classifier:
                hidden = graph.add("Selu", [hidden])
            else:
                hidden = graph.add("Mul", [hidden, graph.add("Sigmoid", [hidden])])
        last = state["last_weight"] / np.float32(math.sqrt(len(state["last_weight"])))
        return graph.add("Gemm", [hidden, graph.constant(last), graph.constant(state["last_bias"])])

    def _write_embedded(self, graph: GraphWriter, x: str, state: dict[str, NDArray[np.float32]]) -> str:
        numbers = graph.add("Gather", [x, graph.constant(state["embedded_K"])], axis=1)
        numbers = graph.add("Unsqueeze", [graph.add("Transpose", [numbers], perm=[1, 0]), graph.ints(2)])
        angles = graph.add("Mul", [numbers, graph.constant(state["frequency_K1W"])])
        waves = graph.add("Cos", [graph.add("Add", [angles, graph.constant(state["phase_K1W"])])])
        mixed = graph.add("MatMul", [waves, graph.constant(state["mix_KWE"])])
        mixed = graph.add("Add", [mixed, graph.constant(state["shift_K1E"])])
        return graph.add("Flatten", [graph.add("Transpose", [mixed], perm=[1, 0, 2])], axis=1)
