"""The C functions of the C++ product, called from Python."""

from __future__ import annotations

import base64
import ctypes
import json
import os
import shutil
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from exporters.cpp_sdk.compiled import library_path
from exporters.cpp_sdk.target import _assemble
from tests.exporters.text_artefact_factory import text_artefact_write
from tests.support.once import made_once

TOGETHER = ("-DCMAKE_UNITY_BUILD=ON", "-DCMAKE_UNITY_BUILD_BATCH_SIZE=0")
"""To CMake: to compile all files as one. That each compiles alone is seen where none is given this."""
STRICT = "-Wall -Wextra -Werror"
IDS_SOURCE = Path(__file__).parent / "cpp" / "ids.cpp"
TOKENIZER_SOURCES = ("json", "utf8", "signs", "pattern", "normalizers", "splitters", "pieces", "tokenizer")


class Options(ctypes.Structure):
    _fields_ = [("library", ctypes.c_char_p), ("num_threads", ctypes.c_int)]


class Query(ctypes.Structure):
    _fields_ = [("threshold", ctypes.c_double), ("top", ctypes.c_int)]


class HeatMap(ctypes.Structure):
    _fields_ = [
        ("score", ctypes.c_double),
        ("width", ctypes.c_int),
        ("height", ctypes.c_int),
        ("values", ctypes.POINTER(ctypes.c_uint8)),
    ]


class Bounds(ctypes.Structure):
    _fields_ = [(name, ctypes.c_double) for name in ("x", "y", "width", "height")]


class Polygon(ctypes.Structure):
    _fields_ = [("points", ctypes.POINTER(ctypes.c_double)), ("num_points", ctypes.c_size_t)]


class Annotation(ctypes.Structure):
    _fields_ = [
        ("kind", ctypes.c_char_p),
        ("label", ctypes.c_char_p),
        ("score", ctypes.c_double),
        ("x", ctypes.c_double),
        ("y", ctypes.c_double),
        ("width", ctypes.c_double),
        ("height", ctypes.c_double),
        ("counts", ctypes.c_char_p),
        ("heat_map", ctypes.POINTER(HeatMap)),
        ("values", ctypes.POINTER(ctypes.c_double)),
        ("num_values", ctypes.c_size_t),
        ("box", ctypes.POINTER(Bounds)),
        ("polygons", ctypes.POINTER(Polygon)),
        ("num_polygons", ctypes.c_size_t),
        ("text", ctypes.c_char_p),
    ]


class Answer(ctypes.Structure):
    _fields_ = [
        ("annotations", ctypes.POINTER(Annotation)),
        ("num_annotations", ctypes.c_size_t),
        ("width_px", ctypes.c_int),
        ("height_px", ctypes.c_int),
    ]


class Selftest(ctypes.Structure):
    _fields_ = [
        ("num_samples", ctypes.c_int),
        ("max_difference", ctypes.c_double),
        ("tolerance", ctypes.c_double),
        ("is_passed", ctypes.c_int),
        ("environment", ctypes.c_char * 128),
    ]


class Bench(ctypes.Structure):
    _fields_ = [
        ("num_runs", ctypes.c_int),
        ("decode_ms", ctypes.c_double),
        ("predict_ms", ctypes.c_double),
        ("p95_ms", ctypes.c_double),
    ]


class CallFailedError(Exception):
    """A function returned another status than 0."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = message.partition(":")[0]


class Model:
    """A loaded model of the library."""

    def __init__(self, library: ctypes.CDLL, folder: Path, *, runtime: Path | None = None, num_threads: int = 0) -> None:
        self._library, self._model = library, ctypes.c_void_p()
        options = Options(str(runtime or library_path()).encode(), num_threads)
        self._call("modelyard_load", str(folder).encode(), ctypes.byref(options), ctypes.byref(self._model))

    @property
    def handle(self) -> ctypes.c_void_p:
        """As the C functions take it."""
        return self._model

    def close(self) -> None:
        self._library.modelyard_free(self._model)

    def predict(self, item: Path | bytes, *, threshold: float = -1.0, top: int = 0) -> tuple[list[dict], tuple[int, int]]:
        """Annotations as the runtime's, and width and height of the picture."""
        answer, query = ctypes.POINTER(Answer)(), Query(threshold, top)
        if isinstance(item, bytes):
            given = ("modelyard_predict_bytes", self._model, item, ctypes.c_size_t(len(item)))
        else:
            given = ("modelyard_predict_file", self._model, str(item).encode())
        self._call(*given, ctypes.byref(query), ctypes.byref(answer))
        return self._predictions(answer)

    def predict_pixels(self, pixels: bytes, width: int, height: int, channels: int, stride: int = 0):
        answer = ctypes.POINTER(Answer)()
        sizes = (width, height, channels, ctypes.c_size_t(stride))
        self._call("modelyard_predict_pixels", self._model, pixels, *sizes, None, ctypes.byref(answer))
        return self._predictions(answer)

    def predict_batch(self, paths: Sequence[Path], *, num_threads: int = 0):
        """The answers, None where there is none, and the statuses."""
        names = (ctypes.c_char_p * len(paths))(*(str(path).encode() for path in paths))
        answers, statuses = (ctypes.POINTER(Answer) * len(paths))(), (ctypes.c_int * len(paths))()
        number = ctypes.c_size_t(len(paths))
        status = self._library.modelyard_predict_batch(self._model, names, number, num_threads, None, answers, statuses)
        return [self._predictions(each)[0] if each else None for each in answers], list(statuses), (status, self.message())

    def selftest(self) -> Selftest:
        result = Selftest()
        self._call("modelyard_selftest", self._model, ctypes.byref(result))
        return result

    def bench(self, path: Path | None, num_runs: int) -> Bench:
        result = Bench()
        self._call("modelyard_bench", self._model, path and str(path).encode(), num_runs, ctypes.byref(result))
        return result

    def message(self) -> str:
        return self._library.modelyard_message().decode()

    def _call(self, name: str, *arguments: object) -> None:
        status = getattr(self._library, name)(*arguments)
        if status:
            raise CallFailedError(status, self.message())

    def _predictions(self, answer) -> tuple[list[dict], tuple[int, int]]:
        shown = answer.contents
        found = [_as_runtime(shown.annotations[place]) for place in range(shown.num_annotations)]
        size = (shown.width_px, shown.height_px)
        self._library.modelyard_answer_free(answer)
        return found, size


def _as_runtime(each: Annotation) -> dict:
    annotation: dict = {"kind": each.kind.decode()}
    if each.label:
        annotation |= {"label": each.label.decode(), "score": each.score}
    if annotation["kind"] == "box":
        annotation |= {"x": each.x, "y": each.y, "width": each.width, "height": each.height}
    if annotation["kind"] == "mask":
        annotation |= {"width": int(each.width), "height": int(each.height), "counts": each.counts.decode()}
    if each.heat_map:
        shown = each.heat_map.contents
        values = base64.b64encode(bytes(shown.values[: shown.width * shown.height])).decode()
        annotation["heat_map"] = {"score": shown.score, "width": shown.width, "height": shown.height, "values": values}
    if each.values:
        annotation["values"] = each.values[: each.num_values]
    if each.text:
        annotation["points"] = _points(each.polygons[0])
        annotation["attributes"] = [{"name": "text", "value": each.text.decode()}]
    if each.box:
        annotation["box"] = {name: getattr(each.box.contents, name) for name, _ in Bounds._fields_}
        annotation["polygons"] = [_points(each.polygons[place]) for place in range(each.num_polygons)]
    return annotation


def vector_of(values: Sequence[float]) -> Annotation:
    """An annotation of these numbers."""
    numbers = (ctypes.c_double * len(values))(*values)
    return Annotation(kind=b"vector", label=b"", values=numbers, num_values=len(values))


def _points(polygon: Polygon) -> list[tuple[float, float]]:
    numbers = polygon.points[: 2 * polygon.num_points]
    return list(zip(numbers[0::2], numbers[1::2], strict=True))


def assembled(artefact_dir: Path, place: Path) -> Path:
    """The folder that the product of an artefact is packed from. That the product is checked is tested with all targets."""
    place.mkdir(parents=True, exist_ok=True)
    folder = place / "birds-cpp"
    _assemble(artefact_dir, folder)
    return folder


def cmake_build(source: Path, build_dir: Path, *settings: str) -> None:
    """Builds with CMake; every warning of the product's own code is an error."""
    needed("cmake", "cmake")
    configure = ["cmake", "-S", str(source), "-B", str(build_dir), f"-DCMAKE_CXX_FLAGS={STRICT}", *settings]
    for command in (configure, ["cmake", "--build", str(build_dir), "--parallel", "2"]):
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]


def library_built(artefact_dir: Path) -> tuple[ctypes.CDLL, Path]:
    """The shared library of the product and the sample program beside it, built once for all processes."""

    def make(folder: Path) -> None:
        cmake_build(assembled(artefact_dir, folder), folder / "build", "-DBUILD_SHARED_LIBS=ON", *TOGETHER)

    build_dir = made_once("cpp-sdk", make) / "build"
    library = ctypes.CDLL(str(build_dir / "libmodelyard.so"))
    library.modelyard_message.restype = ctypes.c_char_p
    library.modelyard_free.argtypes = [ctypes.c_void_p]
    return library, build_dir / "modelyard-sample"


@dataclass(frozen=True)
class Language:
    """A language whose programs call the C functions, by the sample that the product holds."""

    title: str
    compiler: tuple[str, str]
    """The program and its Debian package."""
    runner: tuple[str, str] | None
    """The same of what runs the program; None: it runs by itself."""
    build: tuple[str, ...]
    """Arguments of the compiler, in the folder of the sample; the program's path follows."""
    sources: tuple[str, ...] = ()
    """Arguments behind it."""

    @property
    def name(self) -> str:
        """The folder of its sample."""
        return self.title.lower().replace("#", "sharp")

    def tools(self) -> tuple[str, ...]:
        """Versions of what compiles and runs its programs."""
        programs = [each for each in (self.compiler, self.runner) if each is not None]
        shown = [subprocess.run([needed(*each), "--version"], capture_output=True, text=True, check=True) for each in programs]
        return tuple(done.stdout.splitlines()[0].strip() for done in shown)


C_SHARP = Language(
    "C#", ("mcs", "mono-mcs"), ("mono", "mono-runtime"), ("-warnaserror", "-out:{}"), ("Modelyard.cs", "Sample.cs")
)
GO = Language("Go", ("gccgo-12", "gccgo-12"), None, ("build", "-compiler", "gccgo", "-o", "{}"), (".",))
LANGUAGES = (C_SHARP, GO)


def sample_of(language: Language, artefact_dir: Path) -> list[str]:
    """The command of a language's sample program, built once for all processes against the library of the product."""
    build_dir = library_built(artefact_dir)[1].parent

    def make(folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        compiler = needed(*language.compiler)
        # gccgo brings `go`, which calls it, under a name with its version.
        command = [compiler.replace("gccgo", "go"), *(each.format(folder / "sample") for each in language.build)]
        environment = os.environ | {"CGO_LDFLAGS": f"-L{build_dir}", "GOCACHE": str(folder / "cache")}
        source = build_dir.parent / "birds-cpp" / "sample" / language.name
        done = subprocess.run([*command, *language.sources], cwd=source, env=environment, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]

    program = str(made_once(f"cpp-sdk-{language.name}", make) / "sample")
    return ["env", f"LD_LIBRARY_PATH={build_dir}", *([needed(*language.runner)] if language.runner else []), program]


def ids_program(place: Path) -> Path:
    """A program that gives the ids of the library's own tokenizer: the file, and texts on standard input, a NUL behind each."""
    folder = assembled(text_artefact_write(place / "artefact"), place)
    sources = "".join(
        f'#include "{path}"\n' for path in (IDS_SOURCE, *(folder / "src" / f"{name}.cpp" for name in TOKENIZER_SOURCES))
    )
    program = place / "ids"
    flags = ["-std=c++17", "-O1", *STRICT.split(), f"-I{folder / 'src'}", f"-I{folder / 'include'}"]
    command = [needed("c++", "g++"), *flags, "-x", "c++", "-", "-o", str(program)]
    done = subprocess.run(command, input=sources, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    return program


def needed(program: str, package: str) -> str:
    """Where a program is; the test fails where it is not."""
    found = shutil.which(program)
    assert found, f"{program} is not installed: `apt-get install {package}`, then run the tests again."
    return found


def json_of(command: Sequence[str], **settings) -> dict:
    """The last line that a program prints, as JSON."""
    done = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", timeout=240, **settings)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return json.loads(done.stdout.strip().splitlines()[-1])
