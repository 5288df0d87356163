#include "cli/config/json_text.h"

#include "core/json/locate.h"
#include "core/json/parse.h"

namespace plumbline::cli {

Status read_json_text(
    std::string_view text, const std::string& file_name,
    const std::function<void(const Json& root, std::optional<Problem>& problem)>& read) {
  JsonLimits limits;
  limits.comments = true;
  limits.duplicate_keys = false;
  const auto refused = [&file_name](Position at, const std::string& why) {
    return Error{ErrorCode::kInvalidInput, file_name + ":" + std::to_string(at.line) + ":" +
                                               std::to_string(at.column) + ": " + why};
  };
  Position failed_at;
  const Result<Json> root = parse_json(text, limits, failed_at);
  if (!root.ok()) return refused(failed_at, root.error().message);
  std::optional<Problem> problem;
  read(root.value(), problem);
  if (problem) return refused(locate(text, problem->pointer), problem->message);
  return Done{};
}

}  // namespace plumbline::cli
