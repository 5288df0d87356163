// Rules about every single message of a client: spec, basic, and its utilities.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/client/rule_kit.h"
#include "conformance/oracles/transcript.h"
#include "conformance/peer/client/scenario.h"

namespace plumbline::conformance {

namespace {

std::vector<const Heard*> everything(const Record& record) {
  return record.all([](const Heard&) { return true; });
}

Finding is_json_rpc(const Record& record) {
  const Complaint complaint = [](const Heard& message) -> std::string {
    if (!message.garbage.empty()) return "got what is no JSON: " + message.garbage;
    if (!message.message.is_object()) return "got " + shown(&message.message) + ", no object";
    if (find_string(message.message, "jsonrpc") != "2.0") {
      return "got \"jsonrpc\": " + shown(find(message.message, "jsonrpc")) + ", expected \"2.0\"";
    }
    if (find_string(message.message, "method")) return "";
    const bool answers = find(message.message, "result") || find(message.message, "error");
    return answers ? "" : "got neither a request nor a notification nor a response";
  };
  return each_of(record, everything(record), complaint, "nothing was said");
}

Finding has_usable_ids(const Record& record) {
  const Complaint complaint = [](const Heard& message) -> std::string {
    const Json& id = *message.id();
    if (id.is_string() || id.is_number_integer()) return "";
    return "the id of " + message.method() + " is " + shown(&id) +
           ", expected a string or an integer";
  };
  return each_of(record, record.requests(), complaint, "nothing was asked");
}

// Who reads numbers as doubles, as JavaScript does, knows no other integers.
Finding has_ids_that_all_can_read(const Record& record) {
  constexpr std::int64_t kLargest = 9'007'199'254'740'991;
  const Complaint complaint = [](const Heard& message) -> std::string {
    const Json& id = *message.id();
    const std::optional<std::int64_t> number = as_int(id);
    const bool safe = number && *number <= kLargest && *number >= -kLargest;
    if (!id.is_number_integer() || safe) return "";
    return "the id of " + message.method() + " is " + shown(&id) +
           ", beyond 9007199254740991 (2^53 - 1): servers on the TypeScript SDK round it or drop "
           "the request, and its answer finds nobody";
  };
  return each_of(record, record.requests(), complaint, "nothing was asked");
}

Finding has_ids_that_are_not_null(const Record& record) {
  const Complaint complaint = [](const Heard& message) -> std::string {
    return message.id()->is_null() ? "the id of " + message.method() + " is null" : "";
  };
  return each_of(record, record.requests(), complaint, "nothing was asked");
}

const Json* cancelled_id(const Heard& message) {
  const Json* const params = message.params();
  return params ? find(*params, "requestId") : nullptr;
}

constexpr const char* kCancelNotice = "notifications/cancelled";

// A new session may count from the start again.
Finding never_repeats_ids(const Record& record) {
  std::map<std::uint32_t, std::set<std::string>> used;
  const Complaint complaint = [&used](const Heard& message) -> std::string {
    std::set<std::string>& ids = used[message.connection];
    if (message.method() == "initialize") ids.clear();
    if (ids.insert(dump_json(*message.id())).second) return "";
    return "the id " + shown(message.id()) + " was used before in this session";
  };
  return each_of(record, record.requests(), complaint, "nothing was asked");
}

// Cancelled knows since when each request is cancelled, by its id.
class Cancelled {
 public:
  explicit Cancelled(const Record& record) : record_(record) {
    for (const Heard& message : record.heard) {
      const Json* const id = message.method() == kCancelNotice ? cancelled_id(message) : nullptr;
      if (id != nullptr) since_.try_emplace(id, message.at);
    }
  }

  // is_over returns whether a request was no longer waited for at `when`.
  bool is_over(const Heard& request, Instant when) const {
    if (request.answered && *request.answered <= when) return true;
    const std::optional<Instant> ended = record_.http[request.exchange].ended;
    if (request.exchange != 0 && ended && *ended <= when) return true;
    const auto found = request.id() ? since_.find(request.id()) : since_.end();
    return found != since_.end() && found->second <= when;
  }

 private:
  const Record& record_;
  std::map<const Json*, Instant, JsonLess> since_;
};

// InFlight keeps those of the messages given to it that are not over.
class InFlight {
 public:
  // others returns whether there are any when `message` comes, and takes it in.
  bool others(const Cancelled& cancelled, const Heard& message) {
    std::erase_if(waiting_, [&](const Heard* one) { return cancelled.is_over(*one, message.at); });
    waiting_.push_back(&message);
    return waiting_.size() > 1;
  }

 private:
  std::vector<const Heard*> waiting_;
};

using ByValue = std::map<const Json*, InFlight, JsonLess>;

Finding has_ids_of_its_own_in_flight(const Record& record) {
  const Cancelled cancelled(record);
  std::map<std::uint32_t, ByValue> at_work;  // By connection and id.
  const Complaint complaint = [&](const Heard& message) -> std::string {
    if (!at_work[message.connection][message.id()].others(cancelled, message)) return "";
    return "the id " + shown(message.id()) + " is that of a request that is not yet answered";
  };
  return each_of(record, record.requests(), complaint, "nothing was asked");
}

Finding answers_with_one_of_two(const Record& record) {
  const Complaint complaint = [](const Heard& message) -> std::string {
    const bool result = find(message.message, "result") != nullptr;
    const bool error = find(message.message, "error") != nullptr;
    if (result != error) return "";
    return result ? "a response has both a result and an error"
                  : "a response has neither a result nor an error";
  };
  return each_of(record, record.responses(), complaint, "it had nothing to answer");
}

Finding answers_with_objects(const Record& record) {
  const Complaint complaint = [](const Heard& message) -> std::string {
    const Json* const result = find(message.message, "result");
    if (result == nullptr || result->is_object()) return "";
    return "the result is " + shown(result) + ", expected an object";
  };
  const std::vector<const Heard*> results = record.all([](const Heard& message) {
    return message.is_response() && find(message.message, "result") != nullptr;
  });
  return each_of(record, results, complaint, "it answered nothing with a result");
}

std::vector<const Heard*> errors_of(const Record& record) {
  return record.all([](const Heard& message) {
    return message.message.is_object() && find(message.message, "error") != nullptr;
  });
}

Finding has_codes_and_messages(const Record& record) {
  const Complaint complaint = [](const Heard& message) -> std::string {
    const Json& error = *find(message.message, "error");
    if (find(error, "code") == nullptr) return "an error without a code: " + shown(&error);
    if (!find_string(error, "message")) return "an error without a message: " + shown(&error);
    return "";
  };
  return each_of(record, errors_of(record), complaint, "it answered nothing with an error");
}

Finding has_whole_codes(const Record& record) {
  const Complaint complaint = [](const Heard& message) -> std::string {
    const Json* const code = find(*find(message.message, "error"), "code");
    if (code == nullptr || as_int(*code)) return "";
    return "the code of an error is " + shown(code) + ", expected an integer";
  };
  return each_of(record, errors_of(record), complaint, "it answered nothing with an error");
}

Finding keeps_ids_out_of_notifications(const Record& record) {
  const std::vector<const Heard*> notices = record.all(
      [](const Heard& message) { return message.method().starts_with("notifications/"); });
  const Complaint complaint = [](const Heard& message) -> std::string {
    if (message.id() == nullptr) return "";
    return message.method() + " has the id " + shown(message.id()) + ", expected none";
  };
  return each_of(record, notices, complaint, "it notified of nothing");
}

Finding names_parameters(const Record& record) {
  const Complaint complaint = [](const Heard& message) -> std::string {
    if (message.params() == nullptr || message.params()->is_object()) return "";
    return "the params of " + message.method() + " are " + shown(message.params()) +
           ", expected an object";
  };
  const std::vector<const Heard*> named =
      record.all([](const Heard& message) { return message.params() != nullptr; });
  return each_of(record, named, complaint, "no message had params");
}

Finding sends_no_batches(const Record& record) {
  const Complaint complaint = [](const Heard& message) -> std::string {
    return message.batched ? "got an array of messages, expected one" : "";
  };
  return each_of(record, everything(record), complaint, "nothing was said");
}

Finding has_usable_tokens(const Record& record) {
  const std::vector<const Heard*> with =
      record.all([](const Heard& message) { return message.meta("progressToken") != nullptr; });
  const Complaint complaint = [](const Heard& message) -> std::string {
    const Json& token = *message.meta("progressToken");
    if (token.is_string() || token.is_number_integer()) return "";
    return "the progress token is " + shown(&token) + ", expected a string or an integer";
  };
  return each_of(record, with, complaint, "it asked for no progress");
}

Finding has_tokens_of_its_own(const Record& record) {
  const std::vector<const Heard*> with =
      record.all([](const Heard& message) { return message.meta("progressToken") != nullptr; });
  const Cancelled cancelled(record);
  std::map<std::uint32_t, InFlight> any;  // By connection, until there were two.
  std::map<std::uint32_t, ByValue> at_work;
  bool together = false;
  const Complaint complaint = [&](const Heard& message) -> std::string {
    together = together || any[message.connection].others(cancelled, message);
    const Json* const token = message.meta("progressToken");
    if (!at_work[message.connection][token].others(cancelled, message)) return "";
    return "two requests in flight have the progress token " + shown(token);
  };
  Finding finding = each_of(record, with, complaint, "it asked for no progress");
  if (finding.verdict != Verdict::kPass || together) return finding;
  return not_for_it("it never had two requests with progress in flight");
}

Finding names_what_it_cancels(const Record& record) {
  const Complaint complaint = [](const Heard& message) -> std::string {
    const Json* const id = cancelled_id(message);
    if (id != nullptr && (id->is_string() || id->is_number_integer())) return "";
    return "notifications/cancelled names " + shown(id) + ", expected the id of a request";
  };
  return each_of(record, record.notifications(kCancelNotice), complaint, "it cancelled nothing");
}

// An answer that crosses the cancellation is nobody's fault: only what was never asked counts, and
// what was answered long before. Of requests with one id, which other rules forbid, the last is
// meant.
Finding cancels_what_it_asked(const Record& record) {
  constexpr Duration kCrossing = std::chrono::seconds(1);
  std::map<const Json*, std::vector<const Heard*>, JsonLess> with;  // Requests by id, in order.
  for (const Heard* const request : record.requests()) with[request->id()].push_back(request);
  const Complaint complaint = [&](const Heard& message) -> std::string {
    const Json* const id = cancelled_id(message);
    if (id == nullptr) return "";
    const std::vector<const Heard*>& asked = with[id];
    const auto later = std::ranges::upper_bound(asked, message.place, {}, &Heard::place);
    if (later == asked.begin()) return "it cancels " + shown(id) + ", which it never asked";
    const Heard& meant = **std::prev(later);
    if (meant.method() == "initialize") return "";  // cancellation.not-initialize says it.
    const std::optional<Instant> answered = meant.answered;
    if (record.hostile || !answered || after(*answered, kCrossing) > message.at) return "";
    return "it cancels " + shown(id) + ", which was answered long before";
  };
  return each_of(record, record.notifications(kCancelNotice), complaint, "it cancelled nothing");
}

Finding never_cancels_its_opening(const Record& record) {
  std::map<std::uint32_t, std::set<const Json*, JsonLess>> openings;  // Their ids.
  for (const Heard* const opening : record.requests("initialize")) {
    openings[opening->connection].insert(opening->id());
  }
  const Complaint complaint = [&](const Heard& message) -> std::string {
    const Json* const id = cancelled_id(message);
    return id && openings[message.connection].contains(id) ? "it cancels initialize" : "";
  };
  return each_of(record, record.notifications(kCancelNotice), complaint, "it cancelled nothing");
}

Finding gives_prompts_text(const Record& record) {
  const Complaint complaint = [](const Heard& message) -> std::string {
    const Json* const arguments = message.params() ? find(*message.params(), "arguments") : nullptr;
    if (arguments == nullptr || !arguments->is_object()) return "";
    for (const Json& value : *arguments) {
      if (!value.is_string()) return "an argument of prompts/get is " + shown(&value);
    }
    return "";
  };
  return each_of(record, record.requests("prompts/get"), complaint, "it got no prompt");
}

// kept_back returns the content that goes with a refusal of a form; nullptr: none does, or an empty
// one.
const Json* kept_back(const Json& answer) {
  if (!answer.is_object()) return nullptr;
  const std::string action = string_or(answer, "action", "");
  const Json* const content = find(answer, "content");
  const bool refuses = action == "decline" || action == "cancel";
  return !refuses || content == nullptr || content->empty() ? nullptr : content;
}

// answers_in returns what answers questions of the server in a message: a response, or the input
// that comes with a request.
std::vector<Json> answers_in(const Heard& message) {
  std::vector<Json> all;
  if (const Json* const result = find(message.message, "result")) all.push_back(*result);
  const Json* const given = at_pointer(message.message, "/params/inputResponses");
  if (given == nullptr || !given->is_object()) return all;
  for (const Json& one : *given) all.push_back(one);
  return all;
}

Finding refuses_without_content(const Record& record) {
  const auto refuses = [](const Json& answer) {
    const std::string action = answer.is_object() ? string_or(answer, "action", "") : "";
    return action == "decline" || action == "cancel";
  };
  const std::vector<const Heard*> refusals = record.all(
      [&](const Heard& message) { return std::ranges::any_of(answers_in(message), refuses); });
  const Complaint complaint = [](const Heard& message) -> std::string {
    for (const Json& answer : answers_in(message)) {
      if (kept_back(answer) == nullptr) continue;
      return "it answers a form that its user refused with content: " + shown(&answer) +
             ", expected content with the action accept alone";
    }
    return "";
  };
  return each_of(record, refusals, complaint, "it refused no form");
}

// A server that does not have an extension is not asked for it.
Finding asks_for_no_extension(const Record& record) {
  const Json* const offered = find(record.offered, "extensions");
  if (!record.stateless() || offered != nullptr) return not_for_it("the server has extensions");
  if (find(record.capabilities(), "extensions") == nullptr)
    return not_for_it("it declares no extension");
  const Complaint complaint = [](const Heard& message) -> std::string {
    if (!message.method().starts_with("tasks/")) return "";
    return "got " + message.method() + ", but the server has no extension";
  };
  return each_of(record, record.requests(), complaint, "it asked for nothing");
}

constexpr ClientRule kMessageRules[] = {
    {"jsonrpc.conforms-to-2-0", is_json_rpc},
    {"jsonrpc.request-id-string-or-integer", has_usable_ids},
    {"jsonrpc.request-id-not-null", has_ids_that_are_not_null},
    {"jsonrpc.request-id-safe", has_ids_that_all_can_read},
    {"jsonrpc.request-id-unique-in-session", never_repeats_ids},
    {"jsonrpc.request-id-unique-in-flight", has_ids_of_its_own_in_flight},
    {"jsonrpc.response-result-xor-error", answers_with_one_of_two},
    {"jsonrpc.result-is-object", answers_with_objects},
    {"jsonrpc.error-object-code-message", has_codes_and_messages},
    {"jsonrpc.error-code-integer", has_whole_codes},
    {"jsonrpc.notification-no-id", keeps_ids_out_of_notifications},
    {"jsonrpc.params-by-name", names_parameters},
    {"jsonrpc.no-batching", sends_no_batches},
    {"progress.token-type", has_usable_tokens},
    {"progress.token-unique", has_tokens_of_its_own},
    {"cancellation.request-id-present", names_what_it_cancels},
    {"cancellation.references-own-in-flight", cancels_what_it_asked},
    {"cancellation.not-initialize", never_cancels_its_opening},
    {"prompts.argument-values-strings", gives_prompts_text},
    {"versioning.extension-fallback", asks_for_no_extension},
    {"elicitation.refused-without-content", refuses_without_content},
};

}  // namespace

ClientRules message_rules() { return kMessageRules; }

}  // namespace plumbline::conformance
