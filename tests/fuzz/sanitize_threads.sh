#!/bin/sh
# Builds the core with ThreadSanitizer in a copy of the tree and searches with four threads. A data
# race that tests/fuzz/threads.supp does not explain fails.
#
#     tests/fuzz/sanitize_threads.sh [NODES]        of each search, 100000 by default
#
# PYTHON names the interpreter, which needs Cython, setuptools and what the package needs; CC the
# compiler, with its libtsan.
set -eu

nodes=${1:-100000}
python=${PYTHON:-python3}
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

cd "$(dirname "$0")/../.."
case $python in */*) python=$(cd "$(dirname "$python")" && pwd)/$(basename "$python") ;; esac
git ls-files -z --cached --others --exclude-standard | xargs -0 tar -cf - | tar -xf - -C "$copy"
cd "$copy"

MEIHUA_CFLAGS="-fsanitize=thread -O1 -g1 -fno-omit-frame-pointer" \
    "$python" setup.py --quiet build_ext --inplace

# The interpreter itself is not instrumented, so that the run-time library has to come first.
LD_PRELOAD=$("${CC:-cc}" -print-file-name=libtsan.so) \
    TSAN_OPTIONS="suppressions=tests/fuzz/threads.supp halt_on_error=1 exitcode=66 history_size=7" \
    "$python" -m tests.fuzz.threads --threads 4 --nodes "$nodes"
echo "no race found"
