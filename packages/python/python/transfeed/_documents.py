"""Entries of documents, and what is in them: read, write, inspect, diff, validate, explain."""

from __future__ import annotations

import json
import tempfile
from typing import Any, Callable, Iterable, Iterator, List, Optional, Sequence

from . import _transfeed
from ._convert import Result, check_format, check_input, convert, options_json, source_format, TARGETS
from ._tables import ENTRIES, FINDINGS, Schema, Table, VIDEOS, page_rows, video_rows


class Entries(Table):
    """The entries of a document. Each iteration reads the document again, in constant memory.

    ``head`` is the head, ``format`` the format of the document. Iterated, it returns dicts: the model as JSON, or with
    ``flat=True`` one row a video. Tables always have one fixed schema.
    """

    def __init__(self, open: Callable[[], Any], flat: bool) -> None:
        self._open = open
        self._flat = flat
        first = open()
        head = json.loads(first.head())
        self.head: dict = head["feed"]
        self.format: str = head["format"]
        self._first: Any = first
        self._last: Any = first
        super().__init__(self._table_rows, VIDEOS if flat else ENTRIES)

    def _entries(self) -> Iterator[dict]:
        reader, self._first = self._first or self._open(), None
        self._last = reader
        return map(json.loads, reader)

    def _table_rows(self) -> Iterator[dict]:
        return video_rows(self._entries()) if self._flat else page_rows(self._entries())

    def __iter__(self) -> Iterator[dict]:
        return self._table_rows() if self._flat else self._entries()

    def __len__(self) -> int:
        # list() asks for the length before it reads, so a count here would read every document twice
        raise TypeError("a document is not counted without reading it; try: sum(1 for _ in entries)")

    def __repr__(self) -> str:
        what = "videos" if self._flat else "entries"
        return f"<{type(self).__name__}, the {what} of a document in {self.format}>"

    @property
    def diagnostics(self) -> List[dict]:
        """The problems of the document that the last iteration has found so far."""
        return json.loads(self._last.diagnostics())


def read(
    input: Any, *, flat: bool = False, source: Optional[str] = None, name: Optional[str] = None, **options: Any
) -> Entries:
    """Reads the entries of a document one by one.

    ``input`` is a path, bytes, or a binary file object, which is copied. With ``flat=True`` there is one row a video.
    """
    given = check_input(input)
    source = source_format(source)
    passed = options_json(options)
    if hasattr(given, "read"):
        given = _copy(given)
        name = name if name is not None else "stream"
    return Entries(lambda: _transfeed.EntryReader(_again(given), name, source, passed), flat)


class _Copy:
    """The content of a file object, which can be read again."""

    def __init__(self, file: Any) -> None:
        self._file = file

    def again(self) -> Any:
        self._file.seek(0)
        return self._file


def _copy(stream: Any) -> _Copy:
    file = tempfile.SpooledTemporaryFile(max_size=1 << 20)
    while True:
        piece = stream.read(1 << 20)
        if not piece:
            return _Copy(file)
        if not isinstance(piece, (bytes, bytearray)):
            raise TypeError("read() returned no bytes; open the file in binary mode")
        file.write(piece)


def _again(given: Any) -> Any:
    return given.again() if isinstance(given, _Copy) else given


def write(
    entries: Iterable[dict], to: str, *, head: Optional[dict] = None, source: Optional[str] = None, **options: Any
) -> Result:
    """Writes entries as a document: dicts as :func:`read` returns them, edited or made by hand.

    ``head`` has the members of the head, ``source`` the format that they come from (by default that of ``entries``, or the target).
    """
    check_format(to, TARGETS, "target")
    if isinstance(entries, Entries):
        head = entries.head if head is None else head
        source = entries.format if source is None else source
        if entries._flat:
            raise TypeError("rows of videos cannot be written; read the document without flat=True")
    family = source_format(source) or (to if to not in ("json", "jsonl") else "mrss")
    with tempfile.SpooledTemporaryFile(max_size=1 << 20) as file:
        first = {"transfeed": "0.1", "format": family, "feed": head or {}}
        file.write(json.dumps(first, ensure_ascii=False).encode("utf-8") + b"\n")
        for entry in entries:
            file.write(json.dumps(entry, ensure_ascii=False).encode("utf-8") + b"\n")
        file.seek(0)
        return convert(file, to, source="jsonl", name="entries", **options)


def inspect(
    input: Any,
    *,
    to: Optional[Sequence[str]] = None,
    limit: Optional[int] = None,
    sample: Optional[int] = None,
    source: Optional[str] = None,
    name: Optional[str] = None,
    **options: Any,
) -> dict:
    """The content of a document: format, encoding, fields, repairs, and a forecast of the losses for each target.

    ``to`` names the targets (by default all), ``limit`` and ``sample`` look at that many entries only.
    """
    targets = None if to is None else [check_format(one, TARGETS, "target") for one in ([to] if isinstance(to, str) else to)]
    found = _transfeed.inspect(
        check_input(input), name, source_format(source), targets, (limit, sample), options_json(options)
    )
    return json.loads(found)["inputs"][0]


class Diff(dict):
    """The differences of two documents, as ``transfeed diff --json`` writes them. It is true if there are any."""

    def __bool__(self) -> bool:
        return any(self[name] for name in ("added", "removed", "moved", "changed"))


def diff(
    a: Any,
    b: Any,
    *,
    order: bool = False,
    ignore: Sequence[str] = (),
    only: Sequence[str] = (),
    allow_conversion_drops: bool = False,
    source: Optional[str] = None,
    names: Sequence[Optional[str]] = (None, None),
    **options: Any,
) -> Diff:
    """The differences of two documents of any formats, by meaning.

    A sitemap index is a document, too; the command ``transfeed diff`` compares the parts that it lists.
    """
    found = _transfeed.diff(
        (check_input(a), names[0]),
        (check_input(b), names[1]),
        source_format(source),
        (order, allow_conversion_drops),
        (list(ignore), list(only)),
        options_json(options),
    )
    return Diff(json.loads(found))


class Findings(Table):
    """The broken rules of a document; a table with one fixed schema. It is true if there are any."""

    def __init__(self, found: dict) -> None:
        self.totals: dict = found["totals"]
        self.profiles: List[str] = found["profiles"]
        self.source: dict = found["source"]
        rows = [{"file": self.source["name"], **finding} for finding in found["findings"]]
        super().__init__(lambda: rows, FINDINGS)


def validate(
    input: Any,
    *,
    profile: Sequence[str] = (),
    level: str = "warning",
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    sitemap_url: Optional[str] = None,
    now: Optional[str] = None,
    source: Optional[str] = None,
    name: Optional[str] = None,
    **options: Any,
) -> Findings:
    """Checks a document against the rules of Google, Yandex, sitemaps.org, RSS, Atom and Media RSS.

    A sitemap index is a document, too; the command ``transfeed validate`` checks the parts that it lists. ``profile`` are names such as ``"google"`` (by default all that fit), ``select`` and ``ignore`` codes of rules or their beginnings.
    """
    profiles = [profile] if isinstance(profile, str) else list(profile)
    found = _transfeed.validate(
        check_input(input),
        name,
        source_format(source),
        (profiles, level),
        (list(select), list(ignore)),
        (sitemap_url, now),
        options_json(options),
    )
    return Findings(json.loads(found))


def explain(name: str) -> str:
    """The meaning of a code or a name in a report: a rule, a loss code, a reason, a repair, a field, a format."""
    return _transfeed.explain(name)
