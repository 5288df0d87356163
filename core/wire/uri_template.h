// Making URIs of templates: RFC 6570, as far as one does that has a text for each expression.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace plumbline::wire {

using TextOfExpression = std::function<std::optional<std::string>(std::string_view expression)>;

// expand_template returns the template with a text in place of each expression, which `text_of`
// gives for what stands within the braces: "id", "+path". Nothing: it gives none for one of them.
// What is behind a brace that is not closed is text.
std::optional<std::string> expand_template(std::string_view uri_template,
                                           const TextOfExpression& text_of);

// is_plain_expression returns whether an expression is one variable and nothing else: "id".
bool is_plain_expression(std::string_view expression);

}  // namespace plumbline::wire
