#include "core/mcp/client/response_cache.h"

#include <algorithm>
#include <chrono>

#include "core/base/rare.h"
#include "core/mcp/protocol/methods.h"

namespace plumbline::mcp {

namespace {

// A longer one is as good as this: no session lasts a year.
constexpr std::int64_t kTtlMsMax = 365LL * 24 * 3600 * 1000;

std::string cache_key(const Json& params) {
  if (!params.is_object()) return "{}";
  Json plain = params;
  plain.erase("_meta");
  return dump_json(plain);
}

}  // namespace

const Json* ResponseCache::find(const std::string& method, const Json& params, Instant now) const {
  const auto of_method = entries_.find(method);
  if (of_method == entries_.end() || rare(Rare::kMcpCacheExpired)) return nullptr;
  const auto found = of_method->second.find(cache_key(params));
  if (found == of_method->second.end() || found->second.fresh_until <= now) return nullptr;
  return &found->second.result;
}

void ResponseCache::keep(const std::string& method, const Json& params, const Json& result,
                         Instant now) {
  const std::int64_t ttl_ms = std::min(int_or(result, "ttlMs", 0), kTtlMsMax);
  if (!is_cacheable(method) || ttl_ms <= 0 || entries_max_ == 0) return;
  std::string key = cache_key(params);
  auto& of_method = entries_[method];
  if (of_method.find(key) == of_method.end() && size() >= entries_max_) make_room();
  entries_[method][std::move(key)] = Entry{result, after(now, std::chrono::milliseconds(ttl_ms))};
}

void ResponseCache::make_room() {
  std::map<std::string, Entry>* stalest_of = nullptr;
  std::map<std::string, Entry>::iterator stalest;
  for (auto& [method, of_method] : entries_) {
    for (auto at = of_method.begin(); at != of_method.end(); ++at) {
      if (stalest_of != nullptr && stalest->second.fresh_until <= at->second.fresh_until) continue;
      stalest_of = &of_method;
      stalest = at;
    }
  }
  if (stalest_of != nullptr) stalest_of->erase(stalest);
}

// Spec 2026-07-28, server/utilities/caching (SHOULD: a change notification ends the freshness).
void ResponseCache::hear(std::string_view notification, const Json& params) {
  if (notification == "notifications/tools/list_changed") return forget("tools/list");
  if (notification == "notifications/prompts/list_changed") return forget("prompts/list");
  if (notification == "notifications/resources/list_changed") {
    forget("resources/list");
    return forget("resources/templates/list");
  }
  if (notification != "notifications/resources/updated") return;
  const auto reads = entries_.find("resources/read");
  if (reads == entries_.end()) return;
  // What changed may be a part of what was read.
  const std::string changed = string_or(params, "uri", "");
  std::erase_if(reads->second, [&changed](const auto& item) {
    for (const Json& content : item.second.result.value("contents", Json::array())) {
      if (changed.starts_with(string_or(content, "uri", "\n"))) return true;
    }
    return item.first.find(dump_json(Json(changed))) != std::string::npos;
  });
}

std::size_t ResponseCache::size() const {
  std::size_t count = 0;
  for (const auto& [method, of_method] : entries_) count += of_method.size();
  return count;
}

}  // namespace plumbline::mcp
