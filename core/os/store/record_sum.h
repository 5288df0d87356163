// record_sum tells whether a record is as it was put: disks, and people with editors, change bytes.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/doors/record_store.h"
#include "core/base/result.h"

namespace plumbline::os {

std::string record_sum(std::string_view key, std::int64_t version, std::string_view value);

// damaged is the Error of a record whose sum is another.
Error damaged(const Record& record);

}  // namespace plumbline::os
