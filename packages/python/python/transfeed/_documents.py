"""Entries of documents, and what is in them: read, write, inspect, diff, validate, explain."""

from __future__ import annotations

import datetime
import json
import os
import tempfile
from typing import Any, Callable, Dict, Iterable, Iterator, List, Optional, Sequence, Union

from . import _transfeed
from ._convert import Result, TARGETS, check_format, check_input, convert, date_text, odd_numbers, options_json, source_format
from ._tables import ENTRIES, FINDINGS, Row, Table, VIDEOS, line_rows, page_rows, video_rows


class _Readings:
    """The readings of a document. The first one begins with the table, which needs the head."""

    def __init__(self, open: Callable[[], Any]) -> None:
        self.open = open
        self.last: Any = open()
        self._begun = False

    def entries(self) -> Iterator[Row]:
        if self._begun:
            self.last = self.open()
        self._begun = True
        return map(json.loads, self.last)


class Entries(Table):
    """The entries of a document. Each iteration reads the document again, in constant memory.

    ``head`` is the head, ``format`` the format of the document. Iterated, it returns dicts: the model as JSON, or with
    ``flat=True`` one row a video. Tables always have one fixed schema.
    """

    def __init__(self, open: Callable[[], Any], flat: bool) -> None:
        self._flat = flat
        # rows refer to this, and not to the table: the copy of a stream goes with the last reference to it
        readings = self._readings = _Readings(open)
        head = json.loads(readings.last.head())
        self.head: Row = head["feed"]
        self.format: str = head["format"]
        rows = video_rows if flat else page_rows
        super().__init__(lambda: rows(readings.entries()), VIDEOS if flat else ENTRIES)

    def __iter__(self) -> Iterator[Row]:
        return iter(self._rows()) if self._flat else self._readings.entries()

    def __len__(self) -> int:
        # list() asks for the length before it reads, so a count here would read every document twice
        raise TypeError("a document is not counted without reading it; try: sum(1 for _ in entries)")

    def __repr__(self) -> str:
        what = "videos" if self._flat else "entries"
        return f"<{type(self).__name__}, the {what} of a document in {self.format}>"

    @property
    def diagnostics(self) -> List[Row]:
        """The problems of the document that the last iteration has found so far."""
        diagnostics: List[Row] = json.loads(self._readings.last.diagnostics())
        return diagnostics


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
        given = _transfeed.HeldInput(given, _folder(options))
    return Entries(lambda: _transfeed.EntryReader(given, name, source, passed), flat)


def _folder(options: Row) -> Optional[str]:
    """The folder of temporary files, if it is not that of the system."""
    folder = options.get("temp_dir")
    return None if folder is None else os.fsdecode(folder)


_FLAT = "rows of videos cannot be written; read the document without flat=True, and edit its entries"


def _check_entry(entry: Any) -> None:
    """Refuses what is iterable and has no entries: iterating over a data frame gives the names of its columns."""
    if not isinstance(entry, dict):
        raise TypeError(f"an entry must be a dict as read() returns it, not {type(entry).__name__}; a data frame cannot be written")
    # a column of every row with flat=True, and no member of an entry
    if "video_title" in entry:
        raise TypeError(_FLAT)


def write(
    entries: Iterable[Row], to: str, *, head: Optional[Row] = None, source: Optional[str] = None, **options: Any
) -> Result:
    """Writes entries as a document: dicts as :func:`read` returns them, edited or made by hand.

    ``head`` has the members of the head, ``source`` the format that they come from (by default that of ``entries``, or the target).
    """
    check_format(to, TARGETS, "target")
    if isinstance(entries, Entries):
        head = entries.head if head is None else head
        source = entries.format if source is None else source
        if entries._flat:
            raise TypeError(_FLAT)
    family = source_format(source) or (to if to not in ("json", "jsonl") else "mrss")
    with tempfile.SpooledTemporaryFile(max_size=1 << 20, dir=_folder(options)) as file:
        file.write(_line({"transfeed": "0.1", "format": family, "feed": head or {}}, "the head"))
        for number, entry in enumerate(entries):
            _check_entry(entry)
            file.write(_line(entry, f"entry {number}"))
        file.seek(0)
        return convert(file, to, source="jsonl", name="entries", **options)


def _line(part: Row, what: str) -> bytes:
    """A part of a document as a line of JSON, which has neither NaN nor infinity."""
    try:
        return json.dumps(part, ensure_ascii=False, allow_nan=False).encode("utf-8") + b"\n"
    except ValueError as error:
        place = next(odd_numbers(part), None)
        if place is None:
            raise
        raise ValueError(f"{what}: {place} is no number; leave it out") from error


def inspect(
    input: Any,
    *,
    to: Optional[Sequence[str]] = None,
    limit: Optional[int] = None,
    sample: Optional[int] = None,
    source: Optional[str] = None,
    name: Optional[str] = None,
    **options: Any,
) -> Row:
    """The content of a document: format, encoding, fields, repairs, and a forecast of the losses for each target.

    ``to`` names the targets (by default all). ``limit`` looks at the first entries only, ``sample`` at so many from all parts of the
    document.
    """
    limit, sample = _count("limit", limit), _count("sample", sample)
    targets = None if to is None else [check_format(one, TARGETS, "target") for one in ([to] if isinstance(to, str) else to)]
    found = _transfeed.inspect(
        check_input(input), name, source_format(source), targets, (limit, sample), options_json(options)
    )
    inputs: List[Row] = json.loads(found)["inputs"]
    return inputs[0]


class Diff(Dict[str, Any]):
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
    if len(names) != 2:
        raise ValueError(f"names must be two, one for each document, not {len(names)}")
    found = _transfeed.diff(
        (check_input(a), names[0]),
        (check_input(b), names[1]),
        source_format(source),
        (order, allow_conversion_drops),
        (_names(ignore), _names(only)),
        options_json(options),
    )
    return Diff(json.loads(found))


class Findings(Table):
    """The broken rules of a document; a table with one fixed schema. It is true if there are any.

    ``totals`` counts all of them, also those that are not listed; then ``truncated`` is true. ``notes`` say what could not be
    checked.
    """

    def __init__(self, head: str, lines: bytes) -> None:
        found = json.loads(head)
        self.totals: Dict[str, int] = found["totals"]
        self.profiles: List[str] = found["profiles"]
        self.source: Row = found["source"]
        self.notes: List[str] = found["notes"]
        count = lines.count(b"\n")
        self.truncated: bool = count < sum(self.totals.values())
        super().__init__(line_rows(lines, {"file": self.source["name"]}), FINDINGS, count)

    def __bool__(self) -> bool:
        return any(self.totals.values())


def validate(
    input: Any,
    *,
    profile: Sequence[str] = (),
    level: str = "warning",
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    sitemap_url: Optional[str] = None,
    now: Union[str, datetime.date, None] = None,
    most: Optional[int] = 1000,
    source: Optional[str] = None,
    name: Optional[str] = None,
    **options: Any,
) -> Findings:
    """Checks a document against the rules of Google, Yandex, sitemaps.org, RSS, Atom and Media RSS.

    A sitemap index is a document, too; the command ``transfeed validate`` checks the parts that it lists. ``profile`` are names
    such as ``"google"`` (by default all that fit), ``select`` and ``ignore`` codes of rules or their beginnings. ``now`` is the
    date of the check. At most ``most`` findings of a rule are listed: all of them are in memory (``None``: no limit).
    """
    most = _count("most", most)
    head, lines = _transfeed.validate(
        check_input(input),
        name,
        source_format(source),
        (_names(profile), level, most),
        (_names(select), _names(ignore)),
        (sitemap_url, date_text(now)),
        options_json(options),
    )
    return Findings(head, lines)


def _count(name: str, given: Optional[int]) -> Optional[int]:
    """A number of things, or ``None`` for all."""
    if given is not None and not 0 <= given < 1 << 64:
        raise ValueError(f"{name} must be a number from 0 to 2**64 - 1, not {given}; pass None for all")
    return given


def _names(given: Sequence[str]) -> List[str]:
    return [given] if isinstance(given, str) else list(given)


def explain(name: str) -> str:
    """The meaning of a code or a name in a report: a rule, a loss code, a reason, a repair, a field, a format."""
    return _transfeed.explain(name)
