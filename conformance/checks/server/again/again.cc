// What was served once is served again.

#include <string>
#include <utility>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/shapes.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kAgainMax = 4;  // Of each method.

// Served is a method, and the member of its result that holds what it brings.
struct Served {
  const char* method;
  const char* name;  // Of what is asked for, among the params.
  const char* member;
};

constexpr Served kServed[] = {
    {"resources/read", "uri", "contents"},
    {"prompts/get", "name", "messages"},
};

// has_items returns whether a result holds any of what its method brings.
bool has_items(const Json* result, const Served& served) {
  const Json* const items = result == nullptr ? nullptr : find(*result, served.member);
  return items != nullptr && items->is_array() && !items->empty();
}

// has_gone returns whether what was brought by one answer is missing in a later one.
bool has_gone(const Reply& first, const Reply& again, const Served& served, bool known) {
  const bool brought = has_items(first.result(), served);
  if (again.result() != nullptr) return (brought || known) && !has_items(again.result(), served);
  return brought && again.error() != nullptr;
}

// It is asked for twice: the exercise may have used another process. What is refused both times
// may have been taken away since.
Task<Finding> serves_again(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Client client = probe.client();
  Tally tally;
  for (const Served& served : kServed) {
    std::size_t asked = 0;
    for (const Call* const call : exercise.completed(served.method)) {
      const std::string name = string_or(call->params, served.name, "");
      if (asked == kAgainMax || !call->first || name.empty()) continue;
      ++asked;
      const Json params = call->params;
      const Reply first = co_await client.call(served.method, params);
      const Reply again = co_await client.call(served.method, params);
      tally.saw();
      if (!has_gone(first, again, served, has_items(call->complete(), served))) continue;
      tally.wrong(std::string(served.method) + " of \"" + shortened(name) + "\" brought " +
                      served.member + ", and asked for again it got " +
                      (again.result() == nullptr ? again.describe() : "none: an empty list") +
                      "; hosts such as Claude Desktop and VS Code ask whenever it is attached",
                  again);
    }
  }
  co_return tally.finding("it has served no resource and no prompt");
}

constexpr ServerCheck kAgainChecks[] = {
    {"base.served-again", Eras::kBoth, SessionUse::kShared, serves_again},
};

}  // namespace

ServerChecks again_checks() { return kAgainChecks; }

}  // namespace plumbline::conformance
