#!/bin/sh
# compile_here.sh COMMAND...: runs a compiler with the files below the current folder named from it.
# The name of a source stands in its bitcode, and decides in which order its functions are linked.
for word; do
  shift
  set -- "$@" "${word#"$PWD"/}"
done
exec "$@"
