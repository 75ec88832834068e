"""Conversions in memory and into files, their results, and migrations of whole trees."""

from __future__ import annotations

import datetime
import difflib
import json
import math
import os
import subprocess
import sys
from typing import Any, Callable, Iterable, Iterator, List, Optional, Sequence, Set, Union

from . import _transfeed
from ._errors import LossError, TransfeedError
from ._flags import GZIP, LIMITS, NAMES, TREE, in_python
from ._tables import LOSSES, Row, Table, line_rows

FORMATS = {name: title for name, title, _, _ in _transfeed.formats()}
TARGETS = [name for name, _, is_target, _ in _transfeed.formats() if is_target]
_OPTIONS = frozenset(json.loads(_transfeed.default_options()))
_LOSS_WORDS = frozenset([*_transfeed.loss_words(), "dropped"])
_ENDINGS = {"." + ending: name for name, _, _, ending in _transfeed.formats() if ending is not None}


def check_format(name: str, known: Iterable[str], what: str) -> str:
    """The name, if it is known."""
    known = list(known)
    if name in known:
        return name
    near = difflib.get_close_matches(str(name), known, 1)
    hint = f"did you mean {near[0]}? " if near else ""
    raise ValueError(f"no {what} is called {name!r}: {hint}{what}s are {', '.join(known)}")


def source_format(name: Optional[str]) -> Optional[str]:
    return None if name is None else check_format(name, FORMATS, "format")


def options_json(options: Row) -> str:
    """Options as the library reads them. Dates may be those of ``datetime``."""

    def value(given: Any) -> Any:
        if isinstance(given, (datetime.datetime, datetime.date)):
            return given.isoformat()
        if isinstance(given, os.PathLike):
            return os.fsdecode(given)
        raise TypeError(f"cannot pass {given!r} as an option")

    unknown = {name: None for name in options if name not in _OPTIONS}
    if unknown:
        # names the nearest one
        _transfeed.check_options(json.dumps(unknown))
    for name in odd_numbers(options):
        raise ValueError(f"cannot read the option {name}: it is no number")
    passed = json.dumps({name: given for name, given in options.items() if given is not None}, default=value)
    if r"\ud" in passed:
        for name, given in options.items():
            _check_unicode(name, json.dumps(given, default=value, ensure_ascii=False))
    return passed


def odd_numbers(value: Any, path: str = "") -> Iterator[str]:
    """The places of values that are NaN or infinite."""
    if isinstance(value, float) and not math.isfinite(value):
        yield path
    elif isinstance(value, dict):
        for name, member in value.items():
            yield from odd_numbers(member, f"{path}.{name}" if path else str(name))
    elif isinstance(value, (list, tuple)):
        for index, member in enumerate(value):
            yield from odd_numbers(member, f"{path}[{index}]")


def _check_unicode(name: str, text: str) -> None:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise ValueError(f"cannot read the option {name}: its text is not Unicode; try another name") from None


def date_text(given: Union[str, datetime.date, None]) -> Optional[str]:
    """A date as the library reads it."""
    return given.isoformat() if isinstance(given, datetime.date) else given


def check_input(given: Any) -> Any:
    """The input; a ``str`` is a path, so that a document in one is a mistake."""
    if isinstance(given, os.PathLike):
        return os.fsdecode(given)
    if isinstance(given, str) and (given.lstrip()[:1] in ("<", "{") or "\n" in given) and not _exists(given):
        raise TypeError("a str is the path of a file; pass the text of a document as bytes: text.encode()")
    return given


def _exists(path: str) -> bool:
    try:
        return os.path.exists(path)
    except ValueError:
        # a name with a NUL, in Python before 3.12
        return False


class Result:
    """A finished conversion.

    ``content`` is the document (``None`` if it went to a file), ``losses`` a table of every value that was changed, merged, lost,
    not understood or generated. After :func:`convert_file`, ``losses`` lists the first ten of each row.
    """

    def __init__(self, content: Optional[bytes], losses: Optional[bytes], report: bytes) -> None:
        self.content = content
        self._json = report
        self.report: Row = json.loads(report)
        self.losses = self._losses(losses)

    def _losses(self, lines: Optional[bytes]) -> Table:
        name = {"input": self.report["source"]["name"]}
        if lines is None:
            return Table(lambda: ({**name, **row} for row in _examples(self.rows)), LOSSES)
        return Table(line_rows(lines, name), LOSSES, lines.count(b"\n"))

    @property
    def totals(self) -> Row:
        """The numbers of values: ``leaves = kept + changed + lost + unread + merged``, and ``made``."""
        totals: Row = self.report["totals"]
        return totals

    @property
    def rows(self) -> List[Row]:
        """The losses in rows: one for each field, kind and reason, with ``count`` and the first ten ``examples``."""
        rows: List[Row] = self.report["rows"]
        return rows

    @property
    def dropped(self) -> List[Row]:
        """The entries and videos that could not be written."""
        dropped: List[Row] = self.report["dropped"]
        return dropped

    @property
    def diagnostics(self) -> List[Row]:
        """The repairs of the input."""
        diagnostics: List[Row] = self.report["diagnostics"]
        return diagnostics

    def report_json(self) -> bytes:
        """The report, as ``transfeed convert --report FILE.json`` writes it."""
        return self._json

    def text(self) -> str:
        """The document as text."""
        if self.content is None:
            raise ValueError("the document went to a file")
        return self.content.decode("utf-8")

    def save(self, path: Union[str, os.PathLike[str]]) -> None:
        """Writes the document to a file, as :func:`convert_file` does: it appears under its name once it is complete, and is
        compressed if its name ends in ``.gz``."""
        if self.content is None:
            raise ValueError("the document went to a file")
        _transfeed.save(self.content, output_path(path))

    def raise_for_losses(self, *what: str, allow: Sequence[str] = ()) -> "Result":
        """Raises :class:`LossError` if values were lost.

        ``what`` are kinds (``lost``, ``changed``, ``unread``, ``merged``, ``made``), severities (``error`` …), classes
        (``attention`` …), codes, reasons, fields (``video.title``, ``video.file``, ``video.*``), or ``dropped``; without any, it
        is ``lost`` and ``unread``. ``allow`` has what is accepted, in the same words. A word that means nothing of this is a
        ``ValueError``.
        """
        wanted, accepted = _selection(what or ("lost", "unread")), _selection([allow] if isinstance(allow, str) else allow)

        def matches(row: Row, words: Set[str]) -> bool:
            return any(row[name] in words for name in ("kind", "severity", "class", "code", "reason", "field"))

        rows = [row for row in self.rows if matches(row, wanted) and not matches(row, accepted)]
        dropped = self.report["dropped_count"] if "dropped" in wanted - accepted else 0
        if not rows and not dropped:
            return self
        shown = [f"{row['field']}: {row['count']} {row['kind']}, {row['why']}" for row in rows[:3]]
        if dropped:
            shown.insert(0, f"{dropped} entries or videos dropped")
        more = f" and {len(rows) - 3} more rows" if len(rows) > 3 else ""
        raise LossError("; ".join(shown) + more, "losses", rows)

    def __repr__(self) -> str:
        size = "" if self.content is None else f"{len(self.content)} bytes, "
        totals = ", ".join(f"{count} {kind}" for kind, count in self.totals.items() if kind != "leaves" and count)
        return f"<Result {self.report['target']['format']}: {size}{totals}>"


def _selection(words: Sequence[str]) -> Set[str]:
    """The words, and the fields that they mean."""
    selected: Set[str] = set()
    for word in words:
        fields = _transfeed.fields_within(word) if word else []
        if not fields and word not in _LOSS_WORDS:
            near = difflib.get_close_matches(word, [*_LOSS_WORDS, *_transfeed.fields_within("*")], 1)
            hint = f"did you mean {near[0]}?" if near else "try a name that result.rows has"
            raise ValueError(f"no kind, severity, class, code, reason or field is called {word!r}: {hint}")
        selected.add(word)
        selected.update(fields)
    return selected


def output_path(output: Union[str, os.PathLike[str]]) -> str:
    """The path of an output."""
    path = os.fsdecode(output)
    if not path:
        raise ValueError("the name of the output is empty; pass the path of a file")
    return path


def convert(input: Any, to: str, *, source: Optional[str] = None, name: Optional[str] = None, **options: Any) -> Result:
    """Converts a document in memory.

    ``input`` is a path, bytes, or a binary file object; ``to`` a target such as ``"video-sitemap"``. ``source`` overrules the
    detection of its format, ``name`` is its name in errors and reports. ``options`` are those of the library:
    :func:`default_options` lists them.
    """
    check_format(to, TARGETS, "target")
    given = check_input(input)
    content, losses, report = _transfeed.convert(given, name, to, source_format(source), options_json(options))
    return Result(content, losses, report)


def convert_file(
    input: Any,
    output: Any,
    to: Optional[str] = None,
    *,
    source: Optional[str] = None,
    name: Optional[str] = None,
    losses: Union[str, os.PathLike[str], None] = None,
    **options: Any,
) -> Result:
    """Converts into a file in constant memory.

    The file appears under its name once it is complete, so that it can be repeated at any time, also at the same time: a failed
    conversion leaves the previous file. A name that ends in ``.gz`` is compressed. ``output`` may be a binary file object; it gets
    nothing before the conversion has succeeded. ``losses`` is the path of a file for every loss, as a line of JSON. Neither may be
    the input.
    """
    # files of fsspec are paths too
    if not hasattr(output, "write"):
        output = output_path(output)
    to = check_format(to if to is not None else _target_of(output), TARGETS, "target")
    given = check_input(input)
    report = _transfeed.convert_file(
        given, output, (name, None if losses is None else output_path(losses)), to, source_format(source), options_json(options)
    )
    return Result(None, None, report)


def _target_of(output: Any) -> str:
    path = output if isinstance(output, str) else ""
    stem = path[:-3] if path.endswith(".gz") else path
    try:
        return _ENDINGS[os.path.splitext(stem)[1].lower()]
    except KeyError:
        raise ValueError(f"cannot infer the target from {path!r}; pass to= with one of {', '.join(TARGETS)}") from None


def _examples(rows: Iterable[Row]) -> Iterator[Row]:
    for row in rows:
        common = {name: value for name, value in row.items() if name not in ("count", "examples")}
        for example in row["examples"]:
            yield {**common, **example}


def default_options() -> Row:
    """All options with their defaults."""
    options: Row = json.loads(_transfeed.default_options())
    return options


def arguments(options: Row) -> List[str]:
    """The options as arguments of the command line. Values are part of their argument, so that none is taken for an option."""
    if options.get("modified") is not None:
        raise TypeError("migrate has no option modified: each file has its own date")
    passed = options_json(options)
    # migrate has fewer limits, and says which
    words = _limits(options["limits"]) if isinstance(options.get("limits"), dict) else []
    _transfeed.check_options(passed)
    for name, value in json.loads(passed).items():
        flag = NAMES.get(name, "--" + name.replace("_", "-"))
        if name == "limits" or value is False:
            continue
        if name == "items":
            words += {"per-page": ["--one-item-per-page"], "per-video": ["--one-item-per-video"]}.get(value, [])
        elif name == "ext":
            words.append("--ext=" + (",".join(value) or "none"))
        elif isinstance(value, list):
            words += [f"{flag}={one}" for one in value]
        else:
            words.append(flag if value is True else f"{flag}={value}")
    return words


def _limits(limits: Row) -> List[str]:
    words: List[str] = []
    for within, flags, given in (
        ("", LIMITS, {name: value for name, value in limits.items() if name not in ("tree", "gzip")}),
        ("tree.", TREE, limits.get("tree", {})),
        ("gzip.", GZIP, limits.get("gzip", {})),
    ):
        # what is no dict is refused by the library
        for name, value in given.items() if isinstance(given, dict) else ():
            if name not in flags:
                raise TypeError(f"migrate has no limit {within}{name}; its limits are {', '.join(_all_limits())}")
            words.append(f"{flags[name]}={value}")
    return words


def _all_limits() -> List[str]:
    return [*LIMITS, *("tree." + name for name in TREE), *("gzip." + name for name in GZIP)]


class Migration:
    """A finished migration. ``code`` is the exit code: 0 done, 3 some inputs failed; ``summary`` is ``summary.json``."""

    def __init__(self, code: int, summary: Row) -> None:
        self.code = code
        self.summary = summary

    @property
    def totals(self) -> Row:
        """The numbers of values in all files that were converted."""
        totals: Row = self.summary["totals"]
        return totals

    @property
    def files(self) -> List[Row]:
        """A report for each input that failed or was converted, as far as the summary lists it."""
        files: List[Row] = self.summary.get("files", [])
        return files

    def __repr__(self) -> str:
        return f"<Migration, exit code {self.code}: {self.summary.get('counts')}>"


def migrate(
    sources: Any,
    out: Union[str, os.PathLike[str]],
    to: str,
    *,
    on_file: Optional[Callable[[Row], Any]] = None,
    source: Optional[str] = None,
    name: Optional[str] = None,
    include: Sequence[str] = (),
    exclude: Sequence[str] = (),
    shard: Optional[str] = None,
    force: bool = False,
    retry_failed: bool = False,
    dry_run: bool = False,
    fail_fast: bool = False,
    gzip: bool = False,
    report: Union[str, os.PathLike[str], None] = None,
    **options: Any,
) -> Migration:
    """Converts whole trees on all cores, and resumes where the last run ended: ``transfeed migrate``.

    ``sources`` is a folder, a file, a pattern, or several of them. ``on_file`` is called with a dict for each input as soon as it is
    done; an exception in it stops the run. A failed input does not stop it; it is in ``summary`` and makes ``code`` 3.
    The run is a separate process, with its own signals and memory.
    """
    check_format(to, TARGETS, "target")
    if isinstance(sources, (str, bytes, os.PathLike)):
        sources = [sources]
    sources = [os.fsdecode(one) for one in sources]
    if not sources:
        raise ValueError("there are no sources; pass a folder, a file or a pattern")
    words = [f"--to={to}", f"--out={output_path(out)}", "--json", "--quiet", "--progress=never"]
    for flag, value in [("--from", source_format(source)), ("--name", name), ("--shard", shard), ("--report", report)]:
        if value is not None:
            words.append(f"{flag}={os.fsdecode(value)}")
    for flag, values in [("--include", include), ("--exclude", exclude)]:
        words += [f"{flag}={value}" for value in ([values] if isinstance(values, str) else values)]
    flags = {
        "--force": force,
        "--retry-failed": retry_failed,
        "--dry-run": dry_run,
        "--fail-fast": fail_fast,
        "--gzip": gzip,
    }
    words += [flag for flag, is_set in flags.items() if is_set]
    words += arguments(options)
    return _run([*words, "--", *sources], on_file)


#: The program of the process that migrates. It imports this package from where this process has it: the current folder may have
#: modules of the same names.
_PROGRAM = """\
import sys
end = 2 + int(sys.argv[1])
sys.path[:] = sys.argv[2:end]
del sys.argv[1:end]
from transfeed.__main__ import main
sys.exit(main())
"""


def _command(words: List[str]) -> List[str]:
    if not sys.executable:
        raise TransfeedError("cannot start Python: sys.executable is empty; try the command transfeed migrate")
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    paths = [path for path in sys.path if isinstance(path, str) and os.path.isabs(path)]
    paths += [] if package in paths else [package]
    return [sys.executable, "-c", _PROGRAM, str(len(paths)), *paths, "migrate", *words]


def _run(words: List[str], on_file: Optional[Callable[[Row], Any]]) -> Migration:
    summary: Optional[Row] = None
    process = subprocess.Popen(
        _command(words), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stdout is not None and process.stderr is not None
    errors: List[bytes] = []
    with process.stdout, process.stderr, _Drain(process.stderr, errors):
        try:
            for line in process.stdout:
                event = json.loads(line)
                if event.get("type") == "summary":
                    summary = event
                elif event.get("type") == "file" and on_file is not None:
                    on_file(event)
        except BaseException:
            # the run finishes its current file, and leaves nothing half-written
            process.terminate()
            # it may be writing an event: one that nobody reads blocks it
            for line in process.stdout:
                pass
            process.wait()
            raise
        code = process.wait()
    if summary is None or code not in (0, 3):
        says = b"".join(errors).decode("utf-8", "replace").strip()
        says = says.removeprefix("error: ") or f"transfeed migrate ended with exit code {code}"
        raise TransfeedError(in_python(says), {1: "refused", 70: "unbalanced"}.get(code, "format"))
    return Migration(code, summary)


class _Drain:
    """Reads a stream in a thread, so that its writer never waits."""

    def __init__(self, stream: Any, into: List[bytes]) -> None:
        import threading

        self._thread = threading.Thread(target=lambda: into.extend(iter(lambda: stream.read1(1 << 16), b"")), daemon=True)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: Any) -> None:
        self._thread.join(5)
