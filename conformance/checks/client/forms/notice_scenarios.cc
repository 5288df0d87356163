// Notifications that a client need not know, before the list of the tools. All of them are in one
// run; where that fails each comes alone, so that the rule is named by which it does not go on.

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/checks/client/script_kit.h"

namespace plumbline::conformance {

namespace {

// LoneNotice is one notification, and the rule by which a client goes on after it.
struct LoneNotice {
  std::string_view id;
  std::string_view scenario;  // In which it comes alone.
  const char* what;
  const char* text;
};

constexpr std::string_view kUnknownNotice = "jsonrpc.unknown-notification-ignored";
constexpr LoneNotice kNotices[] = {
    {kUnknownNotice, "unknown-notice", "a notification it does not know",
     R"({"jsonrpc":"2.0","method":"notifications/plumbline-unknown","params":{"a":[1]}})"},
    {kUnknownNotice, "bare-notice", "a notification it does not know, without params",
     R"({"jsonrpc":"2.0","method":"notifications/plumbline-bare"})"},
    {kUnknownNotice, "strange-progress", "notifications/progress with a token it never gave",
     R"({"jsonrpc":"2.0","method":"notifications/progress",
         "params":{"progressToken":"nobody","progress":1}})"},
    {"cancellation.invalid-ignored", "strange-cancellation",
     "notifications/cancelled for a request there never was",
     R"({"jsonrpc":"2.0","method":"notifications/cancelled",
         "params":{"requestId":"nobody","reason":"none"}})"},
    {"elicitation.complete-unknown-ignored", "strange-completion",
     "notifications/elicitation/complete for an elicitation there never was",
     R"({"jsonrpc":"2.0","method":"notifications/elicitation/complete",
         "params":{"elicitationId":"nobody"}})"},
    {kUnknownNotice, "log-message", "notifications/message whose data is no text",
     R"({"jsonrpc":"2.0","method":"notifications/message",
         "params":{"level":"info","data":{"deep":[{"a":null}]}}})"},
};
constexpr std::size_t kAllNotices = std::size(kNotices);
constexpr std::size_t kAllNoticesAgain = kAllNotices + 1;  // Where each alone does no harm.

constexpr std::string_view kNoticesIds[] = {"jsonrpc.notification-no-response", kUnknownNotice,
                                            "cancellation.invalid-ignored",
                                            "elicitation.complete-unknown-ignored"};

const ClientScenario* notice_alone(std::size_t which);

// Notices sends all of them, or the one of that number.
template <std::size_t kWhich>
class Notices final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.events = true;
    peer.offer.capabilities["logging"] = Json::object();
    peer.offer.tools = {plain_tool("after_notices")};
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "tools/list" || told_) return false;
    told_ = true;
    for (std::size_t i = 0; i < kAllNotices; ++i) {
      if (!kOne || kWhich == i) peer.along(asked, json_of(kNotices[i].text));
    }
    return false;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    verdicts.say("jsonrpc.notification-no-response", silent(record));
    Finding goes_on = went_on(record, "after_notices", kOne ? kIts.what : "several notifications");
    if (kOne) return verdicts.say(kIts.id, std::move(goes_on));
    failed_ = told_ && goes_on.verdict != Verdict::kPass;
    if (kWhich == kAllNoticesAgain) {
      if (failed_ && !is_explained(verdicts)) verdicts.say(kUnknownNotice, std::move(goes_on));
    } else if (!failed_) {
      for (const LoneNotice& notice : kNotices) verdicts.say(notice.id, goes_on);
    }
  }

  std::vector<const ClientScenario*> left() const override {
    if (kOne) return {notice_alone(kWhich + 1)};
    if (kWhich == kAllNoticesAgain || !failed_) return {};
    return {notice_alone(0)};
  }

 private:
  static constexpr bool kOne = kWhich < kAllNotices;
  static constexpr const LoneNotice& kIts = kNotices[kOne ? kWhich : 0];

  Finding silent(const Record& record) const {
    if (!told_) return never_came(record, "asked for the tools");
    const Heard* const answer = record.first([](const Heard& message) {
      const bool answers = message.message.is_object() && message.method().empty();
      return answers && (find(message.message, "result") || find(message.message, "error"));
    });
    return answer == nullptr ? passes() : at(record, *answer, broken("it answered a notification"));
  }

  // is_explained returns whether one of them alone has shown what it was.
  static bool is_explained(const Verdicts& verdicts) {
    return std::ranges::any_of(kNotices, [&](const LoneNotice& notice) {
      const auto said = verdicts.all().find(notice.id);
      return said != verdicts.all().end() && said->second.verdict != Verdict::kPass;
    });
  }

  bool told_ = false;
  bool failed_ = false;
};

template <std::size_t kWhich>
constexpr ClientScenario notices_as(std::string_view name) {
  return {
      "tools_call", name, Eras::kBoth, Over::kAny, "", kNoticesIds, make_script<Notices<kWhich>>};
}

constexpr ClientScenario kNoticeScenarios[] = {notices_as<kAllNotices>("notices")};

constexpr ClientScenario kNoticesAlone[] = {
    notices_as<0>(kNotices[0].scenario),          notices_as<1>(kNotices[1].scenario),
    notices_as<2>(kNotices[2].scenario),          notices_as<3>(kNotices[3].scenario),
    notices_as<4>(kNotices[4].scenario),          notices_as<5>(kNotices[5].scenario),
    notices_as<kAllNoticesAgain>("notices-again")};
static_assert(std::size(kNoticesAlone) == kAllNotices + 1);

const ClientScenario* notice_alone(std::size_t which) { return &kNoticesAlone[which]; }

}  // namespace

ClientScenarios notice_scenarios() { return kNoticeScenarios; }

}  // namespace plumbline::conformance
