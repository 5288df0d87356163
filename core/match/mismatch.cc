#include "core/match/mismatch.h"

#include "core/base/text.h"

namespace plumbline::match {

std::string shown(const Json& value) {
  constexpr std::size_t kBytesMax = 160;
  return clipped(dump_json(value), kBytesMax);
}

Place Place::below(std::string_view step) const {
  const std::string token = pointer_token(step);
  return {shown + '/' + token, masked + '/' + token};
}

}  // namespace plumbline::match
