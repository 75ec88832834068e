"""Long runs: other threads go on, Ctrl-C ends them, memory stays flat, processes fork."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import transfeed
from conftest import FEED, large_file

HERE = os.path.dirname(__file__)


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    return large_file(tmp_path_factory.mktemp("large") / "large.mrss", 4 << 20)


def script(text, *words, **more):
    """A process that runs this."""
    command = [sys.executable, "-c", textwrap.dedent(text), *map(str, words)]
    return subprocess.Popen(command, cwd=HERE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


@pytest.mark.parametrize("threads", [0, 1])
def test_other_threads_go_on(large, threads):
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.005)

    ticker = threading.Thread(target=tick)
    ticker.start()
    start = time.monotonic()
    transfeed.convert(large, "video-sitemap", threads=threads, no_group=True)
    end = time.monotonic()
    done.set()
    ticker.join()
    seen = [tick for tick in ticks if start < tick < end]
    # with the interpreter locked, there would be none
    assert len(seen) > 10 and len(seen) > (end - start) / 0.2, (len(seen), end - start)


@pytest.mark.parametrize("threads", [0, 1])
def test_ctrl_c_ends_a_run(large, threads, tmp_path):
    process = script(
        """
        import sys, time, transfeed
        print("ready", flush=True)
        start = time.monotonic()
        try:
            while True:
                transfeed.convert_file(sys.argv[1], sys.argv[2], "video-sitemap", threads=int(sys.argv[3]))
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        """,
        large,
        tmp_path / "out.xml",
        threads,
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=60)
    assert out == "interrupted\n", errors
    assert time.monotonic() - sent < 10
    assert [name for name in os.listdir(tmp_path) if name.startswith(".")] == []


@pytest.mark.parametrize("threads", [0, 1])
def test_ctrl_c_ends_what_inflates(threads, tmp_path):
    import gzip

    small = tmp_path / "small.xml.gz"
    with gzip.open(small, "wb") as file:
        file.write(b"<rss version='2.0'><channel><title>T</title>\n")
        for _ in range(600):
            file.write(b"<item><title>Same</title><link>https://example.com/</link></item>\n" * 1000)
        file.write(b"</channel></rss>\n")
    assert small.stat().st_size < 1 << 18
    process = script(
        """
        import sys, transfeed
        print("ready", flush=True)
        try:
            transfeed.convert_file(sys.argv[1], sys.argv[2], "jsonl", threads=int(sys.argv[3]))
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        """,
        small,
        tmp_path / "out.jsonl",
        threads,
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.4)
    sent = time.monotonic()
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=60)
    assert out == "interrupted\n", errors
    assert time.monotonic() - sent < 5
    assert os.listdir(tmp_path) == ["small.xml.gz"]


def test_an_exception_ends_a_migration(tmp_path):
    from conftest import SAMPLES

    # more events than a pipe holds
    (tmp_path / "in").mkdir()
    for number in range(60):
        (tmp_path / "in" / f"{number}.mrss").write_bytes((SAMPLES / "catalogue.mrss").read_bytes())
    process = script(
        """
        import sys, transfeed

        def stop(file):
            raise KeyboardInterrupt

        try:
            transfeed.migrate(sys.argv[1], sys.argv[2], "jsonl", on_file=stop)
        except KeyboardInterrupt:
            print("stopped", flush=True)
        """,
        tmp_path / "in",
        tmp_path / "out",
    )
    try:
        out, errors = process.communicate(timeout=30)
    finally:
        process.kill()
    assert out == "stopped\n", errors
    # what was begun is whole, and nothing is half-written
    assert [name for name in os.listdir(tmp_path / "out") if name.endswith(".tmp")] == []


def test_a_reader_is_asked_while_it_reads(large):
    process = script(
        """
        import sys, threading, transfeed
        entries = transfeed.read(sys.argv[1])
        done = threading.Event()

        def ask():
            while not done.is_set():
                entries.diagnostics

        asking = threading.Thread(target=ask)
        asking.start()
        count = sum(1 for _ in entries)
        done.set()
        asking.join()
        print(count > 1000)
        """,
        large,
    )
    try:
        out, errors = process.communicate(timeout=120)
    finally:
        process.kill()
    assert out == "True\n", errors


def test_memory_is_flat_with_many_findings(tmp_path):
    pages = b"<url><loc>http://example.com/ x</loc><lastmod>x</lastmod></url>\n"
    head = b'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    peaks = []
    for count in (10_000, 60_000):
        path = tmp_path / f"{count}.xml"
        path.write_bytes(head + pages * count + b"</urlset>")
        process = script(
            """
            import sys, transfeed
            found = transfeed.validate(sys.argv[1], threads=1)
            assert found.truncated and sum(1 for _ in found) == len(found) > 1000
            lines = open("/proc/self/status").read().splitlines()
            print(sum(found.totals.values()), next(line.split()[1] for line in lines if line.startswith("VmHWM:")))
            """,
            path,
        )
        out, errors = process.communicate(timeout=300)
        assert process.returncode == 0, errors
        total, peak = map(int, out.split())
        assert total >= 2 * count
        peaks.append(peak >> 10)
    assert peaks[1] < peaks[0] + 20, peaks


def test_a_run_works_after_a_fork(large):
    process = script(
        """
        import os, sys, transfeed
        from conftest import FEED
        transfeed.convert(sys.argv[1], "sitemap")
        transfeed.convert(FEED, "sitemap")
        for _ in range(3):
            child = os.fork()
            if child == 0:
                transfeed.convert(FEED, "atom")
                result = transfeed.convert(sys.argv[1], "sitemap")
                os._exit(0 if result.totals["leaves"] > 1000 else 1)
            assert os.waitpid(child, 0)[1] == 0
        print("done")
        """,
        large,
    )
    out, errors = process.communicate(timeout=300)
    assert out == "done\n", errors


def test_a_panic_is_an_exception():
    from transfeed import _transfeed

    for threads in (0, 1):
        with pytest.raises(transfeed.InternalError, match="panicked: on purpose") as raised:
            _transfeed._panic(threads)
        assert raised.value.code == "panic"


def test_two_thousand_files(tmp_path):
    expected = transfeed.convert(FEED, "video-sitemap", now="2026-12-01").content
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    for number in range(2000):
        (tmp_path / "in" / f"{number}.rss").write_bytes(FEED)
    files = lambda: len(os.listdir("/proc/self/fd"))
    before = files()

    def one(number):
        out = tmp_path / "out" / f"{number}.xml"
        transfeed.convert_file(tmp_path / "in" / f"{number}.rss", out, "video-sitemap", now="2026-12-01")
        return out.read_bytes() == expected

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(one, range(2000)))
    assert files() <= before + 2
    assert len(os.listdir(tmp_path / "out")) == 2000


def test_memory_is_flat_on_a_long_stream():
    # a wheel that is not optimized takes minutes for 200 MB
    size = 200 if "TRANSFEED_FULL" in os.environ else 40
    process = script(
        """
        import io, sys, transfeed
        from conftest import HEAD, TAIL, items

        class Stream(io.RawIOBase):
            def __init__(self, size):
                block = b"".join(items(1000))
                self.pieces = iter([HEAD, *[block] * (size // len(block) + 1), TAIL])
                self.rest, self.size = b"", 0

            def read(self, size):
                if not self.rest:
                    self.rest = next(self.pieces, b"")
                piece, self.rest = self.rest[:size], self.rest[size:]
                self.size += len(piece)
                return piece

        class Count(io.RawIOBase):
            size = 0
            def write(self, piece):
                self.size += len(piece)
                return len(piece)

        def peak():
            # getrusage would have the peak of the parent, too
            lines = open("/proc/self/status").read().splitlines()
            return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM:")) // 1024

        small = Stream(10 << 20)
        transfeed.convert_file(small, Count(), "mrss")
        before = peak()
        stream, out = Stream(int(sys.argv[1]) << 20), Count()
        transfeed.convert_file(stream, out, "mrss")
        print(stream.size >> 20, out.size >> 20, before, peak())
        """,
        size,
    )
    out, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors
    read, written, before, after = map(int, out.split())
    assert read >= size and written >= size // 2
    # what 10 MB take, 200 MB take too
    assert after < before + 30 and after < 150, (before, after)


def test_threads_of_a_run_end_with_it(large):
    tasks = lambda: len(os.listdir("/proc/self/task"))
    before = tasks()
    transfeed.convert(large, "sitemap", threads=3)
    deadline = time.monotonic() + 5
    while tasks() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert tasks() == before
