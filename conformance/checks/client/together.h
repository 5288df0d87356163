// Together plays several scenarios in one run: each has tools of its own, and leaves those of the
// others alone. A program is started once for all of them.
//
// What it shows of one scenario counts where it passed, or where it came to that scenario's own
// tool and nothing is to be said of it. Any other is played again, alone: whoever is blamed, or
// goes by the names of scenarios, is judged by what it does then.

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "conformance/peer/client/scenario.h"

namespace plumbline::conformance {

struct ClientBundle {
  ClientScenario scenario;                    // Without ids: they are its members'.
  std::span<const std::string_view> members;  // Names of scenarios.
};

// all_client_bundles returns those that there are; no scenario is in two of them.
std::span<const ClientBundle> all_client_bundles();

// plays returns whether a scenario is one of `revision` and this transport, and judges a rule
// there.
bool plays(const ClientScenario& scenario, std::string_view revision, bool over_http);

class Together : public Script {
 public:
  explicit Together(std::span<const std::string_view> members) : members_(members) {}

  void prepare(ScriptedPeer& peer) override;
  bool on_request(ScriptedPeer& peer, const Asked& asked) override;
  void on_notification(ScriptedPeer& peer, const Heard& heard) override;
  void on_response(ScriptedPeer& peer, const Heard& heard) override;
  void judge(const Record& record, Verdicts& verdicts) override;
  std::vector<const ClientScenario*> left() const override;

 private:
  struct Part {
    const ClientScenario* scenario = nullptr;
    std::unique_ptr<Script> script;
    std::vector<Json> tools;
    bool reached = false;  // One of its tools was called.
    bool told = false;     // What it showed counts.
  };

  static bool counts(const Part& part, const Verdicts& own);

  std::span<const std::string_view> members_;
  std::vector<Part> parts_;
};

}  // namespace plumbline::conformance
