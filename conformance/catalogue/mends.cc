#include "conformance/catalogue/mends.h"

#include "conformance/catalogue/sentences.h"

namespace plumbline::conformance {

std::string_view mend_of(std::string_view id) {
  static const Sentences kMends("mends.tsv");
  return kMends.of(id);
}

}  // namespace plumbline::conformance
