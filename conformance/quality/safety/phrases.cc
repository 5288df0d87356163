#include "conformance/quality/safety/phrases.h"

#include "conformance/catalogue/columns.h"
#include "conformance/catalogue/tables.h"

namespace plumbline::conformance {

const Phrases& Phrases::all() {
  static const Phrases phrases;
  return phrases;
}

Phrases::Phrases() {
  for (const std::string_view table : {"signs.tsv", "concepts.tsv", "deeds.tsv"}) {
    if (table == "concepts.tsv") first_concept_ = static_cast<int>(list_.size());
    if (table == "deeds.tsv") first_deed_ = static_cast<int>(list_.size());
    Columns columns(table_text(table));
    while (columns.next_line()) {
      Phrase& phrase = list_.emplace_back();
      phrase.name = columns.next();
      phrase.language = columns.next();
      phrase.pattern = columns.next();
    }
  }
  std::vector<std::string_view> patterns;
  for (const Phrase& phrase : list_) patterns.push_back(phrase.pattern);
  patterns_.emplace(patterns);
}

}  // namespace plumbline::conformance
