#include "core/schema/location.h"

#include <vector>

#include "core/base/text.h"
#include "core/json/json.h"

namespace plumbline::schema {

std::string pointer_to(const Location& location) {
  std::vector<const Location*> way;
  for (const Location* at = &location; at != nullptr; at = at->outer) way.push_back(at);
  std::string pointer(way.back()->name);
  for (auto at = way.rbegin() + 1; at != way.rend(); ++at) {
    if ((*at)->index == Location::kNoIndex) {
      add_step(pointer, (*at)->name);
    } else {
      add_step(pointer, std::to_string((*at)->index));
    }
  }
  return pointer;
}

void add_step(std::string& pointer, std::string_view name) {
  if (pointer.size() > kQuotedBytesMax) return;
  pointer += "/" + pointer_token(beginning(name, kQuotedBytesMax));
  if (pointer.size() <= kQuotedBytesMax) return;
  pointer = std::string(beginning(pointer, kQuotedBytesMax)) + " ...";
}

}  // namespace plumbline::schema
