"""The exceptions. `make` is called by the module in Rust."""

from __future__ import annotations

import os
from typing import Optional


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

    def __reduce__(self):  # exceptions cross processes
        return (type(self), (self.message, self.code, self.line, self.column, self.input))

    def __str__(self) -> str:
        return self.message


class FileError(TransfeedError, OSError):
    """A file that cannot be read or written; also an ``OSError``, with its ``errno``."""


class MissingFileError(FileError, FileNotFoundError):
    """A file that does not exist; also a ``FileNotFoundError``."""


class InternalError(TransfeedError):
    """A bug of transfeed. Please report it with the document."""


class LossError(TransfeedError):
    """A conversion with losses that :meth:`Result.raise_for_losses` does not accept; ``losses`` has their rows."""

    def __init__(self, message: str, code: str = "losses", losses: Optional[list] = None) -> None:
        super().__init__(message, code)
        self.losses = losses or []

    def __reduce__(self):
        return (type(self), (self.message, self.code, self.losses))


def make(
    code: str,
    message: str,
    line: Optional[int],
    column: Optional[int],
    input: Optional[str],
    errno: Optional[int],
) -> TransfeedError:
    """The exception for an error of the library."""
    kind: type[TransfeedError] = TransfeedError
    if code == "io":
        kind = MissingFileError if errno == 2 else FileError
    elif code in ("panic", "unbalanced", "verify"):
        kind = InternalError
    error = kind(message, code, line, column, input)
    if isinstance(error, FileError):
        error.errno = errno
        error.strerror = os.strerror(errno) if errno else message
    return error
