"""onnxruntime-web: the WebAssembly that browsers run, in Node.js."""

import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from studio.config.node import FRONTEND, node_folder

_PROGRAM = """
import { readFile, writeFile } from 'node:fs/promises';
import * as ort from 'onnxruntime-web';

const [model, shapes] = process.argv.slice(2);
ort.env.wasm.numThreads = 1;
const session = await ort.InferenceSession.create(new Uint8Array(await readFile(model)), { executionProviders: ['wasm'] });
const found = [];
for (const [number, shape] of JSON.parse(shapes).entries()) {
  const picture = new ort.Tensor('uint8', new Uint8Array(await readFile(`input-${number}`)), shape);
  const answer = (await session.run({ [session.inputNames[0]]: picture }))[session.outputNames[0]];
  await writeFile(`output-${number}`, new Uint8Array(answer.data.buffer, answer.data.byteOffset, answer.data.byteLength));
  found.push(answer.dims);
}
console.log(JSON.stringify(found));
"""


def answers(model, batches):
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "node_modules").symlink_to(FRONTEND / "node_modules")
        (folder / "run.mjs").write_text(_PROGRAM)
        for number, pictures in enumerate(batches):
            (folder / f"input-{number}").write_bytes(np.ascontiguousarray(pictures).tobytes())
        command = [str(node_folder() / "node"), "run.mjs", str(model), json.dumps([pictures.shape for pictures in batches])]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        shapes = enumerate(json.loads(done.stdout))
        return [
            np.frombuffer((folder / f"output-{number}").read_bytes(), np.float32).reshape(shape) for number, shape in shapes
        ]
