#!/usr/bin/env bash
# with_postgres.sh COMMAND ARGS...: runs COMMAND beside a PostgreSQL server of its own, made in a
# scratch folder and reached by a socket in it. COMMAND finds its connection string in
# PLUMBLINE_TEST_POSTGRES. Exit status: COMMAND's; 77 where PostgreSQL is not installed.
set -euo pipefail

bin=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1 || true)
if [ -z "$bin" ] || [ ! -x "$bin/initdb" ]; then
  echo "skipped: no PostgreSQL server is installed (apt-get install postgresql)"
  exit 77
fi

scratch=$(mktemp -d "${TMPDIR:-/tmp}/plumbline-postgres.XXXXXX")
server=
tidy_up() {
  if [ -n "$server" ]; then
    kill -INT "$server" 2>/dev/null || true
    wait "$server" 2>/dev/null || true
  fi
  rm -rf "$scratch"
}
trap tidy_up EXIT

# PostgreSQL refuses root: then the server is nobody's.
as_owner=()
if [ "$(id -u)" = 0 ]; then
  chown nobody: "$scratch"
  as_owner=(setpriv --reuid=nobody --regid=nogroup --clear-groups --)
fi
cd "$scratch"
"${as_owner[@]}" "$bin/initdb" --pgdata="$scratch/data" --username=plumbline --auth=trust \
  --encoding=UTF8 --locale=C --no-instructions >"$scratch/initdb.log" 2>&1 || {
  cat "$scratch/initdb.log"
  exit 1
}
"${as_owner[@]}" "$bin/postgres" -D "$scratch/data" -k "$scratch" -c listen_addresses= \
  >"$scratch/server.log" 2>&1 &
server=$!
for _ in $(seq 200); do
  "$bin/pg_isready" --quiet --host="$scratch" && break
  kill -0 "$server" 2>/dev/null || { cat "$scratch/server.log"; exit 1; }
  sleep 0.05
done

status=0
PLUMBLINE_TEST_POSTGRES="postgresql:///postgres?host=$scratch&user=plumbline" \
  PLUMBLINE_TEST_POSTGRES_BIN=$bin "$@" || status=$?
exit "$status"
