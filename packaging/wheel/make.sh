#!/usr/bin/env bash
# Makes the wheel, by Python's own library alone.
set -euo pipefail

rm -f "$out/${name//-/_}"-*_"$cpu.whl"
python3 "$here/wheel/make_wheel.py" "$name" "$version" "$cpu" "$program" "$root" "$out"
