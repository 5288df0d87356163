#!/bin/bash -eu
# build_test.sh PROJECT FOLDER [TARGET...]: runs build.sh as OSS-Fuzz does, with its flags of a
# libFuzzer build with ASan, and each program over its own seeds, with its own dictionary.

project=$1
folder=$2
shift 2
export SRC=$folder/src WORK=$folder/work OUT=$folder/out TARGETS="$*"
mkdir -p "$SRC" "$WORK" "$OUT"
ln -sfn "$project" "$SRC/plumbline"
export CC=clang-19 CXX=clang++-19 LIB_FUZZING_ENGINE=-fsanitize=fuzzer
export CFLAGS="-O1 -fno-omit-frame-pointer -gline-tables-only \
-DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION -fsanitize=address \
-fsanitize-address-use-after-scope -fsanitize=fuzzer-no-link"
export CXXFLAGS=$CFLAGS
bash "$project/fuzz/oss-fuzz/build.sh"
for name in ${TARGETS:-$(ls "$project/fuzz/corpus")}; do
  seeds=$WORK/seeds/$name
  rm -rf "$seeds"
  mkdir -p "$seeds"
  python3 -m zipfile -e "$OUT/${name}_fuzz_seed_corpus.zip" "$seeds"
  [ -n "$(ls "$seeds")" ] || { echo "$name has no seeds" >&2; exit 1; }
  "$OUT/${name}_fuzz" -runs=200 -seed=1 -dict="$OUT/${name}_fuzz.dict" "$seeds" \
    2>"$WORK/$name.log" ||
    { tail -n 40 "$WORK/$name.log" >&2; exit 1; }
  echo "$name runs"
done
