// What servers ask of users: spec, client/elicitation. How they take the answers is in
// elicitation_answers.cc.

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/shapes.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kElicitMethod = "elicitation/create";
constexpr const char* kNeverElicits = "it never asks the user";
constexpr const char* kNeverByUrl = "it never asks the user by a URL";
constexpr const char* kNeverByForm = "it never asks the user by a form";
constexpr std::int64_t kUrlRequired = -32042;

bool is_by_url(const Json& params) { return string_or(params, "mode", "form") == "url"; }

enum class Mode { kAny, kForm, kUrl };

// each_elicitation judges the requests of one mode in one exercise.
template <typename Problem>
Finding each_elicitation(const Exercise& exercise, Mode mode, Problem problem) {
  Tally tally;
  for (const ServerAsked* const asked : exercise.asked_by(kElicitMethod)) {
    const Json params = asked->params();
    if (mode != Mode::kAny && is_by_url(params) != (mode == Mode::kUrl)) continue;
    tally.saw();
    const std::string wrong = problem(params);
    if (!wrong.empty()) tally.wrong("an elicitation request " + wrong, asked->evidence);
  }
  return tally.finding(mode == Mode::kUrl    ? kNeverByUrl
                       : mode == Mode::kForm ? kNeverByForm
                                             : kNeverElicits);
}

Task<Finding> takes_nothing_for_forms(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  if (all.asked_by(kElicitMethod).empty()) co_return not_for_it(kNeverElicits);
  const Exercise& bare = *co_await probe.exercise(Declared::kBare);
  Tally tally;
  tally.saw();
  for (const ServerAsked* const asked : bare.asked_by(kElicitMethod)) {
    if (!is_by_url(asked->params())) continue;
    tally.wrong(
        "a URL was sent to a client that has declared an empty elicitation object, which "
        "stands for forms alone",
        asked->evidence);
  }
  co_return tally.finding(kNeverElicits);
}

Task<Finding> keeps_to_declared_modes(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  if (all.asked_by(kElicitMethod).empty()) co_return not_for_it(kNeverElicits);
  Tally tally;
  tally.saw();
  const Exercise& by_url = *co_await probe.exercise(Declared::kUrlOnly);
  for (const ServerAsked* const asked : by_url.asked_by(kElicitMethod)) {
    if (is_by_url(asked->params())) continue;
    tally.wrong("a form was sent to a client that has declared only elicitation.url",
                asked->evidence);
  }
  const Exercise& nothing = *co_await probe.exercise(Declared::kNothing);
  for (const ServerAsked* const asked : nothing.asked_by(kElicitMethod)) {
    tally.wrong("elicitation/create was sent to a client that has not declared elicitation",
                asked->evidence);
  }
  co_return tally.finding(kNeverElicits);
}

Task<Finding> says_what_it_wants(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  co_return each_elicitation(all, Mode::kAny, [](const Json& params) -> std::string {
    return find_string(params, "message") ? "" : "has no message that is a string";
  });
}

Task<Finding> has_schemas_for_forms(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  co_return each_elicitation(all, Mode::kForm, [](const Json& params) -> std::string {
    const Json* const mode = find(params, "mode");
    if (mode != nullptr && *mode != Json("form")) {
      return "has the mode " + dump_json(*mode) + ", expected \"form\" or \"url\"";
    }
    const Json* const schema = find(params, "requestedSchema");
    if (schema == nullptr) return "has no requestedSchema";
    return schema->is_object() ? "" : "has a requestedSchema that is no object";
  });
}

bool is_choice(const Json& list) {
  return list.is_array() && !list.empty() && std::ranges::all_of(list, [](const Json& one) {
           return one.is_string() || (find_string(one, "const") && find_string(one, "title"));
         });
}

std::string list_problem(const Json& property, bool lists) {
  const Json* const items = lists ? find(property, "items") : nullptr;
  if (items == nullptr) return "is an array";
  const Json* const choice = find(*items, "enum") ? find(*items, "enum") : find(*items, "anyOf");
  return choice != nullptr && is_choice(*choice) ? "" : "is an array of what is no choice";
}

// field_problem judges one property of a form. Lists of choices are of 2025-11-25 and later.
std::string field_problem(const Json& property, bool lists) {
  const std::string type = string_or(property, "type", "");
  if (type == "array") return list_problem(property, lists);
  if (type != "string" && type != "number" && type != "integer" && type != "boolean") {
    const Json* const found = find(property, "type");
    return "has the type " + (found == nullptr ? "none" : dump_json(*found));
  }
  const std::string format = string_or(property, "format", "");
  for (const char* const known : {"", "email", "uri", "date", "date-time"}) {
    if (format == known) return "";
  }
  return "has the format \"" + shortened(format) + "\"";
}

// choice_problem says that a form has a choice among what is no text: of the schemas for fields,
// those of texts alone have an enum.
std::string choice_problem(const Json& params) {
  const Json* const properties = at_pointer(params, "/requestedSchema/properties");
  if (properties == nullptr || !properties->is_object()) return "";
  for (const auto& [name, property] : properties->items()) {
    const std::string type = string_or(property, "type", "");
    const bool text = type == "string" || type == "array" || type.empty();
    if (text || find(property, "enum") == nullptr) continue;
    return "has a form whose \"" + shortened(name) + "\" is a choice among values of the type " +
           type +
           " (enum), expected a choice among strings: clients show a free field, or refuse "
           "the form";
  }
  return "";
}

Task<Finding> asks_for_flat_forms(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  const bool lists = knows_lists_in_forms(probe.revision());
  Finding found = each_elicitation(all, Mode::kForm, [lists](const Json& params) -> std::string {
    const Json* const schema = find(params, "requestedSchema");
    if (schema == nullptr) return "has no requestedSchema";
    if (string_or(*schema, "type", "") != "object") return "has no object as its requestedSchema";
    const Json* const properties = find(*schema, "properties");
    if (properties == nullptr || !properties->is_object()) return "has a form without properties";
    for (const auto& [name, property] : properties->items()) {
      const std::string wrong = field_problem(property, lists);
      if (wrong.empty()) continue;
      return "has a form whose \"" + shortened(name) + "\" " + wrong +
             ", expected a string, a number, a boolean or a choice";
    }
    return "";
  });
  if (found.verdict != Verdict::kPass) co_return found;
  found = each_elicitation(all, Mode::kForm, choice_problem);
  // An enum is a member that the schema of a number does not have: no clause forbids it.
  if (found.verdict == Verdict::kFail) found.verdict = Verdict::kWarn;
  co_return found;
}

bool is_absolute_url(const std::string& text) {
  const std::size_t end = text.find("://");
  return is_uri(text) && end != std::string::npos && end + 3 < text.size() && text[end + 3] != '/';
}

Task<Finding> has_all_of_a_url(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  const bool with_id = !probe.stateless();
  co_return each_elicitation(all, Mode::kUrl, [with_id](const Json& params) -> std::string {
    for (const char* const member : {"message", "url", "elicitationId"}) {
      if (!with_id && std::string_view(member) == "elicitationId") continue;
      if (!find_string(params, member)) return "by URL has no " + std::string(member);
    }
    return "";
  });
}

Task<Finding> has_real_urls(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  co_return each_elicitation(all, Mode::kUrl, [](const Json& params) -> std::string {
    const std::string url = string_or(params, "url", "");
    return is_absolute_url(url) ? "" : "has the url \"" + shortened(url) + "\", which is none";
  });
}

Task<Finding> has_safe_urls(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  co_return each_elicitation(all, Mode::kUrl, [](const Json& params) -> std::string {
    const std::string url = string_or(params, "url", "");
    for (const char* const fine :
         {"https://", "http://localhost", "http://127.0.0.1", "http://[::1]"}) {
      if (url.starts_with(fine)) return "";
    }
    return "has the url \"" + shortened(url) + "\", expected https";
  });
}

Task<Finding> has_unique_ids(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  // Over stdio each process is a server of its own.
  std::set<std::pair<std::size_t, std::string>> seen;
  Tally tally;
  for (const ServerAsked* const asked : all.asked_by(kElicitMethod)) {
    const auto id = find_string(asked->params(), "elicitationId");
    if (!id || !is_by_url(asked->params())) continue;
    tally.saw();
    if (seen.emplace(probe.over_stdio() ? asked->session : 0, *id).second) continue;
    tally.wrong("an elicitation request has an elicitationId that was there before: \"" +
                    shortened(*id) + "\"",
                asked->evidence);
  }
  co_return tally.finding(kNeverByUrl);
}

std::string plain_lower(std::string text) {
  std::string plain;
  for (const char c : text) {
    if (c == '_' || c == '-' || c == ' ') continue;
    plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return plain;
}

// secret_in returns the name of a field that can only be a secret; empty for none.
std::string secret_in(const Json& params) {
  const Json* const properties = at_pointer(params, "/requestedSchema/properties");
  if (properties == nullptr || !properties->is_object()) return "";
  for (const auto& [name, property] : properties->items()) {
    const std::string plain = plain_lower(name);
    for (const char* const secret :
         {"password", "passwd", "passphrase", "apikey", "accesstoken", "secretkey", "clientsecret",
          "creditcard", "creditcardnumber", "cardnumber", "cvv", "cvc"}) {
      if (plain == secret) return name;
    }
  }
  return "";
}

Task<Finding> asks_for_no_secrets(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  co_return each_elicitation(all, Mode::kForm, [](const Json& params) -> std::string {
    const std::string name = secret_in(params);
    return name.empty() ? "" : "asks for \"" + shortened(name) + "\" by a form";
  });
}

// words_of returns everything that a form shows.
std::string words_of(const Json& params) {
  std::string words = string_or(params, "message", "");
  const Json* const properties = at_pointer(params, "/requestedSchema/properties");
  if (properties == nullptr || !properties->is_object()) return words;
  for (const auto& [name, property] : properties->items()) {
    words += " " + string_or(property, "title", "") + " " + string_or(property, "description", "");
    if (const Json* const titles = find(property, "enumNames")) words += dump_json(*titles);
  }
  return words;
}

Task<Finding> has_no_links_in_forms(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  co_return each_elicitation(all, Mode::kForm, [](const Json& params) -> std::string {
    const std::string words = words_of(params);
    const bool linked = mentions(words, "https://") || mentions(words, "http://");
    return linked ? "has a URL in its form: \"" + shortened(words) + "\"" : "";
  });
}

Task<Finding> completes_what_it_began(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  std::set<std::string> begun;
  for (const ServerAsked* const asked : all.asked_by(kElicitMethod)) {
    begun.insert(string_or(asked->params(), "elicitationId", ""));
  }
  for (const Call& call : all.calls) {
    const Json* const list = at_pointer(*call.reply.message, "/error/data/elicitations");
    if (list == nullptr || !list->is_array()) continue;
    for (const Json& one : *list) begun.insert(string_or(one, "elicitationId", ""));
  }
  begun.erase("");
  Tally tally;
  for (const ServerAsked& told : all.told) {
    if (told.method() != "notifications/elicitation/complete") continue;
    tally.saw();
    const auto id = find_string(told.params(), "elicitationId");
    if (!id) tally.wrong("a completion without an elicitationId", told.evidence);
    if (id && begun.count(*id) == 0) {
      tally.wrong("a completion of \"" + shortened(*id) + "\", which was never begun",
                  told.evidence);
    }
  }
  co_return tally.finding("it completed no elicitation by URL");
}

Task<Finding> wants_urls_of_those_who_can(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  const Exercise& nothing = *co_await probe.exercise(Declared::kNothing);
  Tally tally;
  for (const Call& call : all.calls) {
    if (call.reply.code() == kUrlRequired) tally.saw();
  }
  for (const Call& call : nothing.calls) {
    if (call.reply.code() != kUrlRequired) continue;
    tally.saw();
    tally.wrong("error -32042 went to a client that has not declared elicitation.url",
                call.evidence);
  }
  for (const Call& call : all.calls) {
    const bool listed = at_pointer(*call.reply.message, "/error/data/elicitations") != nullptr;
    if (listed && call.reply.code() != kUrlRequired) {
      tally.saw();
      tally.wrong("an error with data.elicitations, and with the code of " + call.reply.describe() +
                      ", expected -32042",
                  call.evidence);
    }
  }
  co_return tally.finding("no call needs an elicitation by URL first");
}

Task<Finding> lists_what_is_required(Probe& probe) {
  const Exercise& all = *co_await probe.exercise();
  Tally tally;
  for (const Call& call : all.calls) {
    if (call.reply.code() != kUrlRequired) continue;
    tally.saw();
    const Json* const list = at_pointer(*call.reply.message, "/error/data/elicitations");
    if (list == nullptr || !list->is_array() || list->empty()) {
      tally.wrong("error -32042 without data.elicitations", call.evidence);
      continue;
    }
    for (const Json& one : *list) {
      const bool whole = string_or(one, "mode", "") == "url" && find_string(one, "url") &&
                         find_string(one, "message") && find_string(one, "elicitationId");
      if (whole) continue;
      tally.wrong(
          "error -32042 lists an elicitation without mode url, url, message or "
          "elicitationId",
          call.evidence);
      break;
    }
  }
  co_return tally.finding("no call needs an elicitation by URL first");
}

constexpr ServerCheck kElicitationChecks[] = {
    {"elicitation.empty-capability-is-form-only", Eras::kBoth, SessionUse::kOpens,
     takes_nothing_for_forms},
    {"elicitation.no-unsupported-mode", Eras::kBoth, SessionUse::kOpens, keeps_to_declared_modes},
    {"elicitation.request-has-message", Eras::kBoth, SessionUse::kOpens, says_what_it_wants},
    {"elicitation.form-params", Eras::kBoth, SessionUse::kOpens, has_schemas_for_forms},
    {"elicitation.form-schema-flat-primitive", Eras::kBoth, SessionUse::kOpens,
     asks_for_flat_forms},
    {"elicitation.url-params", Eras::kBoth, SessionUse::kOpens, has_all_of_a_url},
    {"elicitation.url-valid", Eras::kBoth, SessionUse::kOpens, has_real_urls},
    {"elicitation.url-https", Eras::kBoth, SessionUse::kOpens, has_safe_urls},
    {"elicitation.id-unique-and-opaque", Eras::kStateful, SessionUse::kOpens, has_unique_ids},
    {"elicitation.form-no-sensitive", Eras::kBoth, SessionUse::kOpens, asks_for_no_secrets},
    {"elicitation.no-clickable-urls-in-form", Eras::kBoth, SessionUse::kOpens,
     has_no_links_in_forms},
    {"elicitation.complete-has-id", Eras::kStateful, SessionUse::kOpens, completes_what_it_began},
    {"elicitation.required-error-32042", Eras::kStateful, SessionUse::kOpens,
     wants_urls_of_those_who_can},
    {"elicitation.required-error-list", Eras::kStateful, SessionUse::kOpens,
     lists_what_is_required},
};

}  // namespace

ServerChecks elicitation_checks() { return kElicitationChecks; }

}  // namespace plumbline::conformance
