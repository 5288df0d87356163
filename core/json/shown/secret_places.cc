#include "core/json/shown/secret_places.h"

#include <algorithm>

#include "core/json/redactor.h"

namespace plumbline {

bool is_below_credential(std::string_view pointer) {
  bool is_property = false;  // Of a schema: its name is no value's.
  for (std::size_t start = 0; start <= pointer.size();) {
    const std::size_t end = std::min(pointer.find('/', start), pointer.size());
    const std::string_view step = pointer.substr(start, end - start);
    if (!is_property && names_credential(step)) return true;
    is_property = !is_property && step == "properties";
    start = end + 1;
  }
  return false;
}

}  // namespace plumbline
