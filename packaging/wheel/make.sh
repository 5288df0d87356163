#!/usr/bin/env bash
# Makes the wheel, by Python's own library alone.
set -euo pipefail

rm -f "$out"/plumbline-*_"$cpu.whl"
python3 "$here/wheel/make_wheel.py" "$version" "$cpu" "$program" "$root/LICENSE" "$out"
