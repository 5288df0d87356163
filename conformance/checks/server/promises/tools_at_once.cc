// Whether what a tool does only so often it does only so often at once: a check before an await,
// and the change behind it, lets two calls through. In turn and at once, in new processes each.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/features/reasons.h"
#include "conformance/checks/server/promises/good_calls.h"
#include "conformance/checks/server/shapes.h"
#include "core/base/text.h"
#include "core/schema/sample_value.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kWritersMax = 5;
constexpr std::size_t kMakersMax = 2;
constexpr int kDoublingsMax = 12;
constexpr std::int64_t kAmountMax = 1'000'000;

// WriterUse is what a writer is called with, and what has to be called before, so that there is
// something of the judge's own to use.
struct WriterUse {
  Json before;  // Null: nothing.
  Json params;
};

// Pairing is what came of two calls of the same, in a new process.
struct Pairing {
  Reply first;
  Reply second;

  bool known() const { return first.answered() && second.answered(); }
  bool both() const { return has_gone_well(first) && has_gone_well(second); }
  bool only_first() const { return has_gone_well(first) && is_refused(second); }
};

// start opens a process in which there is what a use needs; its client is not usable where there is
// none.
Task<Client> start(Probe& probe, WriterUse use) {
  Client client = co_await probe.open(probe.usual());
  if (client.session().usable() && !use.before.is_null()) {
    co_await client.request("tools/call", std::move(use.before));
  }
  co_return client;
}

Task<Pairing> call_twice(Probe& probe, WriterUse use, bool at_once) {
  Pairing pairing;
  const Json params = use.params;
  Client client = co_await start(probe, std::move(use));
  if (!client.session().usable()) co_return std::move(pairing);
  if (at_once) {
    Client::Begun one = client.begin(client.request_of("tools/call", params));
    Client::Begun other = client.begin(client.request_of("tools/call", params));
    pairing.first = co_await client.finish(std::move(one));
    pairing.second = co_await client.finish(std::move(other));
  } else {
    pairing.first = co_await client.request("tools/call", params);
    pairing.second = co_await client.request("tools/call", params);
  }
  co_return std::move(pairing);
}

// amount_in returns the only whole number among the arguments; empty: there is none, or several.
std::string amount_in(const Json& params) {
  std::string found;
  const Json* const arguments = find(params, "arguments");
  if (arguments == nullptr || !arguments->is_object()) return found;
  for (const auto& [name, value] : arguments->items()) {
    if (!value.is_number_integer()) continue;
    if (!found.empty()) return {};
    found = name;
  }
  return found;
}

// most_at_a_time returns an amount of which there is enough for one call, and not for two: what is
// taken is doubled until it is refused. Nothing: none was found.
Task<std::optional<std::int64_t>> most_at_a_time(Probe& probe, WriterUse use, std::string amount) {
  Json params = use.params;
  Client client = co_await start(probe, std::move(use));
  if (!client.session().usable()) co_return std::nullopt;
  std::int64_t next = params["arguments"][amount].get<std::int64_t>();
  std::int64_t sum = 0;
  if (next < 1) co_return std::nullopt;
  for (int i = 0; i < kDoublingsMax && next < kAmountMax; ++i) {
    params["arguments"][amount] = next;
    const Reply reply = co_await client.request("tools/call", params);
    if (!has_gone_well(reply)) break;
    sum += next;
    next *= 2;
  }
  if (sum == 0 || next >= kAmountMax) co_return std::nullopt;
  co_return sum;
}

// once_alone returns a use of which one call goes well, and the second in turn does not; with
// params that are null: the tool may be called again and again.
Task<WriterUse> once_alone(Probe& probe, WriterUse use) {
  const Pairing plain = co_await call_twice(probe, use, false);
  if (plain.only_first()) co_return std::move(use);
  const std::string amount = amount_in(use.params);
  if (!plain.both() || amount.empty()) co_return WriterUse();
  const std::optional<std::int64_t> most = co_await most_at_a_time(probe, use, amount);
  if (!most) co_return WriterUse();
  use.params["arguments"][amount] = *most;
  const Pairing more = co_await call_twice(probe, use, false);
  if (more.only_first()) co_return std::move(use);
  co_return WriterUse();
}

// judge_writer calls at once what goes well once in turn, and in turn once more: what was kept in a
// file would be refused at once.
Task<Finding> judge_writer(Probe& probe, WriterUse first) {
  const WriterUse once = co_await once_alone(probe, std::move(first));
  if (once.params.is_null()) co_return not_for_it("");
  const Pairing together = co_await call_twice(probe, once, true);
  if (!together.both()) co_return passes();
  const Pairing again = co_await call_twice(probe, once, false);
  if (!again.only_first()) co_return passes();
  co_return about(broken("two calls of \"" + shortened(string_or(once.params, "name", "")) +
                         "\" at once with " + shortened(dump_json(once.params["arguments"])) +
                         " both went well, and in turn the second fails: \"" +
                         shortened(trimmed(text_of_failure(again.second))) +
                         "\"; it looks before it waits, and changes what is there after that"),
                  together.second);
}

// everything_of returns params of a call with all that a tool may be given.
Json everything_of(Probe& probe, const Json& tool) {
  Json params = probe.call_params(tool);
  const Json* const properties = properties_of(tool);
  if (properties == nullptr) return params;
  for (const auto& [name, property] : properties->items()) {
    if (params["arguments"].contains(name) || !property.is_object()) continue;
    params["arguments"][name] = schema::sample_value(property, property);
  }
  return params;
}

// made_first returns uses of a tool with what another makes of the judge's own: both are given the
// same text under one name.
std::vector<WriterUse> made_first(Probe& probe, const Json& tool) {
  std::vector<WriterUse> uses;
  const Json params = probe.call_params(tool);
  for (const Json& maker : probe.survey().tools.items) {
    const bool makes = !says_hint(maker, "readOnlyHint", true) &&
                       says_hint(maker, "destructiveHint", false) && probe.may_call(maker);
    if (!makes || string_or(maker, "name", "") == string_or(tool, "name", "")) continue;
    const Json before = everything_of(probe, maker);
    const Json& given = before["arguments"];
    const bool shares = std::ranges::any_of(params["arguments"].items(), [&](const auto& one) {
      const Json* const same = find(given, one.key());
      return same != nullptr && same->is_string() && *same == one.value();
    });
    if (shares && uses.size() < kMakersMax) uses.push_back({before, params});
  }
  return uses;
}

// uses_of_writer returns what a tool may be called with: as it has gone well, or with what is made
// first.
std::vector<WriterUse> uses_of_writer(Probe& probe, const Exercise& exercise, const Json& tool) {
  const std::vector<const Call*> calls = good_calls(exercise, string_or(tool, "name", ""));
  if (calls.empty()) return made_first(probe, tool);
  return {{nullptr, calls.front()->params}};
}

Task<Finding> at_once_as_in_turn(Probe& probe) {
  if (!probe.over_stdio()) co_return not_for_it("no process of its own can be had");
  const Exercise& exercise = *co_await probe.exercise();
  std::size_t writers = 0;
  std::size_t judged = 0;
  for (const Json& tool : probe.survey().tools.items) {
    const std::string name = string_or(tool, "name", "");
    if (says_hint(tool, "readOnlyHint", true) || probe.disturbs(name) || !probe.may_call(tool))
      continue;
    if (says_hint(tool, "idempotentHint", true)) continue;
    for (const WriterUse& use : uses_of_writer(probe, exercise, tool)) {
      if (writers++ >= kWritersMax) break;
      Finding finding = co_await judge_writer(probe, use);
      if (finding.verdict == Verdict::kFail) co_return std::move(finding);
      if (finding.verdict == Verdict::kPass) ++judged;
    }
  }
  co_return judged > 0 ? passes() : not_for_it("no tool does something only so often");
}

constexpr ServerCheck kToolsAtOnceChecks[] = {
    {"tools.at-once-as-in-turn", Eras::kBoth, SessionUse::kOpens, at_once_as_in_turn},
};

}  // namespace

ServerChecks tools_at_once_checks() { return kToolsAtOnceChecks; }

}  // namespace plumbline::conformance
