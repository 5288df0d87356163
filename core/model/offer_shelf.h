// OfferShelf has conversations that are offered the same tools hold them once.

#pragma once

#include <memory>
#include <vector>

#include "core/model/model.h"

namespace plumbline::model {

class OfferShelf {
 public:
  // share returns `offers`, held together with those of an earlier call that are equal, if somebody
  // still has them and they are among the last kKept.
  ToolOffers share(std::vector<ToolOffer> offers);

 private:
  static constexpr std::size_t kKept = 16;

  std::vector<ToolOffers::Weak> last_;
};

}  // namespace plumbline::model
