"""The wheel and the program give the same bytes."""

import json
import os
import subprocess
import sys
import textwrap

import pytest
import transfeed
from conftest import DOCUMENTS, NOW, SAMPLES


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_conversions_are_those_of_the_program(path, program, tmp_path):
    os.chdir(SAMPLES)
    for to in transfeed.TARGETS:
        words = ["convert", path.name, "--to", to, "-o", tmp_path / "out", "-q", "--report", tmp_path / "report.json"]
        done = program(*words, "--report", tmp_path / "losses.jsonl", cwd=SAMPLES, codes=(0, 1, 2))
        if done.returncode != 0:
            with pytest.raises(transfeed.TransfeedError) as raised:
                transfeed.convert(path.name, to, now=NOW)
            # the library names the document, and so does the program
            assert path.name in done.stderr.decode() and raised.value.input == path.name
            continue
        result = transfeed.convert(path.name, to, now=NOW)
        assert result.content == (tmp_path / "out").read_bytes()
        assert result.report_json() == (tmp_path / "report.json").read_bytes()
        losses = [json.loads(line) for line in (tmp_path / "losses.jsonl").read_text().splitlines()]
        assert result.losses.to_dicts() == [{"input": path.name, **row} for row in losses[:-1]]
        assert result.totals == losses[-1]["totals"]
        written = transfeed.convert_file(path.name, tmp_path / "file", to, losses=tmp_path / "all.jsonl", now=NOW)
        assert (tmp_path / "file").read_bytes() == result.content
        assert (tmp_path / "all.jsonl").read_bytes() == (tmp_path / "losses.jsonl").read_bytes()
        assert written.report_json() == result.report_json()


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_entries_are_those_of_the_program(path, program):
    os.chdir(SAMPLES)
    done = program("convert", path.name, "--to", "jsonl", "-q", "--no-group", cwd=SAMPLES)
    head, *lines = done.stdout.decode().splitlines()
    entries = transfeed.read(path.name)
    assert {"transfeed": "0.1", "format": entries.format, "feed": entries.head} == json.loads(head)
    assert list(entries) == [json.loads(line) for line in lines]
    # a second iteration reads it again
    assert len(list(entries)) == len(lines)
    assert entries.diagnostics == transfeed.convert(path.name, "jsonl").diagnostics


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_inspections_are_those_of_the_program(path, program):
    os.chdir(SAMPLES)
    shown = json.loads(program("inspect", path.name, "--json", cwd=SAMPLES).stdout)
    found = transfeed.inspect(path.name, now=NOW)
    assert found == shown["inputs"][0]


# the command follows the parts of an index, which are other documents
SINGLE = [path for path in DOCUMENTS if path.name != "index.xml"]


@pytest.mark.parametrize("path", SINGLE, ids=lambda path: path.name)
def test_findings_are_those_of_the_program(path, program):
    os.chdir(SAMPLES)
    for level in ("info", "warn"):
        words = ["validate", path.name, "--format", "json", "--level", level, "--now", NOW, "--no-config"]
        done = program(*words, cwd=SAMPLES, codes=(0, 1, 2))
        if done.returncode == 2:
            with pytest.raises(transfeed.TransfeedError):
                transfeed.validate(path.name, level=level, now=NOW)
            continue
        shown = json.loads(done.stdout)
        found = transfeed.validate(path.name, level=level, now=NOW)
        rows = [{name: value for name, value in row.items() if name != "file"} for row in found]
        assert (rows, found.totals, found.profiles) == (shown["findings"], shown["totals"], shown["profiles"])
        assert bool(found) == bool(shown["findings"])


def test_differences_are_those_of_the_program(program):
    os.chdir(SAMPLES)
    names = [path.name for path in SINGLE]
    for a, b in zip(names, names[1:] + names[:1]):
        done = program("diff", a, b, "--json", "-q", cwd=SAMPLES, codes=(0, 1, 2))
        if done.returncode == 2:
            with pytest.raises(transfeed.TransfeedError):
                transfeed.diff(a, b)
            continue
        found = transfeed.diff(a, b)
        assert found == json.loads(done.stdout), (a, b)
        assert bool(found) == (done.returncode == 1)


def test_explanations_are_those_of_the_program(program, tmp_path):
    for name in ("V05", "no-thumbnail", "xml.ampersand", "video.duration", "mrss"):
        assert transfeed.explain(name) == program("explain", name, cwd=tmp_path).stdout.decode()
    with pytest.raises(transfeed.TransfeedError, match="did you mean"):
        transfeed.explain("no-thumbnial")


def test_the_command_is_in_the_wheel(program, tmp_path):
    command = os.path.join(os.path.dirname(sys.executable), "transfeed")
    env = {**os.environ, "SOURCE_DATE_EPOCH": "1796083200", "NO_COLOR": "1"}
    cases = [
        ["--version"],
        ["convert", SAMPLES / "catalogue.mrss", "--to", "video-sitemap", "--report", "-"],
        ["validate", SAMPLES / "videos.xml"],
        ["convert", "--to", "nothing"],
        ["convrt", "a.rss"],
        ["explain", "V05"],
        [SAMPLES / "catalogue.mrss"],
    ]
    for words in cases:
        words = list(map(str, words))
        expected = program(*words, cwd=tmp_path, codes=range(256))
        for start in ([command], [sys.executable, "-m", "transfeed"]):
            done = subprocess.run([*start, *words], cwd=tmp_path, env=env, capture_output=True, stdin=subprocess.DEVNULL)
            assert (done.returncode, done.stdout, done.stderr) == (
                expected.returncode,
                expected.stdout,
                expected.stderr,
            ), words


def test_migrations_are_those_of_the_program(program, tmp_path):
    tree = tmp_path / "feeds"
    tree.mkdir()
    for number, path in enumerate(DOCUMENTS):
        if path.suffix in (".rss", ".mrss", ".atom"):
            (tree / f"{number}-{path.name}").write_bytes(path.read_bytes())
    (tree / "broken.rss").write_bytes(b"<html><title>Not found</title></html>")
    program("migrate", "feeds", "--to", "jsonl", "--out", "out", "-q", "--now", NOW, cwd=tmp_path, codes=(3,))
    seen = []
    done = transfeed.migrate(tree, tmp_path / "wheel", "jsonl", on_file=seen.append, now=NOW)
    outputs = lambda folder: {path.name: path.read_bytes() for path in folder.glob("*.jsonl")}
    assert outputs(tmp_path / "wheel") == outputs(tmp_path / "out") != {}
    assert done.code == 3
    assert len(seen) == len(outputs(tmp_path / "out")) + 1
    assert [file["path"] for file in seen if file["status"] == "failed"] == ["broken.rss"]
    # the same call goes on where the last one ended
    again = transfeed.migrate(tree, tmp_path / "wheel", "jsonl", now=NOW)
    assert again.summary["counts"]["unchanged"] == len(outputs(tmp_path / "out"))

    with pytest.raises(transfeed.TransfeedError, match="no such file"):
        transfeed.migrate(tmp_path / "nothing", tmp_path / "none", "jsonl")
    with pytest.raises(TypeError, match="did you mean pretty"):
        transfeed.migrate(tree, tmp_path / "wrong", "jsonl", prety=True)


def test_standard_streams_may_be_closed(program, tmp_path):
    command = [sys.executable, "-m", "transfeed"]
    feed = SAMPLES / "catalogue.mrss"
    cases = [
        (["convert", "--to", "text", "-q"], "<&-"),
        (["convert", feed, "--to", "text", "-o", "out.txt", "-q"], ">&-"),
        (["--version"], ">&-"),
        (["convert", feed, "--to", "text", "-o", "out.txt"], "2>&-"),
        (["convert", feed, "--to", "video-sitemap", "-o", "out.txt"], "<&- >&- 2>&-"),
    ]
    for words, closed in cases:
        shown = []
        for start in (command, [program.path]):
            (tmp_path / "out.txt").unlink(missing_ok=True)
            script = f'"$@" {closed}'
            line = ["sh", "-c", script, "sh", *start, *map(str, words)]
            done = subprocess.run(line, cwd=tmp_path, capture_output=True, timeout=60, env={**os.environ, "NO_COLOR": "1"})
            out = tmp_path / "out.txt"
            shown.append((done.returncode, done.stdout, done.stderr, out.read_bytes() if out.exists() else None))
        assert shown[0] == shown[1], (words, closed)


def test_migrations_import_this_package(tmp_path):
    (tmp_path / "a.mrss").write_bytes((SAMPLES / "catalogue.mrss").read_bytes())
    for name in ("transfeed.py", "json.py", "signal.py"):
        (tmp_path / name).write_text("raise SystemExit('shadowed')\n")
    package = os.path.dirname(os.path.dirname(transfeed.__file__))
    script = """
        import os, sys
        sys.path.insert(0, sys.argv[1])
        import transfeed
        os.chdir(sys.argv[2])
        print(transfeed.migrate("a.mrss", "out", "jsonl").code)
    """
    # as in a notebook, or with a folder that only this process knows
    done = subprocess.run(
        [sys.executable, "-S", "-c", textwrap.dedent(script), package, str(tmp_path)],
        cwd="/",
        capture_output=True,
        text=True,
    )
    assert (done.stdout, done.returncode) == ("0\n", 0), done.stderr


def test_arguments_of_migrate_are_no_options(tmp_path):
    os.chdir(tmp_path)
    (tmp_path / "a.mrss").write_bytes((SAMPLES / "catalogue.mrss").read_bytes())
    for sources in (["a.mrss", "--force"], "--help", ["-q"]):
        with pytest.raises(transfeed.TransfeedError, match="no such file"):
            transfeed.migrate(sources, "out", "jsonl")
    (tmp_path / "--help").write_bytes((SAMPLES / "blog.atom").read_bytes())
    assert transfeed.migrate("--help", "out", "jsonl").code == 0
    assert transfeed.migrate("a.mrss", "-out", "jsonl", include="*.mrss").code == 0
    with pytest.raises(ValueError, match="option where: no field is called -x"):
        transfeed.migrate("a.mrss", "out", "jsonl", where="-x")
    wrong = {"items": "foo", "limits": 5, "ext": "image", "split": "many", "limit": -1}
    for name, value in wrong.items():
        with pytest.raises(ValueError, match=name):
            transfeed.migrate("a.mrss", "out", "jsonl", **{name: value})
    with pytest.raises(ValueError, match="there are no sources"):
        transfeed.migrate([], "out", "jsonl")
    with pytest.raises(TypeError, match="no option modified"):
        transfeed.migrate("a.mrss", "out", "jsonl", modified=NOW)


def test_every_option_is_one_of_migrate(program, tmp_path):
    """The names of the library and of the command line are kept together here."""
    (tmp_path / "a.rss").write_bytes(b"<rss version='2.0'><channel><title>A</title></channel></rss>")
    values = {
        "base": "https://example.com/",
        "self_url": "https://example.com/x",
        "profile": "google",
        "ext": ["image"],
        "foreign": "keep",
        "rendition": "largest",
        "thumbnail": "first",
        "items": "per-page",
        "now": NOW,
        "threads": 1,
        "default_thumbnail": "https://example.com/a.jpg",
        "title_from": "slug",
        "news_name": "N",
        "news_language": "en",
        "memory": 1 << 20,
        "temp_dir": tmp_path,
        "split": 5,
        "split_bytes": 100000,
        "index_base": "https://example.com/",
        "min_entries": 0,
        "min_videos": 0,
        "since": "2020-01-01",
        "until": "2030-01-01",
        "max_age": "7d",
        "limit": 5,
        "where": "not video.duration >= 60",
        "drop_field": ["video.tags"],
        "columns": ["loc", "title"],
        "rows": "page",
        "limits": {"entry": 1000, "tree": {"depth": 9}, "gzip": {"ratio": 3}},
        # only independent readers of feeds verify
        "verify": False,
    }
    for name, default in transfeed.default_options().items():
        if name == "modified":
            continue
        value = values.get(name, True)
        assert isinstance(default, bool) or name in values, name
        done = transfeed.migrate(tmp_path / "a.rss", tmp_path / "out", "video-sitemap", dry_run=True, **{"index_base": "https://example.com/", name: value})
        assert done.code == 0, name
    for wrong, says in (({"chunk": 1}, "no limit chunk"), ({"tree": {"nodes": 1}}, "no limit tree.nodes"), ({"gzip": {"raito": 1}}, "no")):
        with pytest.raises((TypeError, ValueError), match=says):
            transfeed.migrate(tmp_path / "a.rss", tmp_path / "out", "video-sitemap", dry_run=True, limits=wrong)
