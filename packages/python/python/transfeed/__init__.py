"""Convert video and page feeds (RSS, Media RSS, Atom, sitemaps) in any direction, and report every value that is lost.

>>> import transfeed
>>> result = transfeed.convert(b"https://example.com/a\\n", "sitemap")
>>> result.totals["lost"]
0
"""

from ._convert import FORMATS, Migration, Result, TARGETS, convert, convert_file, default_options, migrate
from ._documents import Diff, Entries, Findings, diff, explain, inspect, read, validate, write
from ._errors import FileError, InternalError, LossError, MissingFileError, TransfeedError
from ._tables import Table
from ._transfeed import __version__

__all__ = [
    "FORMATS",
    "TARGETS",
    "Diff",
    "Entries",
    "FileError",
    "Findings",
    "InternalError",
    "LossError",
    "Migration",
    "MissingFileError",
    "Result",
    "Table",
    "TransfeedError",
    "__version__",
    "convert",
    "convert_file",
    "default_options",
    "diff",
    "explain",
    "inspect",
    "migrate",
    "read",
    "validate",
    "write",
]
