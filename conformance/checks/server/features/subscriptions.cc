// Streams of notifications: spec 2026-07-28, basic/patterns/subscriptions.

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/features/subscription_filters.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/listening.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/resources/resource_changes.h"
#include "conformance/checks/server/shapes.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kAcknowledged = "notifications/subscriptions/acknowledged";
constexpr const char* kToldOfNothing = "it does not declare tools.listChanged";
constexpr const char* kNotListening = "subscriptions/listen is not acknowledged";
constexpr Duration kInOneGo = std::chrono::milliseconds(20);

// trigger_all lets everything happen that there is a tool for, twice, so that nothing is changed
// in the end. Returns how many tools there are.
Task<int> trigger_all(Probe& probe, Client& client) {
  int tools = 0;
  for (const Shows change : {Shows::kToolsChange, Shows::kPromptsChange, Shows::kResourceUpdate}) {
    const std::optional<ToolUse> use = co_await probe.tool_that(change);
    if (!use) continue;
    ++tools;
    for (int time = 0; time < 2; ++time) co_await client.request("tools/call", use->params);
  }
  co_await Sleep(probe.loop(), after(probe.loop().now(), probe.pace().quiet()));
  co_return tools;
}

bool is_acknowledgement(const Json& message) {
  return string_or(message, "method", "") == kAcknowledged;
}

Task<Finding> acknowledges_first(Probe& probe) {
  if (!serves(probe.survey())) co_return not_for_it("it declares nothing to listen for");
  Client client = probe.client();
  Listening listening = begin_listening(client, everything(probe.survey()));
  const Json acknowledgement = co_await acknowledged(client, listening);
  if (!acknowledgement.is_null()) co_await client.hush();
  const std::vector<Json> messages = heard(client, listening);
  co_await stop_listening(client, listening);
  if (acknowledgement.is_null()) {
    co_return about(broken("subscriptions/listen was not acknowledged"), listening);
  }
  if (!is_acknowledgement(messages.front())) {
    co_return showing(broken("the first message of the subscription was " +
                             string_or(messages.front(), "method", "a response") +
                             ", expected its acknowledgement"),
                      messages.front());
  }
  const Json* const honored = at_pointer(acknowledgement, "/params/notifications");
  if (honored == nullptr || !honored->is_object()) {
    co_return showing(broken("the acknowledgement has no notifications object"), acknowledgement);
  }
  const auto ended = std::ranges::find_if(
      messages, [](const Json& message) { return find(message, "result") != nullptr; });
  if (ended == messages.end()) co_return passes();
  co_return showing(risky("it ended the subscription as soon as it had acknowledged it: nothing "
                          "can be told on it, and clients listen again at once"),
                    *ended);
}

Task<Finding> says_nothing_before(Probe& probe) {
  if (!serves(probe.survey())) co_return not_for_it("it declares nothing to listen for");
  Client client = probe.client();
  std::vector<Listening> several;
  for (int i = 0; i < 3; ++i) {
    several.push_back(begin_listening(client, everything(probe.survey())));
  }
  co_await trigger_all(probe, client);
  Finding finding = passes();
  for (Listening& listening : several) {
    const Json acknowledgement = co_await acknowledged(client, listening);
    const std::vector<Json> messages = heard(client, listening);
    co_await stop_listening(client, listening);
    if (acknowledgement.is_null()) finding = undecided(kNotListening);
    if (messages.empty() || is_acknowledgement(messages.front())) continue;
    finding = showing(broken(string_or(messages.front(), "method", "a response") +
                             " came before the acknowledgement of its subscription"),
                      messages.front());
  }
  co_return std::move(finding);
}

Task<Finding> acknowledges_what_it_honors(Probe& probe) {
  if (!serves(probe.survey())) co_return not_for_it("it declares nothing to listen for");
  Client client = probe.client();
  Json less = Json::object();
  less["toolsListChanged"] = true;
  std::vector<Json> filters;
  filters.push_back(everything(probe.survey()));
  filters.push_back(std::move(less));
  Finding finding = passes();
  for (const Json& asked : filters) {
    Listening listening = begin_listening(client, asked);
    const Json acknowledgement = co_await acknowledged(client, listening);
    co_await stop_listening(client, listening);
    const Json* const honored = at_pointer(acknowledgement, "/params/notifications");
    if (honored == nullptr || !honored->is_object()) co_return undecided(kNotListening);
    const std::string wrong = honor_problem(probe.survey(), asked, *honored);
    if (!wrong.empty()) {
      co_return showing(broken("the acknowledgement names " + wrong), acknowledgement);
    }
    const std::string missed = unhonored(probe.survey(), asked, *honored);
    if (missed.empty()) continue;
    finding = showing(risky("its capabilities declare it, and the acknowledgement leaves out " +
                            missed + ": clients are told of no change"),
                      acknowledgement);
  }
  co_return std::move(finding);
}

bool is_of_subscriptions(const std::string& method) {
  return method == kAcknowledged || method == "notifications/resources/updated" ||
         std::ranges::any_of(kNoticeKinds,
                             [&](const Notice& kind) { return method == kind.notification; });
}

// misnamed passes unless a notification names none of `several`, on HTTP the one whose stream it is
// on. Over stdio it may be a late one of a subscription before them.
Finding misnamed(Client& client, const std::vector<Listening>& several) {
  const std::vector<Frame>& frames = client.session().wire().inbox().frames;
  for (std::size_t at = several.front().first; at < frames.size(); ++at) {
    const Frame& frame = frames[at];
    const std::string method = string_or(*frame.message, "method", "");
    if (!is_of_subscriptions(method)) continue;
    const Json id = subscription_of(*frame.message);
    const auto named = [&](const Listening& listening) {
      return listening.id == id && listening.begun.exchange == frame.exchange;
    };
    const auto here = [&](const Listening& listening) {
      return listening.begun.exchange == frame.exchange;
    };
    if (!std::ranges::any_of(several, here) || std::ranges::any_of(several, named)) continue;
    if (frame.exchange == 0 && client.session().has_listened(id)) continue;
    return showing(broken(method + " names the subscription " + dump_json(id) +
                          ", expected the id of its subscriptions/listen"),
                   *frame.message);
  }
  return passes();
}

// named_for_others passes unless a notification came once for each of `several`, which all listen
// for the same, and named one of them every time. Over HTTP each has a stream of its own.
Finding named_for_others(Client& client, const std::vector<Listening>& several) {
  const std::vector<Frame>& frames = client.session().wire().inbox().frames;
  std::size_t run = 0;  // Of one thing after the other that says the same of the same subscription.
  for (std::size_t at = several.front().first; at < frames.size(); ++at) {
    const Frame& frame = frames[at];
    const std::string method = string_or(*frame.message, "method", "");
    const Json id = subscription_of(*frame.message);
    if (frame.exchange != 0 || !is_of_subscriptions(method) || is_acknowledgement(*frame.message)) {
      run = 0;
      continue;
    }
    const bool goes_on = run > 0 && *frames[at - 1].message == *frame.message &&
                         frame.at - frames[at - 1].at < kInOneGo;
    run = goes_on ? run + 1 : 1;
    const auto is_named = [&](const Listening& other) {
      if (other.id == id) return false;
      const std::vector<Json> messages = heard(client, other);
      return std::ranges::any_of(messages, [&](const Json& message) {
        return string_or(message, "method", "") == method;
      });
    };
    if (run < several.size() || std::ranges::any_of(several, is_named)) continue;
    return showing(
        broken(method + " came " + std::to_string(run) + " times at once for the subscription " +
               dump_json(id) + ", and for none of the others, expected the id of each"),
        *frame.message);
  }
  return passes();
}

Task<Finding> names_the_subscription(Probe& probe) {
  if (!serves(probe.survey())) co_return not_for_it("it declares nothing to listen for");
  Client client = probe.client();
  const std::string digits = std::to_string(client.session().next_id());
  std::vector<Listening> several;
  several.push_back(begin_listening(client, everything(probe.survey())));
  several.push_back(begin_listening(client, everything(probe.survey()), "plumbline-" + digits));
  several.push_back(begin_listening(client, everything(probe.survey()), digits));
  Finding finding = passes();
  for (Listening& listening : several) {
    const Json acknowledgement = co_await acknowledged(client, listening);
    if (acknowledgement.is_null()) finding = undecided(kNotListening);
  }
  co_await trigger_all(probe, client);
  Finding wrong = misnamed(client, several);
  if (wrong.verdict == Verdict::kPass) wrong = named_for_others(client, several);
  if (wrong.verdict != Verdict::kPass) finding = std::move(wrong);
  for (Listening& listening : several) co_await stop_listening(client, listening);
  co_return std::move(finding);
}

// unasked returns the notification that this subscription did not ask for; null for none.
Json unasked(const std::vector<Json>& messages, const Json& filter) {
  for (const Json& message : messages) {
    const std::string method = string_or(message, "method", "");
    if (method.empty() || is_acknowledgement(message)) continue;
    const auto kind = std::ranges::find_if(
        kNoticeKinds, [&](const Notice& each) { return method == each.notification; });
    if (kind != std::end(kNoticeKinds) && bool_or(filter, kind->filter, false)) continue;
    const Json* const uris = find(filter, "resourceSubscriptions");
    const Json* const told = at_pointer(message, "/params/uri");
    const std::string uri = told != nullptr && told->is_string() ? told->get<std::string>() : "";
    const auto is_within = [&uri](const Json& one) {
      return one.is_string() && uri.starts_with(one.get_ref<const std::string&>());
    };
    const bool watched = uris != nullptr && std::ranges::any_of(*uris, is_within);
    if (method == "notifications/resources/updated" && watched) continue;
    return message;
  }
  return nullptr;
}

Task<Finding> sends_only_what_was_asked(Probe& probe) {
  if (!serves(probe.survey())) co_return not_for_it("it declares nothing to listen for");
  Client client = probe.client();
  std::vector<Json> filters(1, Json::object());
  for (const Notice& kind : kNoticeKinds) {
    filters.push_back(Json::object());
    filters.back()[kind.filter] = true;
  }
  // A resource that no tool is known to change.
  const std::optional<ToolUse> use = co_await probe.tool_that(Shows::kResourceUpdate);
  for (const Json& resource : probe.survey().resources.items) {
    const std::string uri = string_or(resource, "uri", "");
    if (!use || !probe.survey().declares("/resources/subscribe")) break;
    if (uri.empty() || use->resource.starts_with(uri)) continue;
    filters.push_back(Json::object());
    filters.back()["resourceSubscriptions"] = Json::array({uri});
    break;
  }
  std::vector<Listening> several;
  for (const Json& filter : filters) several.push_back(begin_listening(client, filter));
  for (Listening& listening : several) co_await acknowledged(client, listening);
  const int tools = co_await trigger_all(probe, client);
  Finding finding = passes();
  for (std::size_t i = 0; i < several.size(); ++i) {
    const Json notice = unasked(heard(client, several[i]), filters[i]);
    co_await stop_listening(client, several[i]);
    if (notice.is_null()) continue;
    finding =
        showing(broken(string_or(notice, "method", "") + " came on a subscription that asked for " +
                       shortened(dump_json(filters[i]))),
                notice);
  }
  if (finding.verdict == Verdict::kPass && tools == 0) co_return needs(Shows::kToolsChange);
  co_return std::move(finding);
}

// was_told returns whether `notification` has come on a subscription.
bool was_told(Client& client, const Listening& listening, std::string_view notification) {
  return std::ranges::any_of(heard(client, listening), [&](const Json& message) {
    return string_or(message, "method", "") == notification;
  });
}

Task<Finding> serves_several(Probe& probe) {
  const Notice& kind = kNoticeKinds[0];
  if (!probe.survey().declares(kind.capability)) co_return not_for_it(kToldOfNothing);
  const std::optional<ToolUse> use = co_await probe.tool_that(kind.trigger);
  if (!use) co_return needs(kind.trigger);
  Client client = probe.client();
  std::vector<Listening> several;
  Json filter = Json::object();
  filter[kind.filter] = true;
  for (int i = 0; i < 3; ++i) several.push_back(begin_listening(client, filter));
  for (Listening& listening : several) co_await acknowledged(client, listening);
  co_await trigger_all(probe, client);
  // What has to come is given as long as an answer: a quiet moment says nothing on a busy machine.
  const auto is_told = [&](const Listening& listening) {
    return was_told(client, listening, kind.notification);
  };
  const auto all_are_told = [&] { return std::ranges::all_of(several, is_told); };
  const Instant patience = after(probe.loop().now(), probe.pace().answer());
  co_await client.session().wire().inbox().wait(patience, all_are_told);
  const auto reached = static_cast<std::size_t>(std::ranges::count_if(several, is_told));
  for (Listening& listening : several) co_await stop_listening(client, listening);
  if (reached == several.size()) co_return passes();
  if (reached == 0 && !use->sure) co_return not_for_it("no change could be brought about again");
  const auto forgotten = std::ranges::find_if_not(several, is_told);
  co_return about(broken("a change reached " + std::to_string(reached) + " of 3 subscriptions"),
                  *forgotten);
}

Task<Finding> tells_of_updates(Probe& probe) {
  if (!probe.survey().declares("/resources/subscribe")) {
    co_return not_for_it("it does not declare resources.subscribe");
  }
  const std::optional<ToolUse> use = co_await probe.tool_that(Shows::kResourceUpdate);
  if (!use || Survey::item(probe.survey().resources, "uri", use->resource) == nullptr) {
    co_return co_await tells_of_any_change(probe);
  }
  Client client = probe.client();
  Json filter = Json::object();
  filter["resourceSubscriptions"].push_back(use->resource);
  Listening listening = begin_listening(client, filter);
  const Json acknowledgement = co_await acknowledged(client, listening);
  if (acknowledgement.is_null()) co_return undecided(kNotListening);
  co_await trigger_all(probe, client);
  const auto is_told = [&] {
    return was_told(client, listening, "notifications/resources/updated");
  };
  const Instant patience = after(probe.loop().now(), probe.pace().answer());
  co_await client.session().wire().inbox().wait(patience, is_told);
  const std::vector<Json> messages = heard(client, listening);
  co_await stop_listening(client, listening);
  bool told = false;
  for (const Json& message : messages) {
    if (string_or(message, "method", "") != "notifications/resources/updated") continue;
    const Json* const uri = at_pointer(message, "/params/uri");
    if (uri != nullptr && uri->is_string() &&
        uri->get_ref<const std::string&>().starts_with(use->resource)) {
      told = true;
      continue;
    }
    co_return showing(broken("an update came of another resource than the one listened for"),
                      message);
  }
  if (told) co_return passes();
  if (!use->sure) co_return not_for_it("no resource could be changed again");
  co_return about(broken("no update came of a resource that has changed"), listening);
}

constexpr ServerCheck kSubscriptionsChecks[] = {
    {"subscriptions.acknowledged-first", Eras::kStateless, SessionUse::kAlone, acknowledges_first},
    {"subscriptions.nothing-before-ack", Eras::kStateless, SessionUse::kAlone, says_nothing_before},
    {"subscriptions.ack-reflects-honored", Eras::kStateless, SessionUse::kAlone,
     acknowledges_what_it_honors},
    {"subscriptions.id-in-meta", Eras::kStateless, SessionUse::kAlone, names_the_subscription},
    {"subscriptions.only-requested-types", Eras::kStateless, SessionUse::kAlone,
     sends_only_what_was_asked},
    {"subscriptions.multiple-concurrent", Eras::kStateless, SessionUse::kAlone, serves_several},
    {"subscriptions.resource-updated-delivered", Eras::kStateless, SessionUse::kAlone,
     tells_of_updates},
};

}  // namespace

ServerChecks subscriptions_checks() { return kSubscriptionsChecks; }

}  // namespace plumbline::conformance
