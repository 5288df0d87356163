// ClientScenario is one scripted server: what it says, and what it finds out about the client.

#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "conformance/catalogue/finding.h"
#include "conformance/catalogue/selection.h"
#include "conformance/peer/client/play.h"
#include "conformance/peer/client/record.h"

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
  std::unique_ptr<Play> (*play)() = nullptr;
};

using ClientScenarios = std::span<const ClientScenario>;

// ClientRule is a rule that holds in every run, whatever the scenario.
struct ClientRule {
  std::string_view id;
  Finding (*judge)(const Record& record);
};

ClientScenarios basic_scenarios();
ClientScenarios peer_scenarios();
ClientScenarios list_scenarios();
ClientScenarios http_scenarios();
ClientScenarios header_scenarios();
ClientScenarios mrtr_scenarios();
ClientScenarios question_scenarios();
ClientScenarios time_scenarios();
ClientScenarios task_scenarios();
ClientScenarios safety_scenarios();
ClientScenarios hostile_scenarios();
ClientScenarios older_scenarios();

std::span<const ClientRule> message_rules();
std::span<const ClientRule> opening_rules();
std::span<const ClientRule> http_rules();
std::span<const ClientRule> stdio_rules();

// all_client_scenarios and all_client_rules return every one.
const std::vector<ClientScenario>& all_client_scenarios();
const std::vector<ClientRule>& all_client_rules();

}  // namespace plumbline::conformance
