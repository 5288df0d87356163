// What was agreed on, and whether it is kept: spec, basic/lifecycle and basic/versioning.

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <map>
#include <string>
#include <string_view>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/catalogue/requirement.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/oracles/rules.h"

namespace plumbline::conformance {

namespace {

constexpr Duration kGap = std::chrono::milliseconds(100);
constexpr std::size_t kPingsPerMinuteMax = 60;

// Need is a method and where its capability is declared.
struct Need {
  std::string_view method;  // Or its beginning, with a slash at the end.
  Side declared_by;
  std::string_view pointer;
  std::string_view since = kRevisions.front();
};

// Of several that fit, the first.
constexpr std::array<Need, 17> kNeeds = {{
    {"sampling/createMessage", Side::kClient, "/sampling"},
    {"elicitation/create", Side::kClient, "/elicitation"},
    {"roots/list", Side::kClient, "/roots"},
    {"notifications/roots/list_changed", Side::kClient, "/roots/listChanged"},
    {"notifications/tools/list_changed", Side::kServer, "/tools/listChanged"},
    {"notifications/prompts/list_changed", Side::kServer, "/prompts/listChanged"},
    {"notifications/resources/list_changed", Side::kServer, "/resources/listChanged"},
    {"notifications/resources/updated", Side::kServer, "/resources/subscribe"},
    {"resources/subscribe", Side::kServer, "/resources/subscribe"},
    {"resources/unsubscribe", Side::kServer, "/resources/subscribe"},
    {"resources/", Side::kServer, "/resources"},
    {"tools/", Side::kServer, "/tools"},
    {"prompts/", Side::kServer, "/prompts"},
    {"logging/setLevel", Side::kServer, "/logging"},
    // Before, there was no capability to declare.
    {"completion/complete", Side::kServer, "/completions", since::kCompletionsCapability},
    {"tasks/list", Side::kServer, "/tasks/list"},
    {"tasks/cancel", Side::kServer, "/tasks/cancel"},
}};

struct Term {
  std::string_view method;
  std::string_view since;
  std::string_view until;
};

// What some stateful revision does not have.
constexpr std::array<Term, 9> kTerms = {{
    {"elicitation/create", since::kElicitation, kNewestStateful},
    {"notifications/elicitation/complete", since::kUrlElicitation, kNewestStateful},
    {"tasks/get", since::kTasks, kNewestStateful},
    {"tasks/result", since::kTasks, kNewestStateful},
    {"tasks/list", since::kTasks, kNewestStateful},
    {"tasks/cancel", since::kTasks, kNewestStateful},
    {"notifications/tasks/status", since::kTasks, kNewestStateful},
    {"notifications/tasks", since::kStateless, kRevisions.back()},
    {"notifications/subscriptions/acknowledged", since::kSubscriptions, kRevisions.back()},
}};

const Need* need_of(const ObservedMessage& said) {
  for (const Need& need : kNeeds) {
    const bool fits = need.method.ends_with('/') ? said.method.starts_with(need.method)
                                                 : said.method == need.method;
    if (fits && said.revision >= need.since) return &need;
  }
  return nullptr;
}

bool declares(const Json& capabilities, std::string_view pointer) {
  const Json* const value = at_pointer(capabilities, pointer);
  return value != nullptr && !value->is_null() && *value != Json(false);
}

bool lacks_some(const Json& capabilities) {
  return !capabilities.contains("sampling") || !capabilities.contains("elicitation") ||
         !capabilities.contains("roots");
}

// each_result calls `look` with every result of the judged side to a stateless request.
template <class Look>
void each_result(const Transcript& transcript, const Look& look) {
  each(transcript, [&](const Dialogue& dialogue, const ObservedMessage& said) {
    if (said.request == kNoPlace || !said.message->contains("result")) return;
    if (is_stateless(said.revision)) look(dialogue.said[said.request], said);
  });
}

const Json& capabilities_of(const ObservedMessage& request) {
  static const Json kNone = Json::object();
  const Json* const declared =
      at_pointer(request.params(), "/_meta/io.modelcontextprotocol~1clientCapabilities");
  return declared != nullptr && declared->is_object() ? *declared : kNone;
}

constexpr const char* kNoResult = "it answered nothing with a result";

}  // namespace

Finding waits_for_initialized(const Transcript& transcript) {
  Ruling ruling(transcript);
  for (const Dialogue& dialogue : transcript.dialogues()) {
    if (dialogue.initialize == kNoPlace) continue;
    const std::size_t begin = dialogue.said[dialogue.initialize].responses.front();
    for (std::size_t i = 0; i < begin; ++i) {
      const ObservedMessage& said = dialogue.said[i];
      const bool logs = said.method == "notifications/message";
      if (said.by != transcript.judged() || !said.is_notification() || logs) continue;
      ruling.breaks(said, said.method + " before the answer to initialize, which comes first");
    }
    const std::size_t end = std::min(dialogue.initialized, dialogue.said.size() - 1);
    const bool waited = dialogue.initialized == kNoPlace;
    const Instant until = waited ? dialogue.end : dialogue.said[end].entry->at;
    if (until - dialogue.said[begin].entry->at >= kGap) ruling.sees();
    for (std::size_t i = begin + 1; i <= end; ++i) {
      const ObservedMessage& said = dialogue.said[i];
      if (said.by != transcript.judged() || !said.is_request() || said.method == "ping") continue;
      ruling.breaks(said, said.method + " before notifications/initialized, expected at most ping");
    }
  }
  return ruling.finding("notifications/initialized followed at once everywhere");
}

Finding uses_what_was_declared(const Transcript& transcript) {
  Ruling ruling(transcript);
  for (const Dialogue& dialogue : transcript.dialogues()) {
    if (dialogue.stateless() || !dialogue.tells_capabilities) continue;
    for (const ObservedMessage& said : dialogue.said) {
      // A tool that is called is the chance to ask a client for what it has not.
      if (transcript.judged() == Side::kServer && said.method == "tools/call" &&
          lacks_some(*dialogue.client_capabilities)) {
        ruling.sees();
      }
      const Need* const need = said.by == transcript.judged() ? need_of(said) : nullptr;
      if (need == nullptr) continue;
      ruling.sees();
      const bool of_client = need->declared_by == Side::kClient;
      const Json& declared =
          of_client ? *dialogue.client_capabilities : *dialogue.server_capabilities;
      if (declares(declared, need->pointer)) continue;
      ruling.breaks(said, "it sent " + said.method + ", and the " +
                              (of_client ? "client" : "server") + " does not declare " +
                              std::string(need->pointer.substr(1)));
    }
  }
  return ruling.finding("it did nothing that needs a capability");
}

Finding asks_for_declared_input(const Transcript& transcript) {
  Ruling ruling(transcript);
  each_result(transcript, [&](const ObservedMessage& request, const ObservedMessage& said) {
    const Json& declared = capabilities_of(request);
    if (request.method == "tools/call" && lacks_some(declared)) ruling.sees();
    const Json* const asked = find(said.result(), "inputRequests");
    if (asked == nullptr || !asked->is_object()) return;
    for (const auto& [key, input] : asked->items()) {
      ruling.sees();
      const std::string method = string_or(input, "method", "");
      const std::string capability = method.substr(0, method.find('/'));
      if (declares(declared, "/" + capability)) continue;
      ruling.breaks(said,
                    "it asks for " + method + ", and the request does not declare " + capability);
    }
  });
  return ruling.finding("no tool was called without capabilities");
}

Finding keeps_to_its_revision(const Transcript& transcript) {
  Ruling ruling(transcript);
  each(transcript, [&](const Dialogue& dialogue, const ObservedMessage& said) {
    if (dialogue.stateless() || said.revision.empty()) return;
    ruling.sees();
    for (const Term& term : kTerms) {
      if (said.method != term.method) continue;
      if (said.revision >= term.since && said.revision <= term.until) continue;
      ruling.breaks(said, said.method + " is of " + std::string(term.since) +
                              ", the session is in " + said.revision);
    }
  });
  return ruling.finding("no session was opened");
}

Finding keeps_to_one_era(const Transcript& transcript) {
  Ruling ruling(transcript);
  each(transcript, [&](const Dialogue& dialogue, const ObservedMessage& said) {
    if (dialogue.stateless() || is_stateless(said.revision)) return;
    ruling.sees();
    const std::string type = string_or(said.result(), "resultType", "complete");
    const Json* const meta = find(said.params(), "_meta");
    if (type != "complete") {
      ruling.breaks(said, "a result of type " + type + " in a session of " + dialogue.revision);
    } else if (meta != nullptr && meta->contains(kMetaSubscription)) {
      ruling.breaks(said,
                    said.method + " with a subscription id in a session of " + dialogue.revision);
    }
  });
  return ruling.finding("no session was opened");
}

Finding pings_in_reason(const Transcript& transcript) {
  Ruling ruling(transcript);
  std::map<const Dialogue*, std::deque<Instant>> recent;
  each(transcript, [&](const Dialogue& dialogue, const ObservedMessage& said) {
    if (said.method != "ping") return;
    ruling.sees();
    std::deque<Instant>& times = recent[&dialogue];
    times.push_back(said.entry->at);
    while (times.back() - times.front() > std::chrono::minutes(1)) times.pop_front();
    if (times.size() == kPingsPerMinuteMax + 1) {
      ruling.breaks(said, "more than 60 pings within a minute");
    }
  });
  return ruling.finding("it did not ping");
}

Finding results_say_their_type(const Transcript& transcript) {
  Ruling ruling(transcript);
  each_result(transcript, [&](const ObservedMessage& request, const ObservedMessage& said) {
    ruling.sees();
    if (find_string(said.result(), "resultType")) return;
    ruling.breaks(said, "the result of " + request.method + " has no resultType");
  });
  return ruling.finding(kNoResult);
}

Finding subscriptions_end_by_their_id(const Transcript& transcript) {
  Ruling ruling(transcript);
  each_result(transcript, [&](const ObservedMessage& request, const ObservedMessage& said) {
    if (request.method != "subscriptions/listen") return;
    ruling.sees();
    const Json* const meta = find(said.result(), "_meta");
    const Json* const id = meta == nullptr ? nullptr : find(*meta, kMetaSubscription);
    const Json& asked = *find(*request.message, "id");
    if (id != nullptr && *id == asked) return;
    ruling.breaks(said, "the result of the subscription " + dump_json(asked) + " names " +
                            (id == nullptr ? "none" : dump_json(*id)) + " in _meta");
  });
  return ruling.finding("it ended no subscription by itself");
}

Finding result_types_are_known(const Transcript& transcript) {
  Ruling ruling(transcript);
  each_result(transcript, [&](const ObservedMessage& request, const ObservedMessage& said) {
    const auto type = find_string(said.result(), "resultType");
    if (!type) return;
    ruling.sees();
    const Json* const extensions = find(capabilities_of(request), "extensions");
    const bool extended = extensions != nullptr && !extensions->empty();
    if (*type == "complete" || *type == "input_required" || extended) return;
    ruling.breaks(said, "a result of type " + *type + ", and the request declares no extension");
  });
  return ruling.finding(kNoResult);
}

Finding few_methods_ask_for_input(const Transcript& transcript) {
  static constexpr std::array<std::string_view, 3> kMayAsk = {"tools/call", "prompts/get",
                                                              "resources/read"};
  Ruling ruling(transcript);
  each_result(transcript, [&](const ObservedMessage& request, const ObservedMessage& said) {
    if (std::ranges::find(kMayAsk, request.method) != kMayAsk.end()) return;
    ruling.sees();
    if (string_or(said.result(), "resultType", "") != "input_required") return;
    ruling.breaks(said, request.method +
                            " asks for input; only tools/call, prompts/get and "
                            "resources/read may");
  });
  return ruling.finding(kNoResult);
}

Finding results_name_the_server(const Transcript& transcript) {
  Ruling ruling(transcript);
  each_result(transcript, [&](const ObservedMessage& request, const ObservedMessage& said) {
    ruling.sees();
    const Json* const info =
        at_pointer(said.result(), "/_meta/io.modelcontextprotocol~1serverInfo");
    if (info != nullptr && find_string(*info, "name") && find_string(*info, "version")) return;
    ruling.breaks(said, "the result of " + request.method +
                            " does not name the server with its "
                            "version in _meta");
  });
  return ruling.finding(kNoResult);
}

}  // namespace plumbline::conformance
