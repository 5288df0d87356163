#!/usr/bin/env bash
# newest_glibc.sh PROGRAM: prints the newest version of glibc that one of its symbols has.
set -euo pipefail
readelf -W --dyn-syms "$1" | grep -oE 'GLIBC_[0-9.]+' | sort -uV | tail -n 1 | sed 's/GLIBC_//'
