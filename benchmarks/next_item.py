"""From the key that labels a picture to the next one painted, in a real browser, with 100,000 pictures in the project.

The anchor has nothing fetched ahead: each picture is asked for when its turn comes. Wall time counts, since it is what a person
waits.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import statistics
import sys
from contextlib import closing

from benchmarks._platform import walking
from benchmarks.harness import Claim, Options, SkippedError, main
from tests.e2e.pages import sign_in
from tests.journeys.walk import Walk, zipped
from tests.support.photos import jpeg

SIZE = (800, 600)
PACE_MS = 400
"""Between two keys: a quick labeller."""
PATIENCE_MS = 120_000
"""For the first picture, which a busy machine may keep waiting; nothing is measured by then."""
TARGET_MS = 100.0
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"]

RECORD = """() => {
  window.waits = []
  const picture = () => document.querySelector('main img')
  document.addEventListener('keydown', () => {
    const [start, before] = [performance.now(), picture()?.src]
    const look = async () => {
      const now = picture()
      if (!now || now.src === before || !now.complete || !now.naturalWidth) return requestAnimationFrame(look)
      await now.decode().catch(() => undefined)
      requestAnimationFrame(() => window.waits.push(performance.now() - start))
    }
    requestAnimationFrame(look)
  }, { capture: true })
}"""

ASK = """async ([project, skip]) => {
  const start = performance.now()
  const csrf = document.cookie.split('; ').find((one) => one.startsWith('csrftoken='))?.slice(10) ?? ''
  const headers = { 'content-type': 'application/json', 'x-csrftoken': csrf }
  const body = JSON.stringify({ project, skip, prefetch: 1 })
  const answer = await (await fetch('/api/labeling/assignments', { method: 'POST', headers, body })).json()
  const picture = new Image()
  picture.src = answer.items[0].picture_url
  await picture.decode()
  await new Promise((resolve) => requestAnimationFrame(resolve))
  return [answer.items[0].id, performance.now() - start]
}"""


def measure(options: Options) -> list[Claim]:
    """Median over key presses, a person's pace apart."""
    try:
        from playwright.sync_api import sync_playwright  # the extra `dev` brings it
    except ImportError as error:
        raise SkippedError("playwright is not installed") from error
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if program is None:
        raise SkippedError("Chromium is not installed")
    num_items, num_keys = options.pick((100_000, 60), smoke=(500, 3), quick=(100_000, 20))
    num_real = num_keys + 3 * options.num_rounds + 40
    with walking("efficientnet_lite0") as walk, sync_playwright() as player:
        project = _project(walk, num_items, num_real)
        browser = player.chromium.launch(executable_path=program, args=FLAGS)
        page = browser.new_page()
        sign_in(page, walk)
        page.goto(f"{walk.platform.url}/projects/{project}/labelling")
        page.locator("main img").first.wait_for(timeout=PATIENCE_MS)
        page.wait_for_timeout(1500)
        page.evaluate(RECORD)
        for index in range(num_keys):
            page.keyboard.press(str(index % 2 + 1))
            page.wait_for_timeout(PACE_MS)
        ours = sorted(page.evaluate("window.waits"))
        page.goto("about:blank")
        page.goto(f"{walk.platform.url}/projects")
        contestants, skip = [], []
        for _ in range(options.num_rounds * 3):
            item, wait_ms = page.evaluate(ASK, [project, skip])
            skip.append(item)
            contestants.append(wait_ms)
        browser.close()
    if len(ours) < num_keys:
        raise RuntimeError(f"only {len(ours)} of {num_keys} pictures came")
    p50, p95, naive = statistics.median(ours), ours[int(len(ours) * 0.95)], statistics.median(contestants)
    sys.stderr.write(f"ms to the next picture: p50 {p50:.0f}, p95 {p95:.0f}; asked for when needed: {naive:.0f}\n")
    what = f"{num_items:,} pictures, {num_keys} keys"
    return [
        Claim("next_item", f"ms from key to picture painted, p50, {what}", p50, naive, p50, TARGET_MS, is_at_most=True),
        Claim("next_item", f"ms from key to picture painted, p95, {what}", p95, naive, p95, TARGET_MS, is_at_most=True),
    ]


def _project(walk: Walk, num_items: int, num_real: int) -> str:
    """A project of many pictures of which the first are really there; nobody gets to the others."""
    project = walk.project()
    pictures = {f"{index:05}.jpg": jpeg(SIZE, index) for index in range(num_real)}
    walk.upload(project["dataset"], zipped(pictures), labels="none")
    walk.call("PUT", f"/projects/{project['id']}/labels", json={"labels": [{"name": "one"}, {"name": "two"}]})
    walk.call("PUT", "/labeling/assist", json={"project": project["id"], "strategy": "oldest"})
    with closing(sqlite3.connect(walk.platform.home / "modelyard.sqlite3", timeout=60)) as database, database:
        columns = [row[1] for row in database.execute("PRAGMA table_info(datasets_item)")]
        made = {"id": "'itm_zz' || printf('%020d', n)", "blob": "printf('%064x', n)", "name": "printf('%08d.jpg', n)"}
        values = ", ".join(made.get(column, f'"{column}"') for column in columns)
        names = ", ".join(f'"{column}"' for column in columns)
        database.execute(
            f"WITH RECURSIVE counter(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < {num_items - num_real}) "
            f"INSERT INTO datasets_item ({names}) SELECT {values} FROM counter, "
            f"(SELECT * FROM datasets_item WHERE dataset_id = ? LIMIT 1)",
            (project["dataset"],),
        )
    return str(project["id"])


if __name__ == "__main__":
    main(measure)
