#!/bin/bash -eu
# Builds the fuzz targets as OSS-Fuzz wants them: $OUT/NAME_fuzz beside its seeds,
# NAME_fuzz_seed_corpus.zip, and its dictionary, NAME_fuzz.dict. $SRC/plumbline is the project, $WORK
# a folder to build in; CC, CXX, CFLAGS, CXXFLAGS and LIB_FUZZING_ENGINE are OSS-Fuzz's own.
#
# TARGETS says which to build: all.

project=${SRC:?}/plumbline
build=${WORK:?}/plumbline
names=${TARGETS:-$(ls "$project/fuzz/corpus")}

# The libraries of the distribution, RE2 among them, are built with libstdc++.
export CXXFLAGS=${CXXFLAGS//-stdlib=libc++/}
cmake -S "$project" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=None -DCMAKE_UNITY_BUILD=ON \
  -DPLUMBLINE_FUZZ=ON -DPLUMBLINE_FUZZING_ENGINE="${LIB_FUZZING_ENGINE:?}" \
  -DCMAKE_C_COMPILER="${CC:?}" -DCMAKE_CXX_COMPILER="${CXX:?}"
for name in $names; do
  ninja -C "$build" "${name}_fuzz"
  cp "$build/fuzz/${name}_fuzz" "${OUT:?}/"
  rm -f "$OUT/${name}_fuzz_seed_corpus.zip"
  (cd "$project/fuzz/corpus/$name" &&
    python3 -m zipfile -c "$OUT/${name}_fuzz_seed_corpus.zip" ./*)
  dictionary=$project/fuzz/dictionaries/$name.dict
  [ -f "$dictionary" ] || dictionary=$project/fuzz/dictionaries/json.dict
  cp "$dictionary" "$OUT/${name}_fuzz.dict"
done
