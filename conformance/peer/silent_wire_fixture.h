// SilentWire leads to a subject that never says anything.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "conformance/wire/wire.h"

namespace plumbline::conformance {

class SilentWire final : public Wire {
 public:
  using Wire::Wire;
  std::size_t send(std::string, wire::HttpHeaders, std::uint32_t) override { return 0; }
  Task<void> close() override { co_return; }
};

}  // namespace plumbline::conformance
