// Matching URIs against RFC 6570 templates, as far as a server needs it to know which of its
// templates a URI comes from.

#pragma once

#include <string_view>

namespace plumbline::mcp {

// matches_template returns whether `uri` can be an expansion of `uri_template`. An expression
// stands for at least one character; only {+x}, {/x}, {#x}, {?x}, {&x} and {x*} for a slash, too.
// False for a template with an unclosed brace. O(uri * template).
bool matches_template(std::string_view uri_template, std::string_view uri);

}  // namespace plumbline::mcp
