#include "core/auth/steps/challenge.h"

#include <algorithm>

#include "core/base/text.h"

namespace plumbline::auth {

namespace {

bool is_token(char c) {
  return c > ' ' && c < 127 && std::string_view("()<>@,;:\\\"/[]?={}").find(c) == std::string::npos;
}

// Reader walks through the value of one header.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool done() const { return text_.empty(); }
  bool at(char c) const { return text_.starts_with(c); }
  void skip() { text_.remove_prefix(std::min<std::size_t>(1, text_.size())); }
  void skip_all(std::string_view which) {
    text_.remove_prefix(std::min(text_.find_first_not_of(which), text_.size()));
  }

  std::string token() {
    const auto end = std::ranges::find_if_not(text_, is_token);
    const std::string read(text_.begin(), end);
    text_.remove_prefix(read.size());
    return read;
  }

  std::string value() {
    if (!at('"')) {
      const std::string_view plain = text_.substr(0, text_.find_first_of(", \t"));
      text_.remove_prefix(plain.size());
      return std::string(plain);
    }
    std::string read;
    for (skip(); !done() && !at('"'); skip()) {
      if (at('\\')) skip();
      if (!done()) read += text_.front();
    }
    skip();
    return read;
  }

 private:
  std::string_view text_;
};

}  // namespace

std::string AuthScheme::get(std::string_view name) const {
  const auto found =
      std::ranges::find_if(parameters, [&](const auto& one) { return one.first == name; });
  return found == parameters.end() ? "" : found->second;
}

// A word with "=" behind it is a parameter of the scheme before; any other word is a scheme, with
// what follows it up to a comma left out where it is no parameter (token68).
std::vector<AuthScheme> parse_www_authenticate(std::string_view value) {
  std::vector<AuthScheme> schemes;
  Reader reader(value);
  for (reader.skip_all(" \t,"); !reader.done(); reader.skip_all(" \t,")) {
    std::string word = lower_case(reader.token());
    if (word.empty()) {
      reader.skip();
      continue;
    }
    reader.skip_all(" \t");
    if (!reader.at('=')) {
      schemes.push_back({std::move(word), {}});
      continue;
    }
    reader.skip();
    reader.skip_all(" \t");
    std::string said = reader.value();
    if (!schemes.empty()) schemes.back().parameters.emplace_back(std::move(word), std::move(said));
  }
  return schemes;
}

Challenge challenge_of(const wire::HttpHeaders& headers) {
  for (const auto& [name, value] : headers.fields()) {
    if (!equals_ignoring_case(name, "WWW-Authenticate")) continue;
    for (const AuthScheme& scheme : parse_www_authenticate(value)) {
      if (scheme.scheme != "bearer") continue;
      return {true, scheme.get("resource_metadata"), scheme.get("scope"), scheme.get("error")};
    }
  }
  return {};
}

}  // namespace plumbline::auth
