"""CPython: multiprocessing in its three ways of starting, its objects, sub-processes and asyncio."""
import asyncio
import concurrent.futures
import errno
import math
import multiprocessing as mp
import socket
import subprocess
import sys
import threading
from multiprocessing import shared_memory

import cases


def squash(x):
    return 1 / (1 + math.exp(-x))


def put(queue, lock, counter, name):
    memory = shared_memory.SharedMemory(name=name)
    with lock:
        counter.value += 1
        memory.buf[0] += 1
    queue.put(mp.current_process().pid)
    memory.close()


def workers(way):
    context = mp.get_context(way)
    memory = shared_memory.SharedMemory(create=True, size=1 << 16)
    queue, lock, counter = context.Queue(), context.Lock(), context.Value("i", 0)
    started = [context.Process(target=put, args=(queue, lock, counter, memory.name)) for _ in range(2)]
    for p in started:
        p.start()
    pids = {queue.get(timeout=60) for _ in started}
    for p in started:
        p.join()
        assert p.exitcode == 0, (way, p.exitcode)
    assert len(pids) == 2 and counter.value == 2 and memory.buf[0] == 2, way
    memory.close()
    memory.unlink()
    with context.Pool(2) as pool:
        assert pool.map(squash, [0.0, 0.0]) == [0.5, 0.5]


async def talk():
    process = await asyncio.create_subprocess_exec("/bin/cat", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    out, _ = await process.communicate(b"through a pipe")
    assert out == b"through a pipe"


def refused():
    """That the filter is there at all."""
    try:
        socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    except OSError as e:
        assert e.errno == errno.EPERM
    else:
        raise AssertionError("an internet socket was opened")


def main():
    data = cases.read()
    for way in ("fork", "forkserver", "spawn"):
        workers(way)
    with mp.Manager() as manager:  # a server behind an AF_UNIX socket
        shared = manager.dict()
        shared["a"] = 1
        assert dict(shared) == {"a": 1}
    asyncio.run(talk())
    assert subprocess.run([sys.executable, "-c", "print(1)"], capture_output=True, check=True).stdout == b"1\n"
    local = threading.local()
    thread = threading.Thread(target=setattr, args=(local, "x", 1))
    thread.start()
    thread.join()
    refused()
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        cases.write([i for i, _ in data], pool.map(squash, [x for _, x in data]))


if __name__ == "__main__":
    main()
