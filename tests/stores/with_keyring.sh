#!/usr/bin/env bash
# with_keyring.sh COMMAND ARGS...: runs COMMAND in a D-Bus session of its own, with an unlocked keyring
# in a scratch folder. COMMAND finds PLUMBLINE_TEST_KEYRING set. Exit status: COMMAND's; 77 where
# dbus-run-session or gnome-keyring is not installed.
set -euo pipefail

if ! command -v dbus-run-session >/dev/null || ! command -v gnome-keyring-daemon >/dev/null; then
  echo "skipped: no keyring is installed (apt-get install gnome-keyring dbus-daemon)"
  exit 77
fi

if [ -z "${PLUMBLINE_TEST_KEYRING-}" ]; then
  scratch=$(mktemp -d "${TMPDIR:-/tmp}/plumbline-keyring.XXXXXX")
  trap 'rm -rf "$scratch"' EXIT
  status=0
  # GIO frees some of what it keeps for itself only where its main loop runs, which we have not.
  echo leak:libgio-2.0 >"$scratch/leaks"
  LSAN_OPTIONS=suppressions=$scratch/leaks:print_suppressions=0 ASAN_OPTIONS=fast_unwind_on_malloc=0 \
  HOME=$scratch XDG_RUNTIME_DIR=$scratch XDG_DATA_HOME=$scratch/data PLUMBLINE_TEST_KEYRING=1 \
    timeout --kill-after=5 280 dbus-run-session -- "$0" "$@" 2>"$scratch/log" || status=$?
  [ "$status" = 0 ] || cat "$scratch/log"
  exit "$status"
fi

printf 'a password' | gnome-keyring-daemon --unlock --components=secrets --foreground >&2 &
keyring=$!
trap 'kill "$keyring" 2>/dev/null || true; wait "$keyring" 2>/dev/null || true' EXIT
for _ in $(seq 100); do
  [ -e "$XDG_DATA_HOME/keyrings/login.keyring" ] && break
  sleep 0.05
done
"$@"
