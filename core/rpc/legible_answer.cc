#include "core/rpc/legible_answer.h"

#include <algorithm>
#include <utility>

namespace plumbline::rpc {

namespace {

constexpr std::string_view kSpace = " \t\r\n";
constexpr std::string_view kScalarEnds = ",:]} \t\r\n";

// Members walks over the members of an object and leaves open whether their values are any JSON.
class Members {
 public:
  explicit Members(std::string_view text) : rest_(text) {}

  // begin returns whether the text is an object, and stands before its first member then.
  bool begin() { return take('{'); }

  // next returns the key of the next member and what its value spells. Nothing behind the last.
  std::optional<std::pair<std::string_view, std::string_view>> next() {
    take(',');
    const std::optional<std::string_view> key = take_string();
    if (!key || !take(':')) return std::nullopt;
    const std::string_view value = take_value();
    if (value.empty()) return std::nullopt;
    return std::pair(*key, value);
  }

 private:
  void skip_space() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kSpace), rest_.size()));
  }

  bool take(char expected) {
    skip_space();
    if (rest_.empty() || rest_.front() != expected) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // take_string takes a string and returns what stands between its quotes.
  std::optional<std::string_view> take_string() {
    if (!take('"')) return std::nullopt;
    for (std::size_t at = 0; at < rest_.size(); ++at) {
      if (rest_[at] == '\\') {
        ++at;
      } else if (rest_[at] == '"') {
        const std::string_view inside = rest_.substr(0, at);
        rest_.remove_prefix(at + 1);
        return inside;
      }
    }
    rest_ = {};
    return std::nullopt;
  }

  // take_value takes a value and returns it, or what there is of it.
  std::string_view take_value() {
    skip_space();
    const std::string_view from = rest_;
    std::size_t depth = 0;
    while (!rest_.empty()) {
      const char c = rest_.front();
      if (c == '"') {
        take_string();
      } else if (c == '{' || c == '[') {
        ++depth;
        rest_.remove_prefix(1);
      } else if ((c == '}' || c == ']') && depth > 0) {
        --depth;
        rest_.remove_prefix(1);
      } else if (depth > 0) {
        rest_.remove_prefix(1);
      } else {
        const std::size_t end = rest_.find_first_of(kScalarEnds);
        if (end == std::string_view::npos) return {};  // More of it may have been cut off.
        rest_.remove_prefix(end);
        break;
      }
      if (depth == 0) break;
    }
    return from.substr(0, from.size() - rest_.size());
  }

  std::string_view rest_;
};

}  // namespace

std::optional<RpcId> legible_answer(std::string_view text) {
  Members members(text);
  if (!members.begin()) return std::nullopt;
  std::optional<RpcId> id;
  bool answers = false;
  while (const auto member = members.next()) {
    const auto& [key, value] = *member;
    if (key == "method") return std::nullopt;
    if (key == "result" || key == "error") answers = true;
    if (key != "id") continue;
    const Result<Json> spelt = parse_json(value);
    id = spelt.ok() ? read_id(spelt.value()) : std::nullopt;
  }
  return answers ? id : std::nullopt;
}

}  // namespace plumbline::rpc
