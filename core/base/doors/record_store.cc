#include "core/base/doors/record_store.h"

namespace plumbline {

Task<Result<bool>> RecordStore::hold(std::string key) {
  const Status fit = check_record_key(key);
  if (!fit.ok()) co_return fit.error();
  co_return true;
}

Status check_record_key(const std::string& key) {
  if (key.empty() || key.size() > RecordStore::kKeyBytesMax) {
    return Error{ErrorCode::kInvalidInput, "a record's key of " + std::to_string(key.size()) +
                                               " bytes, expected 1 to " +
                                               std::to_string(RecordStore::kKeyBytesMax)};
  }
  return Done{};
}

Status check_puts(const std::vector<Put>& puts) {
  for (const Put& one : puts) {
    Status named = check_record_key(one.key);
    if (!named.ok()) return named;
    if (one.value.size() > RecordStore::kValueBytesMax) {
      return Error{ErrorCode::kLimitReached, "a record of " + std::to_string(one.value.size()) +
                                                 " bytes, at most " +
                                                 std::to_string(RecordStore::kValueBytesMax)};
    }
  }
  return Done{};
}

std::optional<std::string> end_of_prefix(std::string prefix) {
  while (!prefix.empty() && static_cast<unsigned char>(prefix.back()) == 0xffU) prefix.pop_back();
  if (prefix.empty()) return std::nullopt;
  prefix.back() = static_cast<char>(static_cast<unsigned char>(prefix.back()) + 1U);
  return prefix;
}

}  // namespace plumbline
