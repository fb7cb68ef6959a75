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

const [model, shape, input, output] = process.argv.slice(2);
ort.env.wasm.numThreads = 1;
const session = await ort.InferenceSession.create(new Uint8Array(await readFile(model)), { executionProviders: ['wasm'] });
const picture = new ort.Tensor('uint8', new Uint8Array(await readFile(input)), JSON.parse(shape));
const answer = (await session.run({ picture }))[session.outputNames[0]];
await writeFile(output, new Uint8Array(answer.data.buffer, answer.data.byteOffset, answer.data.byteLength));
console.log(JSON.stringify(answer.dims));
"""


def run(model, pictures):
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "node_modules").symlink_to(FRONTEND / "node_modules")
        (folder / "run.mjs").write_text(_PROGRAM)
        (folder / "input").write_bytes(np.ascontiguousarray(pictures).tobytes())
        command = [str(node_folder() / "node"), "run.mjs", str(model), json.dumps(pictures.shape), "input", "output"]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return np.frombuffer((folder / "output").read_bytes(), np.float32).reshape(json.loads(done.stdout))
