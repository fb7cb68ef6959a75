"""Programs that call a deployment, ready to paste. They use nothing but what comes with each language."""

from __future__ import annotations

from dataclasses import dataclass

from automl.contracts.task import Modality

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


@dataclass(frozen=True)
class Snippets:
    """One program a language; each reads the key from the environment variable ``MODELYARD_KEY``."""

    curl: str
    python: str
    javascript: str


_OF_MODALITY = {
    Modality.IMAGE: Snippets(curl=_CURL, python=_PYTHON, javascript=_JAVASCRIPT),
    Modality.TEXT: Snippets(curl=_TEXT_CURL, python=_TEXT_PYTHON, javascript=_TEXT_JAVASCRIPT),
}


def snippets_of(url: str, modality: Modality) -> Snippets:
    """The programs for an address whose model reads pictures or texts."""
    drawn = _OF_MODALITY[modality]
    return Snippets(
        curl=drawn.curl.format(url=url, key=KEY_PLACEHOLDER),
        python=drawn.python.format(url=url, key=KEY_PLACEHOLDER),
        javascript=drawn.javascript.format(url=url, key=KEY_PLACEHOLDER),
    )
