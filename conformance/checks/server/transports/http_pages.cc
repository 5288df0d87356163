// Pages of other origins: what their browser asks before it lets them send anything (Fetch,
// section 3.2.2).

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue/revisions.h"
#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/probe.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kPage = "http://localhost:6274";  // Where MCP Inspector is.

// needed_headers returns what a page has to send beside what it may always send.
std::vector<std::string> needed_headers(const Probe& probe) {
  std::vector<std::string> names = {"content-type"};
  if (probe.stateless()) {
    names.insert(names.end(), {"mcp-method", "mcp-name"});
  } else if (probe.survey().opening.headers.get("Mcp-Session-Id")) {
    names.push_back("mcp-session-id");
  }
  if (has_version_header(probe.revision()) || probe.stateless()) {
    names.push_back("mcp-protocol-version");
  }
  return names;
}

std::string comma_list(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ",") + name;
  return all;
}

// names_header returns whether a list of names in a header has `name`, or stands for all.
bool names_header(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    const std::string_view one = trimmed(list.substr(0, end));
    if (one == "*" || equals_ignoring_case(one, name)) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

// may_read returns whether an answer may be read by the page.
bool may_read(const Reply& reply) {
  const std::string origin(reply.headers.get("Access-Control-Allow-Origin").value_or(""));
  return origin == "*" || origin == kPage;
}

Task<Finding> answers_before_pages_ask(Probe& probe) {
  Client client = probe.client();
  Json message = client.request_of(std::string(client.harmless_method()), Json::object());
  wire::HttpHeaders of_page;
  of_page.set("Origin", kPage);
  const Reply plain = co_await client.exchange(std::move(message), std::move(of_page));
  if (!may_read(plain)) co_return not_for_it("it lets no pages of other origins in");
  const std::vector<std::string> needed = needed_headers(probe);
  wire::HttpRequest request;
  request.method = "OPTIONS";
  request.headers = probe.user_headers();
  request.headers.set("Origin", kPage);
  request.headers.set("Access-Control-Request-Method", "POST");
  request.headers.set("Access-Control-Request-Headers", comma_list(needed));
  const Reply reply = co_await client.http(std::move(request));
  if (reply.status == 0) co_return undecided("OPTIONS got " + reply.describe());
  const std::string asked =
      "pages of other origins may read its answers, and their browser, which "
      "asks first by OPTIONS with Access-Control-Request-Headers: " +
      comma_list(needed) + ", ";
  constexpr const char* kWho = ": clients in a browser, such as MCP Inspector, cannot connect";
  if (reply.status / 100 != 2 || !may_read(reply)) {
    co_return about(broken(asked + "got status " + std::to_string(reply.status) +
                           (may_read(reply) ? "" : " without Access-Control-Allow-Origin") + kWho),
                    reply);
  }
  const std::string allowed(reply.headers.get("Access-Control-Allow-Headers").value_or(""));
  for (const std::string& name : needed) {
    if (names_header(allowed, name)) continue;
    co_return about(broken(asked + "got an Access-Control-Allow-Headers without " + name + kWho),
                    reply);
  }
  co_return passes();
}

constexpr ServerCheck kHttpPagesChecks[] = {
    {"http.preflight-answered", Eras::kBoth, SessionUse::kShared, answers_before_pages_ask},
};

}  // namespace

ServerChecks http_pages_checks() { return kHttpPagesChecks; }

}  // namespace plumbline::conformance
