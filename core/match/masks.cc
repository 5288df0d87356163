#include "core/match/masks.h"

#include <algorithm>

#include <re2/re2.h>

#include "core/base/words/nearest_word.h"

namespace plumbline::match {

namespace {

// An instant as RFC 3339 and ISO 8601 write it, and a time of day to the second.
constexpr const char* kTime =
    R"(\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?( ?(Z|[+-]\d{2}:?\d{2}))?)"
    R"(|\b\d{1,2}:\d{2}:\d{2}( ?[AaPp][Mm])?\b)";
constexpr const char* kUuid =
    R"((?i)\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b)";

std::string_view next_step(std::string_view pointer) {
  return pointer.substr(0, std::min(pointer.find('/', 1), pointer.size()));
}

// lies_at returns whether `pattern` is `place` or lies above it.
bool lies_at(std::string_view pattern, std::string_view place) {
  while (!pattern.empty()) {
    const std::string_view wanted = next_step(pattern);
    const std::string_view rest = pattern.substr(wanted.size());
    if (wanted == "/**") {
      for (;; place.remove_prefix(next_step(place).size())) {
        if (lies_at(rest, place)) return true;
        if (place.empty()) return false;
      }
    }
    if (place.empty()) return false;
    const std::string_view step = next_step(place);
    if (wanted != "/*" && wanted != step) return false;
    pattern = rest;
    place.remove_prefix(step.size());
  }
  return true;
}

}  // namespace

Status Masks::add(const std::string& mask) {
  if (mask == kMaskKinds[0]) {
    times_ = true;
  } else if (mask == kMaskKinds[1]) {
    uuids_ = true;
  } else if (mask.starts_with('/')) {
    if (std::ranges::count(mask, '*') > 8) {
      return Error{ErrorCode::kInvalidInput, "a mask of more than 8 *"};
    }
    places_.push_back(mask);
  } else {
    const std::array<std::string, 2> kinds = {"time", "uuid"};
    return Error{ErrorCode::kInvalidInput,
                 "\"" + mask +
                     "\" is no mask, expected \"time\", \"uuid\" or a JSON pointer such "
                     "as \"/structuredContent/id\"" +
                     meant(mask, kinds)};
  }
  return Done{};
}

void Masks::add_all(const Masks& others) {
  times_ = times_ || others.times_;
  uuids_ = uuids_ || others.uuids_;
  places_.insert(places_.end(), others.places_.begin(), others.places_.end());
}

bool Masks::covers(std::string_view place) const {
  return std::ranges::any_of(places_,
                             [&](const std::string& pattern) { return lies_at(pattern, place); });
}

std::string Masks::steady(std::string_view text) const {
  static const RE2 times(kTime);
  static const RE2 uuids(kUuid);
  std::string out(text);
  if (times_) RE2::GlobalReplace(&out, times, "[time]");
  if (uuids_) RE2::GlobalReplace(&out, uuids, "[uuid]");
  return out;
}

}  // namespace plumbline::match
