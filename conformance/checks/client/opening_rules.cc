// Rules about how a client opens a conversation and what it says of itself: spec, basic/lifecycle,
// basic/versioning, and the keys of _meta.

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/client/rule_kit.h"
#include "conformance/peer/client/scenario.h"

namespace plumbline::conformance {

namespace {

constexpr std::string_view kOwnPrefix = "io.modelcontextprotocol/";

// A client of both eras may ask for server/discover before it opens.
Finding opens_first(const Record& record) {
  std::uint32_t opened = 0;  // The connection that is open; HTTP has but one.
  bool any = false;
  const Complaint complaint = [&](const Heard& message) -> std::string {
    if (message.method() == "server/discover") return "";
    if (message.method() == "initialize") {
      any = true;
      opened = message.connection;
      return "";
    }
    if (any && opened == message.connection) return "";
    return "got " + message.method() + " before initialize";
  };
  const std::vector<const Heard*> said = record.all(
      [](const Heard& message) { return message.is_request() || message.is_notification(); });
  return each_of(record, said, complaint, "nothing was said");
}

Finding opens_with_what_is_needed(const Record& record) {
  const Complaint complaint = [](const Heard& message) -> std::string {
    const Json* const params = message.params();
    if (params == nullptr) return "initialize without params";
    if (!find_string(*params, "protocolVersion")) return "initialize without a protocolVersion";
    for (const char* const member : {"capabilities", "clientInfo"}) {
      const Json* const value = find(*params, member);
      if (value == nullptr || !value->is_object()) {
        return std::string("initialize with ") + member + " " + shown(value) +
               ", expected an object";
      }
    }
    return "";
  };
  const std::vector<const Heard*> openings = record.requests("initialize");
  if (!openings.empty()) return each_of(record, openings, complaint, "");
  const Heard* const asked = record.first([](const Heard& message) {
    return message.is_request() && message.method() != "server/discover";
  });
  if (asked == nullptr) return not_for_it("it asked for nothing");
  return at(record, *asked, broken("got " + asked->method() + ", and never initialize"));
}

Finding says_its_name(const Record& record) {
  const Complaint complaint = [](const Heard& message) -> std::string {
    const Json* const info = message.params() ? find(*message.params(), "clientInfo") : nullptr;
    if (info == nullptr) return "";
    for (const char* const member : {"name", "version"}) {
      if (!find_string(*info, member)) return std::string("clientInfo without a ") + member;
    }
    return "";
  };
  return each_of(record, record.requests("initialize"), complaint, "it sent no initialize");
}

// Followers finds what came behind a message on the same connection.
class Followers {
 public:
  explicit Followers(const std::vector<const Heard*>& messages) {
    for (const Heard* const message : messages) of_[message->connection].push_back(message);
  }

  const Heard* behind(const Heard& message) const {
    const auto found = of_.find(message.connection);
    if (found == of_.end()) return nullptr;
    const auto next = std::ranges::upper_bound(found->second, message.place, {}, &Heard::place);
    return next == found->second.end() ? nullptr : *next;
  }

 private:
  std::map<std::uint32_t, std::vector<const Heard*>> of_;  // As they came: by their places.
};

Followers requests_but_pings(const Record& record) {
  return Followers(record.all(
      [](const Heard& message) { return message.is_request() && message.method() != "ping"; }));
}

// begins_again says whether a client opens anew, in either era.
bool begins_again(const Heard& request) {
  return request.method() == "initialize" || request.method() == "server/discover";
}

Finding says_that_it_is_ready(const Record& record) {
  const Followers requests = requests_but_pings(record);
  const Followers notices(record.all(
      [](const Heard& message) { return message.method() == "notifications/initialized"; }));
  bool seen = false;
  for (const Heard* const opening : record.requests("initialize")) {
    if (!opening->answered) continue;
    const Heard* const next = requests.behind(*opening);
    const Heard* const ready = notices.behind(*opening);
    if (next == nullptr && ready == nullptr) continue;  // It did not like the answer.
    seen = true;
    if (next != nullptr && begins_again(*next)) continue;
    if (ready == nullptr || (next != nullptr && next->place < ready->place)) {
      return at(record, *next,
                broken("got " + next->method() + ", expected notifications/initialized first"));
    }
  }
  return seen ? passes() : not_for_it("no initialize was answered");
}

Finding waits_for_the_opening(const Record& record) {
  const Followers requests = requests_but_pings(record);
  const Complaint complaint = [&](const Heard& message) -> std::string {
    const Heard* const next = requests.behind(message);
    if (next == nullptr || (message.answered && next->at > *message.answered)) return "";
    return "got " + next->method() + " before initialize was answered";
  };
  return each_of(record, record.requests("initialize"), complaint, "it sent no initialize");
}

Finding opens_with_a_single_message(const Record& record) {
  const Complaint complaint = [](const Heard& message) -> std::string {
    return message.batched ? "initialize came in an array" : "";
  };
  return each_of(record, record.requests("initialize"), complaint, "it sent no initialize");
}

// capability_for returns the server's capability that a method needs; empty: none.
std::string capability_for(const std::string& method) {
  if (method == "logging/setLevel") return "logging";
  if (method == "completion/complete") return "completions";
  for (const char* const name : {"tools", "resources", "prompts", "tasks"}) {
    if (method.starts_with(std::string(name) + "/")) return name;
  }
  return "";
}

Finding uses_what_was_declared(const Record& record) {
  const Complaint complaint = [&](const Heard& message) -> std::string {
    const std::string needed = capability_for(message.method());
    if (needed.empty() || find(record.offered, needed) != nullptr) return "";
    if (needed == "completions" && !knows_completions_capability(record.revision)) return "";
    return "got " + message.method() + ", but the server declared no " + needed;
  };
  const std::vector<const Heard*> asked = record.all([](const Heard& message) {
    return message.is_request() && !capability_for(message.method()).empty();
  });
  return each_of(record, asked, complaint, "it used no capability");
}

Finding keeps_to_the_revision(const Record& record) {
  const Complaint complaint = [&](const Heard& message) -> std::string {
    const std::string method = message.method();
    if (method == "subscriptions/listen" || method == "tasks/update") {
      return method + " is of a later revision than " + record.revision;
    }
    if (knows_tasks(record.revision)) return "";
    const bool task = message.params() && find(*message.params(), "task") != nullptr;
    if (!method.starts_with("tasks/") && !task) return "";
    return method + (task ? " as a task" : "") + " is of a later revision than " + record.revision;
  };
  std::vector<const Heard*> asked = record.requests();
  std::erase_if(asked, [](const Heard* one) { return one->method() == "server/discover"; });
  return each_of(record, asked, complaint, "nothing was asked");
}

// One that opened in two revisions has two sessions, unless it says that it goes on with one.
Finding keeps_one_revision(const Record& record) {
  if (record.requests("initialize").empty()) return not_for_it("it opened no session");
  const SessionsHeard sessions(record);
  const Complaint complaint = [&](const Heard& message) -> std::string {
    const Heard* const opening = sessions.opening_of(message);
    if (opening == nullptr || opening == &message || !opening->answered) return "";
    const std::string before = opening->param("protocolVersion");
    if (message.method() == "initialize") {
      const std::string now = message.param("protocolVersion");
      return now == before ? "" : "it opened in " + before + " and opens the session in " + now;
    }
    const Json* const named = message.meta(std::string(kOwnPrefix) + "protocolVersion");
    if (named == nullptr || message.method() == "server/discover") return "";
    return message.method() + " names the revision " + shown(named) + " in a session of " + before;
  };
  return each_of(record, record.requests(), complaint, "nothing was asked");
}

Finding has_meta(const Record& record, std::string_view key, bool (*right)(const Json& value),
                 const std::string& expected) {
  const Complaint complaint = [&](const Heard& message) -> std::string {
    const std::string full = std::string(kOwnPrefix) + std::string(key);
    const Json* const value = message.meta(full);
    if (value != nullptr && right(*value)) return "";
    return message.method() + " has " + shown(value) + " at _meta." + full + ", expected " +
           expected;
  };
  std::vector<const Heard*> asked = record.requests();
  std::erase_if(asked, [](const Heard* one) { return one->method() == "initialize"; });
  return each_of(record, asked, complaint, "nothing was asked");
}

Finding says_its_revision_each_time(const Record& record) {
  return has_meta(
      record, "protocolVersion", [](const Json& value) { return value.is_string(); }, "a string");
}

Finding says_its_capabilities_each_time(const Record& record) {
  return has_meta(
      record, "clientCapabilities", [](const Json& value) { return value.is_object(); },
      "an object");
}

Finding says_who_it_is_each_time(const Record& record) {
  return has_meta(
      record, "clientInfo",
      [](const Json& value) { return find_string(value, "name") && find_string(value, "version"); },
      "a name and a version");
}

bool is_meta_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_meta_digit(char c) { return c >= '0' && c <= '9'; }

// is_meta_label: begins with a letter, ends with a letter or digit, hyphens between.
bool is_meta_label(std::string_view label) {
  if (label.empty() || !is_meta_letter(label.front()) || label.back() == '-') return false;
  return std::ranges::all_of(
      label, [](char c) { return is_meta_letter(c) || is_meta_digit(c) || c == '-'; });
}

bool is_meta_prefix(std::string_view prefix) {
  while (true) {
    const std::size_t dot = std::min(prefix.find('.'), prefix.size());
    if (!is_meta_label(prefix.substr(0, dot))) return false;
    if (dot == prefix.size()) return true;
    prefix.remove_prefix(dot + 1);
  }
}

bool is_meta_name(std::string_view name) {
  const auto sound = [](char c) { return is_meta_letter(c) || is_meta_digit(c); };
  if (name.empty()) return true;
  if (!sound(name.front()) || !sound(name.back())) return false;
  return std::ranges::all_of(name,
                             [&](char c) { return sound(c) || c == '-' || c == '_' || c == '.'; });
}

// each_key judges every key of every _meta.
Finding each_key(const Record& record, bool (*wrong)(std::string_view key),
                 const std::string& what) {
  bool seen = false;
  for (const Heard& message : record.heard) {
    std::string bad;
    each_meta_key(message.message, [&](const std::string& key) {
      seen = true;
      if (bad.empty() && wrong(key)) bad = key;
    });
    if (!bad.empty()) return at(record, message, broken("the key \"" + bad + "\" " + what));
  }
  return seen ? passes() : not_for_it("it sent no _meta");
}

Finding has_sound_prefixes(const Record& record) {
  return each_key(
      record,
      [](std::string_view key) {
        const std::size_t slash = key.find('/');
        return slash != std::string_view::npos && !is_meta_prefix(key.substr(0, slash));
      },
      "of _meta has a prefix that is not labels between dots");
}

Finding has_sound_names(const Record& record) {
  return each_key(
      record,
      [](std::string_view key) {
        const std::size_t slash = key.find('/');
        return !is_meta_name(slash == std::string_view::npos ? key : key.substr(slash + 1));
      },
      "of _meta has a name with other characters than it may");
}

// Keys that a revision defines; a prefix that MCP reserves is for these alone.
Finding keeps_out_of_reserved_prefixes(const Record& record) {
  return each_key(
      record,
      [](std::string_view key) {
        const std::size_t slash = key.find('/');
        if (slash == std::string_view::npos) return false;
        const std::string_view prefix = key.substr(0, slash);
        const bool reserved = prefix.starts_with("mcp.") ||
                              prefix.starts_with("modelcontextprotocol.") ||
                              prefix == "io.modelcontextprotocol" || prefix == "com.mcp";
        if (!reserved) return false;
        const std::string_view name = key.substr(slash + 1);
        constexpr std::string_view kDefined[] = {
            "related-task", "protocolVersion",          "clientInfo", "clientCapabilities",
            "logLevel",     "model-immediate-response", "serverInfo", "subscriptionId"};
        return std::ranges::find(kDefined, name) == std::end(kDefined);
      },
      "of _meta has a prefix that is reserved");
}

Finding names_extensions_well(const Record& record) {
  const Json* judged = nullptr;  // Of an initialize it is the same for all that follows.
  const Complaint complaint = [&](const Heard& message) -> std::string {
    const Json& extensions = *find(record.capabilities(&message), "extensions");
    if (&extensions == judged) return "";
    judged = &extensions;
    for (auto item = extensions.begin(); item != extensions.end(); ++item) {
      const std::string& key = item.key();
      const std::size_t slash = key.find('/');
      if (slash == std::string::npos || !is_meta_prefix(key.substr(0, slash)) ||
          !is_meta_name(key.substr(slash + 1))) {
        return "the extension \"" + key + "\" has no prefix, or no sound one";
      }
    }
    return "";
  };
  const std::vector<const Heard*> with = record.all([&](const Heard& message) {
    if (!message.is_request()) return false;
    if (!record.stateless() && message.method() != "initialize") return false;
    const Json* const extensions = find(record.capabilities(&message), "extensions");
    return extensions != nullptr && extensions->is_object() && !extensions->empty();
  });
  return each_of(record, with, complaint, "it declared no extension");
}

constexpr ClientRule kOpeningRules[] = {
    {"lifecycle.initialize-first", opens_first},
    {"lifecycle.client-sends-initialize", opens_with_what_is_needed},
    {"lifecycle.implementation-name-and-version", says_its_name},
    {"lifecycle.initialized-notification", says_that_it_is_ready},
    {"lifecycle.client-waits-for-init-response", waits_for_the_opening},
    {"lifecycle.initialize-not-in-batch", opens_with_a_single_message},
    {"lifecycle.only-negotiated-capabilities", uses_what_was_declared},
    {"lifecycle.respect-negotiated-version", keeps_to_the_revision},
    {"versioning.single-version-per-session", keeps_one_revision},
    {"lifecycle.meta-protocol-version-on-requests", says_its_revision_each_time},
    {"lifecycle.meta-client-capabilities-on-requests", says_its_capabilities_each_time},
    {"lifecycle.client-info-on-requests", says_who_it_is_each_time},
    {"base.meta-prefix-syntax", has_sound_prefixes},
    {"base.meta-label-charset", has_sound_prefixes},
    {"base.meta-name-syntax", has_sound_names},
    {"base.meta-reserved-prefix-not-used", keeps_out_of_reserved_prefixes},
    {"versioning.extension-id-naming", names_extensions_well},
};

}  // namespace

ClientRules opening_rules() { return kOpeningRules; }

}  // namespace plumbline::conformance
