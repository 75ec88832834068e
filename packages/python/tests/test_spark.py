"""examples/spark.py on two cores: the bytes of `transfeed migrate`, also when tasks fail and when all is done again."""

import gzip
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
import transfeed
from conftest import DOCUMENTS, FEED, NOW

EXAMPLES = pathlib.Path(__file__).resolve().parents[1] / "examples"
sys.path.insert(0, str(EXAMPLES))

import spark as example  # noqa: E402


@pytest.fixture(scope="module")
def installed():
    pytest.importorskip("pyspark", reason="SKIPPED: pyspark is not installed")
    if shutil.which("java") is None:
        pytest.skip("SKIPPED: Spark needs a JRE")


@pytest.fixture(scope="module")
def session(installed):
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["PYTHONPATH"] = os.pathsep.join([str(EXAMPLES), os.environ.get("PYTHONPATH", "")])
    builder = SparkSession.builder.master("local[2,4]").appName("test")
    # two attempts at each task that takes longer than others
    builder = builder.config("spark.speculation", "true").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", "10")
    session = builder.config("spark.driver.bindAddress", "127.0.0.1").getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    yield session
    session.stop()


@pytest.fixture
def tree(tmp_path):
    """Feeds, what migrate makes of them, and the table of paths."""
    feeds = tmp_path / "feeds"
    feeds.mkdir()
    for number in range(60):
        document = DOCUMENTS[number % len(DOCUMENTS)]
        (feeds / f"{number}{document.suffix}").write_bytes(document.read_bytes())
    (feeds / "broken.rss").write_bytes(b"<html><title>Not found</title></html>")
    seen = []
    transfeed.migrate(feeds, tmp_path / "migrated", "jsonl", on_file=seen.append, now=NOW)
    outputs = {file["path"]: file["outputs"][0]["path"] for file in seen if file["status"] == "done"}
    (tmp_path / "out").mkdir()
    rows = [(str(feeds / name), str(tmp_path / "out" / made)) for name, made in outputs.items()]
    rows.append((str(feeds / "broken.rss"), str(tmp_path / "out" / "broken.jsonl")))
    return rows, tmp_path


def content(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


def test_outputs_are_those_of_migrate(session, tree):
    rows, folder = tree
    paths = session.createDataFrame(rows, "input string, output string").repartition(6)
    expected = {name: made for name, made in content(folder / "migrated").items() if not name.startswith(".")}
    for _ in range(2):
        report = example.convert_table(paths, "jsonl", now=NOW)
        report.write.mode("overwrite").partitionBy("table").parquet(str(folder / "report"))
        assert content(folder / "out") == expected
        files = session.read.parquet(str(folder / "report")).where("table = 'files'").collect()
        assert len(files) == len(rows)
        failed = [row for row in files if row["error"]]
        assert [pathlib.Path(row["input"]).name for row in failed] == ["broken.rss"]
    losses = session.read.parquet(str(folder / "report")).where("table = 'losses'").toPandas()
    done = [given for given, _ in rows if not given.endswith("broken.rss")]
    assert len(losses) == sum(len(transfeed.convert(given, "jsonl", now=NOW).losses) for given in done)


def test_failed_tasks_are_harmless(session, tree):
    rows, folder = tree
    (folder / "marks").mkdir()
    marks = str(folder / "marks")

    def fail_once(batches):
        from pyspark import TaskContext

        import spark

        for number, frame in enumerate(spark.convert_batches(batches, "jsonl", {"threads": 1, "now": NOW})):
            yield frame
        mark = os.path.join(marks, str(TaskContext.get().partitionId()))
        if not os.path.exists(mark):
            # all of the partition is converted, and nothing of it is committed
            open(mark, "w").close()
            raise RuntimeError("a lost executor")

    paths = session.createDataFrame(rows, "input string, output string").repartition(3)
    report = paths.mapInPandas(fail_once, example.SCHEMA)
    report.write.mode("overwrite").partitionBy("table").parquet(str(folder / "report"))
    assert len(os.listdir(marks)) == 3
    files = session.read.parquet(str(folder / "report")).where("table = 'files'")
    assert files.count() == len(rows) == files.select("input").distinct().count()
    expected = {name: made for name, made in content(folder / "migrated").items() if not name.startswith(".")}
    assert content(folder / "out") == expected


@pytest.mark.parametrize("count", [None, 0])
def test_the_script_runs(installed, tree, count):
    rows, folder = tree
    rows = rows[:count]
    import pandas

    pandas.DataFrame(rows, columns=["input", "output"], dtype="string").to_parquet(folder / "paths.parquet")
    words = ["--paths", folder / "paths.parquet", "--to", "jsonl", "--report", folder / "report"]
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "spark.py"), *map(str, words), "--options", f'{{"now": "{NOW}"}}'],
        env={**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.splitlines()[-1] == f"{len(rows)} files, {min(len(rows), 1)} failed"


def test_tables_that_are_wrong_are_refused(session, tmp_path):
    feed, out = str(tmp_path / "a.rss"), str(tmp_path / "out.xml")
    for rows, says in [
        ([(feed, out), (None, out + "2")], "a row has a null"),
        ([(feed, out), (feed, None)], "a row has a null"),
        ([(feed, out), (feed + "2", out)], f"{out} is the output of two rows"),
        ([(feed, out), (out, out + "2")], f"{out} is the output of two rows, or also an input"),
    ]:
        with pytest.raises(ValueError, match=re.escape(says)):
            example.convert_table(session.createDataFrame(rows, "input string, output string"), "sitemap")
    same = session.createDataFrame([(feed, out), (feed, out + "2")], "input string, output string")
    for wrong in (TypeError, {"prety": True}), (ValueError, {"items": "foo"}):
        with pytest.raises(wrong[0]):
            example.convert_table(same, "sitemap", **wrong[1])
    with pytest.raises(ValueError, match="did you mean"):
        example.convert_table(same, "sitemp")
    # one input for two outputs; no file is there, and options may refuse the document of the check
    report = example.convert_table(same, "sitemap", min_entries=2).collect()
    assert [row["output"] for row in report] == [out, out + "2"] and all("No such file" in row["error"] for row in report)


@pytest.mark.parametrize(
    "given, output",
    [
        (None, "out.xml"),
        ("a.rss", None),
        (float("nan"), "out.xml"),
        ("a.rss", "nul\0.xml"),
        ("nul\0.rss", "out.xml"),
        ("<a>.rss", "out.xml"),
        ("no.rss", "out.xml"),
        ("a.rss", "a.rss/out.xml"),
        ("nosuch://x", "out.xml"),
        ("a.rss", "nosuch://x"),
        ("memory://no.rss", "out.xml"),
        ("page.html", "out.xml"),
    ],
)
def test_what_cannot_be_converted_is_a_row(given, output, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.rss").write_bytes(FEED)
    (tmp_path / "page.html").write_bytes(b"<html><title>Not found</title></html>")
    (row,) = example.convert_one(given, output, "sitemap", {})
    assert row["error"] and row["table"] == "files"
    assert sorted(os.listdir(tmp_path)) == ["a.rss", "page.html"]


def test_folders_are_made(tmp_path):
    feed = tmp_path / "a.rss"
    feed.write_bytes(FEED)
    expected = transfeed.convert(FEED, "video-sitemap", now=NOW).content
    for output in (tmp_path / "one" / "two" / "a.xml", tmp_path / "three" / "a.xml"):
        (given, to) = (str(feed), str(output)) if "one" in output.parts else (f"file://{feed}", f"file://{output}")
        rows = list(example.convert_one(given, to, "video-sitemap", {"now": NOW}))
        assert "error" not in rows[0] and output.read_bytes() == expected


def test_urls_go_through_fsspec():
    fsspec = pytest.importorskip("fsspec")
    store = fsspec.filesystem("memory")
    list(example.convert_one("memory://spark/in/a.rss", "memory://spark/out/a.xml", "video-sitemap", {"now": NOW}))
    assert not store.exists("/spark/out/a.xml")
    store.pipe("/spark/in/a.rss", FEED)
    rows = list(example.convert_one("memory://spark/in/a.rss", "memory://spark/out/a.xml", "video-sitemap", {"now": NOW}))
    assert store.cat("/spark/out/a.xml") == transfeed.convert(FEED, "video-sitemap", now=NOW).content
    list(example.convert_one("memory://spark/in/a.rss", "memory://spark/out/a.xml.gz", "video-sitemap", {"now": NOW}))
    assert gzip.decompress(store.cat("/spark/out/a.xml.gz")) == store.cat("/spark/out/a.xml")
    assert rows[0]["input"] == "memory://spark/in/a.rss" and rows[1]["table"] == "losses"
