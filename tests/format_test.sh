#!/bin/sh
# format_test.sh: every source file is as clang-format writes it. Skipped (77) with another version
# than Debian 12's: each formats a little otherwise.
cd "$(dirname "$0")/.." || exit 3
clang-format --version 2>/dev/null | grep -q 'version 14\.' || exit 77
find bench cli conformance core fakes fuzz reference reports scenarios tests \
  \( -name '*.h' -o -name '*.cc' \) -print0 | xargs -0 -n 50 -P 2 clang-format --dry-run -Werror
