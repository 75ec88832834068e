"""Inputs, outputs, results, errors and tables of the package."""

import io
import json
import os
import pathlib
import pickle

import pytest
import transfeed
from conftest import FEED, NOW, ROOT, SAMPLES
from transfeed._tables import ENTRIES, VIDEOS, page_rows, video_rows


def test_a_document_is_a_path_bytes_or_a_file_object(tmp_path):
    path = tmp_path / "a.rss"
    path.write_bytes(FEED)
    expected = transfeed.convert(FEED, "jsonl", now=NOW).content
    buffers = [FEED, bytearray(FEED), memoryview(FEED), str(path), path, io.BytesIO(FEED)]
    for given in buffers:
        assert transfeed.convert(given, "jsonl", now=NOW).content == expected
    with open(path, "rb") as file:
        assert transfeed.convert(file, "jsonl", now=NOW).content == expected
    with open(path, "rb", buffering=0) as file:
        assert transfeed.convert(file, "jsonl", now=NOW).content == expected
    with open(path) as file, pytest.raises(TypeError, match="binary mode"):
        transfeed.convert(file, "jsonl")
    for wrong in (FEED.decode(), 7, None):
        with pytest.raises(TypeError):
            transfeed.convert(wrong, "jsonl")


def test_file_objects_may_read_any_kind_of_bytes():
    expected = transfeed.convert(FEED, "jsonl", now=NOW).content
    for kind in (bytearray, memoryview):

        class Stream:
            def __init__(self):
                self.file = io.BytesIO(FEED)

            def read(self, size=-1):
                return kind(self.file.read(size))

        assert transfeed.convert(Stream(), "jsonl", now=NOW).content == expected
        assert len(list(transfeed.read(Stream()))) == 2


def test_names_may_begin_like_documents(tmp_path):
    os.chdir(tmp_path)
    for name in ("<a>.rss", "{b}.rss"):
        with pytest.raises(TypeError, match="pass the text of a document as bytes"):
            transfeed.convert(name, "jsonl")
        (tmp_path / name).write_bytes(FEED)
        assert transfeed.convert(name, "jsonl").content
    with pytest.raises(ValueError, match="name of the output is empty"):
        transfeed.convert_file(FEED, "", "jsonl")


def test_temporary_files_are_where_the_option_says(tmp_path):
    long = b"https://example.com/\n" * 100_000
    (tmp_path / "here").mkdir()
    entries = transfeed.read(io.BytesIO(long), temp_dir=tmp_path / "here")
    assert len(os.listdir(tmp_path / "here")) == 1
    for _ in range(2):
        assert sum(1 for _ in entries) == 100_000
    # one copy, and not one for each iteration
    assert len(os.listdir(tmp_path / "here")) == 1
    del entries
    assert os.listdir(tmp_path / "here") == []
    nowhere = tmp_path / "nowhere"
    for call in (transfeed.read, lambda *given, **options: transfeed.convert(*given, "text", **options)):
        with pytest.raises(transfeed.FileError, match="temporary file: ") as raised:
            call(io.BytesIO(long), temp_dir=nowhere)
        assert (raised.value.code, raised.value.filename) == ("io", None)
    with pytest.raises(transfeed.MissingFileError, match="temporary file: "):
        transfeed.convert_file(FEED, io.BytesIO(), "text", temp_dir=nowhere)


@pytest.mark.parametrize("answer", [0, None, -1, 1 << 40, "all"])
def test_file_objects_that_do_not_write_are_errors(answer):
    class Out(io.RawIOBase):
        name = "s3://out"
        written = b""

        def write(self, piece):
            if not self.written:
                self.written = bytes(piece[:7])
                return 7
            return answer

    out = Out()
    expected = TypeError if answer == "all" else transfeed.FileError
    with pytest.raises(expected) as raised:
        transfeed.convert_file(FEED, out, "jsonl")
    assert out.written == transfeed.convert(FEED, "jsonl").content[:7]
    if expected is transfeed.FileError:
        assert (raised.value.filename, raised.value.code) == ("s3://out", "io")


def test_file_objects_may_return_nothing():
    class Out:
        def __init__(self):
            self.pieces = []

        def write(self, piece):
            self.pieces.append(piece)

    out = Out()
    transfeed.convert_file(FEED, out, "jsonl", now=NOW)
    assert b"".join(out.pieces) == transfeed.convert(FEED, "jsonl", now=NOW).content


def test_outputs_are_kept_apart(tmp_path):
    feed, out = tmp_path / "feed.mrss", tmp_path / "out.xml"
    feed.write_bytes(FEED)
    (tmp_path / "link").symlink_to("feed.mrss")
    for output, losses in ((out, feed), (out, tmp_path / "link"), (feed, None), (feed, tmp_path / "losses"), (out, out)):
        with pytest.raises(transfeed.TransfeedError, match="cannot write .*(is an input|have this name)") as raised:
            transfeed.convert_file(str(feed), output, "video-sitemap", losses=losses, name="another")
        assert raised.value.code == "format"
    assert feed.read_bytes() == FEED and sorted(os.listdir(tmp_path)) == ["feed.mrss", "link"]
    transfeed.convert_file(feed, os.devnull, "text", losses=os.devnull)


def test_files_of_fsspec_are_inputs_and_outputs():
    fsspec = pytest.importorskip("fsspec")
    store = fsspec.filesystem("memory")
    store.pipe("/feeds/a.rss", FEED)
    with store.open("/feeds/a.rss") as given, store.open("/out/a.xml", "wb") as out:
        result = transfeed.convert_file(given, out, "video-sitemap", name="memory://feeds/a.rss", now=NOW)
    assert store.cat("/out/a.xml") == transfeed.convert(FEED, "video-sitemap", now=NOW).content
    assert result.report["source"]["name"] == "memory://feeds/a.rss"


def test_a_result_has_content_losses_and_totals(tmp_path):
    result = transfeed.convert(FEED, "video-sitemap", now=NOW)
    assert b"<video:duration>77</video:duration>" in result.content
    assert result.text().startswith("<?xml")
    totals = result.totals
    assert totals["leaves"] == sum(totals[name] for name in ("kept", "changed", "lost", "unread", "merged"))
    assert len(result.losses) == sum(totals[name] for name in ("changed", "lost", "unread", "merged", "made"))
    assert {row["field"]: row["from"] for row in result.losses}["video.file.bitrate"] == "800"
    assert {row["input"] for row in result.losses} == {"bytes"}
    written = transfeed.convert_file(FEED, tmp_path / "first.xml", "video-sitemap", name="a.rss", now=NOW)
    assert {row["input"] for row in written.losses} == {"a.rss"}
    os.unlink(tmp_path / "first.xml")
    out = tmp_path / "out.xml"
    out.write_text("before")
    os.chmod(out, 0o644)
    result.save(out)
    assert out.read_bytes() == result.content and os.listdir(tmp_path) == ["out.xml"]


def test_results_are_saved_as_files_are_written(tmp_path):
    result = transfeed.convert(FEED, "video-sitemap", now=NOW)
    result.save(tmp_path / "a.xml.gz")
    import gzip

    assert gzip.decompress((tmp_path / "a.xml.gz").read_bytes()) == result.content
    (tmp_path / "target.xml").write_bytes(b"before")
    os.chmod(tmp_path / "target.xml", 0o640)
    (tmp_path / "link.xml").symlink_to("target.xml")
    long = "n" * 250
    for name in ("link.xml", long, os.fsencode(long)):
        os.chdir(tmp_path)
        result.save(name)
    assert (tmp_path / "link.xml").is_symlink() and (tmp_path / "target.xml").stat().st_mode & 0o777 == 0o640
    assert (tmp_path / "target.xml").read_bytes() == (tmp_path / long).read_bytes() == result.content
    assert sorted(os.listdir(tmp_path)) == ["a.xml.gz", "link.xml", long, "target.xml"]
    with pytest.raises(FileNotFoundError, match="its folder does not exist"):
        result.save(tmp_path / "no" / "a.xml")
    with pytest.raises(ValueError, match="is empty"):
        result.save("")


def test_a_pipe_stays_one(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    result = transfeed.convert(FEED, "video-sitemap", now=NOW)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        result.save(pipe)
        assert pipe.is_fifo() and os.read(reader, 1 << 16) == result.content
    finally:
        os.close(reader)


def test_misspelt_losses_are_errors():
    result = transfeed.convert(FEED, "video-sitemap", now=NOW)
    for word, near in (("droped", "dropped"), ("unraed", "unread"), ("video.titel", "video.title"), ("vidoe.*", None)):
        for given in (lambda: result.raise_for_losses(word), lambda: result.raise_for_losses(allow=["lost", word])):
            with pytest.raises(ValueError, match=f"called '{word.replace('*', '.')}': .*{near or ''}"):
                given()
    for word in ("", "lost:video.title", "all"):
        with pytest.raises(ValueError, match="no kind, severity"):
            result.raise_for_losses(word)
    # the beginning of a field, as in the command line
    with pytest.raises(transfeed.LossError, match="video.file.bitrate"):
        result.raise_for_losses("video.file")
    assert result.raise_for_losses("video.file.b*", allow="video.file") is result
    # all that reports have is a word
    for row in result.rows:
        for name in ("kind", "severity", "class", "code", "reason", "field"):
            with pytest.raises(transfeed.LossError):
                result.raise_for_losses(row[name])


def test_losses_are_raised():
    result = transfeed.convert(FEED, "video-sitemap", now=NOW)
    with pytest.raises(transfeed.LossError, match="1 lost") as raised:
        result.raise_for_losses()
    assert all(row["kind"] in ("lost", "unread") for row in raised.value.losses)
    for word in ("video.file.*", "video.file.bitrate", "lost", "warning", "unsupported", "no_carrier"):
        with pytest.raises(transfeed.LossError):
            result.raise_for_losses(word)
    with pytest.raises(transfeed.LossError, match="1 entries or videos dropped"):
        transfeed.convert(SAMPLES / "catalogue.mrss", "video-sitemap").raise_for_losses("dropped")
    assert result.raise_for_losses("made", "video.views", "dropped") is result
    assert result.raise_for_losses(allow=["lost"]) is result
    assert transfeed.convert(FEED, "jsonl").raise_for_losses() is not None


def test_a_file_appears_once_it_is_complete(tmp_path):
    out = tmp_path / "out.mrss"
    transfeed.convert_file(FEED, out, now=NOW)
    before = out.read_bytes()
    with pytest.raises(transfeed.TransfeedError) as raised:
        transfeed.convert_file(FEED[:-60], out, now=NOW)
    assert raised.value.code == "refused" and raised.value.line == 7
    assert out.read_bytes() == before and os.listdir(tmp_path) == ["out.mrss"]
    transfeed.convert_file(FEED, tmp_path / "out.mrss.gz", now=NOW)
    import gzip

    assert gzip.decompress((tmp_path / "out.mrss.gz").read_bytes()) == before
    # attempts at the same time: each result is whole
    from concurrent.futures import ThreadPoolExecutor

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda _: transfeed.convert_file(FEED, out, now=NOW), range(100)))
    assert out.read_bytes() == before and sorted(os.listdir(tmp_path)) == ["out.mrss", "out.mrss.gz"]
    stream = io.BytesIO()
    with pytest.raises(transfeed.TransfeedError):
        transfeed.convert_file(FEED[:-60], stream, "mrss")
    assert stream.getvalue() == b""
    with pytest.raises(ValueError, match="cannot infer the target"):
        transfeed.convert_file(FEED, tmp_path / "out.xml")


def test_endings_name_targets(tmp_path):
    for ending, to in (("csv", "csv"), ("txt", "text"), ("JSON", "json"), ("jsonld", "jsonld"), ("atom", "atom")):
        out = tmp_path / f"out.{ending}"
        transfeed.convert_file(FEED, out, now=NOW)
        assert out.read_bytes() == transfeed.convert(FEED, to, now=NOW).content, ending


def test_errors_say_where(tmp_path):
    with pytest.raises(FileNotFoundError) as missing:
        transfeed.convert(tmp_path / "no.rss", "atom")
    assert isinstance(missing.value, transfeed.TransfeedError) and missing.value.code == "io"
    with pytest.raises(OSError, match="is a folder"):
        transfeed.convert(tmp_path, "atom")
    with pytest.raises(transfeed.TransfeedError, match="^a.rss: ") as page:
        transfeed.convert(b"<html><title>No</title></html>", "atom", name="a.rss")
    assert (page.value.code, page.value.input, page.value.line) == ("format", "a.rss", None)
    with pytest.raises(transfeed.TransfeedError) as strict:
        transfeed.convert(FEED.replace(b"Two", b"Two & a half"), "rss", strict=True, name="b.rss")
    assert (strict.value.code, strict.value.line, strict.value.input) == ("strict", 7, "b.rss")
    for error in (missing.value, strict.value):
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error) and again.__dict__ == error.__dict__
    missing = pickle.loads(pickle.dumps(missing.value))
    assert (missing.errno, missing.strerror) == (2, "No such file or directory")
    assert (missing.filename, missing.code) == (str(tmp_path / "no.rss"), "io")
    again = pickle.loads(pickle.dumps(strict.value))
    assert (str(again), again.code, again.line) == (str(strict.value), "strict", 7)
    with pytest.raises(TypeError, match="no option is called prety; did you mean pretty?"):
        transfeed.convert(FEED, "atom", prety=True)
    with pytest.raises(TypeError, match="no option is called prety; did you mean pretty?"):
        transfeed.convert(FEED, "atom", prety=None)
    with pytest.raises(ValueError, match="cannot read the option temp_dir: its text is not Unicode"):
        transfeed.convert(FEED, "atom", temp_dir=os.fsdecode(b"/tmp/\xff"))
    assert transfeed.convert(FEED, "atom", where=None, base="https://example.com/\U0001f600").content
    with pytest.raises(ValueError, match="cannot read the option pretty"):
        transfeed.convert(FEED, "atom", pretty="yes")
    with pytest.raises(ValueError, match="did you mean video-sitemap"):
        transfeed.convert(FEED, "video-sitmap")
    with pytest.raises(ValueError, match="profiles are google"):
        transfeed.validate(FEED, profile="gogle")

    class Broken(io.RawIOBase):
        def read(self, size=-1):
            raise ConnectionResetError("gone")

    with pytest.raises(ConnectionResetError, match="gone"):
        transfeed.convert(Broken(), "atom")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="SKIPPED: there is no /dev/full")
def test_errors_have_the_number_of_the_system(tmp_path):
    with pytest.raises(transfeed.FileError) as full:
        transfeed.convert_file(FEED, "/dev/full", "jsonl")
    assert (full.value.errno, full.value.filename) == (28, "/dev/full")
    with pytest.raises(transfeed.FileError) as folder:
        transfeed.convert(FEED, "jsonl").save(tmp_path)
    assert (folder.value.errno, folder.value.filename) == (21, str(tmp_path))
    with pytest.raises(transfeed.FileError) as long:
        transfeed.convert(FEED, "jsonl").save(tmp_path / ("n" * 300))
    assert long.value.errno == 36
    # a file without a name that users know
    with pytest.raises(transfeed.TransfeedError) as hidden:
        transfeed.convert_file(FEED, io.BytesIO(), "jsonl", min_entries=9)
    assert "/tmp" not in str(hidden.value)


def test_a_feed_for_yandex_is_refused():
    with pytest.raises(transfeed.TransfeedError, match="cannot write a feed for Yandex"):
        transfeed.convert(FEED, "mrss", profile="yandex")
    assert transfeed.convert(FEED, "sitemap", profile="yandex").report["target"]["profile"] == "yandex"
    forecasts = transfeed.inspect(FEED, to=["rss", "sitemap"], profile="yandex")["forecast"]
    assert ["cannot write a feed for Yandex" in str(forecast.get("refused")) for forecast in forecasts] == [True, False]


def test_findings_are_bounded():
    items = "".join(f"<url><loc>http://example.com/{number} x</loc><lastmod>x</lastmod></url>" for number in range(3000))
    document = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{items}</urlset>'.encode()
    whole = transfeed.validate(document, most=None)
    assert not whole.truncated and len(whole) == sum(whole.totals.values()) == len(list(whole)) > 6000
    some = transfeed.validate(document)
    assert some.truncated and some.totals == whole.totals
    counts = {}
    for finding in some:
        counts[finding["code"]] = counts.get(finding["code"], 0) + 1
    assert set(counts) == {finding["code"] for finding in whole} and max(counts.values()) == 1000
    few = transfeed.validate(document, most=1)
    assert len(few) == len(counts) and list(few)[0] == list(whole)[0]
    none = transfeed.validate(document, most=0)
    assert (list(none), none.truncated, bool(none)) == ([], True, True)
    for wrong in (-1, "all"):
        with pytest.raises((ValueError, TypeError)):
            transfeed.validate(document, most=wrong)


def test_findings_have_notes_and_a_date():
    import datetime

    date = datetime.datetime(2026, 12, 1, tzinfo=datetime.timezone.utc)
    for now in (date, date.date(), NOW):
        assert list(transfeed.validate(FEED, level="info", now=now)) == list(transfeed.validate(FEED, level="info", now=NOW))
    assert transfeed.validate(FEED).notes == []
    link = '<xhtml:link rel="alternate" hreflang="de" href="https://example.com/{}"/>'
    links = "".join(link.format(number) for number in range(50))
    pages = "".join(f"<url><loc>https://example.com/{number}</loc>{links}</url>" for number in range(40_001))
    head = '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">'
    found = transfeed.validate(f"{head}{pages}</urlset>".encode(), select="H04")
    assert len(found.notes) == 1 and "H04" in found.notes[0]


def test_numbers_of_any_size_are_in_tables():
    pytest.importorskip("pandas")
    largest = (1 << 64) - 1
    feed = FEED.replace(b'bitrate="800"', f'bitrate="800" fileSize="{largest}"'.encode())
    feed = feed.replace(
        b"<media:keywords>", f'<media:community><media:statistics views="{largest}"/></media:community><media:keywords>'.encode()
    )
    videos = transfeed.read(feed, flat=True)
    row = next(iter(videos))
    assert (row["video_size"], row["video_views"]) == (largest, largest)
    assert videos.to_arrow()["video_size"][0].as_py() == largest
    assert videos.to_pandas()["video_views"][0] == largest
    pytest.importorskip("polars")
    assert videos.to_polars()["video_size"][0] == largest


def test_rows_are_counted_without_reading_them(monkeypatch):
    from transfeed import _tables

    losses = transfeed.convert(FEED, "video-sitemap", now=NOW).losses
    findings = transfeed.validate(FEED, level="info", now=NOW)
    parsed = []
    loads = json.loads
    monkeypatch.setattr(_tables.json, "loads", lambda line: parsed.append(line) or loads(line))
    for table in (losses, findings):
        assert repr(table) and len(table) > 0 and parsed == []
        assert len(list(table)) == len(parsed) == len(table)
        parsed.clear()


def test_entries_are_read_edited_and_written():
    entries = transfeed.read(FEED)
    assert (entries.format, entries.head["title"]) == ("mrss", "Lights")
    assert [entry["loc"] for entry in entries] == ["https://example.com/1", "https://example.com/2"]
    assert transfeed.write(entries, "mrss", now=NOW).content == transfeed.convert(FEED, "mrss", now=NOW).content
    edited = [{**entry, "title": "New"} for entry in entries if entry.get("videos")]
    written = transfeed.write(edited, "video-sitemap", head=entries.head, now=NOW)
    assert written.content.count(b"<url>") == 1 and b"77" in written.content
    made = transfeed.write([{"loc": "https://example.com/made", "title": "Made"}], "rss", head={"title": "T"}, now=NOW)
    assert b"<title>Made</title>" in made.content
    # what would be written as nothing
    rows = list(transfeed.read(FEED, flat=True))
    for other in (transfeed.read(FEED, flat=True), rows, ["loc", "title"]):
        with pytest.raises(TypeError, match="cannot be written"):
            transfeed.write(other, "video-sitemap")
    # a stream is read as often as it is iterated
    stream = transfeed.read(io.BytesIO(FEED))
    assert len(list(stream)) == len(list(stream)) == 2
    assert len(list(transfeed.read(SAMPLES / "catalogue.mrss"))) == 6


def test_a_row_a_video():
    rows = list(transfeed.read(FEED, flat=True))
    assert [(row["loc"], row.get("video")) for row in rows] == [
        ("https://example.com/1", 0),
        ("https://example.com/2", None),
    ]
    assert rows[0]["video_tags"] == ["sea", "night"] and rows[0]["video_duration"] == 77.0
    assert rows[0]["video_file"] == "https://example.com/1.mp4" and rows[0]["video_bitrate"] == 800.0
    assert json.loads(rows[0]["json"])["title"] == "A lighthouse"


def of_schema(node, defs, member="", above=()):
    """A value with every member that a schema names; None for one that would be in itself."""
    if "$ref" in node:
        name = node["$ref"].rsplit("/", 1)[1]
        return None if name in above else of_schema(defs[name], defs, member, (*above, name))
    choices = node.get("anyOf") or node.get("oneOf")
    if choices:
        return of_schema(choices[0], defs, member, above)
    if "const" in node or "enum" in node:
        return node.get("const", node.get("enum", [None])[0])
    kind = node.get("type")
    kind = kind[0] if isinstance(kind, list) else kind
    if kind == "object":
        return {name: of_schema(value, defs, name, above) for name, value in node.get("properties", {}).items()}
    if kind == "array":
        return [of_schema(node["items"], defs, member, above)]
    pattern = node.get("pattern", "")
    text = "2026-01-02" if "T" in pattern else "1" if pattern else f"https://example.com/{member}"
    return {"boolean": True, "integer": 1, "number": 1.5, "string": text}[kind]


def test_every_column_has_a_member_of_the_model():
    defs = json.loads((ROOT / "docs/schema/jsonl.json").read_text())["$defs"]
    entry = of_schema(defs["EntryMembers"], defs)
    assert len(entry) > 35 and len(entry["videos"][0]) > 40
    for name, rows in (("page", page_rows([entry])), ("video", video_rows([entry]))):
        [row] = rows
        empty = [column for column, value in row.items() if value in (None, "", [])]
        assert not empty, name
    columns = [name for name, _ in ENTRIES], [name for name, _ in VIDEOS]
    assert (list(next(page_rows([entry]))), list(next(video_rows([entry])))) == columns


def test_entries_are_counted_by_reading_them():
    entries = transfeed.read(FEED)
    opened = []
    again = entries._readings.open
    entries._readings.open = lambda: opened.append(1) or again()
    assert len(list(entries)) == len(entries.to_dicts()) == 2
    # the first was open since read()
    assert len(opened) == 1
    assert repr(entries) == "<Entries, the entries of a document in mrss>" and len(opened) == 1
    with pytest.raises(TypeError, match="without reading"):
        len(entries)
    assert entries


def tables(document):
    return {
        "losses": transfeed.convert(document, "video-sitemap", now=NOW).losses,
        "findings": transfeed.validate(document, level="info", now=NOW),
        "entries": transfeed.read(document),
        "videos": transfeed.read(document, flat=True),
    }


def test_tables_have_one_schema():
    pyarrow = pytest.importorskip("pyarrow")
    empty = b"<rss version='2.0'><channel><title>T</title></channel></rss>"
    for name, table in tables(FEED).items():
        arrow = table.to_arrow()
        assert arrow.num_rows == (2 if name in ("entries", "videos") else len(table)), name
        for other in (empty, (SAMPLES / "catalogue.mrss").read_bytes()):
            assert tables(other)[name].to_arrow().schema == arrow.schema, name
        assert pyarrow.table(table) == arrow
        reader = pyarrow.RecordBatchReader.from_stream(table)
        assert reader.schema == arrow.schema and reader.read_all() == arrow


def test_tables_become_frames_of_pandas_and_polars():
    pandas, polars, pyarrow = map(pytest.importorskip, ("pandas", "polars", "pyarrow"))
    for name, table in tables(FEED).items():
        arrow = table.to_arrow()
        frame = table.to_pandas()
        assert isinstance(frame, pandas.DataFrame)
        assert pyarrow.Table.from_pandas(frame, arrow.schema, preserve_index=False).equals(arrow), name
        other = table.to_polars()
        assert isinstance(other, polars.DataFrame)
        assert other.to_arrow().cast(arrow.schema).equals(arrow), name
        assert polars.from_arrow(pyarrow.table(table)).equals(other)
    # numbers stay numbers where some are missing
    frame = transfeed.read(FEED, flat=True).to_pandas()
    assert [str(frame[name].dtype) for name in ("line", "video_width")] == ["Int64", "UInt64"]


def test_frames_become_documents():
    polars = pytest.importorskip("polars")
    frame = transfeed.read(FEED).to_polars()
    again = [json.loads(text) for text in frame.filter(polars.col("videos") > 0)["json"]]
    assert transfeed.write(again, "mrss", head=transfeed.read(FEED).head).content.count(b"<item>") == 1


def test_an_inspection_is_limited():
    found = transfeed.inspect(FEED, to="video-sitemap", limit=1)
    assert [forecast["to"] for forecast in found["forecast"]] == ["video-sitemap"]
    assert transfeed.inspect(FEED, to=[])["forecast"] == []


def test_differences_may_be_ignored():
    changed = FEED.replace(b"<title>One</title>", b"<title>First</title>")
    assert transfeed.diff(FEED, changed)["fields"] == {"title": 1}
    assert not transfeed.diff(FEED, changed, ignore=["title"])
    assert not transfeed.diff(FEED, FEED)


def test_a_misspelt_field_or_rule_is_an_error():
    with pytest.raises(ValueError, match="did you mean title"):
        transfeed.diff(FEED, FEED, only="titel")
    with pytest.raises(ValueError, match="no field with this name"):
        transfeed.diff(FEED, FEED, ignore=["qqqqqqqq"])
    with pytest.raises(ValueError, match="no rule code begins with ZZZ"):
        transfeed.validate(FEED, select="ZZZ")
    with pytest.raises(ValueError, match="names must be two"):
        transfeed.diff(FEED, FEED, names=["a"])


def test_numbers_of_things_are_checked():
    for wrong in (-1, 1 << 70):
        with pytest.raises(ValueError, match=f"must be a number from 0 to .*, not {wrong}"):
            transfeed.inspect(FEED, limit=wrong)
        with pytest.raises(ValueError, match="sample must be"):
            transfeed.inspect(FEED, sample=wrong)
        with pytest.raises(ValueError, match="most must be"):
            transfeed.validate(FEED, most=wrong)
    with pytest.raises(ValueError, match="cannot read the option split: it is no number"):
        transfeed.convert(FEED, "sitemap", split=float("nan"))


def test_a_number_that_json_lacks_is_an_error():
    entries = [{"loc": "https://pond.example/1"}, {"loc": "https://pond.example/2", "videos": [{"duration": float("nan")}]}]
    with pytest.raises(ValueError, match=r"entry 1: videos\[0\]\.duration is no number"):
        transfeed.write(entries, "jsonl")
    with pytest.raises(ValueError, match="the head: feed.ttl is no number"):
        transfeed.write(entries[:1], "jsonl", head={"ttl": float("inf")})


def test_a_document_that_was_cut_off_ends_with_an_error():
    item = b"<item><title>a</title></item>"
    for cut, whole in [(b"", 2), (b"<item><title>b", 2)]:
        text = b'<rss version="2.0"><channel><title>T</title>' + item * 2 + cut
        read = iter(transfeed.read(text))
        assert [entry["title"] for entry in (next(read), next(read))] == ["a", "a"]
        with pytest.raises(transfeed.TransfeedError, match="cut off.*pass accept_truncated=True") as error:
            next(read)
        assert error.value.code == "refused"
        assert sum(1 for _ in transfeed.read(text, accept_truncated=True)) == whole


def test_the_samples_are_there():
    assert len(list(pathlib.Path(SAMPLES).iterdir())) > 5


def test_messages_name_the_options_of_the_package():
    from transfeed._flags import in_python

    assert in_python("pass --index-base URL (--split N)") == "pass index_base URL (split N)"
    assert in_python("a (--strict); omit --no-such-thing; x--strict") == "a (strict=True); omit --no-such-thing; x--strict"
    assert in_python("try --to sitemap, or --from html") == 'try to="sitemap", or source="html"'
    assert in_python("--max-ratio raises the limit") == "limits.gzip.ratio raises the limit"
    with pytest.raises(transfeed.TransfeedError, match="pass accept_truncated=True to use"):
        transfeed.convert(b"<rss><channel><item><title>a</title>", "atom")
