#include "conformance/wire/challenges.h"

#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

// Reader goes over one field.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }
  void skip(std::string_view any_of) {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(any_of), rest_.size()));
  }
  void skip_one() { rest_.remove_prefix(1); }
  bool at(char c) const { return !rest_.empty() && rest_.front() == c; }

  std::string until(std::string_view any_of) {
    const std::size_t end = std::min(rest_.find_first_of(any_of), rest_.size());
    std::string text(rest_.substr(0, end));
    rest_.remove_prefix(end);
    return text;
  }

  // value reads a token or a quoted text.
  std::string value() {
    if (!at('"')) return until(" \t,");
    skip_one();
    std::string text;
    while (!done() && !at('"')) {
      if (at('\\') && rest_.size() > 1) skip_one();
      text += rest_.front();
      skip_one();
    }
    if (!done()) skip_one();
    return text;
  }

 private:
  std::string_view rest_;
};

void read(std::string_view field, std::vector<Challenge>& challenges) {
  Reader reader(field);
  for (;;) {
    reader.skip(" \t,");
    if (reader.done()) return;
    std::string name = reader.until(" \t,=");
    reader.skip(" \t");
    if (!reader.at('=')) {
      challenges.push_back({std::move(name), {}});
      continue;
    }
    reader.skip_one();
    reader.skip(" \t");
    // "dGVzdA==" is all that a scheme says, and no parameter.
    if (reader.done() || reader.at(',') || reader.at('=')) {
      reader.skip("=");
      continue;
    }
    std::string value = reader.value();
    if (!challenges.empty()) {
      challenges.back().params.emplace_back(std::move(name), std::move(value));
    }
  }
}

}  // namespace

std::optional<std::string> Challenge::param(std::string_view name) const {
  for (const auto& [key, value] : params) {
    if (equals_ignoring_case(key, name)) return value;
  }
  return std::nullopt;
}

std::vector<std::string> Challenge::all(std::string_view name) const {
  std::vector<std::string> values;
  for (const auto& [key, value] : params) {
    if (equals_ignoring_case(key, name)) values.push_back(value);
  }
  return values;
}

std::string Challenge::repeated() const {
  for (const auto& [key, value] : params) {
    if (all(key).size() > 1) return key;
  }
  return "";
}

std::vector<Challenge> challenges_in(const wire::HttpHeaders& headers) {
  std::vector<Challenge> challenges;
  for (const auto& [name, value] : headers.fields()) {
    if (equals_ignoring_case(name, "WWW-Authenticate")) read(value, challenges);
  }
  return challenges;
}

std::optional<Challenge> bearer_challenge(const wire::HttpHeaders& headers) {
  for (const Challenge& challenge : challenges_in(headers)) {
    if (equals_ignoring_case(challenge.scheme, "Bearer")) return challenge;
  }
  return std::nullopt;
}

}  // namespace plumbline::conformance
