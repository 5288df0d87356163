#include "core/service/guess_limit.h"

#include <algorithm>

namespace plumbline::service {

void GuessLimit::Tries::earn(double most, Duration one_more, Instant now) {
  const double earned =
      static_cast<double>((now - at).count()) / static_cast<double>(one_more.count());
  left = std::min(most, left + earned);
  at = now;
}

GuessLimit::Peer& GuessLimit::peer_of(const std::string& peer, Instant now) {
  auto found = peers_.find(peer);
  if (found == peers_.end()) {
    while (!order_.empty() &&
           (peers_.size() >= options_.peers_max || codes_ >= options_.codes_of_all_max)) {
      const auto oldest = peers_.find(order_.front());
      codes_ -= oldest->second.codes.size();
      peers_.erase(oldest);
      order_.pop_front();
    }
    order_.push_back(peer);
    found = peers_.emplace(peer, Peer{{options_.wrong_max, now}, 0, {}}).first;
  }
  Peer& known = found->second;
  const int doublings = std::min(known.refusals, options_.doublings_max);
  known.tries.earn(options_.wrong_max, options_.one_more * (1 << doublings), now);
  if (known.tries.left >= options_.wrong_max) known.refusals = 0;
  return known;
}

// is_new returns whether a peer has named only a few wrong codes.
bool GuessLimit::is_new(const Peer& peer) const {
  return peer.tries.left >= options_.wrong_max - options_.first_few + 1;
}

bool GuessLimit::allows(const std::string& peer, const std::string& code, Instant now) {
  const auto found = peers_.find(peer);
  if (found == peers_.end() || found->second.codes.contains(code)) return true;
  const Peer& known = peer_of(peer, now);
  all_.earn(options_.wrong_of_all_max, options_.one_more_of_all, now);
  return known.tries.left >= 1 && (is_new(known) || all_.left >= 1);
}

void GuessLimit::right(const std::string& peer, const std::string& code, Instant now) {
  Peer& known = peer_of(peer, now);
  if (known.codes.size() < options_.codes_max && known.codes.insert(code).second) ++codes_;
}

void GuessLimit::wrong(const std::string& peer, Instant now) {
  Peer& known = peer_of(peer, now);
  if (!is_new(known)) all_.left = std::max(0.0, all_.left - 1);
  known.tries.left = std::max(0.0, known.tries.left - 1);
  if (known.tries.left < 1) ++known.refusals;
}

}  // namespace plumbline::service
