"""The exceptions. `make` is called by the module in Rust."""

from __future__ import annotations

import errno as numbers
import os
from typing import Any, Dict, List, Optional, Tuple


class TransfeedError(Exception):
    """A document that cannot be read, converted or written.

    ``code`` is ``io``, ``xml``, ``format``, ``limit``, ``refused``, ``strict``, or for bugs ``unbalanced``, ``verify`` and
    ``panic``. ``line`` and ``column`` begin with 1 and are ``None`` without a place in the input, whose name is ``input``.
    """

    def __init__(
        self,
        message: str,
        code: str = "format",
        line: Optional[int] = None,
        column: Optional[int] = None,
        input: Optional[str] = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.code = code
        self.line = line
        self.column = column
        self.input = input

    def __reduce__(self) -> Tuple[Any, ...]:  # exceptions cross processes
        return (type(self), (self.message, self.code, self.line, self.column, self.input))

    def __str__(self) -> str:
        return self.message


class FileError(TransfeedError, OSError):
    """A file that cannot be read or written; also an ``OSError``, with ``errno`` and ``filename`` as far as they are known."""

    def __reduce__(self) -> Tuple[Any, ...]:
        system = {"errno": self.errno, "strerror": self.strerror, "filename": self.filename}
        return (*super().__reduce__()[:2], system)


class MissingFileError(FileError, FileNotFoundError):
    """A file that does not exist; also a ``FileNotFoundError``."""


class InternalError(TransfeedError):
    """A bug of transfeed. Please report it with the document."""


class LossError(TransfeedError):
    """A conversion with losses that :meth:`Result.raise_for_losses` does not accept; ``losses`` has their rows."""

    def __init__(self, message: str, code: str = "losses", losses: Optional[List[Dict[str, Any]]] = None) -> None:
        super().__init__(message, code)
        self.losses = losses or []

    def __reduce__(self) -> Tuple[Any, ...]:
        return (type(self), (self.message, self.code, self.losses))


def make(
    code: str,
    message: str,
    line: Optional[int],
    column: Optional[int],
    input: Optional[str],
    system: Tuple[Optional[int], Optional[str], Optional[str]] = (None, None, None),
) -> TransfeedError:
    """The exception for an error of the library. ``system`` has the number of an error of the system, its name in ``errno``, and
    the name of the file."""
    errno, name, filename = system
    if errno is None and name is not None:
        errno = getattr(numbers, name, None)
    kind: type[TransfeedError] = TransfeedError
    if code == "io":
        kind = MissingFileError if errno == numbers.ENOENT else FileError
    elif code in ("panic", "unbalanced", "verify"):
        kind = InternalError
    # the modules of Rust and of Python need each other
    from ._flags import in_python

    message = in_python(message)
    error = kind(message, code, line, column, input)
    if isinstance(error, FileError):
        error.errno = errno
        error.strerror = os.strerror(errno) if errno else message
        error.filename = filename
    return error
