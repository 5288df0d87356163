#include "core/os/store/record_sum.h"

#include "core/base/sha256.h"

namespace plumbline::os {

std::string record_sum(std::string_view key, std::int64_t version, std::string_view value) {
  constexpr std::size_t kDigits = 16;
  Sha256 hash;
  hash.update(key);
  hash.update('\n' + std::to_string(version) + '\n');
  hash.update(value);
  return hash.finish_hex().substr(0, kDigits);
}

Error damaged(const Record& record) {
  return Error{ErrorCode::kInvalidInput, "record " + std::to_string(record.version) + " is damaged",
               "thread.damaged"};
}

}  // namespace plumbline::os
