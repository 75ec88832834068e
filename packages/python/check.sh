#!/usr/bin/env bash
# Builds a wheel (or takes the one that is named), installs it into an empty environment as a user would, and runs the tests with
# it. The program that it is compared with is TRANSFEED_PROGRAM, by default the one in target/debug. With TRANSFEED_FULL, the
# longest stream has 200 MB instead of 40; pass a release wheel then.
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
rm -rf "$target/env"
if ! python3 -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null || ! python3 -m venv "$target/env"; then
    skipped "the wheel needs Python 3.10 or later, with venv"
    exit 0
fi
if ! install pytest pandas polars pyarrow mypy fsspec; then
    skipped "the wheel is not tested: its tools could not be installed from PyPI"
    exit 0
fi
if [ $# -gt 0 ]; then
    wheel=$1
else
    if ! python3 -m venv "$target/maturin" || ! "$target/maturin/bin/pip" install --quiet --disable-pip-version-check 'maturin>=1.9,<2'; then
        skipped "the wheel is not built: maturin could not be installed from PyPI"
        exit 0
    fi
    cargo fmt --check
    cargo clippy --locked --quiet -- -D warnings
    rm -rf "$target/dist"
    # without optimization of the library it is built fast
    PATH=$target/maturin/bin:$PATH "$target/maturin/bin/maturin" build --quiet --locked --out "$target/dist"
    wheel=$(echo "$target"/dist/*.whl)
fi
install "$wheel"
if command -v java >/dev/null 2>&1; then
    install pyspark || skipped "Spark is not tested: pyspark could not be installed"
else
    skipped "Spark is not tested: it needs a JRE"
fi
"$target/env/bin/python" -m pytest --quiet -p no:cacheprovider tests
