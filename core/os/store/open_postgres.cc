#include "core/os/store/open_postgres.h"

#include <utility>

#include "core/os/store/postgres_record_store.h"

namespace plumbline::os {

#ifdef PLUMBLINE_LIBPQ

Task<Result<std::unique_ptr<RecordStore>>> open_postgres(RealLoop& loop, std::string uri) {
  auto store = std::make_unique<PostgresRecordStore>(loop, std::move(uri));
  const Status met = co_await store->meet();
  if (!met.ok()) co_return met.error();
  co_return std::unique_ptr<RecordStore>(std::move(store));
}

#else

Task<Result<std::unique_ptr<RecordStore>>> open_postgres(RealLoop&, std::string) {
  co_return Error{ErrorCode::kUnsupported,
                  "this build has no PostgreSQL: install libpq-dev and build again"};
}

#endif

}  // namespace plumbline::os
