"""examples/spark.py on two cores: the bytes of `transfeed migrate`, also when tasks fail and when all is done again."""

import os
import pathlib
import shutil
import subprocess
import sys

import pytest
import transfeed
from conftest import DOCUMENTS, FEED, NOW

pyspark = pytest.importorskip("pyspark", reason="SKIPPED: pyspark is not installed")
if shutil.which("java") is None:
    pytest.skip("SKIPPED: Spark needs a JRE", allow_module_level=True)

EXAMPLES = pathlib.Path(__file__).resolve().parents[1] / "examples"
sys.path.insert(0, str(EXAMPLES))

import spark as example  # noqa: E402


@pytest.fixture(scope="module")
def session():
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


def test_the_script_runs(tree):
    rows, folder = tree
    import pandas

    pandas.DataFrame(rows, columns=["input", "output"]).to_parquet(folder / "paths.parquet")
    words = ["--paths", folder / "paths.parquet", "--to", "jsonl", "--report", folder / "report"]
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / "spark.py"), *map(str, words), "--options", f'{{"now": "{NOW}"}}'],
        env={**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    assert done.stdout.splitlines()[-1] == f"{len(rows)} files, 1 failed"


def test_urls_go_through_fsspec():
    fsspec = pytest.importorskip("fsspec")
    store = fsspec.filesystem("memory")
    store.pipe("/in/a.rss", FEED)
    rows = list(example.convert_one("memory://in/a.rss", "memory://out/a.xml", "video-sitemap", {"now": NOW}))
    assert store.cat("/out/a.xml") == transfeed.convert(FEED, "video-sitemap", now=NOW).content
    assert rows[0]["input"] == "memory://in/a.rss" and rows[1]["table"] == "losses"
