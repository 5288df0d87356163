// Any bytes as the mcpServers file of a desktop client: reading never crashes, and what is wrong is
// told in one line.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "cli/options/config.h"
#include "core/base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plumbline;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto config = cli::parse_config(text, "config.json");
  if (config.ok()) return 0;
  check(!config.error().message.empty(), "what is wrong is said");
  check(config.error().message.find('\n') == std::string::npos, "in one line");
  return 0;
}
