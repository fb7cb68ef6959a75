"""Items a second of a batch prediction, against the predictor called in a loop, for each kind of items.

The job does more for an item: it reads it out of what was sent, makes a thumbnail or an excerpt, and writes its result where a
kill does not lose it. The models are tiny, so that this is most of what is measured: with a real one the ratio is nearer to 1.
Rows gain instead, since they are asked about a thousand at a time. CPU time of the process, all threads.
"""

from __future__ import annotations

import json

from benchmarks._served_project import served_project
from benchmarks.harness import Claim, Options, main

TARGETS = {"image": 0.4, "text": 0.4, "row": 4.0}
PREDICTING = """
import django, io, json, os, statistics, sys, tempfile, time, uuid
from pathlib import Path
os.environ["DJANGO_SETTINGS_MODULE"] = "studio.config.settings"
django.setup()
from django.conf import settings
settings.ALLOWED_HOSTS.append("testserver")
from PIL import Image
from runtime.predictor import Predictor
from studio.jobs.handlers import job_run
from studio.jobs.models import Job
from studio.predictions.entries import Content
from studio.predictions.items import predicted_items
from studio.predictions.models import PredictionRun
from studio.predictions.services import run_files_start
from tests.support.project_setup import InMemoryReporter, zip_of
from tests.studio.predictions.material import MATERIAL, artefact_place, setup_of, sent
kind, num, rounds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
def picture(n):
    out = io.BytesIO()
    image = Image.radial_gradient("L").rotate(n).resize((640, 480))
    Image.merge("RGB", (image, image.rotate(90), image.rotate(180))).save(out, "JPEG", quality=85)
    return out.getvalue()
if kind == "image":
    known = [picture(n) for n in range(min(num, 50))]
    files = {f"{n:06}.jpg": known[n % len(known)] for n in range(num)}
    contents, name, data = [Content(one) for one in files.values()], "many.zip", zip_of(files)
elif kind == "text":
    texts = ["good " * 20 + f"number {n} is a cat, and the dog was late" for n in range(num)]
    contents, name = [Content(one.encode()) for one in texts], "many.jsonl"
    data = "".join(json.dumps({"text": one}) + chr(10) for one in texts).encode()
else:
    head = ["age", "city", "income", "since", "note"]
    cells = [[str(20 + n % 60), "Graz", f"{n % 900}00,5", "01.02.2021", f"note {n % 30}"] for n in range(num)]
    contents, name = [dict(zip(head, row)) for row in cells], "many.csv"
    data = chr(10).join(";".join(row) for row in [head, *cells]).encode()
place = setup_of(kind, f"{uuid.uuid4().hex}@example.org")
artefact = artefact_place(place, MATERIAL[kind].version(place), MATERIAL[kind].model(Path(tempfile.mkdtemp()) / kind))
predictor, items = Predictor(), predicted_items(artefact.facts)
from studio.registry.selectors import artefact_folder
predictor.setup(artefact_folder(artefact))
def in_job():
    run = run_files_start(dataset=place.dataset, artefact=artefact, uploads=[sent(place, name, data)], actor=place.actor)
    start = time.process_time()
    job_run(Job.objects.get(id=run.job_id), InMemoryReporter())
    used = time.process_time() - start
    run = PredictionRun.objects.get(id=run.id)
    assert (run.num_results, run.num_failed) == (num, 0), (run.num_results, run.num_failed)
    return used
def in_loop():
    start = time.process_time()
    for content in contents:
        decoded = items.read(predictor, [content])
        json.dumps(predictor.passing(predictor.predict_many(decoded)[0], decoded))
    return time.process_time() - start
pairs = [(in_job(), in_loop()) for _ in range(rounds + 1)][1 if rounds > 1 else 0 :]
ours, loop = (num / statistics.median(each) for each in zip(*pairs))
print(json.dumps({"ours": ours, "loop": loop, "ratio": statistics.median(theirs / own for own, theirs in pairs)}))
"""


def measure(options: Options) -> list[Claim]:
    """A claim for each kind."""
    sizes = options.pick(
        {"image": 600, "text": 6_000, "row": 20_000},
        smoke=dict.fromkeys(TARGETS, 8),
        quick={"image": 200, "text": 2_000, "row": 5_000},
    )
    claims = []
    with served_project("sqlite", 0) as place:
        for kind, target in TARGETS.items():
            output = place.run("-c", PREDICTING, kind, str(sizes[kind]), str(options.num_rounds))
            found = json.loads(output.splitlines()[-1])
            metric = f"items/s of a batch prediction, {kind}, {sizes[kind]} of them; anchor: the predictor in a loop"
            claims.append(Claim("predict_many", metric, found["ours"], found["loop"], found["ratio"], target))
    return claims


if __name__ == "__main__":
    main(measure)
