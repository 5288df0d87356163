#include "core/base/secrets/token_shapes.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "core/base/base64.h"
#include "core/base/secrets/ascii.h"
#include "core/base/secrets/secret_names.h"

namespace plumbline {

namespace {

struct TokenShape {
  std::string_view prefix;
  std::size_t body_bytes_min;  // Of token characters after the prefix.
  bool has_digit = false;      // Words that people write may begin so, too.
};

constexpr auto kShapes = std::to_array<TokenShape>({{"Bearer ", 8},      {"bearer ", 16, true},
                                                    {"sk-", 16, true},   {"sk_live_", 10},
                                                    {"sk_test_", 10},    {"rk_live_", 10},
                                                    {"whsec_", 16},      {"ghp_", 20},
                                                    {"gho_", 20},        {"ghu_", 20},
                                                    {"ghs_", 20},        {"ghr_", 20},
                                                    {"github_pat_", 20}, {"glpat-", 16},
                                                    {"gldt-", 16},       {"npm_", 30},
                                                    {"pypi-", 30},       {"hf_", 20},
                                                    {"gsk_", 20},        {"xai-", 20, true},
                                                    {"r8_", 20},         {"xoxa-", 10},
                                                    {"xoxb-", 10},       {"xoxe-", 10},
                                                    {"xoxp-", 10},       {"xoxr-", 10},
                                                    {"xoxs-", 10},       {"xapp-", 10},
                                                    {"AKIA", 16},        {"ASIA", 16},
                                                    {"AIza", 30},        {"ya29.", 20},
                                                    {"GOCSPX-", 20},     {"eyJ", 30},
                                                    {"SG.", 30},         {"shpat_", 20},
                                                    {"dop_v1_", 20},     {"dckr_pat_", 16},
                                                    {"lin_api_", 16},    {"ntn_", 20},
                                                    {"ATATT3", 20},      {"sntrys_", 20},
                                                    {"tvly-", 16},       {"hvs.", 16},
                                                    {"figd_", 16},       {"AGE-SECRET-KEY-1", 20}});

// So much of a word says whether it is a token: what is none is not read to its end, so that each
// byte is looked at a bounded number of times.
constexpr std::size_t kLookedAtMax = 64;

bool is_token_byte(char c) {
  return ascii_word(c) || std::string_view("-_.~+/=").find(c) != std::string_view::npos;
}

// begins_token looks at the first two bytes: of most words they begin no token.
constexpr auto kSeconds = [] {
  std::array<std::uint64_t, 256> seconds{};
  const auto add = [&seconds](char first, char second) {
    seconds[static_cast<unsigned char>(first)] |= std::uint64_t{1} << (second & 63);
  };
  for (const TokenShape& shape : kShapes) add(shape.prefix[0], shape.prefix[1]);
  add('B', 'a');  // "Basic ".
  return seconds;
}();

bool begins_token(char first, char second) {
  return (kSeconds[static_cast<unsigned char>(first)] >> (second & 63) & 1U) != 0;
}

std::size_t end_of_token(std::string_view text, std::size_t at) {
  while (at < text.size() && is_token_byte(text[at])) ++at;
  return at;
}

// is_challenge returns whether what stands behind "Bearer " is a parameter: realm="...".
bool is_challenge(std::string_view text, std::size_t body, std::size_t end) {
  const std::size_t sign = text.substr(0, end).find('=', body);
  if (sign == std::string_view::npos) return false;
  const std::size_t behind = text.find_first_not_of('=', sign);
  return behind < end || (behind < text.size() &&
                          std::string_view("\"'\\").find(text[behind]) != std::string_view::npos);
}

// basic_at returns the end of what stands behind "Basic " where it is a user and a password.
std::size_t basic_at(std::string_view text, std::size_t at) {
  constexpr std::string_view kBasic = "Basic ";
  if (!text.substr(at).starts_with(kBasic)) return at;
  const std::size_t end = end_of_token(text, at + kBasic.size());
  const auto user = decode_base64(text.substr(at + kBasic.size(), end - at - kBasic.size()));
  return user && user->find(':') != std::string::npos ? end : at;
}

// token_at returns the end of the token that begins at `at`; `at`: none does.
std::size_t token_at(std::string_view text, std::size_t at, bool cut_after) {
  const std::string_view rest = text.substr(at);
  for (const TokenShape& shape : kShapes) {
    if (!rest.starts_with(shape.prefix)) continue;
    const std::size_t body = at + shape.prefix.size();
    const std::string_view near = text.substr(0, body + kLookedAtMax);
    const std::size_t seen = end_of_token(near, body);
    const bool cut = cut_after && seen == text.size() && seen > body;
    if (shape.prefix.ends_with("earer ") && is_challenge(text, body, seen)) return at;
    const bool told =
        !shape.has_digit || std::ranges::any_of(near.substr(body, seen - body), ascii_digit);
    if (cut || (seen - body >= shape.body_bytes_min && told)) return end_of_token(text, seen);
  }
  return basic_at(text, at);
}

}  // namespace

void add_tokens(std::string_view text, CutEnds cut, std::vector<Span>& found) {
  for (std::size_t at = 0; at + 1 < text.size(); ++at) {
    if (!begins_token(text[at], text[at + 1])) continue;
    if (at > 0 && ascii_word(text[at - 1])) continue;
    const std::size_t end = token_at(text, at, cut.after);
    if (end == at) continue;
    found.push_back({at, end});
    at = end - 1;
  }
}

void add_private_keys(std::string_view text, std::vector<Span>& found) {
  constexpr std::string_view kBegin = "-----BEGIN ";
  constexpr std::string_view kEnd = "-----END ";
  constexpr std::string_view kKind = "PRIVATE KEY";
  constexpr std::size_t kKindBytesMax = 40;
  const auto is_key = [&](std::size_t at) {
    return text.substr(at, kKindBytesMax).find(kKind) != std::string_view::npos;
  };
  const auto add = [&](std::size_t begin, std::size_t last, bool backwards) {
    // No quote is in it: one is the end of the string that it stands in.
    const std::string_view all = text.substr(begin, last - begin);
    const std::size_t quote = backwards ? all.rfind('"') : all.find('"');
    if (quote != all.npos && backwards) begin += quote + 1;
    if (quote != all.npos && !backwards) last = begin + quote;
    const std::size_t body = std::min(text.find_first_not_of(" \r\n\\", begin), last);
    if (body < last && !is_placeholder(text.substr(body))) found.push_back({begin, last});
  };
  std::size_t from = 0;
  std::size_t begin = text.find(kBegin);
  std::size_t end = text.find(kEnd);
  while (from < text.size()) {
    if (begin < from) begin = text.find(kBegin, from);
    if (end < from) end = text.find(kEnd, from);
    if (end < begin) {  // Its first line stands before this text.
      if (is_key(end)) add(from, end, true);
      from = end + kEnd.size();
      continue;
    }
    if (begin == std::string_view::npos) return;
    from = begin + kBegin.size();
    if (!is_key(from)) continue;
    const std::size_t dashes = text.find("-----", from);
    const std::size_t body = dashes == std::string_view::npos ? text.size() : dashes + 5;
    const std::size_t last = std::min(end, text.size());
    add(body, last, false);
    from = end == std::string_view::npos ? text.size() : end + kEnd.size();
  }
}

}  // namespace plumbline
