// What every single message has to be.

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/catalogue/outcomes.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/oracles/rules.h"

namespace plumbline::conformance {

namespace {

using Ids = std::set<const Json*, JsonLess>;

// ids_said_to returns the ids that the other side has sent in anything but a response: what is no
// request may have one as well.
Ids ids_said_to(Side judged, const Dialogue& dialogue) {
  Ids ids;
  for (const ObservedMessage& said : dialogue.said) {
    const Json* const id = find(*said.message, "id");
    if (said.by != judged && !said.is_response() && id != nullptr) ids.insert(id);
  }
  return ids;
}

// is_second returns whether `said` answers what has been answered. Streams of HTTP may repeat what
// another one said.
bool is_second(const Dialogue& dialogue, const ObservedMessage& said) {
  const ObservedMessage& request = dialogue.said[said.request];
  if (request.repeats_id || request.id_repeated) return false;
  const ObservedMessage& first = dialogue.said[request.responses.front()];
  return &first != &said && first.entry->exchange == said.entry->exchange;
}

// is_in_array returns whether `said` is part of an array that answers none. From 2025-06-18 on a
// message of MCP is one object; what it is before that has rules of its own.
bool is_in_array(const Dialogue& dialogue, const ObservedMessage& said) {
  if (!said.batched || !is_stateless(dialogue.revision)) return false;
  return said.request == kNoPlace || !dialogue.said[said.request].batched;
}

// has_method returns whether `said` is a request or a notification, by whatever name: the empty one
// is one, too.
bool has_method(const ObservedMessage& said) {
  const Json* const method = find(*said.message, "method");
  return method != nullptr && method->is_string();
}

bool calls(const ObservedMessage& said) { return has_method(said) && said.message->contains("id"); }

// what_is_wrong says why `said` is no message of JSON-RPC 2.0, nothing when it is one.
std::string what_is_wrong(const Dialogue& dialogue, const Ids& asked, const ObservedMessage& said) {
  const Json& message = *said.message;
  if (is_in_array(dialogue, said)) return "an array instead of a message";
  if (!message.is_object()) return std::string(type_name(message)) + " instead of a message";
  if (find_string(message, "jsonrpc") != "2.0") return "a message without \"jsonrpc\": \"2.0\"";
  const Json* const method = find(message, "method");
  const bool result = message.contains("result");
  const bool error = message.contains("error");
  if (method != nullptr && !method->is_string()) return "a method that is no string";
  if (method != nullptr && (result || error)) return "a request and a response in one message";
  if (method != nullptr) return {};
  if (result == error)
    return result ? "a result and an error in one response"
                  : "a message with neither method nor result nor error";
  const Json* const id = find(message, "id");
  // Who was sent the id null had to answer with something.
  const bool repeats_null = id != nullptr && id->is_null() && asked.contains(id);
  if (result && (id == nullptr || id->is_null()) && !repeats_null) {
    return "a result without the id of its request";
  }
  if (id == nullptr || id->is_null()) return {};
  if (said.request != kNoPlace) {
    return is_second(dialogue, said) ? "a second response to request " + dump_json(*id) : "";
  }
  if (!asked.contains(id)) {
    return "a response to " + dump_json(*id) + ", which nobody asked";
  }
  return {};
}

// id_in returns the id that stands before the result in `text`, which is no JSON; null: none is
// read there.
Json id_in(std::string_view text) {
  constexpr std::string_view kName = "\"id\"";
  std::string_view head = text.substr(0, text.find("\"result\""));
  const std::size_t place = head.find(kName);
  if (place == std::string_view::npos) return Json();
  head.remove_prefix(place + kName.size());
  head.remove_prefix(std::min(head.size(), head.find_first_not_of(" :")));
  Result<Json> id = parse_json(head.substr(0, head.find_first_of(",}")));
  return id.ok() ? std::move(id).value() : Json();
}

// asked_by says of what is no JSON which request it answers, where that can be read; else nothing.
std::string asked_by(Side judged, const Dialogue& dialogue, const LogEntry& entry) {
  const Json id = id_in(string_or(*entry.message, "garbage", ""));
  const auto& asked = dialogue.asked[judged == Side::kServer ? 0 : 1];
  const auto request = asked.find(&id);
  if (id.is_null() || request == asked.end()) return {};
  const ObservedMessage& said = dialogue.said[request->second];
  const std::string name = string_or(said.params(), "name", "");
  return ", in the answer to " + said.method + (name.empty() ? "" : " of \"" + name + "\"");
}

}  // namespace

Finding says_version(const Transcript& transcript) {
  Ruling ruling(transcript);
  each(transcript, [&](const Dialogue&, const ObservedMessage& said) {
    if (!said.message->is_object()) return;
    ruling.sees();
    if (find_string(*said.message, "jsonrpc") == "2.0") return;
    ruling.breaks(said, "a message without \"jsonrpc\": \"2.0\"");
  });
  return ruling.finding("nothing was said");
}

Finding conforms_to_json_rpc(const Transcript& transcript) {
  Ruling ruling(transcript);
  for (const Dialogue& dialogue : transcript.dialogues()) {
    const Ids asked = ids_said_to(transcript.judged(), dialogue);
    for (const ObservedMessage& said : dialogue.said) {
      if (said.by != transcript.judged()) continue;
      ruling.sees();
      const std::string wrong = what_is_wrong(dialogue, asked, said);
      if (!wrong.empty()) ruling.breaks(said, "got " + wrong);
    }
    for (const LogEntry* const entry : dialogue.garbage) {
      const std::string wrong = broken_message(*entry);
      if (!wrong.empty())
        ruling.breaks(*entry, "a message is not valid JSON: " + wrong +
                                  asked_by(transcript.judged(), dialogue, *entry));
    }
  }
  return ruling.finding("nothing was said");
}

Finding request_ids_are_typed(const Transcript& transcript) {
  Ruling ruling(transcript);
  each(transcript, [&](const Dialogue&, const ObservedMessage& said) {
    if (!calls(said)) return;
    ruling.sees();
    const Json& id = *find(*said.message, "id");
    if (id.is_string() || as_int(id) || id.is_null()) return;
    ruling.breaks(said, "the id of " + said.method + " is " + dump_json(id) +
                            ", expected a string or an integer");
  });
  return ruling.finding("it made no request");
}

Finding request_ids_are_not_null(const Transcript& transcript) {
  Ruling ruling(transcript);
  each(transcript, [&](const Dialogue&, const ObservedMessage& said) {
    if (!calls(said)) return;
    ruling.sees();
    if (find(*said.message, "id")->is_null()) ruling.breaks(said, said.method + " has the id null");
  });
  return ruling.finding("it made no request");
}

Finding request_ids_are_unique(const Transcript& transcript) {
  Ruling ruling(transcript);
  each(transcript, [&](const Dialogue&, const ObservedMessage& said) {
    if (!said.is_request()) return;
    ruling.sees();
    if (!said.repeats_id) return;
    ruling.breaks(said, said.method + " has the id " + dump_json(*find(*said.message, "id")) +
                            ", which an earlier request of the session had");
  });
  return ruling.finding("it made no request");
}

Finding responses_have_one_outcome(const Transcript& transcript) {
  Ruling ruling(transcript);
  each(transcript, [&](const Dialogue&, const ObservedMessage& said) {
    if (!said.message->is_object() || said.message->contains("method")) return;
    ruling.sees();
    const bool result = said.message->contains("result");
    if (result != said.message->contains("error")) return;
    ruling.breaks(said, result ? "a response has both a result and an error"
                               : "a response has neither a result nor an error");
  });
  return ruling.finding("it answered nothing");
}

Finding results_are_objects(const Transcript& transcript) {
  Ruling ruling(transcript);
  each(transcript, [&](const Dialogue&, const ObservedMessage& said) {
    if (!said.is_response() || !said.message->contains("result")) return;
    ruling.sees();
    if (said.result().is_object()) return;
    ruling.breaks(said,
                  "a result is " + std::string(type_name(said.result())) + ", expected an object");
  });
  return ruling.finding("it answered nothing with a result");
}

Finding notifications_have_no_id(const Transcript& transcript) {
  Ruling ruling(transcript);
  each(transcript, [&](const Dialogue&, const ObservedMessage& said) {
    if (!said.method.starts_with("notifications/")) return;
    ruling.sees();
    if (said.message->contains("id")) ruling.breaks(said, said.method + " has an id");
  });
  return ruling.finding("it sent no notification");
}

Finding params_are_named(const Transcript& transcript) {
  Ruling ruling(transcript);
  each(transcript, [&](const Dialogue&, const ObservedMessage& said) {
    const Json* const params = find(*said.message, "params");
    if (!has_method(said) || params == nullptr) return;
    ruling.sees();
    if (params->is_object()) return;
    ruling.breaks(said, "the params of " + said.method + " are " + std::string(type_name(*params)) +
                            ", expected an object");
  });
  return ruling.finding("it sent no params");
}

Finding sends_no_batches(const Transcript& transcript) {
  Ruling ruling(transcript);
  const LogEntry* answer = nullptr;
  for (const Dialogue& dialogue : transcript.dialogues()) {
    bool provoked = false;
    for (const ObservedMessage& said : dialogue.said) {
      if (said.by != transcript.judged()) {
        provoked = provoked || said.batched;
        continue;
      }
      // A session in 2025-03-26 may have them.
      if (said.revision.empty() || allows_batches(dialogue.revision)) continue;
      ruling.sees();
      if (said.batched && provoked) answer = said.entry;
      if (said.batched && !provoked) ruling.breaks(said, "an array of messages");
    }
  }
  Finding finding = ruling.finding("nothing was said");
  if (finding.verdict == Verdict::kPass && answer != nullptr) {
    finding = risky("answers an array of requests with an array: no such revision has them");
    finding.evidence.push_back(transcript.conversation().log.evidence(*answer));
    finding.evidence.back().judged = true;
  }
  return finding;
}

Finding server_asks_nothing(const Transcript& transcript) {
  Ruling ruling(transcript);
  each(transcript, [&](const Dialogue& dialogue, const ObservedMessage& said) {
    if (!dialogue.stateless()) return;
    ruling.sees();
    if (said.is_request()) ruling.breaks(said, "the server requests " + said.method);
  });
  return ruling.finding("nothing was said");
}

Finding client_answers_nothing(const Transcript& transcript) {
  Ruling ruling(transcript);
  each(transcript, [&](const Dialogue& dialogue, const ObservedMessage& said) {
    if (!dialogue.stateless()) return;
    ruling.sees();
    if (said.is_response()) ruling.breaks(said, "the client sends a response");
  });
  return ruling.finding("nothing was said");
}

}  // namespace plumbline::conformance
