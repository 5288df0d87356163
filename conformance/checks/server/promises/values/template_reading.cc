// Whether a template can be read with the values that the server itself offers for it, by a
// completion or by what its tools give and take: spec, server/resources, Resource Templates.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/promises/values/known_ids.h"
#include "conformance/checks/server/shapes.h"
#include "core/wire/form.h"

namespace plumbline::conformance {

namespace {

// is_unreserved returns whether a character stands in a URI as it is.
bool is_unreserved(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || (c >= '0' && c <= '9') || c == '-' || c == '_';
}

bool stands_as_it_is(const std::string& value) { return std::ranges::all_of(value, is_unreserved); }

// filled returns the URI that a template of one variable makes (RFC 6570, section 3.2.2).
std::string filled(const std::string& uri, std::size_t begin, const std::string& value) {
  std::string made = uri.substr(0, begin);
  wire::append_percent_encoded(made, value);
  return made + uri.substr(uri.find('}', begin) + 1);
}

// reads_filled reads what a template makes of a value that its completion offers.
Task<Finding> reads_filled(Client& client, std::string uri, std::size_t begin, std::string value) {
  Json made = Json::object();
  made["uri"] = filled(uri, begin, value);
  const Reply reply = co_await client.request("resources/read", made);
  if (reply.result() != nullptr) co_return passes();
  if (!reply.answered()) co_return undecided("got " + reply.describe());
  const std::string got = "the template \"" + shortened(uri) + "\" with the value \"" +
                          shortened(value) + "\", which its completion offers, got " +
                          reply.describe() + ", expected its contents";
  if (stands_as_it_is(value)) co_return about(broken(got), reply);
  co_return about(risky(got + ": in a URI the value is " + string_or(made, "uri", "") +
                        " (RFC 6570), and is to be decoded"),
                  reply);
}

// reads_no_known reads what a template of one variable makes of ids that the server gives and takes
// itself: of several one at least is there.
Task<Finding> reads_no_known(Probe& probe, Client client, std::string uri) {
  constexpr std::size_t kKnownMin = 2;
  const std::size_t begin = uri.find('{');
  const std::size_t end = uri.find('}');
  if (begin == std::string::npos || end == std::string::npos || end < begin ||
      uri.find('{', begin + 1) != std::string::npos) {
    co_return not_for_it("");
  }
  const Exercise& exercise = *co_await probe.exercise();
  const std::string variable = uri.substr(begin + 1, end - begin - 1);
  const std::vector<KnownId> known = known_ids(probe, exercise, variable);
  Reply last;
  for (const KnownId& one : known) {
    Json params = Json::object();
    params["uri"] = filled(uri, begin, one.id);
    last = co_await client.request("resources/read", std::move(params));
    if (last.result() != nullptr) co_return passes();
    if (last.code() != -32002) co_return not_for_it("");
  }
  if (known.size() < kKnownMin) co_return not_for_it("");
  co_return about(
      broken("the template \"" + shortened(uri) + "\" with \"" + shortened(known.back().id) +
             "\", which the tool \"" + shortened(known.back().tool) + "\" takes as \"" + variable +
             "\", got " + last.describe() + ", and so with each of " +
             std::to_string(known.size()) + " that it gives itself"),
      last);
}

// What a completion offers for the only variable of a template makes a URI that can be read: a
// value that stands in it as it is, and one that has to be encoded.
Task<Finding> reads_what_it_completes(Probe& probe) {
  Client client = probe.client();
  Finding found =
      not_for_it("no completion and no tool offers a value for a template of one variable");
  for (const Json& params : completable(probe.survey())) {
    const std::string uri = string_or(params["ref"], "uri", "");
    const std::size_t begin = uri.find('{');
    if (uri.empty() || uri.find('{', begin + 1) != std::string::npos) continue;
    const bool simple = begin + 1 < uri.size() && is_unreserved(uri[begin + 1]);
    const Reply offered = co_await client.request("completion/complete", params);
    std::vector<std::string> values = offered_in(offered.result());
    std::erase_if(values, [&](const std::string& one) {
      return one.empty() || (!simple && !stands_as_it_is(one));
    });
    const auto odd = std::ranges::find_if_not(values, stands_as_it_is);
    const auto plain = std::ranges::find_if(values, stands_as_it_is);
    for (const auto& one : {plain, odd}) {
      if (one == values.end()) continue;
      found = co_await reads_filled(client, uri, begin, *one);
      if (found.verdict != Verdict::kPass) co_return std::move(found);
    }
    if (found.verdict == Verdict::kPass) break;
  }
  if (found.verdict != Verdict::kSkip) co_return std::move(found);
  for (const Json& pattern : probe.survey().templates.items) {
    Finding known = co_await reads_no_known(probe, client, string_or(pattern, "uriTemplate", ""));
    if (known.verdict == Verdict::kFail) co_return std::move(known);
    if (known.verdict == Verdict::kPass) found = std::move(known);
  }
  co_return std::move(found);
}

constexpr ServerCheck kTemplateReadingChecks[] = {
    {"resources.template-readable", Eras::kBoth, SessionUse::kShared, reads_what_it_completes},
};

}  // namespace

ServerChecks template_reading_checks() { return kTemplateReadingChecks; }

}  // namespace plumbline::conformance
