// ResponseCache keeps results for as long as the server says that they stay fresh.
//
// Spec 2026-07-28, server/utilities/caching.

#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

#include "core/base/time.h"
#include "core/json/json.h"

namespace plumbline::mcp {

class ResponseCache {
 public:
  // At most `entries_max` results; 0: none.
  explicit ResponseCache(std::size_t entries_max) : entries_max_(entries_max) {}

  // find returns the result of the same request while it is fresh, nullptr otherwise. Valid until
  // the next change.
  const Json* find(const std::string& method, const Json& params, Instant now) const;

  // keep remembers a result that came at `now` and has a positive ttlMs. When there is no room the
  // one that gets stale first goes.
  void keep(const std::string& method, const Json& params, const Json& result, Instant now);

  // hear forgets what a notification of a change makes stale.
  void hear(std::string_view notification, const Json& params);

  // forget drops every result of `method`.
  void forget(const std::string& method) { entries_.erase(method); }

  void clear() { entries_.clear(); }
  std::size_t size() const;

 private:
  struct Entry {
    Json result;
    Instant fresh_until{};
  };

  void make_room();

  std::size_t entries_max_;
  std::map<std::string, std::map<std::string, Entry>> entries_;  // By method and params.
};

}  // namespace plumbline::mcp
