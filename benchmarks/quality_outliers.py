"""Strange pictures among real ones that the quality report finds, on sets that its limit was not chosen on.

The limit stands as it was chosen with Fashion-MNIST, digits of MNIST, scenes and stamps in sight; judged are photographs of
foods, photographs of anything, digits of 8 x 8 pixels (scikit-learn) and faces of 25 x 25 (scikit-image). One in fifty, ten at
most, is strange: drawn ones, noise, and pictures of the other sets. Photographs among foods are left out, as many foods are
photographs of fields, animals and tables. Everything that stands in a set counts as usual, whatever it shows.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice

import numpy as np
from sklearn.datasets import load_digits

from automl.contracts.dataset import Split
from automl.contracts.quality import QualityItem
from benchmarks._digits import ASSETS_DIR, CACHE_DIR
from benchmarks._photo_packages import package_folder, photographs_of, without_copies
from benchmarks.harness import Claim, Options, SkippedError, main
from engine.assets.fetch import AssetMissingError
from engine.data.image import resize_picture
from engine.embedding.items.image.work import backbone_load
from engine.embedding.spec import EDITION, RESOLUTION_PX, narrowed, widened
from engine.quality.outliers import outliers
from tests.engine.quality.planted_pictures import foreign

STRANGE_SHARE, MOST_STRANGE, NUM_DRAWS = 1 / 50, 10, 5
NUM_DRAWN_PICTURES = 60
NUM_DIGITS = 1_000
RECALL, PRECISION = 0.95, 0.9
STRANGE_TO = {
    "foods": ("drawn", "digits", "faces"),
    "photographs": ("drawn", "digits", "faces"),
    "digits": ("drawn", "foods", "photographs", "faces"),
    "faces": ("drawn", "foods", "photographs", "digits"),
}
_BATCH = 32


def measure(options: Options) -> list[Claim]:
    """Recall and precision on each set, all draws together."""
    strange_to = options.pick(STRANGE_TO, smoke={"digits": ("drawn",)}, quick={"faces": STRANGE_TO["faces"]})
    most = options.pick(None, smoke=30)
    vectors = {name: _vectors(name, most) for name in {*strange_to, *(kind for kinds in strange_to.values() for kind in kinds)}}
    claims = []
    for name, others in strange_to.items():
        usual_ND = vectors[name]
        num = min(MOST_STRANGE, max(2, round(len(usual_ND) * STRANGE_SHARE)))
        right = planted = accused = 0
        for draw in range(NUM_DRAWS):
            rng = np.random.default_rng(draw)
            kinds = [others[int(index)] for index in rng.integers(0, len(others), num)]
            strange_ND = np.stack([vectors[kind][int(rng.integers(len(vectors[kind])))] for kind in kinds])
            both_ND = np.concatenate([usual_ND, strange_ND])
            found = {one.item for one in outliers([_item(row) for row in range(len(both_ND))], both_ND)[0]}
            missed = [kind for at, kind in enumerate(kinds) if _item(len(usual_ND) + at).item not in found]
            sys.stderr.write(f"{name}, draw {draw}: missed {missed}, found {len(found)}\n")
            right += num - len(missed)
            planted += num
            accused += len(found)
        where = f"{num} strange ones among {len(usual_ND)} {name}"
        claims.append(Claim("quality_outliers", f"recall, {where}", right, planted, right / planted, RECALL))
        claims.append(Claim("quality_outliers", f"precision, {where}", right, accused, right / max(1, accused), PRECISION))
    return claims


def _item(row: int) -> QualityItem:
    return QualityItem(
        item=f"itm_{row:08d}",
        name=f"{row}.jpg",
        blob="0" * 64,
        width=160,
        height=160,
        size_bytes=1,
        split=Split.TRAIN,
        group=str(row),
        is_annotated=False,
        labels=(),
    )


def _vectors(name: str, most: int | None) -> np.ndarray:
    """As the platform stores them ``_ND``, of all pictures or the first so many."""
    path = CACHE_DIR / f"outliers-{name}-{f'{most}-' if most else ''}{EDITION}.npy"
    if not path.exists():
        side = RESOLUTION_PX
        squares = [
            resize_picture(np.ascontiguousarray(one), height_px=side, width_px=side) for one in islice(_pictures(name), most)
        ]
        try:
            backbone = backbone_load(ASSETS_DIR, CACHE_DIR, 1)
        except AssetMissingError as error:
            raise SkippedError(error.message) from error
        rows = [narrowed(backbone.run(np.stack(squares[at : at + _BATCH]))) for at in range(0, len(squares), _BATCH)]
        path.parent.mkdir(parents=True, exist_ok=True)
        np.save(path, np.concatenate(rows))
    return widened(np.load(path))


def _pictures(name: str) -> Iterator[np.ndarray]:
    """HWC each."""
    match name:
        case "foods":
            yield from (pixels for _, pixels in without_copies(photographs_of("@ifct*")))
        case "photographs":
            chosen = [one for pattern in ("[!@]*", "@[vc]*") for one in photographs_of(pattern)]
            yield from (pixels for _, pixels in without_copies(chosen))
        case "digits":
            yield from (_grey(picture * 15.9) for picture in load_digits().images[:NUM_DIGITS])
        case "faces":
            faces = np.load(package_folder("pypi", "scikit-image", "0.26.0") / "skimage" / "data" / "lfw_subset.npy")
            yield from (_grey(face * 255) for face in faces[:100])  # the second hundred are no faces
        case _:
            rng = np.random.default_rng(7)
            yield from (np.asarray(foreign(rng, index)) for index in range(NUM_DRAWN_PICTURES))


def _grey(picture_HW: np.ndarray) -> np.ndarray:
    return np.repeat(picture_HW.clip(0, 255).astype(np.uint8)[..., None], 3, axis=-1)


if __name__ == "__main__":
    main(measure)
