"""The command ``modelyard``: sign in, list, upload, cut versions, download, train, deploy, export, predict."""

from __future__ import annotations

import argparse
import getpass
import sys
from collections.abc import Sequence
from pathlib import Path

from modelyard.batch import FORMATS, BatchPrediction, form_of
from modelyard.client import Client, Project
from modelyard.credentials import Credentials, credentials_save
from modelyard.download import version_download
from modelyard.errors import ModelyardError
from modelyard.model_commands import model_commands_add
from modelyard.options import client_of
from modelyard.predicting import PredictOptions, deployment_find, predict_files
from modelyard.records import RefusedFile, UploadResult
from modelyard.terminal import Bar, JobBar, size_text, table
from modelyard.upload import CONCURRENCY

REFUSED_SHOWN = 20


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command; returns the exit status: 0 done, 1 refused or unreachable, 2 misspelt, 130 broken off."""
    options = _parser().parse_args(arguments)
    try:
        return int(options.run(options))
    except ModelyardError as error:
        print(f"{error.message}\n{error.hint}".strip(), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("\nBroken off. The same command goes on from here.", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="modelyard", description="Modelyard from the command line.")
    parser.add_argument("--url", help="address of the platform (else MODELYARD_URL, else that of `login`)")
    parser.add_argument("--key", help="API key (else MODELYARD_KEY, else that of `login`)")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    login = commands.add_parser("login", help="keep an address and an API key on this machine")
    login.add_argument("address", metavar="URL")
    login.set_defaults(run=_login)

    projects = commands.add_parser("projects", help="list the projects")
    projects.set_defaults(run=_projects)

    upload = commands.add_parser("upload", help="send pictures, texts, folders and archives; run again, it goes on")
    upload.add_argument("project", help="id or name")
    upload.add_argument("paths", nargs="+", metavar="PATH")
    upload.add_argument(
        "--labels",
        default="folder",
        metavar="SOURCE",
        help="where labels come from: folder (the default), none, csv; for archives also auto or a format's name, such as coco",
    )
    upload.add_argument("--jobs", type=int, default=CONCURRENCY, metavar="N", help="requests at a time")
    upload.add_argument("--quiet", action="store_true", help="no progress bar")
    upload.set_defaults(run=_upload)

    versions = commands.add_parser("versions", help="list the versions of a project, or cut one")
    versions.add_argument("project", help="id or name")
    versions.add_argument("--create", action="store_true", help="cut a version of what is there now")
    versions.add_argument("--note", default="", help="what is new in it")
    versions.set_defaults(run=_versions)

    download = commands.add_parser("download", help="save a version as a zip")
    download.add_argument("project", help="id or name")
    download.add_argument("--version", type=int, metavar="N", help="its number; the newest when absent")
    download.add_argument("--format", default="image_folder", help="name of an annotation format")
    download.add_argument("--output", metavar="FILE", help="where to; PROJECT-vN.zip when absent")
    download.set_defaults(run=_download)

    model_commands_add(commands)

    predict = commands.add_parser("predict", help="ask a deployed model about files: pictures, texts, or tables, each row")
    predict.add_argument("deployment", help="id, address or name")
    predict.add_argument("paths", nargs="+", metavar="FILE", help="for models of tables CSV or JSON Lines in UTF-8")
    predict.add_argument("--project", help="id or name, where several projects have such a deployment")
    predict.add_argument("--top", type=int, metavar="N", help="labels or boxes an item at most; of a row the best is written")
    predict.add_argument("--threshold", type=float, metavar="T", help="lowest score, 0 to 1")
    predict.add_argument("--scores", action="store_true", help="of rows: a column for the score of each label")
    predict.add_argument("--lenient", action="store_true", help="of rows: take cells that cannot be read as empty")
    predict.add_argument("--format", choices=("csv", "jsonl"), default="csv", help="csv (the default) or jsonl")
    predict.add_argument("--output", metavar="FILE", help="where to write; the terminal when absent")
    predict.set_defaults(run=_predict)
    _batch_parser(commands.add_parser("batch", help="have the server predict many items in a job, and save the results"))
    return parser


def _batch_parser(batch: argparse.ArgumentParser) -> None:
    batch.add_argument("project", help="id or name")
    batch.add_argument("paths", nargs="*", metavar="PATH", help="files, folders and archives; the project's items when absent")
    batch.add_argument("--model", type=int, metavar="N", help="its number; the one in production, else the newest, when absent")
    batch.add_argument("--version", type=int, metavar="N", help="the items of this version")
    batch.add_argument("--state", choices=("unlabelled", "annotated"), help="only such items")
    batch.add_argument("--split", choices=("train", "validation", "test"), help="only items of this split")
    batch.add_argument("--label", action="append", metavar="NAME", help="only items with one of these labels; may be repeated")
    batch.add_argument("--run", dest="prediction", metavar="ID", help="go on with one that was started before")
    batch.add_argument("--format", choices=FORMATS, help="when absent, what the output ends with, else csv")
    batch.add_argument("--output", metavar="FILE", help="where to save the results; ID.FORMAT when absent")
    batch.add_argument("--suggest", action="store_true", help="give the results to unlabelled items, as suggestions")
    batch.add_argument("--quiet", action="store_true", help="no progress bar")
    batch.set_defaults(run=_batch)


def _login(options: argparse.Namespace) -> int:
    key = options.key or (getpass.getpass("API key: ") if sys.stdin.isatty() else sys.stdin.readline()).strip()
    with Client(options.address, key) as client:
        num_projects = sum(1 for _ in client.projects())
    path = credentials_save(Credentials(options.address.rstrip("/"), key))
    print(f"Signed in to {options.address}; {num_projects} projects. The key is kept in {path}.")
    return 0


def _projects(options: argparse.Namespace) -> int:
    with client_of(options) as client:
        rows = [(one.id, one.name, one.task, str(one.num_items)) for one in client.projects()]
    print(table(("ID", "NAME", "TASK", "ITEMS"), rows))
    return 0


def _upload(options: argparse.Namespace) -> int:
    with client_of(options) as client:
        project = client.project(options.project)
        bar = Bar(sys.stderr, is_quiet=options.quiet)
        try:
            result = project.dataset.upload(
                *options.paths, labels=options.labels, progress=bar.show, wait=False, concurrency=max(1, options.jobs)
            )
        finally:
            bar.close()
        if result.jobs:
            _reading(client, project, result)
    _print_result(result)
    return 0


def _reading(client: Client, project: Project, result: UploadResult) -> None:
    """Waits for what the server still reads."""
    for place, job in enumerate(result.jobs):
        print(f"Reading ({place + 1} of {len(result.jobs)}) ...", file=sys.stderr)
        result.jobs[place] = client.wait(job.id)
        project.dataset.read_into(job, result)


def _print_result(result: UploadResult) -> None:
    print(
        f"{result.num_files} files: {result.num_new} new, {result.num_known} were there and not sent, "
        f"{result.num_duplicates} duplicates, {len(result.refused)} refused."
    )
    _print_refused(result.refused)
    if result.notes:
        print(f"{len(result.notes)} notes on what was taken:")
        _print_refused(result.notes)


def _print_refused(refused: Sequence[RefusedFile], *, rest: str = "the page Data, Uploads lists all") -> None:
    for one in refused[:REFUSED_SHOWN]:
        print(f"  {one.name}: {one.reason}")
    if len(refused) > REFUSED_SHOWN:
        print(f"  and {len(refused) - REFUSED_SHOWN} more; {rest}.")


def _versions(options: argparse.Namespace) -> int:
    with client_of(options) as client:
        project = client.project(options.project)
        if options.create:
            version = project.create_version(note=options.note)
            print(f"Version {version.number} ({version.id}): {version.num_items} items.")
            return 0
        rows = [
            (str(one.number), one.id, str(one.num_items), f"{one.created_at:%Y-%m-%d %H:%M}", one.note)
            for one in project.versions()
        ]
    print(table(("VERSION", "ID", "ITEMS", "MADE", "NOTE"), rows))
    return 0


def _download(options: argparse.Namespace) -> int:
    with client_of(options) as client:
        project = client.project(options.project)
        version = project.version(options.version) if options.version is not None else next(project.versions(), None)
        if version is None:
            raise ModelyardError("The project has no version yet.", hint="Cut one: `modelyard versions PROJECT --create`.")
        path = Path(options.output or f"{project.name.replace('/', '-')}-v{version.number}.zip")
        version_download(client, version, path, form=options.format)
    print(f"{path}: {size_text(path.stat().st_size)}.")
    return 0


def _predict(options: argparse.Namespace) -> int:
    predict_options = PredictOptions(
        top=options.top,
        threshold=options.threshold,
        has_scores=options.scores,
        is_lenient=options.lenient,
        is_jsonl=options.format == "jsonl",
    )
    with client_of(options) as client:
        deployment = deployment_find(client, options.deployment, options.project)
        if options.output is None:
            num_items = predict_files(deployment, options.paths, predict_options, sys.stdout)
        else:
            with Path(options.output).open("w", encoding="utf-8", newline="") as out:
                num_items = predict_files(deployment, options.paths, predict_options, out)
    print(f"{num_items:,} answered by {deployment.name}.", file=sys.stderr)
    return 0


def _batch(options: argparse.Namespace) -> int:
    form = options.format or (form_of(options.output) if options.output else "csv")
    with client_of(options) as client:
        prediction = _batch_started(client, options)
        ended = prediction.wait(progress=JobBar(sys.stderr, is_quiet=options.quiet).show)
        path = ended.download(options.output or f"{ended.id}.{form}", form=form)
        print(f"{path}: {ended.num_results:,} results by model {ended.model}, {ended.num_failed:,} failed.")
        if ended.num_failed:
            failed = [RefusedFile(one.name, one.code or "", one.reason) for one in ended.results(failed_only=True)]
            _print_refused(failed, rest="the results list all")
        if options.suggest:
            print(f"{ended.suggest():,} unlabelled items have suggestions.")
    return 0


def _batch_started(client: Client, options: argparse.Namespace) -> BatchPrediction:
    project = client.project(options.project)
    if options.prediction:
        found = client.batch_prediction(options.prediction)
        return found.resume() if found.job.state in {"cancelled", "failed"} else found
    named = {"state": options.state, "split": options.split, "labels": options.label}
    items = {name: value for name, value in named.items() if value}
    bar = Bar(sys.stderr, is_quiet=options.quiet)
    try:
        prediction = project.predict_batch(
            *options.paths, model=options.model, version=options.version, items=items or None, progress=bar.show
        )
    finally:
        bar.close()
    print(f"{prediction.id} runs on the server, whatever happens here: --run {prediction.id} finds it again.", file=sys.stderr)
    return prediction
