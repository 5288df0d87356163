#!/usr/bin/env bash
# wheel_test.sh ROOT: installs the wheel into an environment of its own, with no network, and uses
# it as a vendor does. Exit status 77: there is no pytest here.
set -euo pipefail

root=$1
out=$root/build/packages
name=$(<"$root/packaging/name")
module=${name//-/_}
folder=$out/tests/wheel
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
python=/usr/bin/python3
die() { echo "wheel_test: $*" >&2; exit 1; }

"$python" -c 'import pytest' 2>/dev/null || { echo "skipped: no python3-pytest"; exit 77; }
rm -rf "$folder"
mkdir -p "$folder"
cd "$folder"
# Without python3-venv there is no pip in it; a wheel is a zip that lies as it is installed.
"$python" -m venv --without-pip --system-site-packages env
site=$(env/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
unset PYTHONPATH
if env/bin/python -m pip --version >/dev/null 2>&1; then
  env/bin/python -m pip install --quiet --no-index --no-deps "$out/$module"-*_x86_64.whl
else
  env/bin/python -m zipfile -e "$out/$module"-*_x86_64.whl "$site"
  chmod +x "$site/$module/bin/plumbline"
fi
env/bin/python -c "import sys; from $module import main; sys.argv = ['plumbline', '--version']; main()" |
  grep -q '^plumbline [0-9]' || die "no version"

cp "$here"/*_case.py .
PLUMBLINE="$site/$module/bin/plumbline" env/bin/python -m pytest -q good_case.py ||
  die "a good server failed"
if env/bin/python -m pytest -q broken_case.py >broken.log; then die "a wrong server passed"; fi
grep -q 'the server does not conform' broken.log || die "no reason in $(cat broken.log)"
grep -m 1 -A 3 'does not conform' broken.log

# The tests of a file: an item each; and of every file where the configuration says so.
cp "$root"/packaging/npm/tests/tools.mcptest.json .
export REFERENCE="$site/$module/bin/plumbline"
if env/bin/python -m pytest -v -rs tools.mcptest.json >tools.log; then die "a wrong answer passed"; fi
grep -q 'tools.mcptest.json::adds PASSED' tools.log || die "$(cat tools.log)"
grep -q 'tools.mcptest.json::greets // "Bob" FAILED' tools.log || die "$(cat tools.log)"
grep -q 'expected "Hello, Bob!", got "Hello, Ada!"' tools.log || die "no reason in $(cat tools.log)"
grep -q '1 failed, 1 passed, 1 skipped' tools.log || die "$(cat tools.log)"
tail -n 1 tools.log
env/bin/python -m pytest -q tools.mcptest.json -k adds | grep -q '1 passed' || die "one test of a file"
env/bin/python -m pytest -q . | grep -q 'no tests ran' || die "a file was collected that nobody asked for"
printf '[pytest]\nmcptest_files = true\nmcptest_args = --only adds\n' >pytest.ini
env/bin/python -m pytest -q . | grep -q '2 failed, 1 passed' || die "the configuration is not read"
printf '{"mcptest": 1, "tests": 7}' >wrong.mcptest.json
env/bin/python -m pytest -q wrong.mcptest.json | grep -q 'wrong.mcptest.json:1:16' || die "what is wrong with a file is not said"
