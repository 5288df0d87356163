// Requests that are given up, and results that stay fresh. For programs that know these scenarios:
// docs/porting-a-client.md.

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/client/script_kit.h"

namespace plumbline::conformance {

namespace {

constexpr std::chrono::milliseconds kUnderWay{500};

const ClientScenario* late_others();

// Late answers a call only once the client has given it up.
class Late final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.offer.tools = {bare_tool("never_ending"), bare_tool("after_cancel")};
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() == "tools/call" && asked.param("name") == "after_cancel") {
      // A program that ends at once would take back what it has just begun to send.
      peer.later(kUnderWay, [&peer, asked] { peer.usual(asked); });
      return true;
    }
    if (asked.method() != "tools/call" || asked.param("name") != "never_ending") return false;
    call_ = asked;
    begun_ = true;
    return true;
  }

  void on_notification(ScriptedPeer& peer, const Heard& notice) override {
    const Json* const id = notice.params() ? find(*notice.params(), "requestId") : nullptr;
    if (notice.method() != "notifications/cancelled" || id == nullptr) {
      if (begun_ && speaks_of_call(notice)) cancelled_by_ = notice.method();
      return;
    }
    cancelled_ = true;
    if (begun_ && *id == call_.id()) peer.usual(call_);
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    Finding gave_up = never_came(record, "called the tool never_ending");
    Finding told = gave_up;
    Finding goes_on = gave_up;
    if (begun_) {
      const bool left = record.http[call_.exchange].gone || cancelled_;
      gave_up = left ? passes() : not_for_it("it did not give the call up in time");
      told = left ? passes() : gave_up;
      // Stateless HTTP cancels by closing; elsewhere it takes a message.
      const bool by_message = !(record.over_http && record.stateless());
      if (by_message && !cancelled_ && record.called("after_cancel") != nullptr) {
        told = broken("it gave a call up without notifications/cancelled");
      }
      goes_on = !left ? gave_up
                      : went_on(record, "after_cancel",
                                "the answer to a call that it had just cancelled");
      if (left && left_too_early(record)) {
        goes_on = broken(
            "it was gone before its next call was answered, after the answer to a "
            "call that it had just cancelled");
      }
    }
    // Only who gives calls up, and says so, shows whether it does so with the rest.
    if (told.verdict == Verdict::kPass) others_ = late_others();
    for (const char* const id : {"cancellation.cancel-on-timeout", "cancellation.client-signals",
                                 "http.cancel-is-explicit"}) {
      verdicts.say(id, told);
    }
    verdicts.say("cancellation.stdio-cancelled-notification", cancelled_as_due(std::move(told)));
    verdicts.say("cancellation.late-response-ignored", goes_on);
    verdicts.say("cancellation.race-handled", std::move(goes_on));
  }

  std::vector<const ClientScenario*> left() const override {
    if (others_ == nullptr) return {};
    return {others_};
  }

 private:
  // left_too_early returns whether the client, over stdio, ended the connection in the middle of
  // the call behind the one that it cancelled.
  static bool left_too_early(const Record& record) {
    const Heard* const next = record.called("after_cancel");
    if (record.over_http || next == nullptr || next->answered) return false;
    const StreamHeard& stream = record.streams[next->connection - 1];
    return stream.closed && !stream.cut_by_us && record.exit.has_value();
  }

  bool speaks_of_call(const Heard& notice) const {
    const Json params = notice.params() ? *notice.params() : Json();
    return std::ranges::find(params, call_.id()) != params.end();
  }

  // cancelled_as_due judges how it cancelled, which has to be so; that it does is a SHOULD.
  Finding cancelled_as_due(Finding told) const {
    if (told.verdict != Verdict::kFail) return told;
    if (!cancelled_by_.empty()) {
      return broken("it gave a call up with " + cancelled_by_ +
                    ", expected notifications/cancelled");
    }
    return risky(
        "arguable: it gave a call up without a word; that a client cancels is a SHOULD, "
        "and on stdio it MUST do so by notifications/cancelled");
  }

  Asked call_;
  bool begun_ = false;
  bool cancelled_ = false;
  std::string cancelled_by_;  // A notification of another name.
  const ClientScenario* others_ = nullptr;
};

constexpr const char* kNeverEnding = "never_ending";

// LateOthers answers a call, and leaves what else may take long: to read a resource, to list the
// templates, to get a prompt and to complete its argument.
class LateOthers final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.offer.tools = {bare_tool("first_look")};
    peer.offer.capabilities["resources"] = Json::object();
    peer.offer.capabilities["prompts"] = Json::object();
    peer.offer.capabilities["completions"] = Json::object();
    for (const char* const name : {kNeverEnding, "after_cancel"}) {
      Json resource(Json::value_t::object);
      resource["uri"] = "test://" + std::string(name);
      resource["name"] = name;
      peer.offer.resources.push_back(std::move(resource));
      Json prompt(Json::value_t::object);
      prompt["name"] = name;
      if (name == kNeverEnding) {
        Json argument(Json::value_t::object);
        argument["name"] = "topic";
        argument["required"] = true;
        prompt["arguments"] = Json::array({std::move(argument)});
      }
      peer.offer.prompts.push_back(std::move(prompt));
    }
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    const std::string method = asked.method();
    const bool late = (method == "resources/read" && asked.param("uri") == "test://never_ending") ||
                      (method == "prompts/get" && asked.param("name") == kNeverEnding) ||
                      method == "resources/templates/list" || method == "completion/complete";
    // A program that ends at once would take back what it has just begun to send.
    if (!late && !left_.empty() && peer.now() >= after(left_.back().at, kAtOnce)) {
      peer.later(kUnderWay, [&peer, asked] { peer.usual(asked); });
      return true;
    }
    if (!late) return false;
    left_.push_back({asked, peer.now()});
    return true;
  }

  void on_notification(ScriptedPeer&, const Heard& notice) override {
    const Json* const id = notice.params() ? find(*notice.params(), "requestId") : nullptr;
    if (notice.method() == "notifications/cancelled" && id != nullptr) cancelled_.push_back(*id);
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    // Stateless HTTP cancels by closing.
    if (record.over_http && record.stateless()) return;
    std::string methods;
    for (const Left& one : left_) {
      if (std::ranges::find(cancelled_, one.asked.id()) != cancelled_.end()) continue;
      if (!went_on_after(record, one)) continue;
      methods += (methods.empty() ? "" : ", ") + one.asked.method();
    }
    if (methods.empty()) return;
    verdicts.say("cancellation.cancel-on-timeout",
                 broken("it gave up without notifications/cancelled, which it sends for "
                        "tools/call: " +
                        methods));
  }

 private:
  static constexpr std::chrono::seconds kAtOnce{1};  // What is asked side by side.

  struct Left {
    Asked asked;
    Instant at;
  };

  // went_on_after returns whether it asked for something else when it had waited for a while, and
  // ended by itself: who does so waits no longer.
  static bool went_on_after(const Record& record, const Left& one) {
    const bool gone = record.over_http && record.http[one.asked.exchange].gone;
    if (!gone && !record.exit) return false;
    return std::ranges::any_of(record.heard, [&](const Heard& next) {
      return next.is_request() && next.method() != "ping" && next.at >= after(one.at, kAtOnce);
    });
  }

  std::vector<Left> left_;
  std::vector<Json> cancelled_;
};

// Fresh has five resources that stay fresh for different times; each is to be read twice.
class Fresh final : public Script {
 public:
  void prepare(ScriptedPeer& peer) override {
    peer.offer.capabilities["resources"] = Json::object();
    for (const char* const name : {"stale", "fresh", "negative", "absent", "asked"}) {
      Json resource(Json::value_t::object);
      resource["uri"] = "test://" + std::string(name);
      resource["name"] = name;
      peer.offer.resources.push_back(std::move(resource));
    }
  }

  bool on_request(ScriptedPeer& peer, const Asked& asked) override {
    if (asked.method() != "resources/read") return false;
    Json response(Json::value_t::object);
    response["jsonrpc"] = "2.0";
    response["id"] = asked.id();
    Json& result = response["result"];
    result = usual_answer(peer.offer, peer.revision(), asked.message).result;
    const std::string uri = asked.param("uri");
    const bool answered = at_pointer(asked.message, "/params/requestState") != nullptr;
    if (uri.ends_with("asked") && !answered) {
      // No question: a state alone is handed back without anybody being asked.
      result = Json::object();
      result["resultType"] = "input_required";
      result["requestState"] = "judge-state";
      peer.text(asked, dump_json(response), true);
      return true;
    }
    if (uri.ends_with("asked")) result["ttlMs"] = 3'600'000;
    if (uri.ends_with("fresh")) result["ttlMs"] = 3'600'000;
    if (uri.ends_with("negative")) result["ttlMs"] = -1'000;
    if (uri.ends_with("absent")) result.erase("ttlMs");
    peer.text(asked, dump_json(response), true);
    return true;
  }

  void judge(const Record& record, Verdicts& verdicts) override {
    const std::map<std::string, int> read = first_reads(record);
    const auto count = [&read](const std::string& name) {
      const auto found = read.find("test://" + name);
      return found == read.end() ? 0 : found->second;
    };
    // Only whoever reads anything twice shows what it keeps.
    const bool rereads = std::ranges::any_of(read, [](const auto& one) { return one.second > 1; });
    const auto kept = [&](const std::string& name, const Finding& once, const Finding& twice) {
      if (count(name) == 0) return never_came(record, "read the resources");
      if (!rereads) return not_for_it("it read no resource twice");
      return count(name) > 1 ? twice : once;
    };
    const auto again = [&](const std::string& name, const std::string& ttl) {
      return kept(name,
                  broken("a resource " + ttl + " was to be read twice, and was asked for once"),
                  passes());
    };
    verdicts.say("caching.ttl-zero-stale", again("stale", "with ttlMs 0"));
    verdicts.say("caching.ttl-negative-as-zero", again("negative", "with a ttlMs below 0"));
    verdicts.say("caching.ttl-absent-zero", again("absent", "without ttlMs"));
    verdicts.say("caching.ttl-positive-fresh",
                 kept("fresh", passes(),
                      broken("a resource that stays fresh for an hour was asked for twice")));
    // What comes of a request with a state is not kept, whatever its ttlMs says.
    verdicts.say("caching.mrtr-retry-not-cached",
                 went_on_with_state(record) ? again("asked", "that is read with a requestState")
                                            : not_for_it("it did not go on with a requestState"));
    Finding keys = never_came(record, "read the resources");
    if (count("fresh") > 0) {
      keys = count("stale") > 0
                 ? passes()
                 : broken(
                       "of two resources only one was asked for: what was kept of one must not "
                       "stand for the other");
    }
    verdicts.say("caching.key-includes-params", std::move(keys));
  }

 private:
  static bool is_retry(const Heard& read) {
    const Json* const params = read.params();
    return params != nullptr && find(*params, "requestState") != nullptr;
  }

  // first_reads counts the reads of each resource, without those that go on with a state.
  static std::map<std::string, int> first_reads(const Record& record) {
    std::map<std::string, int> out;
    for (const Heard* const read : record.requests("resources/read")) {
      if (!is_retry(*read)) ++out[read->param("uri")];
    }
    return out;
  }

  static bool went_on_with_state(const Record& record) {
    return std::ranges::any_of(record.requests("resources/read"),
                               [](const Heard* read) { return is_retry(*read); });
  }
};

constexpr std::string_view kLateIds[] = {"cancellation.cancel-on-timeout",
                                         "cancellation.client-signals",
                                         "cancellation.stdio-cancelled-notification",
                                         "http.cancel-is-explicit",
                                         "cancellation.late-response-ignored",
                                         "cancellation.race-handled"};
constexpr std::string_view kFreshIds[] = {
    "caching.ttl-zero-stale",        "caching.ttl-negative-as-zero", "caching.ttl-absent-zero",
    "caching.mrtr-retry-not-cached", "caching.ttl-positive-fresh",   "caching.key-includes-params"};
constexpr std::string_view kLateOthersIds[] = {"cancellation.cancel-on-timeout"};
constexpr ClientScenario kLateOthers = {
    "cancellation", "cancellation-of-others", Eras::kBoth, Over::kAny, "",
    kLateOthersIds, make_script<LateOthers>};

const ClientScenario* late_others() { return &kLateOthers; }

constexpr ClientScenario kTimeScenarios[] = {
    {"cancellation", "cancellation", Eras::kBoth, Over::kAny, "", kLateIds, make_script<Late>},
    {"caching", "caching", Eras::kStateless, Over::kAny, "", kFreshIds, make_script<Fresh>},
};

}  // namespace

ClientScenarios time_scenarios() { return kTimeScenarios; }

}  // namespace plumbline::conformance
