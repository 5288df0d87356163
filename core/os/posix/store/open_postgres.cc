#include "core/os/store/open_postgres.h"

#include <utility>

#ifdef PLUMBLINE_LIBPQ
#include "core/os/posix/store/libpq.h"
#include "core/os/store/postgres_record_store.h"
#endif

namespace plumbline::os {

#ifdef PLUMBLINE_LIBPQ

Task<Result<std::unique_ptr<RecordStore>>> open_postgres(RealLoop& loop, std::string uri) {
  if (!libpq().complete()) {
    co_return Error{ErrorCode::kUnsupported,
                    "PostgreSQL needs libpq.so.5, which is not installed (Debian: apt install "
                    "libpq5; Fedora: dnf install libpq)"};
  }
  auto store = std::make_unique<PostgresRecordStore>(loop, std::move(uri));
  const Status met = co_await store->meet();
  if (!met.ok()) co_return met.error();
  co_return std::unique_ptr<RecordStore>(std::move(store));
}

bool is_postgres_loadable() { return libpq().complete(); }

#else

Task<Result<std::unique_ptr<RecordStore>>> open_postgres(RealLoop&, std::string) {
  co_return Error{ErrorCode::kUnsupported,
                  "this build has no PostgreSQL: install libpq-dev and build again"};
}

bool is_postgres_loadable() { return false; }

#endif

}  // namespace plumbline::os
