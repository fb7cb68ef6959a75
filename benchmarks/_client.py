"""A load generator for machines without wrk: ``python -m benchmarks._client HOST PORT CONNECTIONS SECONDS REQUEST_FILE``.

Sends the same bytes over keep-alive connections as fast as they are answered, and prints one JSON line.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path


async def connection(host: str, port: int, request: bytes, until: float, taken: list[float]) -> int:
    reader, writer = await asyncio.open_connection(host, port)
    errors = 0
    while time.perf_counter() < until:
        began_at = time.perf_counter()
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        (length,) = [int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        await reader.readexactly(length)
        taken.append(time.perf_counter() - began_at)
        errors += b" 200 " not in head[:16]
    writer.close()
    return errors


async def main() -> None:
    host, port, num_connections, seconds, file = sys.argv[1:]
    request = Path(file).read_bytes()
    taken: list[float] = []
    began_at = time.perf_counter()
    until = began_at + float(seconds)
    errors = await asyncio.gather(*[connection(host, int(port), request, until, taken) for _ in range(int(num_connections))])
    taken.sort()
    shown = {
        "num_requests": len(taken),
        "num_errors": sum(errors),
        "seconds": time.perf_counter() - began_at,
        "p50_ms": taken[len(taken) // 2] * 1000,
        "p99_ms": taken[int(len(taken) * 0.99)] * 1000,
    }
    print(json.dumps(shown))


if __name__ == "__main__":
    asyncio.run(main())
