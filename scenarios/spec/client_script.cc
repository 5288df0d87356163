#include "scenarios/spec/client_script.h"

#include <array>

namespace plumbline::scenarios {

std::string_view name_of(ClientStep::Kind kind) {
  constexpr std::array<std::string_view, ClientStep::kKinds> kNames = {
      "open", "request", "send", "hear", "http", "raw", "wait_ms", "close", "hang_up"};
  return kNames[static_cast<std::size_t>(kind)];
}

}  // namespace plumbline::scenarios
