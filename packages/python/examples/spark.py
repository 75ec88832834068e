"""Converts a table of paths with Spark: outputs beside each other, and a table of losses.

    spark-submit spark.py --paths table.parquet --to video-sitemap --report report

The table has the columns ``input`` and ``output``: paths of files, or URLs that fsspec opens (``s3://…``, ``gs://…``). The report is
a folder of Parquet with two partitions: ``table=files`` has one row a file, ``table=losses`` one row a lost or changed value. A file
that cannot be read, converted or written is a row with its error, and the job goes on.

Tasks may be retried, and run twice at the same time: an output depends only on its input and the options; rows of the report come only
from the attempt that Spark commits. Running the job again gives the same files. A local file appears once it is complete, and so
does an object in a store that uploads objects as a whole (S3, GCS, Azure).
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
from typing import Any, Dict, Iterator, List

import transfeed

#: Columns of the report.
SCHEMA = (
    "table string, input string, output string, error string, entries long, dropped long, leaves long, kept long, "
    "kind string, code string, severity string, class string, field string, element string, reason string, why string, "
    "entry long, line long, column long, path string, from string, to string"
)
_COLUMNS = [column.split()[0] for column in SCHEMA.split(", ")]


Row = Dict[str, Any]


def convert_one(given: str, output: str, to: str, options: Row) -> Iterator[Row]:
    """Converts a file; returns rows of the report. A file that cannot be converted is a row with its error."""
    row: Row = {"table": "files", "input": given, "output": output}
    try:
        result = _read(given, to, options)
        _write(result, output)
    except transfeed.TransfeedError as error:
        yield {**row, "error": str(error)}
        return
    except Exception as error:  # each store has its own
        yield {**row, "error": f"{type(error).__name__}: {error}"}
        return
    entries = result.report["objects"]["entries"]
    totals = {name: result.totals[name] for name in ("leaves", "kept")}
    yield {**row, "entries": entries["in"], "dropped": entries["dropped"], **totals}
    for loss in result.losses:
        yield {**loss, "table": "losses", "input": given, "output": output}


def _read(given: str, to: str, options: Row) -> transfeed.Result:
    path = os.fspath(given).removeprefix("file://")
    if "://" not in path:
        return transfeed.convert(path, to, **options)
    import fsspec

    with fsspec.open(path, "rb") as source:
        return transfeed.convert(source, to, name=given, **options)


def _write(result: transfeed.Result, output: str) -> None:
    path = os.fspath(output).removeprefix("file://")
    if "://" not in path:
        os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
        result.save(path)
        return
    import fsspec

    content = result.content or b""
    store, name = fsspec.core.url_to_fs(path)
    # in one call: a file that is closed after an error may be uploaded in part
    store.pipe_file(name, gzip.compress(content, mtime=0) if name.lower().endswith(".gz") else content)


def convert_batches(batches: Iterator[Any], to: str, options: Row) -> Iterator[Any]:
    """What a task does: data frames of paths to data frames of the report, a few thousand rows at a time."""
    import pandas

    rows: List[Row] = []

    def frame() -> Any:
        made = pandas.DataFrame(rows, columns=_COLUMNS).astype(object)
        made = made.where(made.notna(), None)
        rows.clear()
        return made

    for batch in batches:
        for given, output in zip(batch["input"], batch["output"]):
            for row in convert_one(given, output, to, options):
                rows.append(row)
                if len(rows) >= 4096:
                    yield frame()
    if rows:
        yield frame()


def convert_table(paths: Any, to: str, **options: Any) -> Any:
    """The report on a data frame of Spark with the columns ``input`` and ``output``. Spark converts when it is written.

    Pass ``now=``: otherwise dates that a target requires and a source lacks are those of each attempt.

    Raises ``ValueError`` or ``TypeError`` if an option is wrong, or if the table has a null, or an output that is also that of
    another row, or an input: its content would depend on the order of the tasks.
    """
    # files are small: one core each
    options = {"threads": 1, **options}
    _check_options(to, options)
    paths = paths.select("input", "output")
    _check_table(paths)
    return paths.mapInPandas(lambda batches: convert_batches(batches, to, options), SCHEMA)


def _check_options(to: str, options: Row) -> None:
    """Wrong ones are an error here, and not one of each file."""
    try:
        transfeed.convert(b"https://example.com/\n", to, **options)
    except transfeed.TransfeedError:
        # this document is too short for them
        pass


def _check_table(paths: Any) -> None:
    if paths.where("input is null or output is null").first() is not None:
        raise ValueError("a row has a null; remove rows without an input or an output")
    names = paths.select("output").union(paths.select("input").distinct())
    twice = names.groupBy("output").count().where("count > 1").first()
    if twice is not None:
        raise ValueError(f"{twice['output']} is the output of two rows, or also an input; give each row an output of its own")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--paths", required=True, help="Parquet with the columns input and output")
    parser.add_argument("--to", required=True, help="target, such as video-sitemap")
    parser.add_argument("--report", required=True, help="folder for the report")
    parser.add_argument("--options", default="{}", help="options of transfeed as JSON")
    asked = parser.parse_args()

    from pyspark.sql import SparkSession

    spark = SparkSession.builder.appName("transfeed").getOrCreate()
    paths = spark.read.parquet(asked.paths)
    report = convert_table(paths, asked.to, **json.loads(asked.options))
    report.write.mode("overwrite").partitionBy("table").parquet(asked.report)
    # the report on an empty table has no files to infer it from
    files = spark.read.schema(SCHEMA).parquet(asked.report).where("table = 'files'")
    print(f"{files.count()} files, {files.where('error is not null').count()} failed")


if __name__ == "__main__":
    main()
