#include "conformance/checks/server/input/page_question.h"

#include <algorithm>
#include <utility>

#include "conformance/catalogue/requirement.h"
#include "conformance/checks/server/input/scripted.h"
#include "conformance/peer/upstream.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kAskUser = "elicitation/create";

bool by_url(const Json& params) { return string_or(params, "mode", "") == "url"; }

// questions_in returns the params of what a reply asks by a URL.
std::vector<Json> questions_in(const Reply& reply) {
  std::vector<Json> found;
  const Json* const needed = at_pointer(*reply.message, "/error/data/elicitations");
  if (needed != nullptr && needed->is_array()) found.assign(needed->begin(), needed->end());
  const Json* const asked = at_pointer(*reply.message, "/result/inputRequests");
  if (asked != nullptr && asked->is_object()) {
    for (const auto& [key, request] : asked->items()) {
      const Json* const params = find(request, "params");
      if (params != nullptr && string_or(request, "method", "") == kAskUser)
        found.push_back(*params);
    }
  }
  std::erase_if(found, [](const Json& params) { return !by_url(params); });
  return found;
}

bool leads_there(const Probe& probe, const std::string& url, Leads leads) {
  if (leads == Leads::kAnywhere) return true;
  if (leads == Leads::kHere) return is_at_server(probe, url);
  const Upstream* const behind = probe.behind();
  return behind != nullptr && (behind->is_authorization(url) || is_at_server(probe, url));
}

// asks_by_url returns whether a call was answered by a question that leads to a page: who asks by a
// request of its own goes on by itself.
bool asks_by_url(const Call& call) {
  return call.method == "tools/call" && call.first && !questions_in(call.reply).empty();
}

}  // namespace

Task<PageQuestion> ask_for_page(Probe& probe, Client& client, Leads leads, std::size_t from) {
  PageQuestion question;
  question.unable = kNoPageAsked;
  if (!probe.over_http()) co_return std::move(question);
  const Exercise& all = *co_await probe.exercise();
  for (std::size_t at = from; at < all.calls.size(); ++at) {
    const Call& call = all.calls[at];
    if (!asks_by_url(call)) continue;
    const Reply reply = co_await client.request(call.method, call.params);
    for (const Json& asked : questions_in(reply)) {
      const std::string url = string_or(asked, "url", "");
      if (!leads_there(probe, url, leads)) {
        question.unable = "the page to which it sends its user is elsewhere";
        continue;
      }
      question.unable.clear();
      question.url = url;
      question.next = at + 1;
      question.id = string_or(asked, "elicitationId", "");
      question.retry = call.params;
      if (reply.result() != nullptr) question.retry = retry_of(call.params, *reply.result());
      co_return std::move(question);
    }
  }
  co_return std::move(question);
}

Task<bool> asks_for_pages(Probe& probe) {
  if (!probe.over_http()) co_return false;
  const Exercise& all = *co_await probe.exercise();
  co_return std::ranges::any_of(all.calls, asks_by_url);
}

Task<Turns::Turn> take_pages(Probe& probe) {
  co_await probe.exercise();
  Turns::Turn turn = co_await probe.subject().pages().take();
  co_return std::move(turn);
}

Task<bool> goes_on(Client& client, PageQuestion question) {
  std::string method = "tools/call";
  const Reply reply = co_await client.request(std::move(method), std::move(question.retry));
  co_return succeeded(reply);
}

Task<Opened> open_page(Probe& probe, Browser& browser, std::string address) {
  Opened opened;
  Upstream* const behind = probe.behind();
  Page page;
  page.leads_to = address;
  if (is_at_server(probe, address)) page = co_await browser.open_and_agree(std::move(address));
  if (behind == nullptr || !behind->is_authorization(page.leads_to)) co_return opened;
  opened.third_party = page.leads_to;
  std::string back = behind->agree(page.leads_to);
  if (is_at_server(probe, back)) co_await browser.open_and_agree(std::move(back));
  co_return opened;
}

std::vector<std::string> addresses_in(const Exercise& exercise) {
  std::vector<std::string> addresses;
  for (const ServerAsked* const asked : exercise.asked_by(kAskUser)) {
    if (by_url(asked->params())) addresses.push_back(string_or(asked->params(), "url", ""));
  }
  for (const Call& call : exercise.calls) {
    for (const Json& asked : questions_in(call.reply)) {
      addresses.push_back(string_or(asked, "url", ""));
    }
  }
  return addresses;
}

std::vector<std::string> names_in(const PageQuestion& one, const PageQuestion& again,
                                  const PageQuestion& others) {
  std::vector<std::string> names;
  const wire::Form second = wire::query_of(again.url);
  const wire::Form third = wire::query_of(others.url);
  const wire::Form first = wire::query_of(one.url);
  for (const auto& [name, value] : first.fields()) {
    const bool of_user =
        second.get(name) == value && third.count(name) > 0 && third.get(name) != value;
    if (of_user) names.push_back(name);
  }
  return names;
}

std::string with_names_of(const std::string& others, const std::vector<std::string>& names,
                          const std::string& address) {
  if (names.empty()) return address;
  const wire::Form theirs = wire::query_of(others);
  const wire::Form own = wire::query_of(address);
  wire::Form form;
  for (const auto& [name, value] : own.fields()) {
    const bool of_user = std::ranges::find(names, name) != names.end();
    form.add(name, of_user ? theirs.get(name).value_or("") : value);
  }
  return address.substr(0, address.find('?')) + "?" + form.text();
}

}  // namespace plumbline::conformance
