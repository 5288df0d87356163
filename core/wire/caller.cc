#include "core/wire/caller.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/base/text.h"

namespace plumbline::wire {

namespace {

constexpr std::size_t kAddressBytesMax = 45;  // Of an IPv6 address with an IPv4 one in it.

// groups_of returns the groups of a part of an IPv6 address, such as "2001:db8".
std::vector<std::string> groups_of(std::string_view part) {
  std::vector<std::string> groups;
  while (!part.empty()) {
    const std::size_t colon = std::min(part.find(':'), part.size());
    const std::string_view digits = part.substr(0, colon);
    const std::size_t zeros = std::min(digits.find_first_not_of('0'), digits.size());
    groups.push_back(zeros == digits.size() ? "0" : lower_case(digits.substr(zeros)));
    part.remove_prefix(std::min(colon + 1, part.size()));
  }
  return groups;
}

}  // namespace

std::string network_of(std::string_view address) {
  constexpr std::size_t kGroups = 8;
  constexpr std::size_t kKept = 4;
  if (address.find(':') == std::string_view::npos) return std::string(address);
  const std::size_t dotted = address.rfind(':') + 1;
  if (address.find('.', dotted) != std::string_view::npos) {  // "::ffff:192.0.2.7".
    return std::string(address.substr(dotted));
  }
  address = address.substr(0, address.find('%'));  // Behind it stands an interface.
  const std::size_t gap = address.find("::");
  std::vector<std::string> groups = groups_of(address.substr(0, gap));
  if (gap != std::string_view::npos) {
    const std::vector<std::string> rest = groups_of(address.substr(gap + 2));
    const std::size_t known = std::min(groups.size() + rest.size(), kGroups);
    groups.insert(groups.end(), kGroups - known, "0");
    groups.insert(groups.end(), rest.begin(), rest.end());
  }
  std::string out;
  for (std::size_t i = 0; i < kKept; ++i) out += (i < groups.size() ? groups[i] : "0") + ":";
  return out + ":/64";
}

std::string guest_of(const std::string& principal, std::string_view address) {
  return principal.empty() ? network_of(address) : "principal " + principal;
}

// Whoever calls can write what stands before the last proxy's word.
std::string caller_of(std::string peer, const HttpHeaders& headers,
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

}  // namespace plumbline::wire
