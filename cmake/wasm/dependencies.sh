#!/usr/bin/env bash
# dependencies.sh FOLDER: makes what the WebAssembly module is built with below FOLDER, once for each
# text of this script, and prints where: a folder of headers and libraries of its own, so that no
# header of this machine's libc is found. Sources are those of Debian, by apt-get source, and held to
# the sums below.
set -euo pipefail

folder=$(mkdir -p "$1" && cd "$1" && pwd)
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
sum=$(cat "$here/dependencies.sh" "$here"/shim/* | sha256sum | cut -c 1-16)
made=$folder/$sum
[ ! -f "$made/done" ] || { echo "$made"; exit 0; }

sources=$folder/sources
sysroot=$made/sysroot
work=$made/work
shims=$here/shim
target=(--target=wasm32-wasi --sysroot="$sysroot" -mbulk-memory -msign-ext -mnontrapping-fptoint -DNDEBUG -w)
say() { printf 'wasm: %s\n' "$*" >&2; }

sums="3bc61251da3b0b97be40a8a127818c517c62516e4eda11fc901d29496663df54  re2_20220601+dfsg.orig.tar.xz
6e93860fc6d5a7bc94f0cb235f107545a332e6cd37c3a4060982b9caa47a2570  re2_20220601+dfsg-1.debian.tar.xz
71feb7947e3c00ef125f83b79a4e529bde31171e5babe48b391f06758d1ab0a1  zlib_1.2.13.dfsg.orig.tar.bz2
67ebca7e50d17383028045486653492195b83db95f8558709701bb47b5c1ef81  openssl_3.0.22.orig.tar.gz
ae498f3bc58ae2d9f64ef5f0c035c4240152bf015a5b7738b15c22e93bdc97ce  llvm-toolchain-19_19.1.7.orig.tar.xz"

# fetch_sources asks the mirrors of this system for sources, by a configuration of apt of our own.
# Of a package that the mirror has no longer in full what is needed may be there: the sums decide.
fetch_sources() {
  mkdir -p "$sources" && cd "$sources"
  ! sha256sum --status -c <<<"$sums" 2>/dev/null || return 0
  local apt=$work/apt
  mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial"
  apt-get indextargets --format '$(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    grep -E ' main$' | grep -E '/debian(-security)?/? ' | sort -ur | sed 's/^/deb-src /' >"$apt/sources.list"
  local options=(-qq -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
    -o Dir::State::lists="$apt/lists" -o Dir::Cache="$apt/cache" -o APT::Sandbox::User=root)
  say "fetching sources of RE2, zlib, OpenSSL and libc++abi (180 MB)"
  apt-get "${options[@]}" update >&2
  apt-get "${options[@]}" source --download-only re2 zlib openssl llvm-toolchain-19 >&2 || true
  sha256sum --quiet -c <<<"$sums" >&2 || { say "these are not the sources that this was written for"; exit 1; }
}

# make_sysroot links the headers and libraries that the compiler brings for wasm32-wasi, and no others.
make_sysroot() {
  mkdir -p "$sysroot/include" "$sysroot/lib/wasm32-wasi"
  ln -s /usr/include/wasm32-wasi "$sysroot/include/wasm32-wasi"
  ln -s /usr/lib/wasm32-wasi/* "$sysroot/lib/wasm32-wasi/"
  for headers in boost nlohmann CLI toml++; do ln -s "/usr/include/$headers" "$sysroot/include/$headers"; done
  mkdir -p "$sysroot/share"
  ln -s /usr/share/cmake "$sysroot/share/cmake"
}

# compile FOLDER COMMAND...: compiles the files named on stdin by COMMAND into objects of FOLDER.
compile() {
  local objects=$1
  shift
  mkdir -p "$objects"
  xargs -P "${JOBS:-2}" -I '{}' sh -c '"$@" -c "{}" -o "'"$objects"'/$(basename "{}" | sed "s/[.][^.]*$//").o"' - "$@"
}

make_re2() {
  mkdir "$work/re2" && cd "$work/re2"
  tar xf "$sources/re2_20220601+dfsg.orig.tar.xz" --strip-components 1
  tar xf "$sources/re2_20220601+dfsg-1.debian.tar.xz"
  patch -sp1 <debian/patches/debian-unicode-data.patch
  sed -i '/define MUTEX_IS_PTHREAD_RWLOCK/d' util/mutex.h
  perl re2/make_perl_groups.pl >re2/perl_groups.cc
  for table in casefold groups; do
    (cd re2 && python3 make_unicode_$table.py >unicode_$table.cc)
  done
  ls re2/*.cc util/rune.cc util/strutil.cc | grep -v fuzz |
    compile objects clang++-19 "${target[@]}" -std=c++17 -O2 -fno-exceptions -I. -isystem "$shims"
  llvm-ar-19 rcs "$sysroot/lib/libre2.a" objects/*.o
  mkdir "$sysroot/include/re2"
  cp re2/{filtered_re2,re2,set,stringpiece}.h "$sysroot/include/re2/"
}

make_zlib() {
  mkdir "$work/zlib" && cd "$work/zlib"
  tar xf "$sources/zlib_1.2.13.dfsg.orig.tar.bz2" --strip-components 1
  printf '%s.c\n' adler32 crc32 deflate inflate inftrees inffast trees zutil |
    compile objects clang-19 "${target[@]}" -Os
  llvm-ar-19 rcs "$sysroot/lib/libz.a" objects/*.o
  cp zlib.h zconf.h "$sysroot/include/"
}

# make_libcrypto leaves out what no command uses, and all that wants a system below it.
make_libcrypto() {
  mkdir "$work/openssl" && cd "$work/openssl"
  tar xf "$sources/openssl_3.0.22.orig.tar.gz" --strip-components 1
  # There are no users here that a program could run for.
  printf 'int OPENSSL_issetugid(void);\nint OPENSSL_issetugid(void) { return 0; }\n' >crypto/uid.c
  local left_out=(asm threads sock dso engine shared ui-console tests async posix-io afalgeng secure-memory
    autoload-config legacy cmp cms ct ts srp psk dtls comp idea rc2 rc4 rc5 bf cast camellia seed aria sm2 sm3 sm4
    mdc2 md4 whirlpool rmd160 gost ocsp siphash dsa ec2m des err)
  CC="clang-19 ${target[*]}" AR=llvm-ar-19 RANLIB=llvm-ranlib-19 ./Configure linux-generic32 \
    "${left_out[@]/#/no-}" --with-rand-seed=getrandom -Os -DNO_SYSLOG -D_WASI_EMULATED_SIGNAL \
    -D_WASI_EMULATED_PROCESS_CLOCKS -D_WASI_EMULATED_MMAN -D_WASI_EMULATED_GETPID >&2
  { make build_generated && make -j "${JOBS:-2}" libcrypto.a; } >"$work/openssl.log" 2>&1 ||
    { tail -n 20 "$work/openssl.log" >&2; exit 1; }
  cp libcrypto.a "$sysroot/lib/"
  cp -r include/openssl "$sysroot/include/"
}

# make_exceptions: Debian's libc++abi for wasm32-wasi is built without, and the command line needs them.
make_exceptions() {
  mkdir "$work/llvm" && cd "$work/llvm"
  say "unpacking libc++abi"
  tar xf "$sources/llvm-toolchain-19_19.1.7.orig.tar.xz" --strip-components 1 --wildcards \
    '*/libcxxabi/include/*' '*/libcxxabi/src/*' '*/libunwind/include/*' '*/libunwind/src/*' '*/libcxx/src/*'
  local flags=("${target[@]}" -Os -fwasm-exceptions -D_LIBCXXABI_BUILDING_LIBRARY -D_LIBCPP_BUILDING_LIBRARY
    -D_LIBCXXABI_HAS_NO_THREADS -DLIBCXXABI_SILENT_TERMINATE -DLIBCXX_BUILDING_LIBCXXABI
    -D_LIBCPP_ENABLE_CXX20_REMOVED_UNEXPECTED_HANDLER_TYPES
    -Ilibcxxabi/include -Ilibcxxabi/src -Ilibunwind/include -Ilibunwind/src -Ilibcxx/src -I"$shims")
  printf 'libcxxabi/src/%s.cpp\n' cxa_aux_runtime cxa_default_handlers cxa_demangle cxa_exception \
    cxa_exception_storage cxa_guard cxa_handlers cxa_personality cxa_vector cxa_virtual stdlib_exception \
    stdlib_stdexcept stdlib_typeinfo abort_message fallback_malloc private_typeinfo |
    compile objects clang++-19 "${flags[@]}" -std=c++23
  echo libunwind/src/Unwind-wasm.c |
    compile objects clang-19 "${flags[@]}" -D_LIBUNWIND_HAS_NO_THREADS -D_LIBUNWIND_IS_NATIVE_ONLY \
      -D_LIBUNWIND_HIDE_SYMBOLS -D_LIBUNWIND_DISABLE_VISIBILITY_ANNOTATIONS -fdeclspec
  rm "$sysroot/lib/wasm32-wasi"/libc++{,abi}.a
  llvm-ar-19 rcs "$sysroot/lib/wasm32-wasi/libc++abi.a" objects/*.o
  cp -L /usr/lib/wasm32-wasi/libc++.a "$sysroot/lib/wasm32-wasi/"
  # The same objects are in this archive, built without.
  llvm-ar-19 t "$sysroot/lib/wasm32-wasi/libc++.a" |
    grep -E '^(cxa_.*|private_typeinfo|abort_message|fallback_malloc|stdlib_(exception|stdexcept|typeinfo))[.]' |
    xargs llvm-ar-19 d "$sysroot/lib/wasm32-wasi/libc++.a"
}

rm -rf "$made"
mkdir -p "$work"
(fetch_sources)
(make_sysroot)
for what in zlib re2 exceptions libcrypto; do
  say "building $what"
  (make_$what)
done
rm -rf "$work"
touch "$made/done"
echo "$made"
