"""The module in Rust. Values cross as text, bytes and JSON."""

from typing import Any, Optional, Sequence, final

from typing_extensions import Self

__all__ = [
    "EntryReader",
    "HeldInput",
    "__version__",
    "_panic",
    "check_options",
    "convert",
    "convert_file",
    "default_options",
    "diff",
    "explain",
    "fields_within",
    "formats",
    "inspect",
    "loss_words",
    "run",
    "save",
    "validate",
]

__version__: str

@final
class EntryReader:
    def __new__(cls, /, input: Any, name: Optional[str], source: Optional[str], given: str) -> Self: ...
    def head(self, /) -> str: ...
    def diagnostics(self, /) -> str: ...
    def __iter__(self, /) -> Self: ...
    def __next__(self, /) -> str: ...

@final
class HeldInput:
    def __new__(cls, /, stream: Any, temp_dir: Optional[str]) -> Self: ...

def convert(
    given: Any, name: Optional[str], to: str, source: Optional[str], given_options: str
) -> tuple[bytes, bytes, bytes]: ...
def convert_file(
    given: Any,
    output: Any,
    name_and_losses: tuple[Optional[str], Any],
    to: str,
    source: Optional[str],
    given_options: str,
) -> bytes: ...
def inspect(
    given: Any,
    name: Optional[str],
    source: Optional[str],
    targets: Optional[Sequence[str]],
    limit_and_sample: tuple[Optional[int], Optional[int]],
    given_options: str,
) -> str: ...
def diff(
    side_a: tuple[Any, Optional[str]],
    side_b: tuple[Any, Optional[str]],
    source: Optional[str],
    flags: tuple[bool, bool],
    fields: tuple[list[str], list[str]],
    given_options: str,
) -> bytes: ...
def validate(
    given: Any,
    name: Optional[str],
    source: Optional[str],
    profiles_and_level: tuple[list[str], str, Optional[int]],
    codes: tuple[list[str], list[str]],
    url_and_now: tuple[Optional[str], Optional[str]],
    given_options: str,
) -> tuple[str, bytes]: ...
def save(document: bytes, path: str) -> None: ...
def loss_words() -> list[str]: ...
def fields_within(name: str) -> list[str]: ...
def check_options(given_options: str) -> None: ...
def explain(name: str) -> str: ...
def run(words: Sequence[str]) -> int: ...
def formats() -> list[tuple[str, str, bool, Optional[str]]]: ...
def default_options() -> str: ...
def _panic(threads: int) -> None: ...
