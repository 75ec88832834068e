"""The jobs of README.md, as a reader runs them: in a folder with the samples, one after the other."""

import pathlib
import re
import shutil
import subprocess
import sys

import pytest
from conftest import SAMPLES

README = pathlib.Path(__file__).resolve().parents[1] / "README.md"
JOBS = re.findall(r"^### (.+?)\n.*?^```python\n(.*?)^```", README.read_text(), re.MULTILINE | re.DOTALL)

#: What each job prints or writes.
EXPECTED = [
    (["64 values kept, 149 lost", "entries or videos dropped"], []),
    ([], ["catalogue.atom", "losses.jsonl", "catalogue.xml.gz"]),
    (["video_title", "\n"], []),
    ([], ["long.atom"]),
    (["V33", "0 2"], ["sitemaps"]),
]


def test_there_are_five_jobs():
    assert len(JOBS) == 5


@pytest.mark.parametrize("number", range(5), ids=[title for title, _ in JOBS])
def test_jobs_run(number, tmp_path):
    if number == 2:
        pytest.importorskip("pandas")
    for path in SAMPLES.iterdir():
        shutil.copy(path, tmp_path)
    done = subprocess.run([sys.executable, "-W", "error", "-c", JOBS[number][1]], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    printed, written = EXPECTED[number]
    for text in printed:
        assert text in done.stdout, done.stdout
    for name in written:
        path = tmp_path / name
        assert any(path.iterdir()) if path.is_dir() else path.stat().st_size > 100, name
