#include "conformance/checks/server/promises/lists/going_on.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/promises/said.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/name_words.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kGoingOnMax = 12;
constexpr int kFollowedMax = 12;
constexpr std::array<std::string_view, 4> kMores = {"has_more", "hasMore", "has_next", "hasNext"};

// NextGiven is what an answer gives to go on by, and the parameter that takes it.
struct NextGiven {
  std::string member;
  std::string parameter;
  Json value;  // Null: there is none.
};

// is_what_takes returns whether a parameter is called as a member is, without "next": page takes
// next_page, page_token nextPageToken.
bool is_what_takes(const std::string& parameter, const std::string& member) {
  std::vector<std::string> words = words_of(member);
  const auto next = std::ranges::find(words, "next");
  if (next == words.end() || words.size() < 2) return false;
  words.erase(next);
  return words == words_of(parameter);
}

// is_link returns whether a value says where the next page is, not which it is.
bool is_link(const Json& value) {
  const auto* const text = value.get_ptr<const std::string*>();
  return text != nullptr && (mentions(*text, "://") || text->starts_with('/'));
}

NextGiven next_in(const Json& tool, const Json& answer) {
  NextGiven found;
  each_object(answer, [&](const Json& object) {
    for (const auto& [member, value] : object.items()) {
      const bool given = (value.is_number_integer() || value.is_string()) && value != "";
      if (!found.value.is_null() || !given || is_link(value)) continue;
      for (const auto& [parameter, property] : properties_of(tool)->items()) {
        if (is_what_takes(parameter, member)) found = {member, parameter, value};
      }
    }
  });
  return found;
}

// says_more returns which member says that there is more; empty: none does.
std::string says_more(const Json& answer) {
  std::string found;
  each_object(answer, [&](const Json& object) {
    for (const std::string_view name : kMores) {
      if (bool_or(object, name, false)) found = name;
    }
  });
  return found;
}

// judge_refused asks for the first page again: who gives the same to go on by, and refuses that
// once more, takes it never.
Task<Finding> judge_refused(Client client, Json first, NextGiven next, const Json* tool) {
  const Reply again = co_await client.request("tools/call", first);
  if (!has_gone_well(again)) co_return not_for_it("");
  const NextGiven same = next_in(*tool, answer_in(again));
  if (same.value.type() != next.value.type()) co_return not_for_it("");
  first["arguments"][next.parameter] = same.value;
  const Reply refused = co_await client.request("tools/call", first);
  const bool error = refused.error() != nullptr || is_refused(refused);
  if (has_gone_well(refused) || !error) co_return not_for_it("");
  co_return about(
      broken(tool_in(first) + " gives \"" + shortened(next.member) +
             "\": " + shortened(dump_json(same.value)) + ", and refuses that as \"" +
             shortened(next.parameter) + "\": what it gives to go on by has to be taken as it is"),
      again, refused);
}

Task<Finding> follow(Client client, Json params, const Json* tool) {
  const Json first = params;
  bool went_on = false;
  NextGiven before;
  for (int page = 0; page < kFollowedMax; ++page) {
    const Reply reply = co_await client.request("tools/call", params);
    if (!has_gone_well(reply)) {
      if (before.value.is_null() || !reply.answered()) co_return not_for_it("");
      co_return co_await judge_refused(client, first, before, tool);
    }
    const Json answer = answer_in(reply);
    const NextGiven next = next_in(*tool, answer);
    if (next.value.is_null()) {
      if (!went_on) co_return not_for_it("");
      const std::string more = says_more(answer);
      if (more.empty()) co_return passes();
      co_return about(broken(tool_in(params) + ", called with " + given_in(params) + ", says \"" +
                             more + "\": true, and gives no \"" + shortened(before.member) +
                             "\" to go on by, as it did before"),
                      reply);
    }
    if (next.value == before.value) co_return not_for_it("");
    params["arguments"][next.parameter] = next.value;
    before = next;
    went_on = true;
  }
  co_return passes();
}

}  // namespace

Task<Finding> goes_on_as_given(Probe& probe, Client client) {
  const Exercise& exercise = *co_await probe.exercise();
  std::size_t judged = 0;
  for (Json params : reading_calls(probe, exercise, kGoingOnMax)) {
    const Json* const tool = probe.survey().tool(string_or(params, "name", ""));
    if (tool == nullptr || properties_of(*tool) == nullptr) continue;
    if (!params.contains("arguments")) params["arguments"] = Json::object();
    bool takes = false;
    for (const auto& [name, property] : properties_of(*tool)->items()) {
      const std::vector<std::string> words = words_of(name);
      const bool one = !words.empty() && (words.front() == "page" || words.back() == "page" ||
                                          words.back() == "cursor" || words.back() == "offset" ||
                                          words.back() == "token");
      const bool sized = !words.empty() && words.back() == "size";
      if (one && !sized) params["arguments"].erase(name);
      takes = takes || (one && !sized);
    }
    if (!takes) continue;
    Finding finding = co_await follow(client, std::move(params), tool);
    if (finding.verdict == Verdict::kFail) co_return std::move(finding);
    judged += finding.verdict == Verdict::kPass ? 1 : 0;
  }
  co_return judged > 0 ? passes() : not_for_it("");
}

}  // namespace plumbline::conformance
