#include "core/wire/uri_template.h"

#include <cstddef>

namespace plumbline::wire {

std::optional<std::string> expand_template(std::string_view uri_template,
                                           const TextOfExpression& text_of) {
  std::string uri;
  for (std::size_t open = uri_template.find('{'); open != std::string_view::npos;
       open = uri_template.find('{')) {
    const std::size_t close = uri_template.find('}', open);
    if (close == std::string_view::npos) break;
    const std::optional<std::string> text =
        text_of(uri_template.substr(open + 1, close - open - 1));
    if (!text) return std::nullopt;
    uri.append(uri_template.substr(0, open)).append(*text);
    uri_template.remove_prefix(close + 1);
  }
  return uri.append(uri_template);
}

bool is_plain_expression(std::string_view expression) {
  return expression.find_first_of("+#./;?&,*:") == std::string_view::npos;
}

}  // namespace plumbline::wire
