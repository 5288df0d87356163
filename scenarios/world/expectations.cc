#include "scenarios/world/expectations.h"
#include "core/base/words/joined_by.h"

#include <algorithm>
#include <utility>

namespace plumbline::scenarios {

namespace {

class Judge {
 public:
  Judge(const Expect& expect, const Observed& observed) : expect_(expect), seen_(observed) {}

  std::vector<RunFailure> failures() {
    check_outcome();
    check_route();
    check_effects();
    check_texts();
    check_counts();
    check_time();
    return std::move(failures_);
  }

 private:
  void fail(std::string_view key, const std::string& saw, const std::string& expected) {
    failures_.push_back(RunFailure{"expect." + std::string(key), saw + ", expected " + expected});
  }

  template <typename T>
  void same(std::string_view key, const std::optional<T>& expected, const T& saw) {
    if (expected && *expected != saw) fail(key, show(saw), show(*expected));
  }

  static std::string show(const std::string& text) { return '"' + text + '"'; }
  static std::string show(std::int64_t number) { return std::to_string(number); }
  static std::string show(const Json& value) { return dump_json(value); }
  static std::string show(const Count& count) {
    return (count.at_most ? "at most " : "") + std::to_string(count.number);
  }

  // at returns the string at `pointer` of the state, empty when there is none.
  std::string at(std::string_view pointer) const {
    const Json* const value = at_pointer(seen_.state, pointer);
    const auto* const text = value ? value->get_ptr<const std::string*>() : nullptr;
    return text ? *text : std::string();
  }

  void check_outcome() {
    if (expect_.status) same("status", expect_.status, at("/final_output/status"));
    if (expect_.intent) same("intent", expect_.intent, at("/intent"));
    if (expect_.selected) {
      const std::string server = at("/final_output/selected_capability/server");
      const std::string name = at("/final_output/selected_capability/name");
      same("selected", expect_.selected, server.empty() ? server : server + '/' + name);
    }
    if (expect_.context) same("context", expect_.context, at("/context_update/kind"));
    if (expect_.arguments) {
      const Json* const sent = at_pointer(seen_.state, "/mcp_request/params/arguments");
      same("arguments", expect_.arguments, sent ? *sent : Json());
    }
    if (expect_.item_count) {
      const Json* const count = at_pointer(seen_.state, "/context_update/item_count");
      same("item_count", expect_.item_count, count ? as_int(*count).value_or(-1) : 0);
    }
  }

  void check_route() {
    if (expect_.route && *expect_.route != seen_.route) {
      fail("route", joined_by(" -> ", seen_.route), joined_by(" -> ", *expect_.route));
    }
    auto from = seen_.route.begin();
    for (const std::string& node : expect_.route_contains) {
      from = std::find(from, seen_.route.end(), node);
      if (from == seen_.route.end()) {
        return fail("route_contains", joined_by(" -> ", seen_.route), "to pass " + node);
      }
      ++from;
    }
  }

  void check_effects() {
    if (expect_.effects && *expect_.effects != seen_.ledger.total()) {
      std::string saw = std::to_string(seen_.ledger.total());
      for (const fakes::Effect& effect : seen_.ledger.effects()) {
        saw += ' ' + effect.server + '/' + effect.tool + " x" + std::to_string(effect.count);
      }
      fail("effects", saw, show(*expect_.effects));
    }
    for (const auto& [label, expected] : expect_.effects_of) {
      std::int64_t count = 0;
      for (const fakes::Effect& effect : seen_.ledger.effects()) {
        if (effect.server + '/' + effect.tool == label) count += effect.count;
      }
      if (count != expected) fail("effects", label + ' ' + show(count), show(expected));
    }
  }

  void contains(std::string_view key, std::string_view pointer, const std::string& part,
                bool expected) {
    const std::string text = at(pointer);
    if ((text.find(part) != std::string::npos) == expected) return;
    fail(key, show(text), (expected ? "it to contain " : "it not to contain ") + show(part));
  }

  void check_texts() {
    for (const std::string& part : expect_.response_contains) {
      contains("response_contains", "/final_output/response", part, true);
    }
    for (const std::string& part : expect_.response_lacks) {
      contains("response_lacks", "/final_output/response", part, false);
    }
    if (expect_.fallback_contains) {
      contains("fallback_contains", "/fallback_reason", *expect_.fallback_contains, true);
    }
    check_errors();
  }

  void check_errors() {
    static const Json kNone = Json::array();
    const Json* const list = find(seen_.state, "errors");
    const Json& errors = list ? *list : kNone;
    for (const std::string& part : expect_.errors_contain) {
      const bool found = std::any_of(errors.begin(), errors.end(), [&](const Json& error) {
        const auto* const text = error.get_ptr<const std::string*>();
        return text != nullptr && text->find(part) != std::string::npos;
      });
      if (!found) fail("errors_contain", dump_json(errors), "one to contain " + show(part));
    }
    const auto count = static_cast<std::int64_t>(errors.size());
    if (expect_.errors && *expect_.errors != count) {
      fail("errors", show(count) + ' ' + dump_json(errors), show(*expect_.errors));
    }
  }

  void check_counts() {
    for (const auto& [method, expected] : expect_.requests) {
      const std::int64_t sent = seen_.tally.requests(method);
      if (!expected.allows(sent)) fail("requests", method + ' ' + show(sent), show(expected));
    }
    for (const auto& [server, expected] : expect_.starts) {
      const auto found = seen_.starts.find(server);
      const std::int64_t count = found == seen_.starts.end() ? 0 : found->second;
      if (!expected.allows(count)) fail("starts", server + ' ' + show(count), show(expected));
    }
    for (const auto& [label, expected] : expect_.exchanges) {
      const auto found = seen_.exchanges.find(label);
      const std::int64_t count = found == seen_.exchanges.end() ? 0 : found->second;
      if (!expected.allows(count)) fail("exchanges", label + ' ' + show(count), show(expected));
    }
    if (expect_.commands_run && *expect_.commands_run != seen_.commands_run) {
      fail("commands_run", show(seen_.commands_run) + " commands ran", show(*expect_.commands_run));
    }
    same("approvals_asked", expect_.approvals_asked,
         seen_.approvals_asked.value_or(seen_.tally.approvals_asked()));
  }

  void check_time() {
    if (!seen_.answered_after) return;
    const Duration took = *seen_.answered_after;
    const auto ms = [](Duration span) { return std::to_string(milliseconds_of(span)) + " ms"; };
    if (expect_.virtual_max && took > *expect_.virtual_max) {
      fail("virtual_ms_max", "answered after " + ms(took), "at most " + ms(*expect_.virtual_max));
    }
    if (expect_.virtual_min && took < *expect_.virtual_min) {
      fail("virtual_ms_min", "answered after " + ms(took), "at least " + ms(*expect_.virtual_min));
    }
  }

  const Expect& expect_;
  const Observed& seen_;
  std::vector<RunFailure> failures_;
};

}  // namespace

void Tally::on_event(const TraceEvent& event) {
  if (event.kind == EventKind::kApproval) ++approvals_asked_;
  if (event.kind == EventKind::kFault) ++faults_[string_or(event.detail, "fault", "")];
  if (event.kind != EventKind::kMessageSent || find(event.detail, "id") == nullptr) return;
  const Json* const method = find(event.detail, "method");
  const auto* const name = method ? method->get_ptr<const std::string*>() : nullptr;
  if (name != nullptr) ++requests_[*name];
}

std::int64_t Tally::requests(std::string_view method) const {
  const auto found = requests_.find(method);
  return found == requests_.end() ? 0 : found->second;
}

std::vector<RunFailure> check_expectations(const Expect& expect, const Observed& observed) {
  return Judge(expect, observed).failures();
}

std::vector<RunFailure> check_answer(const Expect& expect, std::size_t request,
                                     const Observed& observed) {
  if (request >= expect.each.size()) return {};
  std::vector<RunFailure> failures = check_expectations(expect.each[request], observed);
  for (RunFailure& failure : failures) {
    failure.message = "request " + std::to_string(request + 1) + ": " + failure.message;
  }
  return failures;
}

}  // namespace plumbline::scenarios
