#include "scenarios/record/web_recorder.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/text.h"
#include "core/mcp/protocol/mcp_headers.h"

namespace plumbline::scenarios {

namespace {

constexpr auto kHeadersThatMatter = std::to_array<std::string_view>(
    {"accept", "allow", "authorization", "content-encoding", "content-type", "last-event-id",
     "location", "origin", "retry-after", "upgrade", "user-agent", "www-authenticate"});

// headers_that_matter returns those that say something of MCP, by their names in small letters.
Json headers_that_matter(const wire::HttpHeaders& headers) {
  Json kept = Json::object();
  for (const auto& [name, value] : headers.fields()) {
    const std::string lower = lower_case(name);
    const bool matters = std::ranges::count(kHeadersThatMatter, lower) > 0 ||
                         lower.starts_with("mcp-") || names_secret(lower, NamedAs::kHeader);
    if (matters) kept[lower] = value;
  }
  return kept;
}

// path_of returns the target of a URL, which may be one without a host.
std::string path_of(std::string_view url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string_view::npos) return std::string(url);
  const std::size_t path = url.find('/', scheme + 3);
  return path == std::string_view::npos ? "/" : std::string(url.substr(path));
}

}  // namespace

// client_of returns whose request it is; a new one where nothing says so.
std::int64_t WebRecorder::client_of(const wire::HttpRequest& request) {
  if (const auto session = request.headers.get(transport::kSessionHeader)) {
    std::int64_t& known = by_session_[std::string(*session)];
    if (known == 0) known = ++clients_;
    return known;
  }
  const auto endpoint = by_endpoint_.find(request.target);
  if (endpoint != by_endpoint_.end()) return endpoint->second;
  const Result<Json> message = parse_json(request.body);
  const bool begins = request.method != "POST" ||
                      (message.ok() && string_or(message.value(), "method", "") == "initialize");
  if (begins || without_id_ == 0) without_id_ = ++clients_;
  return without_id_;
}

Json WebRecorder::about(std::int64_t exchange) const {
  Json about = Json::object();
  about["exchange"] = exchange;
  const auto client = client_.find(exchange);
  if (client != client_.end()) about["client"] = client->second;
  return about;
}

std::int64_t WebRecorder::request(const wire::HttpRequest& request, Duration at) {
  const std::int64_t exchange = ++exchanges_;
  client_[exchange] = client_of(request);
  Json what = about(exchange);
  what["request"] = request.method + ' ' + request.target;
  what["headers"] = headers_that_matter(request.headers);
  recorder_.note(std::move(what), at);
  if (!request.body.empty()) said(exchange, Side::kServer, request.body, at);
  return exchange;
}

void WebRecorder::status(std::int64_t exchange, int status, const wire::HttpHeaders& headers,
                         Duration at) {
  if (const auto session = headers.get(transport::kSessionHeader)) {
    by_session_.try_emplace(std::string(*session), client_[exchange]);
  }
  Json what = about(exchange);
  what["status"] = status;
  what["headers"] = headers_that_matter(headers);
  recorder_.note(std::move(what), at);
}

void WebRecorder::said(std::int64_t exchange, Side to, std::string_view text, Duration at,
                       std::string_view event, std::string_view event_id) {
  Json what = about(exchange);
  if (!event.empty() && event != "message") what["event"] = event;
  if (!event_id.empty()) what["event_id"] = event_id;
  if (event == "endpoint") by_endpoint_[path_of(text)] = client_[exchange];
  recorder_.frame(to, text, at, std::move(what));
}

void WebRecorder::end(std::int64_t exchange, const std::string& why, Duration at) {
  Json what = about(exchange);
  what["end"] = name_of(Side::kClient);
  if (!why.empty()) what["why"] = why;
  recorder_.note(std::move(what), at);
  client_.erase(exchange);
}

}  // namespace plumbline::scenarios
