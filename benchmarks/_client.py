"""A load generator for machines without wrk: ``python -m benchmarks._client HOST PORT CONNECTIONS SECONDS REQUEST_FILE``.

Sends the same bytes over keep-alive connections as fast as they are answered, and prints one JSON line.
"""

from __future__ import annotations

import asyncio
import json
import sys
import time
from pathlib import Path


async def connection(host: str, port: int, request: bytes, until: float, times_s: list[float]) -> int:
    reader, writer = await asyncio.open_connection(host, port)
    errors = 0
    while time.perf_counter() < until:
        began_at = time.perf_counter()
        writer.write(request)
        head = await reader.readuntil(b"\r\n\r\n")
        (length,) = [int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        await reader.readexactly(length)
        times_s.append(time.perf_counter() - began_at)
        errors += b" 200 " not in head[:16]
    writer.close()
    return errors


async def main() -> None:
    host, port, num_connections, seconds, file = sys.argv[1:]
    request = Path(file).read_bytes()
    times_s: list[float] = []
    began_at = time.perf_counter()
    until = began_at + float(seconds)
    errors = await asyncio.gather(*[connection(host, int(port), request, until, times_s) for _ in range(int(num_connections))])
    times_s.sort()
    shown = {
        "num_requests": len(times_s),
        "num_errors": sum(errors),
        "seconds": time.perf_counter() - began_at,
        "p50_ms": times_s[len(times_s) // 2] * 1000,
        "p99_ms": times_s[int(len(times_s) * 0.99)] * 1000,
    }
    print(json.dumps(shown))


if __name__ == "__main__":
    asyncio.run(main())
