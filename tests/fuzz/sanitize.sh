#!/bin/sh
# Builds the core with AddressSanitizer and UndefinedBehaviorSanitizer and all assertions, in a
# copy of the tree, and runs the fuzz programs and the tests of the core and of what calls it on it.
# The first fault stops it.
#
#     tests/fuzz/sanitize.sh [SECONDS]        so long for each fuzz program, 60 by default
#
# PYTHON names the interpreter (python3 by default); it needs Cython, setuptools, pytest and what
# the package needs. CC names the compiler (cc by default). Leaks are not looked for here: Python
# keeps much until it ends, and the sanitizer keeps freed memory. On an ordinary build
# tests/fuzz/inputs.py watches how the process grows.
set -eu

seconds=${1:-60}
python=${PYTHON:-python3}
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

cd "$(dirname "$0")/../.."
git ls-files -z --cached --others --exclude-standard | xargs -0 tar -cf - | tar -xf - -C "$copy"
cd "$copy"

MEIHUA_DEBUG=1
MEIHUA_CFLAGS="-fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer"
export MEIHUA_DEBUG MEIHUA_CFLAGS
"$python" setup.py --quiet build_ext --inplace

# The interpreter itself is not instrumented, so that the run-time library has to come first.
runtime=$("${CC:-cc}" -print-file-name=libasan.so)
checked() {
    echo "== $*"
    LD_PRELOAD=$runtime ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
        PYTHONMALLOC=malloc "$python" "$@"
}

checked -m tests.fuzz.cycles --count 1000000 --seconds "$seconds"
checked -m tests.fuzz.inputs --rounds 0 --count 1000000 --seconds "$seconds"
checked -m tests.fuzz.selfplay --count 1000000 --seconds "$seconds"
# Other tests start browsers and compilers, which are none of ours. One dialogue wants 10,000 nodes in
# four seconds, which this build does not search.
checked -m pytest -q -p no:cacheprovider -o faulthandler_timeout=1800 \
    --deselect "tests/engine/test_dialogues.py::test_as[fairyfishnet-analysis]" \
    tests/core tests/board tests/referee tests/tables tests/books tests/casebook tests/engine
echo "no fault found"
