#include "core/service/router.h"

#include <algorithm>
#include <utility>

#include "core/base/percent.h"

namespace plumbline::service {

namespace {

using Params = std::map<std::string, std::string, std::less<>>;

std::string_view take_segment(std::string_view& path) {
  path.remove_prefix(1);
  const std::string_view segment = path.substr(0, path.find('/'));
  path.remove_prefix(segment.size());
  return segment;
}

std::optional<Params> match(std::string_view pattern, std::string_view path) {
  Params params;
  while (!pattern.empty() && !path.empty()) {
    if (pattern.front() != '/' || path.front() != '/') return std::nullopt;
    const std::string_view wanted = take_segment(pattern);
    const std::string_view given = take_segment(path);
    if (!wanted.starts_with(':')) {
      if (wanted != given) return std::nullopt;
      continue;
    }
    if (given.empty()) return std::nullopt;
    params.emplace(wanted.substr(1), percent_decode(given));
  }
  if (!pattern.empty() || !path.empty()) return std::nullopt;
  return params;
}

bool takes(const Route& route, std::string_view method) {
  return route.method.empty() || route.method == method ||
         (route.method == "GET" && method == "HEAD");
}

}  // namespace

Router::Found Router::find(std::string_view method, std::string_view target) const {
  const std::string_view path = target.substr(0, target.find('?'));
  Found found;
  for (const Route& route : routes_) {
    std::optional<Params> params = match(route.pattern, path);
    if (!params) continue;
    if (route.method.empty()) {
      for (const char* each : {"GET", "POST", "DELETE"}) found.methods.emplace_back(each);
    } else {
      found.methods.push_back(route.method);
    }
    if (found.route != nullptr || !takes(route, method)) continue;
    found.route = &route;
    found.params = *std::move(params);
  }
  return found;
}

std::optional<std::string> query_value(std::string_view target, std::string_view name) {
  const std::size_t mark = target.find('?');
  if (mark == std::string_view::npos) return std::nullopt;
  std::string_view rest = target.substr(mark + 1);
  while (!rest.empty()) {
    const std::string_view pair = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(pair.size() + 1, rest.size()));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    if (percent_decode(pair.substr(0, equals)) != name) continue;
    return percent_decode(pair.substr(std::min(equals + 1, pair.size())));
  }
  return std::nullopt;
}

}  // namespace plumbline::service
