"""What the tests share: the samples, the program that the wheel is compared with, and documents of any size."""

import os
import pathlib
import subprocess

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
SAMPLES = ROOT / "samples"
NOW = "2026-12-01T00:00:00Z"
DOCUMENTS = sorted(path for path in SAMPLES.iterdir() if path.suffix not in (".md", ".opml", ".toml"))

FEED = b"""<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>Lights</title>
<link>https://example.com/</link><description>Of the coast</description>
<item><title>One</title><link>https://example.com/1</link><media:group>
<media:content url="https://example.com/1.mp4" type="video/mp4" bitrate="800" duration="77" width="640" height="360"/>
<media:title>A lighthouse</media:title><media:description>It turns.</media:description>
<media:keywords>sea, night</media:keywords><media:thumbnail url="https://example.com/1.jpg"/></media:group></item>
<item><title>Two</title><link>https://example.com/2</link></item></channel></rss>
"""


@pytest.fixture(scope="session")
def program():
    """Runs the program that the wheel is compared with."""
    path = os.environ.get("TRANSFEED_PROGRAM", str(ROOT / "target" / "debug" / "transfeed"))

    def run(*words, cwd, codes=(0,), stdin=None):
        env = {**os.environ, "SOURCE_DATE_EPOCH": "1796083200", "NO_COLOR": "1"}
        done = subprocess.run([path, *map(str, words)], cwd=cwd, env=env, input=stdin, capture_output=True)
        assert done.returncode in codes, done.stderr.decode()
        return done

    run.path = path
    return run


def items(count, start=0):
    """Items of a feed."""
    for number in range(start, start + count):
        yield (
            f"<item><title>Item {number}</title><link>https://example.com/{number}</link>"
            f"<description>{'About a lighthouse. ' * 10}</description>"
            f'<media:content url="https://example.com/{number}.mp4" duration="{number % 600}" bitrate="800">'
            f'<media:title>Video {number}</media:title><media:thumbnail url="https://example.com/{number}.jpg"/>'
            "</media:content></item>\n"
        ).encode()


HEAD = b'<rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/"><channel><title>Many</title>\n'
TAIL = b"</channel></rss>\n"


def large_file(path, size):
    """A feed of about so many bytes."""
    block = b"".join(items(1000))
    with open(path, "wb") as file:
        file.write(HEAD)
        for _ in range(size // len(block) + 1):
            file.write(block)
        file.write(TAIL)
    return path
