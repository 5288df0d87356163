// Sentences are a table that has one for each of some rules: "id<TAB>sentence", below a heading.

#pragma once

#include <map>
#include <string_view>

#include "conformance/catalogue/columns.h"
#include "conformance/catalogue/tables.h"

namespace plumbline::conformance {

class Sentences {
 public:
  explicit Sentences(std::string_view table) {
    Columns columns(table_text(table));
    while (columns.next_line()) {
      const std::string_view rule = columns.next();
      all_[rule] = columns.next();
    }
  }

  // of returns that of rule `id`; empty: there is none.
  std::string_view of(std::string_view id) const {
    const auto found = all_.find(id);
    return found == all_.end() ? std::string_view() : found->second;
  }

 private:
  std::map<std::string_view, std::string_view> all_;
};

}  // namespace plumbline::conformance
