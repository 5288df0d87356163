#include "cli/options/secrets.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "core/base/base64.h"

namespace plumbline::cli {

namespace {

constexpr std::size_t kSoughtBytesMin = 4;
constexpr std::size_t kNumberDigitsMin = 8;
constexpr std::size_t kCutBytesMin = 6;     // Less of a secret, at a cut, tells nobody anything.
constexpr std::size_t kLongBytesMin = 100;  // What is longer may be cut without a mark.
constexpr std::size_t kBase64BytesMin = 8;  // Likewise of its digits.
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

std::string json_form(const std::string& value) {
  const std::string text = dump_json(Json(value));
  return text.substr(1, text.size() - 2);
}

std::string url_form(std::string_view value, std::string_view digits, std::string_view space) {
  std::string out;
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) != 0 || std::string_view("-_.~").find(c) != std::string_view::npos) {
      out += c;
    } else if (c == ' ') {
      out += space;
    } else {
      out += {'%', digits[byte >> 4U], digits[byte & 15U]};
    }
  }
  return out;
}

std::string url_decoded(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto digit = [&](char c) {
    return kDigits.find(static_cast<char>(std::tolower(static_cast<unsigned char>(c))));
  };
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool escape = text[at] == '%' && at + 2 < text.size() &&
                        digit(text[at + 1]) != kDigits.npos && digit(text[at + 2]) != kDigits.npos;
    out += escape ? static_cast<char>(digit(text[at + 1]) * 16 + digit(text[at + 2])) : text[at];
    at += escape ? 2 : 0;
  }
  return out;
}

// base64_forms returns the digits that do not depend on what stands around `value` in a longer
// text: one for each place that it may begin at in a group of three bytes, in both alphabets.
std::vector<std::string> base64_forms(const std::string& value) {
  std::vector<std::string> forms;
  for (std::size_t before = 0; before < 3; ++before) {
    const std::string text = std::string(before, 'x') + value;
    const std::size_t first = (before * 8 + 5) / 6;
    const std::size_t last = text.size() * 8 / 6;
    std::string digits = encode_base64(text).substr(first, last - first);
    if (digits.size() < kBase64BytesMin) continue;
    forms.push_back(digits);
    std::ranges::replace(digits, '+', '-');
    std::ranges::replace(digits, '/', '_');
    forms.push_back(std::move(digits));
  }
  return forms;
}

// ends_in returns how many bytes at the end of `text` are the beginning of `secret`.
std::size_t ends_in(std::string_view text, std::string_view secret) {
  if (text.size() < kCutBytesMin) return 0;
  const std::string_view last = text.substr(text.size() - kCutBytesMin);
  for (std::size_t at = secret.rfind(last); at != std::string_view::npos && at != 0;
       at = secret.rfind(last, at - 1)) {
    if (text.ends_with(secret.substr(0, at + kCutBytesMin))) return at + kCutBytesMin;
  }
  return secret.starts_with(last) ? kCutBytesMin : 0;
}

// begins_with returns how many bytes at the beginning of `text` are the end of `secret`.
std::size_t begins_with(std::string_view text, std::string_view secret) {
  if (text.size() < kCutBytesMin) return 0;
  const std::string_view first = text.substr(0, kCutBytesMin);
  for (std::size_t at = secret.find(first); at != std::string_view::npos;
       at = secret.find(first, at + 1)) {
    if (text.starts_with(secret.substr(at))) return secret.size() - at;
  }
  return 0;
}

// CutText is a text that was made shorter before anybody could see the secrets in it: where "..."
// or "…" says so, and at the end of a long one.
class CutText {
 public:
  CutText(std::string_view text, const std::vector<std::string>& secrets)
      : rest_(text), secrets_(secrets) {}

  std::string redacted() {
    const bool is_long = rest_.size() >= kLongBytesMin;
    bool cut_before = false;
    while (true) {
      const std::size_t mark = std::min(rest_.find("..."), rest_.find("…"));
      const bool marked = mark != std::string_view::npos;
      add_piece(rest_.substr(0, mark), cut_before, marked || is_long);
      if (!marked) return std::move(out_);
      out_ += rest_.substr(mark, 3);  // Both marks have three bytes.
      rest_.remove_prefix(mark + 3);
      cut_before = true;
    }
  }

 private:
  void add_piece(std::string_view piece, bool cut_before, bool cut_after) {
    std::size_t head = 0;
    std::size_t tail = 0;
    for (const std::string& secret : secrets_) {
      if (cut_before) head = std::max(head, begins_with(piece, secret));
      if (cut_after) tail = std::max(tail, ends_in(piece, secret));
      const bool within = cut_before && cut_after && piece.size() >= kCutBytesMin;
      if (within && secret.find(piece) != std::string::npos) head = piece.size();
    }
    if (head != 0) out_ += kHidden;
    if (head + tail < piece.size()) out_ += piece.substr(head, piece.size() - head - tail);
    if (tail != 0 && head != piece.size()) out_ += kHidden;
  }

  std::string_view rest_;
  const std::vector<std::string>& secrets_;
  std::string out_;
};

}  // namespace

void Secrets::add_form(const std::string& form) {
  if (form.size() < kSoughtBytesMin || std::ranges::count(forms_, form) > 0) return;
  forms_.push_back(form);
  redactor_.add(form);
}

void Secrets::add(const std::string& value) {
  if (is_ordinary(value)) return;
  add_form(value);
  add_form(json_form(value));
  add_form(url_form(value, "0123456789ABCDEF", "%20"));
  add_form(url_form(value, "0123456789abcdef", "+"));
  for (const std::string& form : base64_forms(value)) add_form(form);
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
      add_parts(part, url_decoded(part.text));
    }
  }
}

void Secrets::add_variables(const std::map<std::string, std::string>& variables) {
  for (const auto& [name, value] : variables) add_words({name + "=" + value});
}

void Secrets::add_all(const Secrets& others) {
  for (const std::string& form : others.forms_) add_form(form);
}

std::string Secrets::redact(std::string text) const {
  return CutText(redactor_.redact(std::move(text)), forms_).redacted();
}

void Secrets::redact(Json& value) const {
  redactor_.redact(value);
  redact_keys_and_ends(value);
}

void Secrets::redact_keys_and_ends(Json& value) const {
  if (auto* const text = value.get_ptr<std::string*>()) {
    *text = CutText(*text, forms_).redacted();
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
