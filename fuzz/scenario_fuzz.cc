// Any bytes as a scenario file: it is refused in one line, or it runs.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/base/check.h"
#include "scenarios/format/format.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace plumbline;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto scenario = scenarios::load_scenario(text, "fuzzed.json");
  if (!scenario.ok()) {
    check(scenario.error().message.find('\n') == std::string::npos, "an error is one line");
  }
  return 0;
}
