#include "core/connector/finding.h"

#include <algorithm>
#include <chrono>

namespace plumbline::connector {

void Finding::fail(const std::string& server, mcp::FailureClass kind, std::string message) {
  problems.push_back(DiscoveryProblem{server, kind, std::move(message)});
}

void Finding::fail(const std::string& server, const mcp::Failure& failure) {
  const mcp::FailureClass kind = mcp::classify(failure);
  lost = lost || kind == mcp::FailureClass::kNetwork;
  timed_out = timed_out || failure.kind == mcp::Failure::Kind::kTimeout;
  if (kind == mcp::FailureClass::kRateLimit) {
    limited = true;
    const std::optional<std::int64_t> ms = mcp::retry_after_ms(failure);
    if (ms)
      patience = std::max(patience.value_or(Duration{}), Duration(std::chrono::milliseconds(*ms)));
  }
  fail(server, kind, mcp::describe(failure));
}

void Finding::add(const std::string& server, std::vector<Json> entries, Reader read, bool cut) {
  for (Json& entry : entries) {
    Result<Capability> capability = read(server, std::move(entry));
    if (capability.ok()) {
      keep(server, std::move(capability).value());
    } else {
      fail(server, mcp::FailureClass::kProtocol, capability.error().message);
    }
  }
  const int again = std::exchange(again_, 0);
  if (again == 0 || cut) return;
  fail(server, mcp::FailureClass::kProtocol,
       "server \"" + server + "\" lists " + std::to_string(again) +
           " entries that it has listed before");
}

void Finding::keep(const std::string& server, Capability capability) {
  const bool resource = capability.type == CapabilityType::kResource;
  if (!seen_.emplace(capability.type, resource ? capability.uri : capability.name).second) {
    ++again_;
    return;
  }
  for (std::string& flaw : std::exchange(capability.flaws, {})) {
    fail(server, mcp::FailureClass::kProtocol, std::move(flaw));
  }
  manifest->capabilities.push_back(std::move(capability));
}

}  // namespace plumbline::connector
