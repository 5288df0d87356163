#include "core/base/secrets/secret_finder.h"

#include <algorithm>

namespace plumbline {

SecretFinder::SecretFinder(const std::vector<std::string>& secrets) {
  for (const std::string& secret : secrets) insert(secret);
  link();
}

std::uint32_t SecretFinder::child(std::uint32_t node, unsigned char c) const {
  const auto& next = nodes_[node].next;
  const auto found =
      std::ranges::lower_bound(next, c, {}, [](const auto& edge) { return edge.first; });
  return found == next.end() || found->first != c ? 0 : found->second;
}

std::uint32_t SecretFinder::step(std::uint32_t node, unsigned char c) const {
  for (;;) {
    if (const std::uint32_t next = child(node, c); next != 0) return next;
    if (node == 0) return 0;
    node = nodes_[node].shorter;
  }
}

void SecretFinder::insert(std::string_view secret) {
  std::uint32_t node = 0;
  begins_[static_cast<unsigned char>(secret.front())] = true;
  for (const char byte : secret) {
    const auto c = static_cast<unsigned char>(byte);
    std::uint32_t next = child(node, c);
    if (next == 0) {
      next = static_cast<std::uint32_t>(nodes_.size());
      auto& edges = nodes_[node].next;
      edges.emplace(std::ranges::lower_bound(edges, std::pair(c, next)), c, next);
      nodes_.emplace_back();
    }
    node = next;
  }
  nodes_[node].found_bytes = secret.size();
}

// link goes by length, so that what a node ends in is linked before it.
void SecretFinder::link() {
  std::vector<std::uint32_t> order = {0};
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t from = order[i];
    for (const auto& [c, to] : nodes_[from].next) {
      order.push_back(to);
      Node& node = nodes_[to];
      if (from != 0) node.shorter = step(nodes_[from].shorter, c);
      node.found_bytes = std::max(node.found_bytes, nodes_[node.shorter].found_bytes);
    }
  }
}

std::vector<Span> SecretFinder::find(std::string_view text) const {
  std::vector<Span> spans;
  if (nodes_.size() == 1) return spans;
  std::uint32_t node = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (node == 0) {
      while (i < text.size() && !begins_[static_cast<unsigned char>(text[i])]) ++i;
      if (i == text.size()) break;
    }
    node = step(node, static_cast<unsigned char>(text[i]));
    if (nodes_[node].found_bytes == 0) continue;
    Span span{i + 1 - nodes_[node].found_bytes, i + 1};
    while (!spans.empty() && spans.back().end > span.begin) {
      span.begin = std::min(span.begin, spans.back().begin);
      spans.pop_back();
    }
    spans.push_back(span);
  }
  return spans;
}

}  // namespace plumbline
