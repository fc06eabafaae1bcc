"""Load test of ``xiangqi api`` on loopback: rulings a second, latency, memory.

``python -m bench.api_load`` starts the service with each number of workers and sends the same game
repeatedly over persistent connections, up to a number of requests or a time. Clients are processes
on the same machine and share its cores; the last column is the load average at the end. Linux only
(reads /proc).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from typing import Final

GAME: Final = {
    "fen": "9/4k4/9/9/9/9/9/9/2p6/3K1RBc1 w",
    "moves": "f0e0 e8f8 e0f0 f8e8 f0e0 e8f8 e0f0 f8e8".split(),
}
"""A perpetual check of eight plies, to be ruled on with evidence."""
WARM_UP: Final = 200


@dataclass(frozen=True, slots=True)
class Load:
    """Measurements of one client."""

    latencies: tuple[float, ...]
    """Seconds for each request."""
    seconds: float


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of one number of workers."""

    workers: int
    clients: int
    requests: int
    rate: float
    """Rulings a second."""
    p50_ms: float
    p99_ms: float
    memory_mb: tuple[float, float]
    """Resident memory of all processes, after the warm-up and at the end."""
    cpu_ms: float
    """CPU time of the service for each request; depends little on other load."""


def send_requests(port: int, count: int, seconds: float) -> Load:
    """Send requests over one connection until the count or the time is reached."""
    body = json.dumps(GAME).encode()
    head = f"POST /v1/judge HTTP/1.1\r\nHost: a\r\nContent-Length: {len(body)}\r\n"
    request = f"{head}Content-Type: application/json\r\n\r\n".encode() + body
    latencies: list[float] = []
    began = time.perf_counter()
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        while len(latencies) < count and time.perf_counter() - began < seconds:
            sent = time.perf_counter()
            connection.sendall(request)
            require_ruling(read_answer(connection))
            latencies.append(time.perf_counter() - sent)
    return Load(tuple(latencies), time.perf_counter() - began)


def read_answer(connection: socket.socket) -> bytes:
    """Read a complete response."""
    data = b""
    while b"\r\n\r\n" not in data:
        data += receive(connection)
    head, _, body = data.partition(b"\r\n\r\n")
    found = re.search(rb"content-length: (\d+)", head.lower())
    if found is None:
        raise RuntimeError(f"{head!r}: expected a Content-Length")
    while len(body) < int(found[1]):
        body += receive(connection)
    return head + b"\r\n\r\n" + body


def receive(connection: socket.socket) -> bytes:
    """Receive some bytes. Raises RuntimeError at the end of the connection."""
    data = connection.recv(1 << 16)
    if not data:
        raise RuntimeError("the service has closed the connection")
    return data


def require_ruling(answer: bytes) -> None:
    """Raise RuntimeError unless the response is the correct ruling."""
    if not answer.startswith(b"HTTP/1.1 200 ") or b'"verdict":"black_wins"' not in answer:
        raise RuntimeError(f"{answer[:200]!r}: expected the ruling 'black_wins'")


@contextmanager
def running_service(workers: int) -> Iterator[tuple[int, int]]:
    """Run the service; yields its process id and its port."""
    command = [sys.executable, "-u", "-m", "xiangqi", "api", "--port", "0", "--no-log"]
    with subprocess.Popen(
        [*command, "--workers", str(workers)], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            found = re.search(r":(\d+)/", line)
            if found is None:
                raise RuntimeError(f"{line!r}: expected the address of the service")
            yield process.pid, int(found[1])
        finally:
            process.terminate()


def memory_of(process: int) -> float:
    """Resident memory of a process and its children, in megabytes."""
    found = re.search(r"VmRSS:\s*(\d+)", Path(f"/proc/{process}/status").read_text())
    own = int(found[1]) / 1024 if found else 0.0
    return own + sum(map(memory_of, children_of(process)))


def cpu_of(process: int) -> float:
    """CPU time of a process and its children, in seconds."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return own + sum(map(cpu_of, children_of(process)))


def children_of(process: int) -> list[int]:
    """Process ids of the children of a process."""
    return [*map(int, Path(f"/proc/{process}/task/{process}/children").read_text().split())]


def measure(workers: int, clients: int, requests: int, seconds: float) -> Figures:
    """Measure the service with this number of workers."""
    with running_service(workers) as (process, port), ProcessPoolExecutor(clients) as pool:
        jobs = [pool.submit(send_requests, port, WARM_UP, seconds) for _ in range(clients)]
        for job in jobs:
            job.result()
        before, spent = memory_of(process), cpu_of(process)
        share = requests // clients
        jobs = [pool.submit(send_requests, port, share, seconds) for _ in range(clients)]
        loads = [job.result() for job in jobs]
        after, spent = memory_of(process), cpu_of(process) - spent
    return summarize(workers, loads, (before, after), spent)


def summarize(
    workers: int, loads: Sequence[Load], memory_mb: tuple[float, float], cpu_s: float
) -> Figures:
    """Combine the measurements of all clients."""
    latencies = [one * 1e3 for load in loads for one in load.latencies]
    return Figures(
        workers=workers,
        clients=len(loads),
        requests=len(latencies),
        rate=len(latencies) / max(load.seconds for load in loads),
        p50_ms=median(latencies),
        p99_ms=quantiles(latencies, n=100)[98],
        memory_mb=memory_mb,
        cpu_ms=1e3 * cpu_s / len(latencies),
    )


def main() -> None:
    """Measure and print a row for each number of workers."""
    parser = argparse.ArgumentParser(prog="python -m bench.api_load", description=__doc__)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2], metavar="N")
    parser.add_argument("--clients", type=int, default=4, metavar="N")
    parser.add_argument("--requests", type=int, default=100_000, metavar="N")
    parser.add_argument("--seconds", type=float, default=300.0, metavar="S")
    options = parser.parse_args()
    print(
        "| workers | clients | requests | rulings/s | p50 (ms) | p99 (ms) | CPU (ms) "
        "| memory (MB) | load |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for workers in options.workers:
        found = measure(workers, options.clients, options.requests, options.seconds)
        before, after = found.memory_mb
        print(
            f"| {found.workers} | {found.clients} | {found.requests:,} | {found.rate:,.0f} "
            f"| {found.p50_ms:.1f} | {found.p99_ms:.1f} | {found.cpu_ms:.2f} "
            f"| {before:.0f}, then {after:.0f} | {os.getloadavg()[0]:.0f} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
