"""The types: the stub of the module in Rust is what the module has, and the package passes mypy."""

import subprocess
import sys

import pytest


def test_the_stub_is_what_the_module_has(tmp_path):
    pytest.importorskip("mypy")
    done = subprocess.run(
        [sys.executable, "-m", "mypy.stubtest", "transfeed"], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_package_is_strict(tmp_path):
    pytest.importorskip("mypy")
    command = [sys.executable, "-m", "mypy", "--strict", "-p", "transfeed"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_users_pass_mypy(tmp_path):
    pytest.importorskip("mypy")
    (tmp_path / "user.py").write_text(
        "import transfeed\n"
        "result = transfeed.convert(b'', 'atom', pretty=True)\n"
        "count: int = len(result.losses)\n"
        "content: bytes = result.content or b''\n"
        "for entry in transfeed.read('a.rss', flat=True):\n"
        "    print(entry['loc'])\n"
        "wrong: int = transfeed.explain('V05')\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "user.py"], cwd=tmp_path, capture_output=True, text=True
    )
    errors = [line for line in done.stdout.splitlines() if ": error:" in line]
    assert len(errors) == 1 and "user.py:7" in errors[0], done.stdout
