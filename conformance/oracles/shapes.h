// Shapes is what messages of one revision look like, from shapes/shapes.json. The published schemas
// say the same; the table is in our own words and holds all revisions in one, so that a difference
// between two of them can be seen.
//
// A shape is a text or an object or a list:
//   "string", "integer", "number", "boolean", "object", "null", "any"
//   "count"      a whole number from 0 on      "fraction"  a number from 0 to 1
//   "'text'"     this text alone               "#type"     the type of that name
//   "a|b"        one of both                   "a[]"       a list of them
//   "{a}"        an object whose values are of shape a
//   [a, b]       one of the shapes; {"@2025-03-26": a} stands for a in the revisions it names
//   {"member": a, "needed!": b, "&": "#type"}  an object: "!" for what has to be there, "&" for
//                what it also has to be. Members that are not named may be there.
// A key may end in "@2025-06-18" (since), "@..2025-11-25" (until) or "@2025-06-18..2025-11-25".

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "conformance/wire/measured.h"
#include "core/json/json.h"
#include "core/schema/schema.h"

namespace plumbline::conformance {

class Shapes {
 public:
  // of returns the shapes of a revision of kRevisions.
  static const Shapes& of(std::string_view revision);

  // knows returns whether there is a shape `name`: "request tools/list" (params), "result
  // tools/list", "notification notifications/progress" (params), "error", "error -32042" (data),
  // "type input-required".
  bool knows(const std::string& name) const;

  // misfit says in what `value` is not of that shape; nothing when it is, or there is no such
  // shape, or nobody can tell.
  std::optional<std::string> misfit(const std::string& name, const Json& value,
                                    Measured& measured) const;

  // needs_params returns whether the params of shape `name` may not be left out.
  bool needs_params(const std::string& name) const;

 private:
  Shapes(Json schema, schema::Schema compiled);
  static Shapes compile(std::string_view revision);

  Json schema_;              // An object schema with a property for each shape.
  schema::Schema compiled_;  // Of it.
};

}  // namespace plumbline::conformance
