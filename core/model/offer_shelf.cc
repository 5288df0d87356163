#include "core/model/offer_shelf.h"

#include <utility>

namespace plumbline::model {

ToolOffers OfferShelf::share(std::vector<ToolOffer> offers) {
  std::erase_if(last_, [](const ToolOffers::Weak& one) { return one.expired(); });
  for (const ToolOffers::Weak& one : last_) {
    const auto held = one.lock();
    if (held && *held == offers) return ToolOffers(held);
  }
  ToolOffers shared(std::move(offers));
  if (last_.size() == kKept) last_.erase(last_.begin());
  last_.push_back(shared.weak());
  return shared;
}

}  // namespace plumbline::model
