"""Tables with one fixed schema: losses, findings, entries. They are iterated as dicts, and become tables of Arrow, pandas or
polars. pyarrow is imported when it is needed."""

from __future__ import annotations

import io
import json
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Tuple

_ROWS = 8192

#: A row: values by the names of their columns.
Row = Dict[str, Any]

#: Columns and their types, by the names of Arrow. ``list`` is a list of strings.
Schema = Tuple[Tuple[str, str], ...]

LOSSES: Schema = (
    ("input", "string"),
    ("kind", "string"),
    ("code", "string"),
    ("severity", "string"),
    ("class", "string"),
    ("field", "string"),
    ("element", "string"),
    ("reason", "string"),
    ("why", "string"),
    ("entry", "int64"),
    ("line", "int64"),
    ("column", "int64"),
    ("path", "string"),
    ("from", "string"),
    ("to", "string"),
)

FINDINGS: Schema = (
    ("file", "string"),
    ("code", "string"),
    ("severity", "string"),
    ("profile", "string"),
    ("message", "string"),
    ("hint", "string"),
    ("line", "int64"),
    ("column", "int64"),
    ("path", "string"),
    ("entry", "int64"),
    ("value", "string"),
    ("fingerprint", "string"),
)

_PAGE: Schema = (
    ("entry", "int64"),
    ("line", "int64"),
    ("loc", "string"),
    ("id", "string"),
    ("title", "string"),
    ("summary", "string"),
    ("published", "string"),
    ("updated", "string"),
    ("language", "string"),
    ("authors", "list"),
    ("categories", "list"),
    ("images", "list"),
)

#: One row a page; ``json`` is the whole entry.
ENTRIES: Schema = _PAGE + (("videos", "int64"), ("json", "string"))

#: One row a video; a page without videos has one row whose ``video`` is null. ``json`` is the whole video.
VIDEOS: Schema = _PAGE + (
    ("video", "int64"),
    ("video_id", "string"),
    ("video_title", "string"),
    ("video_description", "string"),
    ("video_thumbnail", "string"),
    ("video_player", "string"),
    ("video_file", "string"),
    ("video_type", "string"),
    ("video_files", "int64"),
    ("video_width", "uint64"),
    ("video_height", "uint64"),
    ("video_bitrate", "double"),
    ("video_size", "uint64"),
    ("video_duration", "double"),
    ("video_published", "string"),
    ("video_expires", "string"),
    ("video_rating", "double"),
    ("video_views", "uint64"),
    ("video_family_friendly", "bool"),
    ("video_live", "bool"),
    ("video_tags", "list"),
    ("video_categories", "list"),
    ("json", "string"),
)


def arrow_schema(schema: Schema) -> Any:
    """The schema as one of pyarrow."""
    pyarrow = _import("pyarrow")
    types = {
        "string": pyarrow.string(),
        "int64": pyarrow.int64(),
        # what a feed may have in full
        "uint64": pyarrow.uint64(),
        "double": pyarrow.float64(),
        "bool": pyarrow.bool_(),
        "list": pyarrow.list_(pyarrow.string()),
    }
    return pyarrow.schema([(name, types[kind]) for name, kind in schema])


def _import(name: str) -> Any:
    try:
        return __import__(name)
    except ImportError:
        extra = "arrow" if name == "pyarrow" else name
        raise ImportError(f"this needs {name}; try: pip install 'transfeed[{extra}]'") from None


class Table:
    """Rows with the columns of one schema. They can be iterated again and again."""

    schema: Schema = ()

    def __init__(self, rows: Callable[[], Iterable[Row]], schema: Schema, count: Optional[int] = None) -> None:
        self._rows = rows
        self.schema = schema
        self._count = count

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows())

    def __len__(self) -> int:
        # list() asks for it before it reads the rows
        if self._count is None:
            self._count = sum(1 for _ in self._rows())
        return self._count

    def __bool__(self) -> bool:
        return next(iter(self._rows()), None) is not None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} rows: {', '.join(name for name, _ in self.schema)}>"

    def to_dicts(self) -> List[Row]:
        """The rows as dicts; members without a value are absent."""
        return list(self)

    def to_batches(self) -> Iterator[Any]:
        """Batches of pyarrow, all with the same schema; memory does not grow with the number of rows."""
        pyarrow = _import("pyarrow")
        schema = arrow_schema(self.schema)
        names = [name for name, _ in self.schema]
        batch: List[Row] = []
        for row in self._rows():
            batch.append({name: row.get(name) for name in names})
            if len(batch) == _ROWS:
                yield pyarrow.RecordBatch.from_pylist(batch, schema)
                batch = []
        if batch:
            yield pyarrow.RecordBatch.from_pylist(batch, schema)

    def to_arrow(self) -> Any:
        """A table of pyarrow."""
        pyarrow = _import("pyarrow")
        return pyarrow.Table.from_batches(self.to_batches(), arrow_schema(self.schema))

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        pyarrow = _import("pyarrow")
        reader = pyarrow.RecordBatchReader.from_batches(arrow_schema(self.schema), self.to_batches())
        return reader.__arrow_c_stream__(requested_schema)

    def to_pandas(self) -> Any:
        """A data frame of pandas. Whole numbers that may be missing are ``Int64`` or ``UInt64``, flags ``boolean``."""
        pandas = _import("pandas")
        pyarrow = _import("pyarrow")
        types = {
            pyarrow.int64(): pandas.Int64Dtype(),
            pyarrow.uint64(): pandas.UInt64Dtype(),
            pyarrow.bool_(): pandas.BooleanDtype(),
        }
        return self.to_arrow().to_pandas(types_mapper=types.get)

    def to_polars(self) -> Any:
        """A data frame of polars."""
        return _import("polars").from_arrow(self.to_arrow())


def line_rows(lines: bytes, common: Row) -> Callable[[], Iterator[Row]]:
    """Rows of lines of JSON, each with the members that all have."""

    def rows() -> Iterator[Row]:
        for line in io.BytesIO(lines):
            yield {**common, **json.loads(line)}

    return rows


def _text(value: Any) -> Any:
    return value.get("value") if isinstance(value, dict) else value


def _texts(values: Any, name: str) -> List[Any]:
    found = [value.get(name) if isinstance(value, dict) else value for value in values or []]
    return [value for value in found if value is not None]


def _number(value: Any) -> Any:
    try:
        return None if value is None else float(value)
    except ValueError:
        return None


def _page(number: int, entry: Row) -> Row:
    return {
        "entry": number,
        "line": entry.get("line"),
        "loc": entry.get("loc"),
        "id": entry.get("id"),
        "title": _text(entry.get("title")),
        "summary": _text(entry.get("summary")),
        "published": entry.get("published"),
        "updated": entry.get("updated"),
        "language": entry.get("language"),
        "authors": [a.get("name") or a.get("email") or a.get("uri") or "" for a in entry.get("authors", [])],
        "categories": _texts(entry.get("categories"), "term"),
        "images": _texts(entry.get("images"), "loc"),
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def page_rows(entries: Iterable[Row]) -> Iterator[Row]:
    """One row a page, with the columns of ``ENTRIES``."""
    for number, entry in enumerate(entries):
        row = _page(number, entry)
        yield {**row, "videos": len(entry.get("videos", [])), "json": _json(entry)}


def video_rows(entries: Iterable[Row]) -> Iterator[Row]:
    """One row a video, with the columns of ``VIDEOS``."""
    for number, entry in enumerate(entries):
        page = _page(number, entry)
        videos = entry.get("videos") or [None]
        for place, video in enumerate(videos):
            yield {**page, **(_video(place, video) if video is not None else {})}


def _video(place: int, video: Row) -> Row:
    files = video.get("files") or [{}]
    file = next((file for file in files if file.get("is_default")), files[0])
    available = video.get("available") or {}
    rating = video.get("rating") or {}
    thumbnails = _texts(video.get("thumbnails"), "url")
    return {
        "video": place,
        "video_id": video.get("id"),
        "video_title": _text(video.get("title")),
        "video_description": _text(video.get("description")),
        "video_thumbnail": thumbnails[0] if thumbnails else None,
        "video_player": (video.get("player") or {}).get("url"),
        "video_file": file.get("url"),
        "video_type": file.get("type"),
        "video_files": len(video.get("files") or []),
        "video_width": file.get("width"),
        "video_height": file.get("height"),
        "video_bitrate": _number(file.get("bitrate")),
        "video_size": file.get("size"),
        "video_duration": _number(video.get("duration", file.get("duration"))),
        "video_published": video.get("published"),
        "video_expires": available.get("end"),
        "video_rating": _number(rating.get("average")),
        "video_views": video.get("views"),
        "video_family_friendly": video.get("family_friendly"),
        "video_live": video.get("live"),
        "video_tags": _texts(video.get("tags"), "value"),
        "video_categories": _texts(video.get("categories"), "term"),
        "json": _json(video),
    }
