#include "conformance/checks/client/together.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "conformance/catalogue/requirement.h"
#include "conformance/checks/client/scenarios.h"
#include "conformance/peer/client/scripted_peer.h"

namespace plumbline::conformance {

namespace {

// Each asks for something while its tool is called.
constexpr std::string_view kAskingTogether[] = {
    "questions", "wrong-questions",     "form", "url-elicitation",
    "sampling",  "sampling-with-tools", "roots"};
// Each says something beside, or in, the list of the tools.
constexpr std::string_view kToldTogether[] = {"notices", "metas", "unsafe-icons"};
constexpr std::string_view kOddTogether[] = {"garbage", "wrong-answers"};
// Each has pages of another list.
constexpr std::string_view kPagesTogether[] = {"pages", "prompts"};

template <const auto& kMembers>
class TogetherAre final : public Together {
 public:
  TogetherAre() : Together(kMembers) {}
};

constexpr ClientBundle kBundles[] = {
    {{"tools_call",
      "questions-together",
      Eras::kBoth,
      Over::kAny,
      "",
      {},
      make_script<TogetherAre<kAskingTogether>>},
     kAskingTogether},
    {{"tools_call",
      "notices-together",
      Eras::kBoth,
      Over::kAny,
      "",
      {},
      make_script<TogetherAre<kToldTogether>>},
     kToldTogether},
    {{"tools_call",
      "garbage-together",
      Eras::kBoth,
      Over::kAny,
      "",
      {},
      make_script<TogetherAre<kOddTogether>>},
     kOddTogether},
    {{"tools_call",
      "pages-together",
      Eras::kBoth,
      Over::kAny,
      "",
      {},
      make_script<TogetherAre<kPagesTogether>>},
     kPagesTogether},
};

bool has_tool(const std::vector<Json>& tools, const std::string& name) {
  return std::ranges::any_of(tools,
                             [&](const Json& tool) { return string_or(tool, "name", "") == name; });
}

}  // namespace

std::span<const ClientBundle> all_client_bundles() { return kBundles; }

bool plays(const ClientScenario& scenario, std::string_view revision, bool over_http) {
  if (!has(scenario.eras, revision) || scenario.since > revision) return false;
  if (scenario.over != Over::kAny && (scenario.over == Over::kHttp) != over_http) return false;
  return std::ranges::any_of(
      scenario.ids, [&](std::string_view id) { return find_requirement(id, revision) != nullptr; });
}

// prepare lets each part set what it offers, as if it were alone, and offers all of that.
void Together::prepare(ScriptedPeer& peer) {
  const Offer none = peer.offer;
  Offer all = none;
  all.tools.clear();
  for (const ClientScenario& scenario : all_client_scenarios()) {
    const bool member = std::ranges::find(members_, scenario.name) != members_.end();
    if (!member || !plays(scenario, peer.revision(), peer.over_http())) continue;
    Part part{&scenario, scenario.script(), {}};
    peer.offer = none;
    part.script->prepare(peer);
    part.tools = peer.offer.tools;
    for (const Json& tool : part.tools) {
      if (!has_tool(all.tools, string_or(tool, "name", ""))) all.tools.push_back(tool);
    }
    std::ranges::move(peer.offer.prompts, std::back_inserter(all.prompts));
    all.capabilities.update(peer.offer.capabilities);
    peer.record().hostile |= scenario.ids.front().starts_with("hostile.");
    parts_.push_back(std::move(part));
  }
  peer.offer = std::move(all);
}

bool Together::on_request(ScriptedPeer& peer, const Asked& asked) {
  const bool calls = asked.method() == "tools/call";
  bool answered = false;
  for (Part& part : parts_) {
    if (answered || (calls && !has_tool(part.tools, asked.param("name")))) continue;
    part.reached |= calls;
    answered = part.script->on_request(peer, asked);
  }
  return answered;
}

void Together::on_notification(ScriptedPeer& peer, const Heard& heard) {
  for (const Part& part : parts_) part.script->on_notification(peer, heard);
}

void Together::on_response(ScriptedPeer& peer, const Heard& heard) {
  for (const Part& part : parts_) part.script->on_response(peer, heard);
}

bool Together::counts(const Part& part, const Verdicts& own) {
  if (!part.script->left().empty()) return false;
  return std::ranges::all_of(own.all(), [&](const auto& said) {
    const Verdict verdict = said.second.verdict;
    return verdict == Verdict::kPass || (verdict == Verdict::kSkip && part.reached);
  });
}

void Together::judge(const Record& record, Verdicts& verdicts) {
  for (Part& part : parts_) {
    Verdicts own;
    part.script->judge(record, own);
    part.told = counts(part, own);
    if (!part.told) continue;
    for (const auto& [id, finding] : own.all()) verdicts.say(id, finding);
  }
}

std::vector<const ClientScenario*> Together::left() const {
  std::vector<const ClientScenario*> left;
  for (const Part& part : parts_) {
    if (!part.told) left.push_back(part.scenario);
  }
  return left;
}

}  // namespace plumbline::conformance
