// Where secrets stand in JSON, by the names on the way there.

#pragma once

#include <string_view>

namespace plumbline {

// is_below_credential returns whether what stands at `pointer` ("/result/password", without its
// first slash as well) is a secret by the names on the way there. Below "properties" of a JSON
// schema stands no value.
bool is_below_credential(std::string_view pointer);

}  // namespace plumbline
