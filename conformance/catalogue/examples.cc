#include "conformance/catalogue/examples.h"

#include <algorithm>
#include <vector>

#include "conformance/catalogue/columns.h"
#include "conformance/catalogue/tables.h"

namespace plumbline::conformance {

const Example* example_of(std::string_view id) {
  static const std::vector<Example> kExamples = [] {
    std::vector<Example> examples;
    Columns columns(table_text("examples.tsv"));
    while (columns.next_line()) {
      Example& example = examples.emplace_back();
      for (std::string_view* const column :
           {&example.id, &example.what, &example.sent, &example.got, &example.said}) {
        *column = columns.next();
      }
    }
    return examples;
  }();
  const auto found = std::ranges::find(kExamples, id, &Example::id);
  return found == kExamples.end() ? nullptr : &*found;
}

}  // namespace plumbline::conformance
