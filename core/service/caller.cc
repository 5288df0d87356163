#include "core/service/caller.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/base/text.h"

namespace plumbline::service {

namespace {

constexpr std::size_t kAddressBytesMax = 45;  // Of an IPv6 address with an IPv4 one in it.

}  // namespace

// Whoever calls can write what stands before the last proxy's word.
std::string caller_of(std::string peer, const wire::HttpHeaders& headers,
                      const std::vector<std::string>& proxies) {
  std::string chain;
  for (const auto& [name, value] : headers.fields()) {
    if (equals_ignoring_case(name, "X-Forwarded-For")) chain += "," + value;
  }
  while (!chain.empty() && std::ranges::find(proxies, peer) != proxies.end()) {
    const std::size_t comma = chain.rfind(',');
    std::string before(trimmed(std::string_view(chain).substr(comma + 1)));
    chain.erase(comma);
    if (before.empty() || before.size() > kAddressBytesMax) break;
    peer = std::move(before);
  }
  return peer;
}

}  // namespace plumbline::service
