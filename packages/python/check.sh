#!/usr/bin/env bash
# Builds a wheel (or takes the one that is named), installs it into an empty environment as a user would, and runs the tests with
# it. The program that it is compared with is TRANSFEED_PROGRAM, by default the one in target/debug.
#
#   packages/python/check.sh [WHEEL]      everything
#   packages/python/check.sh --prepare    only the tools, which wait for the network while something else computes
#
# With TRANSFEED_FULL, the longest stream has 200 MB instead of 40, and Spark runs; pass a release wheel then. What cannot be
# tried is skipped, in words that nobody overlooks.
set -euo pipefail
cd "$(dirname "$0")"
target=${CARGO_TARGET_DIR:-target}/wheel-check
mkdir -p "$target"
skipped() {
    echo "################ SKIPPED: $* ################"
}
install() {
    "$target/env/bin/python" -m pip install --quiet --disable-pip-version-check "$@"
}
# the empty environment with the tools of the tests, and maturin in another one
prepare() {
    rm -rf "$target/env" "$target/maturin"
    python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null && python3 -m venv "$target/env" ||
        { skipped "the wheel needs Python 3.10 or later, with venv"; return 1; }
    install pytest pandas polars pyarrow mypy fsspec ||
        { skipped "the wheel is not tested: its tools could not be installed from PyPI"; return 1; }
    python3 -m venv "$target/maturin" &&
        "$target/maturin/bin/pip" install --quiet --disable-pip-version-check 'maturin>=1.9,<2' ||
        { skipped "the wheel is not built: maturin could not be installed from PyPI"; return 1; }
    touch "$target/prepared"
}

if [ "${1:-}" = --prepare ]; then
    rm -f "$target/prepared"
    # whoever needs it says what is missing
    prepare >/dev/null 2>&1 || true
    exit 0
fi
# an environment is used once: an installed wheel would be there the next time
[ -f "$target/prepared" ] || prepare || exit 0
rm "$target/prepared"
if [ $# -gt 0 ]; then
    wheel=$1
else
    rm -rf "$target/dist"
    # without optimization of the library it is built fast
    PATH=$target/maturin/bin:$PATH "$target/maturin/bin/maturin" build --quiet --locked --out "$target/dist"
    wheel=$(echo "$target"/dist/*.whl)
fi
install "$wheel"
if [ -z "${TRANSFEED_FULL:-}" ]; then
    skipped "Spark, and a stream of 200 MB: TRANSFEED_FULL=1 packages/python/check.sh WHEEL"
elif command -v java >/dev/null 2>&1; then
    install pyspark || skipped "Spark is not tested: pyspark could not be installed"
else
    skipped "Spark is not tested: it needs a JRE"
fi
"$target/env/bin/python" -m pytest --quiet -p no:cacheprovider tests
