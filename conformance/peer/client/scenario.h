// ClientScenario is one scripted server: what it says, and what it finds out about the client.

#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "conformance/catalogue/finding.h"
#include "conformance/catalogue/selection.h"
#include "conformance/peer/client/record.h"
#include "conformance/peer/client/script.h"

namespace plumbline::conformance {

enum class Over { kAny, kHttp, kStdio };

struct ClientScenario {
  // What MCP_CONFORMANCE_SCENARIO says: the name of the official suite where a program that knows
  // it does what is needed here.
  std::string_view asked;
  std::string_view name;  // What PLUMBLINE_SCENARIO says: its own.
  Eras eras = Eras::kBoth;
  Over over = Over::kAny;
  std::string_view since;  // The first revision it is for; empty: all of its eras.
  std::span<const std::string_view> ids;
  std::unique_ptr<Script> (*script)() = nullptr;
  bool guarded = false;  // The server wants tokens: for clients that can get one.
};

using ClientScenarios = std::span<const ClientScenario>;

// ClientRule is a rule that holds in every run, whatever the scenario.
struct ClientRule {
  std::string_view id;
  Finding (*judge)(const Record& record);
  bool guarded = false;  // It holds in the scenarios that are guarded, and in no other.
};

using ClientRules = std::span<const ClientRule>;

}  // namespace plumbline::conformance
