#include "conformance/catalogue/reasons.h"

#include "conformance/catalogue/sentences.h"

namespace plumbline::conformance {

std::string_view why_it_matters(std::string_view id) {
  static const Sentences kReasons("reasons.tsv");
  return kReasons.of(id);
}

}  // namespace plumbline::conformance
