// What is wrong with a schema that its metaschema takes all the same: nothing can fit it, a pattern
// that no engine compiles, a reference that leads nowhere, words that hosts are known to refuse.
// Each function returns what is wrong first, and where; empty: nothing.

#pragma once

#include <functional>
#include <string>

#include "core/json/json.h"

namespace plumbline::conformance {

// SchemaAt is one schema within another, and the pointer to it: "/properties/day".
struct SchemaAt {
  const Json& schema;
  const std::string& at;
};

// first_in asks `problem` of `root` and of every schema in it, outer ones first.
std::string first_in(const Json& root, const std::function<std::string(SchemaAt)>& problem);

// pattern_trouble: each "pattern", and each name of "patternProperties", is one of ECMA-262.
std::string pattern_trouble(SchemaAt one);

// misfit: nothing can fit it, or a value of its "enum" or "const" is not of its "type".
std::string misfit(SchemaAt one);

// reference_trouble: its "$ref" leads to something within `root`, or to a metaschema.
std::string reference_trouble(SchemaAt one, const Json& root);

// host_trouble: hosts and model APIs refuse it, though the specification allows it; says which.
std::string host_trouble(SchemaAt one);

// misplaced: a member of a schema that stands in the tool itself or in its "annotations", a hint
// that stands outside of them, or a schema below a word that holds none.
std::string misplaced(const Json& tool);

}  // namespace plumbline::conformance
