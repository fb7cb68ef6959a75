"""Programs that call a deployment, ready to paste. They use nothing but what comes with each language."""

from __future__ import annotations

from dataclasses import dataclass

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


@dataclass(frozen=True)
class Snippets:
    """One program a language; each reads the key from the environment variable ``MODELYARD_KEY``."""

    curl: str
    python: str
    javascript: str


def snippets_of(url: str) -> Snippets:
    """The programs for an address."""
    return Snippets(
        curl=_CURL.format(url=url, key=KEY_PLACEHOLDER),
        python=_PYTHON.format(url=url, key=KEY_PLACEHOLDER),
        javascript=_JAVASCRIPT.format(url=url, key=KEY_PLACEHOLDER),
    )
