#include "core/base/secrets/secret_search.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

#include "core/base/base64.h"
#include "core/base/percent.h"
#include "core/base/secrets/ascii.h"
#include "core/base/secrets/secret_names.h"
#include "core/base/secrets/signs.h"

namespace plumbline {

namespace {

constexpr int kDepthMax = 4;                    // Of one encoding within the other.
constexpr std::size_t kBase64BytesMin = 12;     // Fewer digits are a word.
constexpr std::size_t kBase64FormBytesMin = 8;  // Of a secret that is known.
constexpr std::size_t kSearchedBytesMin = 5;    // "pw=x!" is the shortest.

// is_base64 says of each byte whether it is a digit of base64, in either alphabet.
constexpr auto kBase64 = [] {
  std::array<bool, 256> digits{};
  for (int c = 0; c < 256; ++c) {
    const char byte = static_cast<char>(c);
    digits[static_cast<std::size_t>(c)] =
        ascii_word(byte) || byte == '+' || byte == '/' || byte == '-' || byte == '_';
  }
  return digits;
}();

bool is_base64(char c) { return kBase64[static_cast<unsigned char>(c)]; }

// run_from returns the next run of at least so many digits of base64 that words are not of, from
// `at`, where one may begin. Only each twelfth byte is looked at: no run goes between two of them.
Span run_from(std::string_view text, std::size_t at) {
  for (std::size_t seen = at + kBase64BytesMin - 1; seen < text.size(); seen += kBase64BytesMin) {
    if (!is_base64(text[seen])) continue;
    std::size_t begin = seen;
    while (begin > at && is_base64(text[begin - 1])) --begin;
    std::size_t end = seen + 1;
    while (end < text.size() && is_base64(text[end])) ++end;
    if (end - begin >= kBase64BytesMin) return {begin, end};
    seen = end;  // Which is no digit.
  }
  return {text.size(), text.size()};
}

// Plain is a text without its escapes, and where each of its bytes stood in the text.
struct Plain {
  std::string text;
  std::vector<std::uint32_t> at;  // One more than bytes: where the text ends.

  // add takes three quotes for one: a shell has '\'' for one within quotes.
  void add(char byte, std::size_t place) {
    if (byte == '\'' && text.ends_with("''")) {
      text.pop_back();
      at.pop_back();
      return;
    }
    text += byte;
    at.push_back(static_cast<std::uint32_t>(place));
  }
};

// utf8_of returns a character as bytes.
std::string utf8_of(std::uint32_t character) {
  const auto byte = [](std::uint32_t bits) { return static_cast<char>(bits); };
  const auto rest = [&](unsigned shift) { return byte(0x80U | (character >> shift & 0x3fU)); };
  if (character < 0x80) return {byte(character)};
  if (character < 0x800) return {byte(0xc0U | character >> 6U), rest(0)};
  if (character < 0x10000) return {byte(0xe0U | character >> 12U), rest(6), rest(0)};
  return {byte(0xf0U | (character >> 18U & 7U)), rest(12), rest(6), rest(0)};
}

// Escape is what is escaped, and how many bytes say so; none: nothing is.
struct Escape {
  std::string text;
  std::size_t bytes = 0;
};

// hex_escape reads digits from `at`: at least, and at most, so many.
std::optional<Escape> hex_escape(std::string_view text, std::size_t at, std::size_t min,
                                 std::size_t max) {
  std::uint32_t value = 0;
  std::size_t count = 0;
  for (; count < max && at + count < text.size(); ++count) {
    const int digit = hex_digit(text[at + count]);
    if (digit < 0) break;
    value = value << 4U | static_cast<std::uint32_t>(digit);
  }
  if (count < min) return std::nullopt;
  return Escape{max == 2 ? std::string(1, static_cast<char>(value)) : utf8_of(value), count};
}

// letter_escape reads what stands behind backslashes: n, ", x41, u0041, u{41}.
std::optional<Escape> letter_escape(std::string_view text, std::size_t at) {
  constexpr std::string_view kLetters = "nrt\"'/";
  constexpr std::string_view kBytes = "\n\r\t\"'/";
  if (at == text.size()) return std::nullopt;
  const std::size_t known = kLetters.find(text[at]);
  if (known != kLetters.npos) return Escape{std::string(1, kBytes[known]), 1};
  if (text[at] != 'x' && text[at] != 'u') return std::nullopt;
  const bool braces = text.substr(at + 1).starts_with('{');
  const std::size_t digits = text[at] == 'x' ? 2 : 4;
  std::optional<Escape> escape =
      braces ? hex_escape(text, at + 2, 1, 6) : hex_escape(text, at + 1, digits, digits);
  if (!escape) return std::nullopt;
  escape->bytes += braces ? 3 : 1;
  return escape;
}

// escape_at returns what is escaped at `at`: by %41; or by \n, \" and so on behind as many
// backslashes as there are.
std::optional<Escape> escape_at(std::string_view text, std::size_t at) {
  std::size_t behind = at;
  while (behind < text.size() && text[behind] == '\\') ++behind;
  std::optional<Escape> escape =
      behind > at ? letter_escape(text, behind) : hex_escape(text, at + 1, 2, 2);
  if (escape) escape->bytes += behind > at ? behind - at : 1;
  return escape;
}

std::optional<Plain> without_escapes(std::string_view text) {
  Plain plain;
  bool any = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const std::size_t place = at;
    if ((sign_of(text[at]) & kEscapeSign) != 0) {
      if (const std::optional<Escape> escape = escape_at(text, at)) {
        if (!any) {
          any = true;
          for (std::size_t i = 0; i < place; ++i) plain.add(text[i], i);
        }
        for (const char byte : escape->text) plain.add(byte, place);
        at += escape->bytes - 1;
        continue;
      }
      // Backslashes that escape nothing are passed at once.
      while (text[at] == '\\' && at + 1 < text.size() && text[at + 1] == '\\') {
        if (any) plain.add('\\', at);
        ++at;
      }
    }
    if (any) plain.add(text[at], at);
  }
  if (!any) return std::nullopt;
  plain.at.push_back(static_cast<std::uint32_t>(text.size()));
  return plain;
}

bool is_plain_text(std::string_view bytes) {
  return std::ranges::all_of(bytes, [](unsigned char c) {
    return (c >= 0x20 && c != 0x7f) || c == '\n' || c == '\r' || c == '\t';
  });
}

constexpr std::string_view kBase64Digits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// begins_as_text returns whether the first eight digits of base64 are six characters of ASCII, as
// they are of nearly no word.
bool begins_as_text(std::string_view digits) {
  static constexpr auto kValues = [] {
    std::array<unsigned char, 256> values{};
    for (std::size_t i = 0; i < kBase64Digits.size(); ++i) {
      values[static_cast<unsigned char>(kBase64Digits[i])] = static_cast<unsigned char>(i);
    }
    values[static_cast<unsigned char>('-')] = 62;
    values[static_cast<unsigned char>('_')] = 63;
    return values;
  }();
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < 8; ++i) {
    bits = bits << 6U | kValues[static_cast<unsigned char>(digits[i])];
  }
  for (unsigned shift = 0; shift < 48; shift += 8) {
    const auto c = static_cast<unsigned char>(bits >> shift);
    if ((c < 0x20 || c >= 0x7f) && c != '\n' && c != '\r' && c != '\t') return false;
  }
  return true;
}

// decoded reads digits of base64, in either alphabet, as far as they are whole groups.
std::optional<std::string> decoded(std::string_view digits) {
  std::string all(digits.substr(0, digits.size() - digits.size() % 4));
  const std::string_view rest = digits.substr(all.size());
  if (rest.size() > 1) all.append(rest).append(4 - rest.size(), '=');
  std::ranges::replace(all, '-', '+');
  std::ranges::replace(all, '_', '/');
  return decode_base64(all);
}

std::string url_form(std::string_view value, std::string_view digits, std::string_view space) {
  std::string out;
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = is_base64(c) && c != '+' && c != '/';
    if (plain || c == '.' || c == '~') {
      out += c;
    } else if (c == ' ') {
      out += space;
    } else {
      out += {'%', digits[byte >> 4U], digits[byte & 15U]};
    }
  }
  return out;
}

// json_form escapes what JSON has to be escaped for.
std::string json_form(std::string_view value) {
  constexpr std::string_view kShort = "\b\t\n\f\r";
  constexpr std::string_view kLetters = "btnfr";
  std::string out;
  for (const char c : value) {
    const std::size_t known = kShort.find(c);
    if (c == '"' || c == '\\') {
      out += {'\\', c};
    } else if (known != kShort.npos) {
      out += {'\\', kLetters[known]};
    } else if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u00" + hex_of({&c, 1});
    } else {
      out += c;
    }
  }
  return out;
}

// html_form escapes what HTML has to be escaped for.
std::string html_form(std::string_view value) {
  std::string out;
  for (const char c : value) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (c == '\'') {
      out += "&#39;";
    } else {
      out += c;
    }
  }
  return out;
}

void add_base64_forms(const std::string& value, std::vector<std::string>& forms) {
  for (std::size_t before = 0; before < 3; ++before) {
    const std::string text = std::string(before, 'x') + value;
    const std::size_t first = (before * 8 + 5) / 6;
    const std::size_t last = text.size() * 8 / 6;
    std::string digits = encode_base64(text).substr(first, last - first);
    if (digits.size() < kBase64FormBytesMin) continue;
    forms.push_back(digits);
    std::ranges::replace(digits, '+', '-');
    std::ranges::replace(digits, '/', '_');
    forms.push_back(std::move(digits));
  }
}

// add_cut_users adds who a URL names whose text was cut before the host: https://user:pass..., and
// at the end of a text that was cut. What is behind the colon would be a port elsewhere.
void add_cut_users(std::string_view text, CutEnds cut, std::vector<Named>& found) {
  constexpr std::string_view kBetween = "://";
  for (std::size_t at = text.find(kBetween); at != text.npos; at = text.find(kBetween, at + 1)) {
    const std::size_t begin = at + kBetween.size();
    const std::string_view rest = text.substr(begin);
    const std::string_view authority = rest.substr(0, rest.find_first_of("@/?#[ \t\r\n\"'`<>\\,|"));
    const std::size_t mark = std::min(authority.find("..."), authority.find("…"));
    const std::string_view user = authority.substr(0, mark);
    const bool is_cut = mark != authority.npos || (cut.after && user.size() == rest.size());
    const std::size_t colon = user.find(':');
    if (!is_cut || colon == user.npos) continue;
    if (std::ranges::all_of(user.substr(colon + 1), ascii_digit)) continue;
    found.push_back({{begin, begin + user.size()}, {}});
  }
}

}  // namespace

std::vector<Named> in_order(std::vector<Named> found) {
  std::ranges::sort(found, {}, [](const Named& one) { return std::pair(one.begin, one.end); });
  std::vector<Named> out;
  for (const Named& one : found) {
    if (out.empty() || one.begin >= out.back().end) {
      out.push_back(one);
    } else {
      out.back().end = std::max(out.back().end, one.end);
    }
  }
  return out;
}

std::vector<Named> SecretSearch::find(std::string_view text, CutEnds cut) const {
  std::vector<Named> found;
  look(text, cut, 0, found);
  return found.size() > 1 ? in_order(std::move(found)) : found;
}

void SecretSearch::look(std::string_view text, CutEnds cut, int depth,
                        std::vector<Named>& found) const {
  for (const Span& span : known_.find(text)) found.push_back({span, {}});
  if (text.size() < kSearchedBytesMin) return;
  const unsigned signs = signs_in(text);
  if ((signs & (kNameSign | kWordSign)) != 0) add_named_secrets(text, names_, found);
  // What is masked is not masked again, or only the first of its words would be.
  std::erase_if(found, [text](const Named& one) {
    return placeholder_at(text.substr(one.begin)) >= one.end - one.begin;
  });
  if ((signs & kNameSign) != 0) add_cut_users(text, cut, found);
  if ((signs & kTokenSign) != 0) {
    std::vector<Span> tokens;
    add_tokens(text, cut, tokens);
    if ((signs & kNameSign) != 0) add_private_keys(text, tokens);
    for (const Span& span : tokens) found.push_back({span, {}});
  }
  if (depth == kDepthMax) return;
  if ((signs & kEscapeSign) != 0) look_behind_escapes(text, cut, depth, found);
  if (text.size() >= kBase64BytesMin) look_in_base64(text, depth, found);
}

void SecretSearch::look_behind_escapes(std::string_view text, CutEnds cut, int depth,
                                       std::vector<Named>& found) const {
  const std::optional<Plain> plain = without_escapes(text);
  if (!plain) return;
  std::vector<Named> behind;
  look(plain->text, cut, depth + 1, behind);
  for (const Named& one : behind) {
    found.push_back({{plain->at[one.begin], plain->at[one.end]}, {}});
  }
}

// Digits may begin behind others that belong to something else, as of a path: so each of the four
// places in a group is tried, and what stands behind a sign. Anybody may have cut them.
void SecretSearch::look_in_base64(std::string_view text, int depth,
                                  std::vector<Named>& found) const {
  for (Span run = run_from(text, 0); run.begin < text.size(); run = run_from(text, run.end)) {
    if (holds_secret(text.substr(run.begin, run.end - run.begin), depth))
      found.push_back({run, {}});
  }
}

bool SecretSearch::holds_secret(std::string_view run, int depth) const {
  constexpr int kDecodedMax = 8;  // Times that all of it is decoded.
  int times = 0;
  for (std::size_t begin = 0; begin + kBase64BytesMin <= run.size(); ++begin) {
    const bool behind_sign = begin > 0 && !ascii_word(run[begin - 1]);
    if (begin >= 4 && !behind_sign) continue;
    const std::string_view digits = run.substr(begin);
    if (!begins_as_text(digits)) continue;
    if (++times > kDecodedMax) return false;
    const std::optional<std::string> bytes = decoded(digits);
    if (!bytes || !is_plain_text(*bytes)) continue;
    std::vector<Named> within;
    look(*bytes, CutEnds{.after = true}, depth + 1, within);
    if (!within.empty()) return true;
  }
  return false;
}

std::vector<std::string> forms_of(const std::string& secret) {
  std::vector<std::string> forms = {secret,
                                    json_form(secret),
                                    url_form(secret, "0123456789ABCDEF", "%20"),
                                    url_form(secret, "0123456789abcdef", "+"),
                                    html_form(secret),
                                    hex_of(secret)};
  forms.push_back(forms.back());  // In capitals.
  for (char& c : forms.back()) c = ascii_letter(c) ? static_cast<char>(c - 'a' + 'A') : c;
  add_base64_forms(secret, forms);
  std::ranges::sort(forms);
  forms.erase(std::ranges::unique(forms).begin(), forms.end());
  return forms;
}

}  // namespace plumbline
