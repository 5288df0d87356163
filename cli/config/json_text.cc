#include "cli/config/json_text.h"

#include <algorithm>
#include <optional>

#include "core/base/errors/errors.h"
#include "core/json/json.h"
#include "core/json/locate.h"
#include "core/json/parse.h"

namespace plumbline::cli {

std::string without_extras(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  std::string out(text);
  std::size_t comma = 0;  // The last one, where `before` is it.
  char before = 0;        // The last byte that is neither space nor comment.
  for (std::size_t i = 0; i < out.size(); ++i) {
    const char c = out[i];
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') continue;
    if (c == '/' && out.compare(i, 2, "//") == 0) {
      i = std::min(out.find('\n', i), out.size());
      continue;
    }
    if (c == '/' && out.compare(i, 2, "/*") == 0) {
      i = std::min(out.find("*/", i + 2), out.size() - 1) + 1;
      continue;
    }
    if ((c == '}' || c == ']') && before == ',') out[comma] = ' ';
    if (c == ',') comma = i;
    const bool second = c == ',' && (before == ',' || before == '{' || before == '[');
    before = second ? 0 : c;
    if (c != '"') continue;
    for (++i; i < out.size() && out[i] != '"'; ++i) i += out[i] == '\\' ? 1 : 0;
  }
  return out;
}

Status read_json_text(
    std::string_view said, const std::string& file_name,
    const std::function<void(const Json& root, std::optional<Problem>& problem)>& read) {
  const std::string text = without_extras(said);
  JsonLimits limits;
  limits.comments = true;
  limits.duplicate_keys = false;
  const auto place_of = [&file_name](Position at) {
    return file_name + ":" + std::to_string(at.line) + ":" + std::to_string(at.column) + ": ";
  };
  Position failed_at;
  const Result<Json> root = parse_json(text, limits, failed_at);
  if (!root.ok()) return behind(place_of(failed_at), root.error(), "file.where");
  std::optional<Problem> problem;
  read(root.value(), problem);
  if (problem) return as_error(place_of(locate(text, problem->pointer)), *problem);
  return Done{};
}

}  // namespace plumbline::cli
