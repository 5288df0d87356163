#include "conformance/checks/server/listings.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/listening.h"
#include "conformance/checks/server/shapes.h"
#include "core/base/wait.h"

namespace plumbline::conformance {

namespace {

constexpr int kComparisonsMax = 4;
constexpr int kChangeTries = 3;
constexpr std::size_t kFormsOfCallMax = 5;  // Of one call.
constexpr Duration kBetweenComparisons = std::chrono::milliseconds(100);

std::vector<std::string> sorted_values(const Listing& listing, std::string_view key) {
  std::vector<std::string> values = values_of(listing, key);
  std::ranges::sort(values);
  return values;
}

std::vector<std::string> without(std::vector<std::string> values,
                                 const std::vector<std::string>& others) {
  std::erase_if(values, [&](const std::string& value) {
    return std::ranges::find(others, value) != others.end();
  });
  return values;
}

// heard_of_change calls the trigger and waits for the notification.
Task<Json> heard_of_change(Client& client, Json trigger, std::string notification) {
  const std::size_t first = frames_of(client);
  const Reply reply = co_await client.request("tools/call", std::move(trigger));
  if (reply.result() == nullptr) co_return Json();
  const Duration patience = client.pace().answer();
  Json notice = co_await await_notice(client, first, std::move(notification), patience);
  co_return std::move(notice);
}

// about_both returns `finding` as one about two replies that do not go together.
Finding about_both(Finding finding, const Reply& one, const Reply& other) {
  finding.about = one.places;
  finding.about.insert(finding.about.end(), other.places.begin(), other.places.end());
  return finding;
}

}  // namespace

// declares_to_plain_clients judges what is declared to a client that declares nothing itself.
Task<Finding> declares_to_plain_clients(Probe& probe, std::string method, std::string capability) {
  if (probe.stateless()) co_return passes();
  Json offered = (co_await probe.exercise(Declared::kNothing))->offered;
  SessionOptions options = probe.usual();
  options.capabilities = Json::object();
  if (!probe.over_http() && (!offered.is_object() || find(offered, capability) != nullptr)) {
    co_return passes();
  }
  Client plain = co_await probe.open(std::move(options));
  const Reply& opening = plain.session().opening();
  const Json* const told =
      opening.result() == nullptr ? nullptr : find(*opening.result(), "capabilities");
  if (told == nullptr || find(*told, capability) != nullptr) co_return passes();
  const Reply reply = co_await plain.request(method);
  if (reply.result() == nullptr) co_return passes();
  co_return about_both(broken("to a client that declares no capabilities it declares no " +
                              capability + ", and answers " + method + " with a result"),
                       opening, reply);
}

Task<Finding> declares_feature(Probe& probe, std::string method, std::string capability) {
  const bool declared = probe.survey().declares("/" + capability);
  Client client = probe.client();
  const Reply reply = co_await client.request(method);
  if (!reply.answered()) co_return undecided("got " + reply.describe() + " to " + method);
  const bool works = reply.result() != nullptr;
  if (declared && works) co_return co_await declares_to_plain_clients(probe, method, capability);
  if (!declared && !works) co_return not_for_it("it has no " + capability);
  Finding finding =
      broken(method + " has a result, and the capability " + capability + " is not declared");
  if (declared) {
    finding = broken("it declares " + capability + ", and answers " + method + " with " +
                     reply.describe());
  }
  co_return about_both(std::move(finding), probe.survey().opening, reply);
}

Finding answers_list(const Listing& listing, std::string_view key) {
  const std::string name(key);
  if (listing.pages.empty()) return not_for_it("it does not declare " + name);
  for (const Reply& page : listing.pages) {
    const Json* const result = page.result();
    const Json* const items = result == nullptr ? nullptr : find(*result, key);
    if (items != nullptr && items->is_array()) continue;
    Finding finding =
        broken("got " + page.describe() + ", expected a result with an array \"" + name + "\"");
    if (result != nullptr) finding.message += " in it";
    return about(std::move(finding), page);
  }
  return passes();
}

// use_all asks for a bit of everything that may be had, what comes of it is of no matter here.
Task<void> use_all(Probe& probe, Client& client) {
  const Survey& survey = probe.survey();
  if (probe.stateless()) co_await client.request("server/discover");
  if (const Json* const tool = probe.callable()) {
    co_await client.request("tools/call", probe.call_params(*tool));
  }
  const std::pair<const Listing*, const char*> named[] = {{&survey.resources, "uri"},
                                                          {&survey.prompts, "name"}};
  for (const auto& [listing, key] : named) {
    if (listing->items.empty()) continue;
    Json params = Json::object();
    params[key] = string_or(listing->items.front(), key, "");
    const char* const method = listing == &survey.prompts ? "prompts/get" : "resources/read";
    co_await client.request(method, std::move(params));
  }
}

Task<Finding> lists_everywhere_the_same(Probe& probe, std::string method, std::string key,
                                        std::string identity) {
  if (!probe.survey().declares("/" + key)) co_return not_for_it("it does not declare " + key);
  SessionOptions apart = probe.usual();
  apart.apart = true;
  Client fresh = co_await probe.open_in_turn("lists alone", apart);
  Client used = probe.client();
  if (!probe.over_stdio()) used = co_await probe.open(apart);
  if (!used.session().usable()) co_return undecided("the subject could not be opened again");
  co_await use_all(probe, used);
  co_await list_all(used.session(), probe.check(), method, key);
  Finding difference;
  // Somebody may change the list meanwhile: only what lasts is a difference.
  for (int round = 0; round < kComparisonsMax; ++round) {
    if (round > 0) fresh = co_await probe.open(apart);
    if (!fresh.session().usable()) co_return undecided("the subject could not be opened again");
    const Listing left = co_await list_all(fresh.session(), probe.check(), method, key);
    const Listing right = co_await list_all(used.session(), probe.check(), method, key);
    if (!left.whole || !right.whole) co_return undecided("a list could not be had in full");
    const std::vector<std::string> here = sorted_values(left, identity);
    const std::vector<std::string> there = sorted_values(right, identity);
    if (here == there) co_return passes();
    difference = about_both(
        broken("a new connection and a used one are shown different lists: " +
               joined(without(here, there)) + " against " + joined(without(there, here))),
        left.pages.back(), right.pages.back());
    co_await Sleep(probe.loop(), after(probe.loop().now(), kBetweenComparisons));
  }
  co_return std::move(difference);
}

namespace {

// was_told returns whether the server has said anywhere that the list of `feature` has changed.
bool was_told(Client& client, const std::string& notification) {
  const std::vector<LogEntry>& entries = client.session().wire().log().entries();
  return std::ranges::any_of(entries, [&](const LogEntry& entry) {
    return entry.sender == Sender::kSubject &&
           string_or(*entry.message, "method", "") == notification;
  });
}

// grew_untold: what is listed now and was not before the tools were called has been added, and who
// listened was told. A change that happens once is over when it is looked for.
Task<Finding> grew_untold(Probe& probe, Client& client, std::string feature) {
  const Survey& survey = probe.survey();
  const Listing& before = feature == "tools"     ? survey.tools
                          : feature == "prompts" ? survey.prompts
                                                 : survey.resources;
  const std::string notification = "notifications/" + feature + "/list_changed";
  const char* const identity = feature == "resources" ? "uri" : "name";
  co_await probe.exercise();
  const Listing now =
      co_await list_all(client.session(), probe.check(), feature + "/list", feature);
  if (!before.whole || !now.whole) co_return passes();
  const std::vector<std::string> more =
      without(values_of(now, identity), values_of(before, identity));
  if (more.empty()) co_return passes();
  co_await client.listen(probe.pace().quiet());
  if (was_told(client, notification)) co_return passes();
  co_return about_both(
      broken(feature + "/list had not " + shortened(joined(more)) +
             " before the tools were called, and has now, and no " + notification + " came"),
      before.pages.back(), now.pages.back());
}

// forms_of returns a call as it is, with other texts, and with each of its switches turned: what is
// off already is not turned off.
std::vector<Json> forms_of(Json params, const Json& tool) {
  std::vector<Json> forms = {params};
  if (Json others = with_other_texts(params, tool); others != params) forms.push_back(others);
  const Json* const properties = properties_of(tool);
  if (properties == nullptr) return forms;
  for (const auto& [name, property] : properties->items()) {
    if (string_or(property, "type", "") != "boolean" || forms.size() == kFormsOfCallMax) continue;
    Json turned = params;
    turned["arguments"][name] = !bool_or(turned["arguments"], name, false);
    forms.push_back(std::move(turned));
  }
  return forms;
}

// finds_a_change calls tools that write until one changes the list of `feature`, which stood still
// before that: whoever listens is told. kSkip: none does.
Task<Finding> finds_a_change(Probe& probe, Client& client, std::string feature, Shows change) {
  const std::string method = feature + "/list";
  const std::string notification = "notifications/" + feature + "/list_changed";
  if (!probe.over_stdio()) {
    Finding grown = co_await grew_untold(probe, client, feature);
    if (grown.verdict != Verdict::kPass) co_return std::move(grown);
  }
  for (const Json& tool : probe.writers()) {
    const Listing first = co_await list_all(client.session(), probe.check(), method, feature);
    const Listing before = co_await list_all(client.session(), probe.check(), method, feature);
    if (!before.whole || first.items != before.items) break;
    const std::size_t from = frames_of(client);
    Reply reply;
    Listing now = before;
    for (const Json& params : forms_of(probe.call_params(tool), tool)) {
      reply = co_await client.request("tools/call", params);
      if (reply.result() == nullptr) break;
      now = co_await list_all(client.session(), probe.check(), method, feature);
      if (now.items != before.items) break;
    }
    if (!now.whole || now.items == before.items) continue;
    const Json notice = co_await await_notice(client, from, notification, probe.pace().answer());
    if (!notice.is_null()) co_return passes();
    co_return about_both(
        broken("a call of " + shortened(string_or(tool, "name", "")) + " changed what " + method +
               " gives, and no " + notification + " came"),
        reply, now.pages.back());
  }
  co_return needs(change);
}

// listens begins to listen for `notification`, if that can be done; else says why not.
Task<std::string> listens(Probe& probe, Client& client, std::string feature, Listening& listening) {
  if (!probe.stateless()) {
    const bool hears = co_await client.can_hear();
    co_return hears ? "" : "it has no stream to say it on";
  }
  Json filter = Json::object();
  filter[feature + "ListChanged"] = true;
  listening = begin_listening(client, std::move(filter));
  const Json acknowledgement = co_await acknowledged(client, listening);
  co_return acknowledgement.is_null() ? "subscriptions/listen is not acknowledged" : "";
}

}  // namespace

Task<Finding> tells_of_a_change(Probe& probe, std::string feature, Shows change) {
  if (!probe.survey().declares("/" + feature + "/listChanged")) {
    co_return not_for_it("it does not declare " + feature + ".listChanged");
  }
  const std::optional<ToolUse> use = co_await probe.tool_that(change);
  if (!use && probe.writers().empty()) co_return needs(change);
  // What has been called already may change nothing any more: a process of its own knows nothing
  // of that.
  Client client = probe.client();
  if (!use && probe.over_stdio()) client = co_await probe.open(probe.usual());
  if (!client.session().usable()) co_return undecided("it could not be opened again");
  const std::string notification = "notifications/" + feature + "/list_changed";
  Listening listening;
  const std::string deaf = co_await listens(probe, client, feature, listening);
  if (!deaf.empty()) co_return probe.stateless() ? undecided(deaf) : not_for_it(deaf);
  if (!use) {
    Finding found = co_await finds_a_change(probe, client, feature, change);
    if (probe.stateless()) co_await stop_listening(client, listening);
    co_return std::move(found);
  }
  Json notice;
  Json back;
  // Where one of two changes is told, the other may have been undone by another session of ours.
  for (int i = 0; i < kChangeTries; ++i) {
    if (i > 0 && notice.is_null() == back.is_null()) break;
    notice = co_await heard_of_change(client, use->params, notification);
    if (!use->sure && notice.is_null()) break;
    back = co_await heard_of_change(client, use->params, notification);
  }
  std::vector<std::size_t> called = client.session().wire().log().judged(client.check());
  if (probe.stateless()) co_await stop_listening(client, listening);
  if (!notice.is_null() && !back.is_null()) co_return passes();
  if (!use->sure)
    co_return not_for_it("\"" + shortened(use->name) + "\" changed the list but once");
  Finding finding =
      broken("no " + notification + " came after the tool " + use->name + " had changed the list");
  finding.about = std::move(called);
  co_return std::move(finding);
}

std::vector<std::string> values_of(const Listing& listing, std::string_view key) {
  std::vector<std::string> values;
  for (const Json& item : listing.items) {
    if (const auto value = find_string(item, key)) values.push_back(*value);
  }
  return values;
}

std::string joined(const std::vector<std::string>& values) {
  std::string text;
  for (const std::string& value : values) text += (text.empty() ? "" : ", ") + value;
  return text.empty() ? "nothing" : text;
}

}  // namespace plumbline::conformance
