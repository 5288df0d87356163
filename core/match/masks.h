// Masks is what of an answer may be another value each time, though nothing has changed: times,
// ids, and the places that somebody names.

#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace plumbline::match {

// The kinds of text that differ from run to run wherever they stand.
inline constexpr std::array<std::string_view, 2> kMaskKinds = {"time", "uuid"};

class Masks {
 public:
  // add takes a kind, or a JSON pointer in which * is any one step and ** any number of them. What
  // lies below such a place is masked, too. kInvalidInput: it is neither.
  Status add(const std::string& mask);

  // add_all takes those of another one.
  void add_all(const Masks& others);

  // covers returns whether the value at `place`, a JSON pointer, may be any.
  bool covers(std::string_view place) const;

  // steady returns `text` with what the kinds name in brackets: "[time]".
  std::string steady(std::string_view text) const;

  bool empty() const { return !times_ && !uuids_ && places_.empty(); }

 private:
  bool times_ = false;
  bool uuids_ = false;
  std::vector<std::string> places_;
};

}  // namespace plumbline::match
