// open_postgres opens the RecordStore in a PostgreSQL database, by libpq where it is installed.

#pragma once

#include <memory>
#include <string>

#include "core/base/doors/record_store.h"
#include "core/base/task.h"
#include "core/os/real_loop.h"

namespace plumbline::os {

// `uri` is a connection string as libpq takes it. `loop` must outlive the store. kUnsupported:
// libpq is not installed, or was not when this was built. kInvalidInput: the database refuses us,
// or its schema is newer than this program. kDisconnected: there is none.
Task<Result<std::unique_ptr<RecordStore>>> open_postgres(RealLoop& loop, std::string uri);

// is_postgres_loadable returns whether libpq is there.
bool is_postgres_loadable();

}  // namespace plumbline::os
