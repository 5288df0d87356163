// Location is where a schema stands in its document: one step of the way, and where that begins. So
// ten thousand schemas below one long name do not hold it once each.

#pragma once

#include <cstddef>
#include <deque>
#include <list>
#include <string>
#include <string_view>
#include <utility>

namespace plumbline::schema {

struct Location {
  static constexpr std::size_t kNoIndex = static_cast<std::size_t>(-1);

  const Location* outer = nullptr;  // Null: a document, and `name` is what it is called.
  std::string_view name;            // A keyword or a member, not escaped.
  std::size_t index = kNoIndex;     // In a list.
};

// pointer_to returns the location as a JSON pointer (RFC 6901) behind the name of its document.
std::string pointer_to(const Location& location);

// add_step adds a name, escaped, to a pointer. Behind kQuotedBytesMax it is cut and ends in " ...".
void add_step(std::string& pointer, std::string_view name);

// Locations keeps the steps of all documents of one schema. What it returns lives as long as it.
class Locations {
 public:
  const Location& document(std::string name) {
    return steps_.emplace_back(Location{nullptr, names_.emplace_back(std::move(name))});
  }

  // step and item go one further. `name` must outlive this object.
  const Location& step(const Location& outer, std::string_view name) {
    return steps_.emplace_back(Location{&outer, name});
  }
  const Location& item(const Location& outer, std::size_t index) {
    return steps_.emplace_back(Location{&outer, {}, index});
  }

 private:
  std::deque<Location> steps_;
  std::list<std::string> names_;
};

}  // namespace plumbline::schema
