#include "conformance/catalogue/examples.h"

#include <algorithm>
#include <vector>

#include "conformance/catalogue/columns.h"
#include "conformance/catalogue/tables.h"
#include "core/json/json.h"

namespace plumbline::conformance {

const Example* example_of(std::string_view id) {
  static const std::vector<Example> kExamples = [] {
    std::vector<Example> examples;
    Columns columns(table_text("examples.tsv"));
    while (columns.next_line()) {
      Example& example = examples.emplace_back();
      for (std::string_view* const column :
           {&example.id, &example.what, &example.sent, &example.got, &example.said, &example.mend,
            &example.of}) {
        *column = columns.next();
      }
    }
    return examples;
  }();
  const auto found = std::ranges::find(kExamples, id, &Example::id);
  return found == kExamples.end() ? nullptr : &*found;
}

std::string mend_in_words(const Example& example) {
  const Result<Json> changes = parse_json(example.mend);
  if (!changes.ok() || !changes.value().is_array()) return {};
  std::string text;
  for (const Json& change : changes.value()) {
    const std::string op = string_or(change, "op", "");
    text += (text.empty() ? "" : "; ") + op + " " + string_or(change, "path", "");
    const Json* const value = find(change, "value");
    if (value == nullptr) continue;
    text += (op == "replace" ? " by " : " ") + dump_json(*value);
  }
  return text.empty() || example.of.empty() ? text : text + " (of " + std::string(example.of) + ")";
}

}  // namespace plumbline::conformance
