#include "core/service/chat/registry_catalog.h"

#include <utility>

#include "core/wire/form.h"

namespace plumbline::service {

namespace {

// items_of returns the array of a listing: bare, or a member of an object.
const Json* items_of(const Json& body) {
  if (body.is_array()) return &body;
  for (const char* const key : {"items", "servers"}) {
    const Json* const items = find(body, key);
    if (items != nullptr && items->is_array()) return items;
  }
  return nullptr;
}

Error unusable(const wire::Url& base, const std::string& why) {
  return {ErrorCode::kDisconnected, "the registry at " + base.origin() + ": " + why};
}

}  // namespace

Task<Result<wire::HttpResponse>> RegistryCatalog::get(std::string path) {
  wire::Url to = options_.base;
  while (to.target.ends_with('/')) to.target.pop_back();
  to.target += path;
  wire::HttpRequest request;
  request.method = "GET";
  request.headers.set("Accept", "application/json");
  if (!options_.token.empty()) request.headers.set("Authorization", "Bearer " + options_.token);
  Result<wire::HttpResponse> answer =
      co_await net::fetch(client_, to, std::move(request),
                          after(client_.loop().now(), options_.timeout), options_.body_bytes_max);
  if (!answer.ok()) co_return unusable(options_.base, answer.error().message);
  co_return answer;
}

Result<wire::Url> RegistryCatalog::address_of(const Json& server) const {
  return registry::agent_address(string_or(server, "url", ""), options_.base, options_.allowed);
}

Task<Result<std::vector<Json>>> RegistryCatalog::search(agents::chat::ServerQuery query) {
  wire::Form wanted;
  wanted.add("limit", std::to_string(query.limit));
  wanted.add_filled("query", query.text);
  std::string tags;
  for (const std::string& tag : query.tags) tags += (tags.empty() ? "" : ",") + tag;
  wanted.add_filled("tags", std::move(tags));
  std::string path = "/servers?" + wanted.text();
  const Result<wire::HttpResponse> answer = co_await get(std::move(path));
  if (!answer.ok()) co_return answer.error();
  if (answer.value().status != 200) {
    co_return unusable(options_.base, "status " + std::to_string(answer.value().status));
  }
  const Result<Json> body = parse_json(answer.value().body);
  const Json* const items = body.ok() ? items_of(body.value()) : nullptr;
  if (items == nullptr) co_return unusable(options_.base, "its answer is no list of servers");
  std::vector<Json> out;
  for (const Json& server : *items) {
    const bool usable = find_string(server, "id") && address_of(server).ok();
    if (usable && fits(server, query) && out.size() < query.limit) out.push_back(server);
  }
  co_return out;
}

Task<Result<std::optional<Json>>> RegistryCatalog::find(std::string id) {
  std::string path = "/servers/";
  wire::append_percent_encoded(path, id);
  const Result<wire::HttpResponse> answer = co_await get(std::move(path));
  if (!answer.ok()) co_return answer.error();
  if (answer.value().status == 404) co_return std::optional<Json>();
  if (answer.value().status != 200) {
    co_return unusable(options_.base, "status " + std::to_string(answer.value().status));
  }
  const Result<Json> body = parse_json(answer.value().body);
  if (!body.ok() || string_or(body.value(), "id", "") != id) {
    co_return unusable(options_.base, "its answer is not the server that was asked for");
  }
  const Result<wire::Url> address = address_of(body.value());
  if (!address.ok()) co_return address.error();
  co_return std::optional<Json>(body.value());
}

}  // namespace plumbline::service
