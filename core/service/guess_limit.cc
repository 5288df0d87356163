#include "core/service/guess_limit.h"

#include <algorithm>

namespace plumbline::service {

GuessLimit::Peer& GuessLimit::peer_of(const std::string& peer, Instant now) {
  auto found = peers_.find(peer);
  if (found == peers_.end()) {
    if (peers_.size() >= options_.peers_max) {
      peers_.erase(order_.front());
      order_.pop_front();
    }
    order_.push_back(peer);
    found = peers_.emplace(peer, Peer{options_.wrong_max, now, {}}).first;
  }
  Peer& known = found->second;
  const double earned = static_cast<double>((now - known.at).count()) /
                        static_cast<double>(options_.one_more.count());
  known.left = std::min(options_.wrong_max, known.left + earned);
  known.at = now;
  return known;
}

bool GuessLimit::allows(const std::string& peer, const std::string& code, Instant now) {
  const auto found = peers_.find(peer);
  if (found == peers_.end()) return true;
  return found->second.codes.contains(code) || peer_of(peer, now).left >= 1;
}

void GuessLimit::right(const std::string& peer, const std::string& code, Instant now) {
  Peer& known = peer_of(peer, now);
  if (known.codes.size() < options_.codes_max) known.codes.insert(code);
}

void GuessLimit::wrong(const std::string& peer, Instant now) {
  Peer& known = peer_of(peer, now);
  known.left = std::max(0.0, known.left - 1);
}

}  // namespace plumbline::service
