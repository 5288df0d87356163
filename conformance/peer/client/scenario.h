// ClientScenario is one scripted server: what it says, and what it finds out about the client.

#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "conformance/checks/server/check.h"
#include "conformance/peer/client/record.h"
#include "conformance/peer/client/stage.h"

namespace plumbline::conformance {

// Verdicts gathers what a run says about each id. Several runs may speak of one id: what is broken
// counts more than what is risky, that more than what holds, that more than what could not be told.
class Verdicts {
 public:
  void say(std::string_view id, Finding finding);

  // about gives a Finding without evidence the one of its run.
  void about(const Record* record) { record_ = record; }

  const std::map<std::string, Finding, std::less<>>& all() const { return findings_; }

 private:
  const Record* record_ = nullptr;
  std::map<std::string, Finding, std::less<>> findings_;
};

// Play is one performance of a scenario. Every hook may do nothing: the Stage then acts as a good
// server.
class Play {
 public:
  virtual ~Play() = default;

  // prepare sets what the server offers.
  virtual void prepare(Stage& stage) = 0;

  // on_request returns whether it has answered, or means not to.
  virtual bool on_request(Stage&, const Asked&) { return false; }
  virtual void on_notification(Stage&, const Heard&) {}
  virtual void on_response(Stage&, const Heard&) {}

  // on_http may answer an HTTP request itself; the reply is then moved from.
  virtual bool on_http(Stage&, std::size_t, transport::HttpReply&) { return false; }

  // judge says what was found out. The client was connected.
  virtual void judge(const Record& record, Verdicts& verdicts) = 0;

  // context is what MCP_CONFORMANCE_CONTEXT tells the program; null: nothing.
  virtual Json context() const { return nullptr; }

  // silence_max bounds how long the client may say nothing: longer where it has to wait.
  virtual Duration silence_max(Duration usual) const { return usual; }
};

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

template <typename T>
std::unique_ptr<Play> make_play() {
  return std::make_unique<T>();
}

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
