"""Click to mask from the shell: how the network that the page loads was made, and how it is made again.

``python -m engine.click_mask train --assets-dir FOLDER --out WEIGHTS`` trains on what Debian's registry holds (25 minutes of a
core at most). ``export WEIGHTS`` writes the two graphs and their card to the front end. ``evaluate`` prints the overlap after
each click on sets that the training never saw, and writes it into the card.
"""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from hashlib import sha256
from pathlib import Path

import cv2
import torch

from engine.assets.card import read_card
from engine.assets.store import weights
from engine.click_mask import sources
from engine.click_mask.evaluate import interval, nuclei, overlaps, scenes
from engine.click_mask.export import DECODER_FILE, ENCODER_FILE, export
from engine.click_mask.predict import ClickMaskModel, ClickSession
from engine.click_mask.train import TrainConfig, network_from, train
from engine.errors import EngineError

MODEL_DIR = Path(__file__).parents[2] / "frontend" / "src" / "canvas" / "assist" / "model"
CARD_FILE = "card.json"
_NUM_SCENES = 200
_NUM_CLICKS = 3


def main() -> int:
    """Exit status 1 when what is needed cannot be had; why is on standard error."""
    parser = argparse.ArgumentParser(prog="python -m engine.click_mask", description=__doc__)
    verbs = parser.add_subparsers(dest="verb", required=True)
    training = verbs.add_parser("train", help="train and keep the weights")
    training.add_argument("--assets-dir", type=Path, required=True, metavar="FOLDER", help="the store of assets")
    training.add_argument("--out", type=Path, required=True, metavar="FILE", help="safetensors to write")
    training.add_argument("--steps", type=int, default=TrainConfig.num_steps)
    training.add_argument("--seed", type=int, default=TrainConfig.seed)
    exporting = verbs.add_parser("export", help="write the graphs and their card")
    exporting.add_argument("weights", type=Path, metavar="FILE", help="safetensors of the training")
    exporting.add_argument("--model-dir", type=Path, default=MODEL_DIR)
    evaluating = verbs.add_parser("evaluate", help="measure the graphs and write the figures into their card")
    evaluating.add_argument("--model-dir", type=Path, default=MODEL_DIR)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(0)
    try:
        match arguments.verb:
            case "train":
                config = TrainConfig(num_steps=arguments.steps, stop_after=round(0.9 * arguments.steps), seed=arguments.seed)
                backbone = weights("efficientnet_lite0", arguments.assets_dir.resolve())
                train(config, sources.material("train"), backbone, arguments.out)
            case "export":
                export(network_from(arguments.weights), arguments.model_dir)
                _card_write(arguments.model_dir, {})
            case _:
                _card_write(arguments.model_dir, _figures(arguments.model_dir))
    except EngineError as error:
        sys.stderr.write(f"{error.message} {error.hint}\n")
        return 1
    return 0


def _card_write(folder: Path, figures: dict[str, object]) -> None:
    """What is known of the graphs: where they come from, their licences, their size, how good they are."""
    used = (read_card("efficientnet_lite0"), read_card("tuxpaint_stamps"), sources.CLIPART, sources.OPENCV_PHOTOS)
    card = {
        "title": "Click to mask",
        "licence": "Apache-2.0",
        "made_by": "python -m engine.click_mask",
        "training": asdict(TrainConfig()),
        "sources": [{name: getattr(each, name) for name in ("title", "package", "version", "licence")} for each in used],
        "sources_note": "Pictures were read for training and are no part of the model; its encoder starts from the weights.",
        "unseen_in_training": {"stamps": sources.TEST_STAMPS, "photographs": sources.SKIMAGE_PHOTOS.package},
        "size_bytes": {name: (folder / name).stat().st_size for name in (ENCODER_FILE, DECODER_FILE)},
        "sha256": {name: sha256((folder / name).read_bytes()).hexdigest() for name in (ENCODER_FILE, DECODER_FILE)},
        "iou_after_clicks": figures,
    }
    (folder / CARD_FILE).write_text(json.dumps(card, indent=2) + "\n", encoding="utf-8")


def _figures(folder: Path) -> dict[str, object]:
    model = ClickMaskModel(folder)

    def begin(picture_HW3: sources.Pixels):
        session = ClickSession(picture_HW3)
        return lambda clicks: model.answer(session, clicks)

    sets = {"stamps on photographs": scenes(sources.material("test"), _NUM_SCENES), "nuclei": iter(nuclei())}
    out: dict[str, object] = {}
    for name, cases in sets.items():
        iou = overlaps(begin, cases, _NUM_CLICKS)
        by_click = [interval(iou[:, click]) for click in range(_NUM_CLICKS)]
        out[name] = {
            "cases": len(iou),
            "after": [
                {"clicks": click + 1, "mean": round(mean, 3), "interval_95": [round(low, 3), round(high, 3)]}
                for click, (mean, low, high) in enumerate(by_click)
            ],
        }
    return out


if __name__ == "__main__":
    sys.exit(main())
