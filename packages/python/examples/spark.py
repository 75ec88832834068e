"""Converts a table of paths with Spark: outputs beside each other, and a table of losses.

    spark-submit spark.py --paths table.parquet --to video-sitemap --report report

The table has the columns ``input`` and ``output``: paths of files, or URLs that fsspec opens (``s3://…``, ``gs://…``). The report is
a folder of Parquet with two partitions: ``table=files`` has one row a file, ``table=losses`` one row a lost or changed value.

Tasks may be retried, and run twice at the same time: an output depends only on its input and the options, and appears once it is
complete; rows of the report come only from the attempt that Spark commits. Running the job again gives the same files.
"""

from __future__ import annotations

import argparse
import json
from typing import Any, Iterator

import transfeed

#: Columns of the report.
SCHEMA = (
    "table string, input string, output string, error string, entries long, dropped long, leaves long, kept long, "
    "kind string, code string, severity string, class string, field string, element string, reason string, why string, "
    "entry long, line long, column long, path string, from string, to string"
)
_COLUMNS = [column.split()[0] for column in SCHEMA.split(", ")]


def convert_one(given: str, output: str, to: str, options: dict) -> Iterator[dict]:
    """Converts a file; returns rows of the report. A file that cannot be converted is a row with its error."""
    row: dict = {"table": "files", "input": given, "output": output}
    try:
        if "://" in given or "://" in output:
            import fsspec

            with fsspec.open(given, "rb") as source:
                result = transfeed.convert(source, to, name=given, **options)
            # an object appears when its upload is complete
            with fsspec.open(output, "wb") as target:
                target.write(result.content)
        else:
            result = transfeed.convert(given, to, **options)
            result.save(output)
    except (transfeed.TransfeedError, OSError) as error:
        yield {**row, "error": str(error)}
        return
    entries = result.report["objects"]["entries"]
    totals = {name: result.totals[name] for name in ("leaves", "kept")}
    yield {**row, "entries": entries["in"], "dropped": entries["dropped"], **totals}
    for loss in result.losses:
        yield {**loss, "table": "losses", "input": given, "output": output}


def convert_batches(batches: Iterator[Any], to: str, options: dict) -> Iterator[Any]:
    """What a task does: data frames of paths to data frames of the report, a few thousand rows at a time."""
    import pandas

    rows: list = []

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
    """
    # files are small: one core each
    options = {"threads": 1, **options}
    return paths.select("input", "output").mapInPandas(lambda batches: convert_batches(batches, to, options), SCHEMA)


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
    files = spark.read.parquet(asked.report).where("table = 'files'")
    print(f"{files.count()} files, {files.where('error is not null').count()} failed")


if __name__ == "__main__":
    main()
