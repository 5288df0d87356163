// What the invariants read in bytes by themselves.

#include <algorithm>
#include <array>
#include <charconv>

#include "scenarios/judge/invariants.h"

namespace plumbline::scenarios {

namespace {

bool is_auth_status(const Json* value) {
  const std::optional<std::int64_t> number = value ? as_int(*value) : std::nullopt;
  return number == 401 || number == 403;
}

bool has_auth_words(std::string_view text) {
  constexpr std::array<std::string_view, 13> kPhrases = {
      "unauthorized",           "unauthorised",  "unauthenticated", "not authorized",
      "not authenticated",      "forbidden",     "access denied",   "permission denied",
      "invalid token",          "token expired", "expired token",   "invalid api key",
      "authentication required"};
  std::string folded(text.substr(0, 2'000));
  for (char& c : folded) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return std::ranges::any_of(
      kPhrases, [&](std::string_view phrase) { return folded.find(phrase) != std::string::npos; });
}

// names_what_was_wrong returns whether a JSON-RPC code says what was wrong with a request: words
// beside it are about that.
bool names_what_was_wrong(std::int64_t code) {
  constexpr std::array<std::int64_t, 5> kCodes = {-32700, -32600, -32601, -32602, -32002};
  return std::ranges::find(kCodes, code) != kCodes.end();
}

bool is_letter_or_digit(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
}

}  // namespace

bool speaks_of_auth(const Json& response) {
  if (const Json* const error = find(response, "error")) {
    if (is_auth_status(find(*error, "code"))) return true;
    if (const Json* const data = find(*error, "data")) {
      for (const char* key : {"status", "httpStatus", "statusCode"}) {
        if (is_auth_status(find(*data, key))) return true;
      }
    }
    return !names_what_was_wrong(int_or(*error, "code", 0)) &&
           has_auth_words(string_or(*error, "message", ""));
  }
  const Json* const result = find(response, "result");
  if (result == nullptr || !bool_or(*result, "isError", false)) return false;
  const Json* const content = find(*result, "content");
  if (content == nullptr || !content->is_array()) return false;
  return std::ranges::any_of(
      *content, [](const Json& item) { return has_auth_words(string_or(item, "text", "")); });
}

std::string unreadable(std::string_view text) {
  constexpr std::size_t kEncodedRunMin = 400;
  if (text.find("%PDF-") != std::string_view::npos) return "a raw PDF";
  std::size_t run = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 9 || (byte > 13 && byte < 27)) return "binary data";
    const bool encoded = is_letter_or_digit(c) || c == '+' || c == '/' || c == '=';
    run = encoded ? run + 1 : 0;
    if (run >= kEncodedRunMin) return "encoded data without a space";
  }
  return {};
}

std::int64_t request_number(const Json& message) {
  const Json* const id = find(message, "id");
  if (id == nullptr) return -1;
  if (const auto* const text = id->get_ptr<const std::string*>()) {
    std::int64_t number = -1;
    const auto [end, failed] = std::from_chars(text->data(), text->data() + text->size(), number);
    return failed == std::errc() && end == text->data() + text->size() ? number : -1;
  }
  return as_int(*id).value_or(-1);
}

}  // namespace plumbline::scenarios
