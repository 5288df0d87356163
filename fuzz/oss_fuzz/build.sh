#!/bin/sh
# Builds the fuzz targets as OSS-Fuzz wants them: $OUT/NAME_fuzz beside its seeds, NAME_fuzz_seed_corpus.zip, and its
# dictionary, NAME_fuzz.dict. $SRC/plumbline is the project, $WORK a folder to build in; CC and CXX are clang.
#
# OSS-Fuzz's own flags come in CFLAGS and CXXFLAGS, and the engine in LIB_FUZZING_ENGINE; without the latter it is
# -fsanitize=fuzzer with our own sanitizers. TARGETS says which to build: all.
set -eu

project=${SRC:?}/plumbline
build=${WORK:?}/plumbline
out=${OUT:?}

names=${TARGETS:-$(cd "$project/fuzz/corpus" && ls)}
cmake -S "$project" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DPLUMBLINE_FUZZ=ON \
  -DPLUMBLINE_SANITIZE=ON -DCMAKE_C_COMPILER="${CC:-clang}" -DCMAKE_CXX_COMPILER="${CXX:-clang++}"
for name in $names; do
  ninja -C "$build" "${name}_fuzz"
  cp "$build/fuzz/${name}_fuzz" "$out/"
  rm -f "$out/${name}_fuzz_seed_corpus.zip"
  (cd "$project/fuzz/corpus/$name" && python3 -m zipfile -c "$out/${name}_fuzz_seed_corpus.zip" ./*)
  dictionary=$project/fuzz/dictionaries/$name.dict
  if [ ! -f "$dictionary" ]; then dictionary=$project/fuzz/dictionaries/json.dict; fi
  cp "$dictionary" "$out/${name}_fuzz.dict"
done
