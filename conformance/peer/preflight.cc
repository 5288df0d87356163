#include "conformance/peer/preflight.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/text.h"

namespace plumbline::conformance {

bool names_header(std::string_view list, std::string_view name) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    const std::string_view one = trimmed(list.substr(0, end));
    if (one == "*" || equals_ignoring_case(one, name)) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

bool may_read(const Reply& reply) {
  const std::string origin(reply.headers.get("Access-Control-Allow-Origin").value_or(""));
  return origin == "*" || origin == kInspectorPage;
}

namespace {

constexpr const char* kWho = ": clients in a browser, such as MCP Inspector, cannot connect";

// needed_headers returns what a page has to send beside what it may always send.
std::vector<std::string> needed_headers(const Preflight& page) {
  std::vector<std::string> names = {"content-type"};
  if (page.stateless) names.insert(names.end(), {"mcp-method", "mcp-name"});
  if (page.in_session) names.push_back("mcp-session-id");
  if (page.names_version) names.push_back("mcp-protocol-version");
  return names;
}

std::string comma_list(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ",") + name;
  return all;
}

// lets_in_twice says that an answer has Access-Control-Allow-Origin twice, or two values in it;
// empty: it has not.
std::string lets_in_twice(const Reply& reply) {
  constexpr std::string_view kName = "Access-Control-Allow-Origin";
  const std::string first(reply.headers.get(kName).value_or(""));
  const bool twice = reply.headers.count(kName) > 1 || first.find(',') != std::string::npos;
  if (!twice) return {};
  return "it says Access-Control-Allow-Origin twice in one answer (" + clipped(first) +
         ", ...): browsers let no page read that (Fetch, CORS check), as where a gateway and the "
         "server behind it both say it";
}

wire::HttpRequest options_for(const Preflight& page, const char* method) {
  wire::HttpRequest request;
  request.method = "OPTIONS";
  request.headers = page.always;
  request.headers.erase("Authorization");
  request.headers.set("Origin", kInspectorPage);
  request.headers.set("Access-Control-Request-Method", method);
  request.headers.set("Access-Control-Request-Headers", comma_list(needed_headers(page)));
  return request;
}

// ends_sessions returns whether DELETE is not refused as a method: of a session that there is not.
Task<bool> ends_sessions(Client client, wire::HttpHeaders headers) {
  wire::HttpRequest request;
  request.method = "DELETE";
  request.headers = std::move(headers);
  request.headers.set("Mcp-Session-Id", "plumbline-no-such-session");
  const Reply reply = co_await client.http(std::move(request));
  const bool refused = reply.status == 405 || reply.status == 501 || reply.status == 0;
  co_return !refused;
}

// Without a list of methods GET, HEAD and POST are allowed.
Task<Finding> judge_delete(Client client, Preflight page) {
  wire::HttpHeaders headers = page.always;
  if (!co_await ends_sessions(client, std::move(headers))) co_return passes();
  wire::HttpRequest request = options_for(page, "DELETE");
  const Reply reply = co_await client.http(std::move(request));
  const std::string methods(reply.headers.get("Access-Control-Allow-Methods").value_or(""));
  if (reply.status == 0 || names_header(methods, "DELETE")) co_return passes();
  co_return about(
      broken("pages of other origins may read its answers, it takes DELETE, and their browser, "
             "which asks first by OPTIONS with Access-Control-Request-Method: DELETE, got " +
             (methods.empty() ? std::string("no Access-Control-Allow-Methods")
                              : "an Access-Control-Allow-Methods without DELETE") +
             ": clients in a browser, such as MCP Inspector, cannot end their session"),
      reply);
}

}  // namespace

Task<Finding> judge_preflight(Client client, Preflight page) {
  Json message = client.request_of(std::string(client.harmless_method()), Json::object());
  wire::HttpHeaders of_page;
  of_page.set("Origin", kInspectorPage);
  const Reply plain = co_await client.exchange(std::move(message), std::move(of_page));
  const std::string twice = lets_in_twice(plain);
  if (!twice.empty()) co_return about(risky(twice), plain);
  if (!may_read(plain)) co_return not_for_it("it lets no pages of other origins in");
  const std::vector<std::string> needed = needed_headers(page);
  wire::HttpRequest request = options_for(page, "POST");
  const Reply reply = co_await client.http(std::move(request));
  if (reply.status == 0) co_return undecided("OPTIONS got " + reply.describe());
  const std::string asked =
      "pages of other origins may read its answers, and their browser, which "
      "asks first by OPTIONS with Access-Control-Request-Headers: " +
      comma_list(needed) + ", ";
  if (reply.status / 100 != 2 || !may_read(reply)) {
    co_return about(broken(asked + "got status " + std::to_string(reply.status) +
                           (may_read(reply) ? "" : " without Access-Control-Allow-Origin") + kWho),
                    reply);
  }
  const std::string doubled = lets_in_twice(reply);
  if (!doubled.empty()) co_return about(risky(doubled), reply);
  const std::string allowed(reply.headers.get("Access-Control-Allow-Headers").value_or(""));
  for (const std::string& name : needed) {
    if (names_header(allowed, name)) continue;
    co_return about(broken(asked + "got an Access-Control-Allow-Headers without " + name + kWho),
                    reply);
  }
  if (!page.in_session) co_return passes();
  co_return co_await judge_delete(client, std::move(page));
}

}  // namespace plumbline::conformance
