#include "cli/options/secrets.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "core/base/base64.h"
#include "core/base/percent.h"
#include "core/base/secrets/cut_text.h"

namespace plumbline::cli {

namespace {

constexpr std::size_t kSoughtBytesMin = 4;
constexpr std::size_t kNumberDigitsMin = 8;
constexpr std::size_t kLongBytesMin = 100;  // What is longer may be cut without a mark.
constexpr std::string_view kHidden = "[redacted]";

// is_ordinary returns whether `value` stands in texts that have nothing to do with a secret.
bool is_ordinary(const std::string& value) {
  constexpr std::array<std::string_view, 40> kWords = {
      "true",    "false",    "none",     "null",     "auto",   "always",   "never",  "default",
      "enabled", "disabled", "required", "optional", "basic",  "bearer",   "digest", "oauth",
      "oauth2",  "apikey",   "api-key",  "token",    "secret", "password", "test",   "local",
      "debug",   "info",     "http",     "https",    "stdio",  "server",   "client", "tools",
      "text",    "json",     "user",     "admin",    "root",   "name",     "node",   "plumbline"};
  std::string lower = value;
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  const bool number = std::ranges::all_of(value, [](unsigned char c) { return std::isdigit(c); });
  return value.size() < kSoughtBytesMin || (number && value.size() < kNumberDigitsMin) ||
         std::ranges::count(kWords, lower) > 0;
}

}  // namespace

std::string Secrets::without_cut(const std::string& text) const {
  return without_cut_secrets(text, forms_, {false, text.size() >= kLongBytesMin}, kHidden);
}

void Secrets::add(const std::string& value) {
  if (is_ordinary(value) || std::ranges::count(values_, value) > 0) return;
  values_.push_back(value);
  for (std::string& form : forms_of(value)) {
    if (form.size() >= kSoughtBytesMin) forms_.push_back(std::move(form));
  }
  redactor_.add_forms(value);
}

void Secrets::add_parts(const Part& part, const std::string& value) {
  add(value);
  const std::size_t space = value.find(' ');
  if (space != std::string::npos) {  // "Bearer abc": the token is the secret.
    const std::string token = value.substr(space + 1);
    add(token);
    const auto user = decode_base64(token);
    if (user && value.starts_with("Basic ")) add_parts({"", "URL_USER"}, *user);
  }
  const std::size_t colon = value.find(':');  // user:password
  if (colon != std::string::npos && part.variable == "URL_USER") add(value.substr(colon + 1));
  if (!part.variable.ends_with("COOKIE")) return;
  for (std::size_t at = value.find('='); at != std::string::npos; at = value.find('=', at + 1)) {
    add(value.substr(at + 1, value.find(';', at) - at - 1));
  }
}

void Secrets::add_words(const std::vector<std::string>& words) {
  for (const std::vector<Part>& word : parts_of(words)) {
    for (const Part& part : word) {
      if (part.variable.empty()) continue;
      add_parts(part, part.text);
      add_parts(part, percent_decode(part.text));
    }
  }
}

void Secrets::add_variables(const std::map<std::string, std::string>& variables) {
  for (const auto& [name, value] : variables) add_words({name + "=" + value});
}

void Secrets::add_all(const Secrets& others) {
  for (const std::string& value : others.values_) add(value);
}

std::string Secrets::redact(std::string text) const {
  return without_cut(redactor_.redact(std::move(text)));
}

void Secrets::redact(Json& value) const {
  redactor_.redact(value);
  redact_keys_and_ends(value);
}

void Secrets::redact_keys_and_ends(Json& value) const {
  if (auto* const text = value.get_ptr<std::string*>()) {
    *text = without_cut(*text);
  } else if (auto* const items = value.get_ptr<Json::array_t*>()) {
    for (Json& item : *items) redact_keys_and_ends(item);
  } else if (auto* const members = value.get_ptr<Json::object_t*>()) {
    Json::object_t shown;
    for (auto& [key, member] : *members) {
      redact_keys_and_ends(member);
      shown.emplace(redact(key), std::move(member));
    }
    *members = std::move(shown);
  }
}

void Secrets::redact(Report& report) const {
  redact(report.target);
  for (CheckResult& result : report.results) {
    for (std::string* const text : {&result.server, &result.message, &result.reproduce}) {
      *text = redact(std::move(*text));
    }
    for (Evidence& evidence : result.evidence) redact(evidence.message);
  }
}

}  // namespace plumbline::cli
