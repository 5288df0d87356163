#include "scenarios/auth/browser.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/base/wait.h"
#include "core/wire/form.h"
#include "core/wire/url.h"

namespace plumbline::scenarios {

namespace {

constexpr Duration kPageTimeout = std::chrono::seconds(30);
constexpr std::size_t kPageBytesMax = 100'000;

// changed returns `url` with other values of some fields of its query.
std::string changed(const std::string& url, const wire::Form& changes) {
  wire::Form form;
  const wire::Form before = wire::query_of(url);
  for (const auto& [name, value] : before.fields()) {
    form.add(name, changes.get(name).value_or(value));
  }
  return url.substr(0, url.find('?')) + "?" + form.text();
}

}  // namespace

Browser::Browser(Loop& loop, net::Network& network, const SignInSpec& spec, EventSink& events)
    : loop_(loop), spec_(spec), events_(events), client_(loop, network) {}

void Browser::show(const std::string& url) {
  const Json detail = {{"text", "opens " + url.substr(0, url.find('?'))}};
  events_.on_event(TraceEvent{loop_.now(), EventKind::kNote, "browser", detail});
  const std::size_t last = spec_.person.empty() ? 0 : spec_.person.size() - 1;
  PersonAct act = PersonAct::kConsents;
  if (!obeys_ && !spec_.person.empty()) act = spec_.person[std::min(visits_, last)];
  ++visits_;
  work_.spawn(visit(*this, url, act, obeys_ ? Duration{} : spec_.takes));
}

Task<void> Browser::visit(Browser& self, std::string url, PersonAct act, Duration takes) {
  co_await Sleep(self.loop_, after(self.loop_.now(), takes));
  if (act == PersonAct::kCloses) co_return;
  const std::string person = act == PersonAct::kDenies ? "denies" : "consents";
  std::string back;
  std::string nowhere;
  co_await get(self, std::move(url), person, back);
  if (back.empty()) co_return;
  if (act == PersonAct::kForged) {
    const wire::Form others{{"state", "of-somebody-else"}, {"code", "code-of-somebody-else"}};
    co_await get(self, changed(back, others), person, nowhere);
  }
  if (act == PersonAct::kMixedUp) {
    const wire::Form other{{"iss", "https://auth.elsewhere"}};
    back = changed(back, other);
  }
  co_await get(self, back, person, nowhere);
  if (act == PersonAct::kTwice) co_await get(self, back, person, nowhere);
}

// get fills `location` with where the page leads.
Task<void> Browser::get(Browser& self, std::string url, std::string person, std::string& location) {
  const Result<wire::Url> to = wire::parse_url(url);
  if (!to.ok()) co_return;
  wire::HttpRequest request;
  request.method = "GET";
  request.headers.set("Person", person);
  const Instant deadline = after(self.loop_.now(), kPageTimeout);
  const Result<wire::HttpResponse> page =
      co_await net::fetch(self.client_, to.value(), std::move(request), deadline, kPageBytesMax);
  if (!page.ok()) co_return;
  location = std::string(page.value().headers.get("Location").value_or(""));
}

}  // namespace plumbline::scenarios
