// Resources that are watched: spec, server/resources, Subscriptions.

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/listening.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/resources/resource_changes.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/checks/server/transports/http_ways.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kUpdated = "notifications/resources/updated";
constexpr std::size_t kWatchersMax = 3;

Task<bool> has_result(Client& client, std::string method, Json params) {
  const Reply reply = co_await client.request(std::move(method), std::move(params));
  co_return reply.result() != nullptr;
}

Json watching(const std::string& uri) {
  Json params = Json::object();
  params["uri"] = uri;
  return params;
}

// takes_watchers: of what declares resources.subscribe, a listed resource can be subscribed to, and
// that can be taken back. Where one of them can, the others may have reasons of their own.
Task<Finding> takes_watchers(Probe& probe, Client& client) {
  Finding finding = not_for_it("it lists no resources");
  std::size_t tries = 0;
  for (const Json& resource : probe.survey().resources.items) {
    if (++tries > kWatchersMax) break;
    const Json params = watching(string_or(resource, "uri", ""));
    for (const char* const method : {"resources/subscribe", "resources/unsubscribe"}) {
      const Reply reply = co_await client.request(method, params);
      finding = passes();
      if (reply.result() != nullptr) continue;
      finding = about(broken(std::string(method) + " of a listed resource got " + reply.describe() +
                             ", and resources.subscribe is declared: expected a result"),
                      reply);
      break;
    }
    if (finding.verdict == Verdict::kPass) break;
  }
  co_return std::move(finding);
}

// is_about returns whether an update names `resource`, or something within it.
bool is_about(const Json& notice, const std::string& resource) {
  const Json* const uri = at_pointer(notice, "/params/uri");
  return uri != nullptr && uri->is_string() &&
         uri->get_ref<const std::string&>().starts_with(resource);
}

// stray returns the first update since the frame `first` that is not about `resource`; null: none.
Json stray(Client& client, std::size_t first, const std::string& resource) {
  const std::vector<Frame>& frames = client.session().wire().inbox().frames;
  for (std::size_t at = first; at < frames.size(); ++at) {
    const Json& message = *frames[at].message;
    const bool update = string_or(message, "method", "") == kUpdated;
    if (update && !is_about(message, resource)) return message;
  }
  return nullptr;
}

// is_within returns whether a URI is another one, or stands below it.
bool is_within(std::string_view uri, std::string_view whole) {
  if (whole.empty() || !uri.starts_with(whole)) return false;
  if (uri.size() == whole.size() || whole.ends_with('/')) return true;
  const char next = uri[whole.size()];
  return std::isalnum(static_cast<unsigned char>(next)) == 0 && next != '-' && next != '_';
}

// names_nothing returns whether the URI of an update is neither a resource that is listed, nor
// within one, nor of a template.
bool names_nothing(const Survey& survey, std::string_view uri) {
  const auto is_listed = [uri](const Json& resource) {
    const std::string known = string_or(resource, "uri", "");
    return is_within(uri, known) || (!uri.empty() && is_within(known, uri));
  };
  if (std::ranges::any_of(survey.resources.items, is_listed)) return false;
  return std::ranges::none_of(survey.templates.items, [uri](const Json& one) {
    const std::string whole = string_or(one, "uriTemplate", "");
    return uri.starts_with(whole.substr(0, whole.find('{')));
  });
}

Finding update_of_nothing(std::string_view uri) {
  return broken("an update names \"" + shortened(uri) +
                "\", which was neither subscribed to nor listed: its uri has to be that of the "
                "subscription");
}

// hears_of_call returns whether an update comes when the tool is called.
Task<bool> hears_of_call(Probe& probe, Client& client, Json call) {
  const std::size_t first = frames_of(client);
  co_await has_result(client, "tools/call", std::move(call));
  const Json notice = co_await await_notice(client, first, kUpdated, probe.pace().answer());
  co_return !notice.is_null();
}

// outlasts_another: another client subscribes to the same and unsubscribes; who has subscribed
// before goes on to hear of it. Silence proves nothing unless it ends with a new subscription.
Task<Finding> outlasts_another(Probe& probe, Client& client, Json call, std::string uri) {
  constexpr int kTimes = 2;
  if (!probe.over_http() || client.session().session_id().empty()) co_return passes();
  if (opened_slowly(client)) co_return passes();
  Client other = co_await open_quietly(probe);
  if (!other.session().usable()) co_return passes();
  const Json watched = watching(uri);
  for (int time = 0; time < kTimes; ++time) {
    if (!co_await has_result(other, "resources/subscribe", watched)) co_return passes();
    if (!co_await has_result(other, "resources/unsubscribe", watched)) co_return passes();
    if (co_await hears_of_call(probe, client, call)) co_return passes();
    if (!co_await has_result(client, "resources/subscribe", watched)) co_return passes();
    if (!co_await hears_of_call(probe, client, call)) co_return passes();
  }
  co_return broken("another client subscribed to " + shortened(uri) +
                   " and unsubscribed, and no update came any longer to the one that had "
                   "subscribed before, until it did so again: a subscription is that of its "
                   "session");
}

// early_update says that an update came while nothing was subscribed to. `first` is the resource
// that was subscribed to, and unsubscribed from, before.
Finding early_update(const Json& early, const std::string& first) {
  if (!is_about(early, first)) {
    return showing(broken("an update came before anything was subscribed to"), early);
  }
  return showing(broken("an update of " + shortened(first) +
                        " came while nothing was subscribed to, after resources/unsubscribe"),
                 early);
}

// first_watched is the resource that takes_watchers tries.
std::string first_watched(const Probe& probe) {
  const std::vector<Json>& items = probe.survey().resources.items;
  return items.empty() ? std::string() : string_or(items.front(), "uri", "");
}

Task<Finding> tells_while_watched(Probe& probe, Client& client, ToolUse use) {
  const Duration quiet = probe.pace().quiet();
  std::size_t first = frames_of(client);
  if (!co_await has_result(client, "tools/call", use.params)) {
    co_return undecided("the resource could not be changed");
  }
  const Json early = co_await await_notice(client, first, kUpdated, quiet);
  if (!early.is_null()) co_return early_update(early, first_watched(probe));
  const Json watched = watching(use.resource);
  co_await has_result(client, "resources/subscribe", watched);
  first = frames_of(client);
  co_await has_result(client, "tools/call", use.params);
  const Json notice = co_await await_notice(client, first, kUpdated, probe.pace().answer());
  if (notice.is_null() && !use.sure) co_return not_for_it("no resource could be changed again");
  if (notice.is_null()) co_return broken("no update came of a resource subscribed to");
  co_await client.listen(quiet);
  if (const Json other = stray(client, first, use.resource); !other.is_null()) {
    co_return showing(broken("an update names another resource than the one subscribed to"), other);
  }
  Finding beside = co_await outlasts_another(probe, client, use.params, use.resource);
  co_await has_result(client, "resources/unsubscribe", watched);
  if (beside.verdict != Verdict::kPass) co_return std::move(beside);
  first = frames_of(client);
  co_await has_result(client, "tools/call", use.params);
  const Json late = co_await await_notice(client, first, kUpdated, quiet);
  if (late.is_null()) co_return passes();
  co_return showing(broken("an update came after resources/unsubscribe"), late);
}

// tells_no_more changes the resource once more, to which nobody has subscribed any longer.
Task<Finding> tells_no_more(Probe& probe, Client& client, Json tool, std::string uri) {
  co_await client.listen(probe.pace().quiet());  // What is on its way comes before.
  const Json before = co_await contents_of(client, uri);
  const std::size_t first = frames_of(client);
  if (!co_await changed_by(probe, client, tool, uri, before)) co_return passes();
  const Json late = co_await await_notice(client, first, kUpdated, probe.pace().quiet());
  if (late.is_null() || !is_about(late, uri)) co_return passes();
  co_return showing(broken("an update of " + shortened(uri) + " came after resources/unsubscribe"),
                    late);
}

// tells_of_its_own_changes: what reads otherwise after a tool was called, and did not change before
// that by itself, has changed. Who has subscribed to it hears of that.
Task<Finding> tells_of_its_own_changes(Probe& probe, Client& client, std::string uri) {
  if (co_await changes_by_itself(client, uri)) co_return needs(Shows::kResourceUpdate);
  const Json before = co_await contents_of(client, uri);
  const Json watched = watching(uri);
  if (!co_await has_result(client, "resources/subscribe", watched)) {
    co_return needs(Shows::kResourceUpdate);
  }
  Finding finding = needs(Shows::kResourceUpdate);
  for (const Json& tool : probe.writers()) {
    const std::size_t first = frames_of(client);
    if (!co_await changed_by(probe, client, tool, uri, before)) continue;
    finding = passes();
    const Json notice = co_await await_notice(client, first, kUpdated, probe.pace().answer());
    if (!notice.is_null()) {
      const Json* const told = at_pointer(notice, "/params/uri");
      const auto* const text = told == nullptr ? nullptr : told->get_ptr<const std::string*>();
      if (text != nullptr && names_nothing(probe.survey(), *text)) {
        finding = showing(update_of_nothing(*text), notice);
        break;
      }
      finding = co_await outlasts_another(probe, client, probe.call_params(tool), uri);
      if (finding.verdict != Verdict::kPass) break;
      if (!co_await has_result(client, "resources/unsubscribe", watched)) break;
      finding = co_await tells_no_more(probe, client, tool, uri);
      co_return std::move(finding);
    }
    finding = broken("a call of " + shortened(string_or(tool, "name", "")) + " changed " +
                     shortened(uri) + ", which was subscribed to, and no update came");
    break;
  }
  co_await has_result(client, "resources/unsubscribe", watched);
  co_return std::move(finding);
}

// hears_unasked: who has subscribed to nothing hears of no update, whatever is called.
Task<Finding> hears_unasked(Probe& probe, Client& client) {
  const std::size_t first = frames_of(client);
  std::size_t calls = 0;
  for (const Json& tool : probe.writers()) {
    if (++calls > probe.as_many(kWatchersMax)) break;
    co_await has_result(client, "tools/call", probe.call_params(tool));
  }
  const Json early = co_await await_notice(client, first, kUpdated, 2 * probe.pace().quiet());
  if (early.is_null()) co_return needs(Shows::kResourceUpdate);
  co_return early_update(early, first_watched(probe));
}

Task<Finding> tells_watchers_alone(Probe& probe) {
  if (!probe.survey().declares("/resources/subscribe")) {
    co_return not_for_it("it does not declare resources.subscribe");
  }
  Client client = probe.client();
  Finding taken = co_await takes_watchers(probe, client);
  if (taken.verdict != Verdict::kPass) co_return std::move(taken);
  const std::optional<ToolUse> use = co_await probe.tool_that(Shows::kResourceUpdate);
  if (!use || Survey::item(probe.survey().resources, "uri", use->resource) == nullptr) {
    if (use && names_nothing(probe.survey(), use->resource)) {
      co_return update_of_nothing(use->resource);
    }
    Finding found = needs(Shows::kResourceUpdate);
    if (probe.writers().empty() || !co_await client.can_hear()) co_return std::move(found);
    found = co_await hears_unasked(probe, client);
    std::size_t tries = 0;
    for (const Json& resource : probe.survey().resources.items) {
      if (++tries > kWatchersMax || found.verdict != Verdict::kSkip) break;
      std::string uri = string_or(resource, "uri", "");
      found = co_await tells_of_its_own_changes(probe, client, std::move(uri));
    }
    co_return std::move(found);
  }
  if (!co_await client.can_hear()) co_return not_for_it("it has no stream to say it on");
  Finding told = co_await tells_while_watched(probe, client, *use);
  co_return std::move(told);
}

Task<Finding> takes_no_undeclared_watchers(Probe& probe) {
  if (!probe.survey().declares("/resources")) co_return not_for_it("it has no resources");
  if (probe.survey().declares("/resources/subscribe")) {
    co_return not_for_it("it declares resources.subscribe");
  }
  if (probe.survey().resources.items.empty()) co_return not_for_it("it lists no resources");
  Client client = probe.client();
  Json params = Json::object();
  params["uri"] = string_or(probe.survey().resources.items.front(), "uri", "");
  const Reply reply = co_await client.request("resources/subscribe", params);
  if (reply.result() == nullptr) co_return passes();
  co_await has_result(client, "resources/unsubscribe", params);
  co_return about(broken("resources/subscribe got a result, and resources.subscribe is not "
                         "declared: expected error -32601, or the capability"),
                  reply);
}

constexpr ServerCheck kResourcesWatchedChecks[] = {
    {"resources.subscribe-declared", Eras::kStateful, SessionUse::kAlone,
     takes_no_undeclared_watchers},
    {"resources.updated-after-subscribe", Eras::kStateful, SessionUse::kAlone,
     tells_watchers_alone},
};

}  // namespace

ServerChecks resources_watched_checks() { return kResourcesWatchedChecks; }

}  // namespace plumbline::conformance
