"""Programs that call a deployment, ready to paste. They use nothing but what comes with each language."""

from __future__ import annotations

import json
import shlex
from dataclasses import dataclass

from automl.contracts.artefact import ArtefactManifest, RowDecode
from automl.contracts.task import Modality, OutputKind
from exporters.items.row import row_example

KEY_PLACEHOLDER = "MODELYARD_KEY"

_CURL = """curl -X POST "{url}" \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/octet-stream" \\
  --data-binary @picture.jpg"""

_PYTHON = """import json, os, urllib.request

with open("picture.jpg", "rb") as file:
    picture = file.read()
request = urllib.request.Request(
    "{url}",
    data=picture,
    headers={{
        "Authorization": f"Bearer {{os.environ['{key}']}}",
        "Content-Type": "application/octet-stream",
    }},
)
with urllib.request.urlopen(request) as response:
    answer = json.load(response)
for annotation in answer["predictions"][0]["annotations"]:
    print(annotation["label"], annotation["score"])"""

_JAVASCRIPT = """import {{ readFile }} from "node:fs/promises";

const response = await fetch("{url}", {{
  method: "POST",
  headers: {{
    Authorization: `Bearer ${{process.env.{key}}}`,
    "Content-Type": "application/octet-stream",
  }},
  body: await readFile("picture.jpg"),
}});
const answer = await response.json();
if (!response.ok) throw new Error(answer.detail);
for (const annotation of answer.predictions[0].annotations) {{
  console.log(annotation.label, annotation.score);
}}"""

_TEXT_CURL = """curl -X POST "{url}" \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d '{{"text": "The text to read."}}'"""

_TEXT_PYTHON = """import json, os, urllib.request

texts = ["The first text to read.", "Another one."]
request = urllib.request.Request(
    "{url}",
    data=json.dumps({{"texts": texts}}).encode(),
    headers={{
        "Authorization": f"Bearer {{os.environ['{key}']}}",
        "Content-Type": "application/json",
    }},
)
with urllib.request.urlopen(request) as response:
    answer = json.load(response)
for text, prediction in zip(texts, answer["predictions"]):
    for annotation in prediction["annotations"]:
        print(annotation["label"], annotation["score"], text)"""

_TEXT_JAVASCRIPT = """const texts = ["The first text to read.", "Another one."];
const response = await fetch("{url}", {{
  method: "POST",
  headers: {{
    Authorization: `Bearer ${{process.env.{key}}}`,
    "Content-Type": "application/json",
  }},
  body: JSON.stringify({{ texts }}),
}});
const answer = await response.json();
if (!response.ok) throw new Error(answer.detail);
answer.predictions.forEach((prediction, place) => {{
  for (const annotation of prediction.annotations) {{
    console.log(annotation.label, annotation.score, texts[place]);
  }}
}});"""

_ROW_CURL = """curl -X POST "{url}" \\
  -H "Authorization: Bearer ${key}" \\
  -H "Content-Type: application/json" \\
  -d {request}"""

_ROW_PYTHON = """import json, os, urllib.request

rows = [
{rows}
]
request = urllib.request.Request(
    "{url}",
    data=json.dumps({{"rows": rows}}).encode(),
    headers={{
        "Authorization": f"Bearer {{os.environ['{key}']}}",
        "Content-Type": "application/json",
    }},
)
with urllib.request.urlopen(request) as response:
    answer = json.load(response)
for prediction in answer["predictions"]:
    for annotation in prediction["annotations"]:
        print({python_said})"""

_ROW_JAVASCRIPT = """const rows = [
{json_rows}
];
const response = await fetch("{url}", {{
  method: "POST",
  headers: {{
    Authorization: `Bearer ${{process.env.{key}}}`,
    "Content-Type": "application/json",
  }},
  body: JSON.stringify({{ rows }}),
}});
const answer = await response.json();
if (!response.ok) throw new Error(answer.detail);
for (const prediction of answer.predictions) {{
  for (const annotation of prediction.annotations) {{
    console.log({javascript_said});
  }}
}}"""
_MOST_COLUMNS = 50
"""Of the row in a program: a model may read thousands."""


@dataclass(frozen=True)
class Snippets:
    """One program a language; each reads the key from the environment variable ``MODELYARD_KEY``."""

    curl: str
    python: str
    javascript: str


_OF_MODALITY = {
    Modality.IMAGE: Snippets(curl=_CURL, python=_PYTHON, javascript=_JAVASCRIPT),
    Modality.TEXT: Snippets(curl=_TEXT_CURL, python=_TEXT_PYTHON, javascript=_TEXT_JAVASCRIPT),
    Modality.TABULAR: Snippets(curl=_ROW_CURL, python=_ROW_PYTHON, javascript=_ROW_JAVASCRIPT),
}


def snippets_of(url: str, modality: Modality, facts: ArtefactManifest) -> Snippets:
    """The programs for an address.

    Args:
        url: the address.
        modality: what its model reads.
        facts: of the model; a row in a program has its columns, with cells that are typical of them.
    """
    drawn = _OF_MODALITY[modality]
    values = {"url": url, "key": KEY_PLACEHOLDER} | _row_values(facts)
    return Snippets(
        curl=drawn.curl.format(**values), python=drawn.python.format(**values), javascript=drawn.javascript.format(**values)
    )


def _row_values(facts: ArtefactManifest) -> dict[str, str]:
    if not isinstance(facts.decode, RowDecode):
        return {}
    row = row_example(facts.decode, _MOST_COLUMNS)
    is_number = facts.output is OutputKind.NUMBER
    return {
        "request": shlex.quote(json.dumps({"rows": [row]}, ensure_ascii=False)),
        "rows": f"    {row!r},",
        "json_rows": f"  {json.dumps(row, ensure_ascii=False)},",
        "python_said": 'annotation["value"]' if is_number else 'annotation["label"], annotation["score"]',
        "javascript_said": "annotation.value" if is_number else "annotation.label, annotation.score",
    }
