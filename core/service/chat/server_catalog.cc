#include "core/service/chat/server_catalog.h"

#include <algorithm>
#include <set>
#include <utility>

#include "core/base/text.h"

namespace plumbline::service {

bool fits(const Json& server, const agents::chat::ServerQuery& query) {
  const Json* const tags = plumbline::find(server, "tags");
  const bool tagged = std::ranges::all_of(query.tags, [tags](const std::string& tag) {
    return tags != nullptr && std::ranges::find(*tags, Json(tag)) != tags->end();
  });
  if (!tagged || query.text.empty()) return tagged;
  const std::string wanted = lower_case(query.text);
  for (const char* const field : {"id", "name", "description"}) {
    if (lower_case(string_or(server, field, "")).find(wanted) != std::string::npos) return true;
  }
  return false;
}

Task<Result<std::vector<Json>>> ListedServers::search(agents::chat::ServerQuery query) {
  std::vector<Json> out;
  for (const Json& server : servers_) {
    if (out.size() < query.limit && fits(server, query)) out.push_back(server);
  }
  co_return out;
}

Task<Result<std::optional<Json>>> ListedServers::find(std::string id) {
  const auto found = std::ranges::find(
      servers_, id, [](const Json& server) { return string_or(server, "id", ""); });
  co_return found == servers_.end() ? std::optional<Json>() : std::optional<Json>(*found);
}

Task<Result<std::vector<Json>>> JoinedCatalogs::search(agents::chat::ServerQuery query) {
  std::vector<Json> out;
  std::set<std::string> ids;
  std::optional<Error> failed;
  for (ServerCatalog* const one : all_) {
    agents::chat::ServerQuery same = query;
    Result<std::vector<Json>> found = co_await one->search(std::move(same));
    if (!found.ok()) {
      failed = found.error();
      continue;
    }
    for (Json& server : found.value()) {
      const bool is_new = ids.insert(string_or(server, "id", "")).second;
      if (is_new && out.size() < query.limit) out.push_back(std::move(server));
    }
  }
  if (out.empty() && failed) co_return *failed;
  co_return out;
}

Task<Result<std::optional<Json>>> JoinedCatalogs::find(std::string id) {
  std::optional<Error> failed;
  for (ServerCatalog* const one : all_) {
    std::string same = id;
    Result<std::optional<Json>> found = co_await one->find(std::move(same));
    if (found.ok() && found.value()) co_return found;
    if (!found.ok()) failed = found.error();
  }
  if (failed) co_return *failed;
  co_return std::optional<Json>();
}

}  // namespace plumbline::service
