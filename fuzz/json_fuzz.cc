// Any bytes as JSON: reading never crashes, what is read and written is read as the same, and the
// reader that tells positions agrees with the one that does not.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/check.h"
#include "core/json/json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plumbline;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Result<Json> read = parse_json(text);
  Position failed_at;
  const Result<Json> with_position = parse_json(text, {}, failed_at);
  check(read.ok() == with_position.ok(), "both readers take the same texts");
  if (!read.ok()) return 0;
  check(read.value() == with_position.value(), "both readers read the same");
  const std::string written = dump_json(read.value());
  const Result<Json> again = parse_json(written);
  check(again.ok(), "what is written is read");
  check(dump_json(again.value()) == written, "writing and reading keep a value");
  return 0;
}
