#include "core/base/secrets/token_shapes.h"

#include <algorithm>
#include <array>

#include "core/base/base64.h"
#include "core/base/secrets/ascii.h"
#include "core/base/secrets/secret_names.h"
#include "core/base/secrets/signs.h"

namespace plumbline {

namespace {

struct TokenShape {
  std::string_view prefix;
  std::size_t body_bytes_min;  // Of token characters after the prefix.
  bool has_digit = false;      // Words that people write may begin so, too.
  bool plain = false;          // Of letters and digits alone: names of many words begin so, too.
};

constexpr auto kShapes = std::to_array<TokenShape>({{"Bearer ", 8},
                                                    {"bearer ", 16, true},
                                                    {"sk-", 16, true},
                                                    {"sk_live_", 10},
                                                    {"sk_test_", 10},
                                                    {"rk_live_", 10},
                                                    {"whsec_", 16},
                                                    {"ghp_", 20},
                                                    {"gho_", 20},
                                                    {"ghu_", 20},
                                                    {"ghs_", 20},
                                                    {"ghr_", 20},
                                                    {"github_pat_", 20},
                                                    {"glpat-", 16},
                                                    {"gldt-", 16},
                                                    {"npm_", 30, false, true},
                                                    {"pypi-", 30},
                                                    {"hf_", 20, false, true},
                                                    {"gsk_", 20, false, true},
                                                    {"xai-", 20, true},
                                                    {"r8_", 20},
                                                    {"xoxa-", 10},
                                                    {"xoxb-", 10},
                                                    {"xoxe-", 10},
                                                    {"xoxp-", 10},
                                                    {"xoxr-", 10},
                                                    {"xoxs-", 10},
                                                    {"xapp-", 10},
                                                    {"AKIA", 16},
                                                    {"ASIA", 16},
                                                    {"AIza", 30},
                                                    {"ya29.", 20},
                                                    {"GOCSPX-", 20},
                                                    {"eyJ", 30},
                                                    {"SG.", 30},
                                                    {"shpat_", 20},
                                                    {"dop_v1_", 20},
                                                    {"dckr_pat_", 16},
                                                    {"lin_api_", 16},
                                                    {"ntn_", 20},
                                                    {"ATATT3", 20},
                                                    {"sntrys_", 20},
                                                    {"tvly-", 16},
                                                    {"hvs.", 16},
                                                    {"figd_", 16},

                                                    {"sq0atp-", 16},
                                                    {"sq0csp-", 16},
                                                    {"EAAC", 24, true},
                                                    {"key-", 32, true, true},
                                                    {"pat-na1-", 16},
                                                    {"pat-eu1-", 16},
                                                    {"rk_test_", 10},
                                                    {"glrt-", 16},
                                                    {"glptt-", 16},
                                                    {"gloas-", 16},
                                                    {"shpss_", 20},
                                                    {"shpca_", 20},
                                                    {"shppa_", 20},
                                                    {"dor_v1_", 20},
                                                    {"doo_v1_", 20},
                                                    {"sbp_", 20, false, true},
                                                    {"sb_secret_", 16},
                                                    {"nvapi-", 20, true},
                                                    {"pplx-", 20, true},
                                                    {"rubygems_", 20, true, true},
                                                    {"pscale_tkn_", 16},
                                                    {"pscale_pw_", 16},
                                                    {"pscale_oauth_", 16},
                                                    {"PMAK-", 20},
                                                    {"NRAK-", 16},
                                                    {"HRKU-", 20},
                                                    {"xoxc-", 10},
                                                    {"xoxd-", 10},
                                                    {"LTAI", 16},
                                                    {"AKID", 20, true, true},
                                                    {"ABIA", 16, false, true},
                                                    {"hvb.", 20},
                                                    {"fo1_", 20},
                                                    {"fm1_", 20},
                                                    {"fm2_", 20},
                                                    {"fw_", 20, true, true},
                                                    {"tgp_v1_", 20},
                                                    {"jina_", 20, true, true},
                                                    {"phx_", 20, true, true},
                                                    {"secret_", 32, true, true},
                                                    {"fc-", 24, true, true},
                                                    {"v2.local.", 20},
                                                    {"AGE-SECRET-KEY-", 20},
                                                    {"hooks.slack.com/services/", 16},
                                                    {"discord.com/api/webhooks/", 24}});

// So much of a word says whether it is a token: what is none is not read to its end, so that each
// byte is looked at a bounded number of times.
constexpr std::size_t kLookedAtMax = 64;

bool is_token_byte(char c) {
  return ascii_word(c) || std::string_view("-_.~+/=").find(c) != std::string_view::npos;
}

// Found is what a shape is found by: the rarest sign of its prefix, and how many bytes stand
// before.
struct Found {
  std::string_view prefix;
  const TokenShape* shape = nullptr;  // None: who asks, and the password ("Basic ").
  std::size_t before = 0;
};

constexpr std::string_view kBasic = "Basic ";
constexpr std::size_t kBeforeMax = 7;

// kFound is of each sign the shapes that it finds.
constexpr auto kFound = [] {
  struct OfSign {
    std::array<Found, 64> shapes{};
    std::size_t count = 0;
    unsigned before = 0;  // A bit for each number of bytes.
  };
  std::array<OfSign, kTokenSigns.size()> found{};
  const auto add = [&found](std::string_view prefix, const TokenShape* shape) {
    std::size_t sign = 0;
    while (prefix.find(kTokenSigns[sign]) == std::string_view::npos) ++sign;
    OfSign& own = found[sign];
    const std::size_t before = prefix.find(kTokenSigns[sign]);
    own.shapes[own.count++] = {prefix, shape, before};
    own.before |= 1U << before;
  };
  for (const TokenShape& shape : kShapes) add(shape.prefix, &shape);
  add(kBasic, nullptr);
  return found;
}();

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

// end_of_basic returns the end of what stands behind "Basic " where it is a user and a password.
std::size_t end_of_basic(std::string_view text, std::size_t at) {
  const std::size_t body = at + kBasic.size();
  const std::size_t end = end_of_token(text, body);
  const auto user = decode_base64(text.substr(body, end - body));
  return user && user->find(':') != std::string::npos ? end : at;
}

// end_of_shape returns the end of the token of which the prefix stands at `at`; `at`: it is none.
std::size_t end_of_shape(std::string_view text, std::size_t at, const TokenShape& shape,
                         bool cut_after) {
  const std::size_t body = at + shape.prefix.size();
  const std::string_view near = text.substr(0, body + kLookedAtMax);
  const std::size_t seen = end_of_token(near, body);
  const bool cut = cut_after && seen == text.size() && seen > body;
  if (shape.prefix.ends_with("earer ") && is_challenge(text, body, seen)) return at;
  std::size_t plain = body;
  while (plain < seen && ascii_word(text[plain])) ++plain;
  if (shape.plain && plain - body < shape.body_bytes_min && !cut) return at;
  const bool told =
      !shape.has_digit || std::ranges::any_of(near.substr(body, seen - body), ascii_digit);
  return cut || (seen - body >= shape.body_bytes_min && told) ? end_of_token(text, seen) : at;
}

// token_by returns the token that the sign at `at` is of; an empty span: it is of none.
Span token_by(std::string_view text, std::size_t at, bool cut_after) {
  const auto& own = kFound[kTokenSigns.find(text[at])];
  std::size_t begin = at;
  while (begin > 0 && at - begin <= kBeforeMax && ascii_word(text[begin - 1])) --begin;
  const std::size_t before = at - begin;
  if ((own.before >> before & 1U) == 0) return {};
  const std::string_view rest = text.substr(begin);
  for (std::size_t i = 0; i < own.count; ++i) {
    const Found& found = own.shapes[i];
    if (found.before != before || !rest.starts_with(found.prefix)) continue;
    const std::size_t end = found.shape == nullptr
                                ? end_of_basic(text, begin)
                                : end_of_shape(text, begin, *found.shape, cut_after);
    if (end > begin) return {begin, end};
  }
  return {};
}

// add_signless adds tokens whose beginning has none of the signs that shapes are found by: "1//0"
// of Google, and 32 hexadecimal digits behind "dapi" of Databricks.
void add_signless(std::string_view text, std::vector<Span>& found) {
  constexpr std::size_t kBodyMin = 32;
  for (const std::string_view prefix : {"1//0", "dapi"}) {
    for (std::size_t at = text.find(prefix); at != text.npos; at = text.find(prefix, at + 1)) {
      if (at > 0 && is_token_byte(text[at - 1]) && text[at - 1] != '=') continue;
      const std::size_t body = at + prefix.size();
      const std::size_t seen = end_of_token(text.substr(0, body + kLookedAtMax), body);
      const std::string_view near = text.substr(body, seen - body);
      const bool digit = std::ranges::any_of(near, ascii_digit);
      if (near.size() >= kBodyMin && digit) found.push_back({at, end_of_token(text, seen)});
    }
  }
}

}  // namespace

void add_tokens(std::string_view text, CutEnds cut, std::vector<Span>& found) {
  for (std::size_t at = next_sign(text, 0, kTokenSign); at < text.size();
       at = next_sign(text, at + 1, kTokenSign)) {
    const Span token = token_by(text, at, cut.after);
    if (token.end == 0) continue;
    found.push_back(token);
    at = token.end - 1;
  }
  add_signless(text, found);
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
