#include "core/json/redactor.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace plumbline {

namespace {

constexpr std::string_view kRedacted = "[redacted]";
constexpr std::size_t kSecretBytesMin = 4;

struct TokenShape {
  std::string_view prefix;
  std::size_t body_bytes_min;  // Of token characters after the prefix.
};

constexpr std::array<TokenShape, 9> kShapes = {{{"Bearer ", 8},
                                                {"sk-", 16},
                                                {"ghp_", 20},
                                                {"gho_", 20},
                                                {"github_pat_", 20},
                                                {"xoxb-", 10},
                                                {"xoxp-", 10},
                                                {"AKIA", 16},
                                                {"eyJ", 30}}};

// No token of any shape is shorter, so most strings of a message need not be searched for one.
constexpr std::size_t kTokenBytesMin = [] {
  std::size_t least = kShapes[0].prefix.size() + kShapes[0].body_bytes_min;
  for (const TokenShape& shape : kShapes) {
    least = std::min(least, shape.prefix.size() + shape.body_bytes_min);
  }
  return least;
}();

// may_hold_token looks for the bytes that a prefix has and most texts have not.
constexpr bool may_hold_token(std::string_view text) {
  return std::ranges::any_of(
      text, [](char c) { return c == '-' || c == '_' || c == 'A' || c == 'B' || c == 'J'; });
}
static_assert(std::ranges::all_of(kShapes, may_hold_token, &TokenShape::prefix));

bool is_token_byte(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("-_.~+/=").find(c) != std::string_view::npos;
}

// shapes_in returns where tokens of `shape` stand in `text`. Each byte is looked at twice at most:
// what follows a prefix is either taken as a whole or shorter than the shortest token.
std::vector<Span> shapes_in(std::string_view text, const TokenShape& shape) {
  std::vector<Span> found;
  std::size_t at = text.find(shape.prefix);
  while (at != std::string_view::npos) {
    const std::size_t body = at + shape.prefix.size();
    const bool inside_word = at > 0 && std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0;
    std::size_t end = body;
    while (!inside_word && end < text.size() && is_token_byte(text[end])) ++end;
    const bool is_token = end - body >= shape.body_bytes_min;
    if (is_token) found.push_back({at, end});
    at = text.find(shape.prefix, is_token ? end : body);
  }
  return found;
}

// folded drops case and punctuation from a name: "dbPassword", "DB_PASSWORD" and "db-password" all
// end in "password".
std::string folded(std::string_view name) {
  std::string out;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return out;
}

}  // namespace

bool names_credential(std::string_view name) {
  constexpr std::array<std::string_view, 13> kEndings = {
      "password",     "passwd",        "secret",    "apikey",     "accesstoken",
      "refreshtoken", "authtoken",     "idtoken",   "privatekey", "clientsecret",
      "cookie",       "authorization", "credential"};
  const std::string plain = folded(name);
  if (plain == "token" || plain == "bearer") return true;
  // Variables such as GITHUB_TOKEN; not "progressToken", "maxTokens" or "page_token".
  if (name.size() > 6 && (name.ends_with("_TOKEN") || name.ends_with("_KEY"))) return true;
  return std::ranges::any_of(kEndings, [&](std::string_view end) { return plain.ends_with(end); });
}

std::string Redactor::name_of(std::string_view secret) const {
  return name_ ? name_(secret) : std::string(kRedacted);
}

// without returns `text` with the names of `spans`, which are in order, in their places.
std::string Redactor::without(std::string_view text, const std::vector<Span>& spans) const {
  std::string out;
  std::size_t kept = 0;
  for (const Span& span : spans) {
    out.append(text.substr(kept, span.begin - kept));
    out += name_of(text.substr(span.begin, span.end - span.begin));
    kept = span.end;
  }
  return out.append(text.substr(kept));
}

void Redactor::add(std::string secret) {
  if (secret.size() < kSecretBytesMin || std::ranges::count(secrets_, secret) > 0) return;
  secrets_.push_back(std::move(secret));
  finder_ = SecretFinder(secrets_);
}

void Redactor::add_named(std::string_view name, std::string value) {
  if (names_credential(name)) add(std::move(value));
}

std::string Redactor::redact(std::string text) const {
  const std::vector<Span> secrets = finder_.find(text);
  if (!secrets.empty()) text = without(text, secrets);
  if (text.size() < kTokenBytesMin || !may_hold_token(text)) return text;
  for (const TokenShape& shape : kShapes) {
    const std::vector<Span> tokens = shapes_in(text, shape);
    if (!tokens.empty()) text = without(text, tokens);
  }
  return text;
}

void Redactor::redact(Json& value) const {
  if (auto* const text = value.get_ptr<std::string*>()) {
    *text = redact(std::move(*text));
  } else if (auto* const items = value.get_ptr<Json::array_t*>()) {
    for (Json& item : *items) redact(item);
  } else if (auto* const members = value.get_ptr<Json::object_t*>()) {
    for (auto& [key, member] : *members) {
      if (member.is_string() && names_credential(key)) {
        member = name_of(member.get_ref<const std::string&>());
      } else {
        redact(member);
      }
    }
  }
}

bool Redactor::finds_secret(std::string_view text) const { return !finder_.find(text).empty(); }

}  // namespace plumbline
