// The full check of tool arguments: the whole of JSON Schema, not only `required`.

#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/json/json.h"
#include "core/schema/schema.h"

namespace plumbline::reference {

// ArgumentCheck judges arguments and keeps each schema that it has compiled, by its text.
class ArgumentCheck {
 public:
  // judge returns what is wrong with `arguments`, nothing when nothing is. Arguments of a tool
  // whose inputSchema cannot be compiled are always wrong.
  //
  // Spec 2025-11-25, server/tools, Security Considerations (servers MUST validate all tool inputs).
  std::optional<std::string> judge(const Json& input_schema, const Json& arguments);

 private:
  std::map<std::string, schema::Schema> compiled_;
};

}  // namespace plumbline::reference
