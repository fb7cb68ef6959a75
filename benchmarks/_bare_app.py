"""The least a Python server can do: a bare ASGI application without key, limits, metrics or log.

``python -m benchmarks._bare_app ARTEFACT PORT SECRET``; the last is there so that all servers are started alike.
"""

from __future__ import annotations

import asyncio
import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import uvicorn

from runtime.predictor import Predictor

predictor = Predictor()
pool = ThreadPoolExecutor(2)
is_tiny = False


def answer(body: bytes) -> bytes:
    item = predictor.decode(body)
    return json.dumps(predictor.encode(predictor.predict(item), item)).encode()


async def app(scope, receive, send) -> None:
    if scope["type"] == "lifespan":
        while True:
            message = await receive()
            await send({"type": message["type"] + ".complete"})
            if message["type"] == "lifespan.shutdown":
                return
    body = b""
    while scope["method"] == "POST":
        message = await receive()
        body += message["body"]
        if not message["more_body"]:
            break
    if not body:
        content = b"{}"
    elif is_tiny:
        content = answer(body)
    else:
        content = await asyncio.get_running_loop().run_in_executor(pool, answer, body)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(content)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": content})


if __name__ == "__main__":
    predictor.setup(Path(sys.argv[1]))
    # Each model gets the arrangement that suits it: for a tiny one a thread costs more than the model.
    is_tiny = (Path(sys.argv[1]) / "model.onnx").stat().st_size < 100_000
    uvicorn.run(app, port=int(sys.argv[2]), log_level="warning", access_log=False, server_header=False, date_header=False)
