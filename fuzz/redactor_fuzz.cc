// Any bytes as a text that is shown, and a secret planted between them: whatever stands around it,
// and however it is written, nothing of it is left; what was redacted is redacted; JSON stays JSON.
//
// The first bytes pick how the secret is named and encoded; the rest stands around it.

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/base64.h"
#include "core/base/check.h"
#include "core/base/percent.h"
#include "core/json/json.h"
#include "core/json/redactor.h"

namespace {

using namespace plumbline;

constexpr std::string_view kSecret = "pl4ntedZq7secret";

constexpr auto kBefore = std::to_array<std::string_view>(
    {"password=", "\"api_key\":\"", "Authorization: token ", "--token ",
     "postgres://u:", "https://h/?x=1&code=", "-u ada:", "Cookie: sid=", "{\"cookies\":[\"",
     "ghp_0123456789abcdef", "client_secret: ", "it is "});
constexpr auto kBehind = std::to_array<std::string_view>(
    {" ", "\" ", " ", " ", "@h/db ", "&y=2 ", " ", " ", "\"]} ", " ", " ", " "});

// in_hex writes each byte as two digits behind `lead`.
std::string in_hex(std::string_view text, std::string_view lead) {
  std::string out;
  for (const char c : text) out.append(lead).append(hex_of({&c, 1}));
  return out;
}

std::string encoded(std::string_view text, unsigned how) {
  switch (how % 5) {
    case 1:
      return encode_base64(text);
    case 2:
      return in_hex(text, "%");
    case 3:
      return in_hex(text, "\\u00");
    case 4:
      return encode_base64url(text);
    default:
      return std::string(text);
  }
}

bool tells(const std::string& shown, std::string_view whole) {
  return shown.find(kSecret) != std::string::npos ||
         shown.find(in_hex(kSecret, "%")) != std::string::npos ||
         shown.find(in_hex(kSecret, "\\u00")) != std::string::npos ||
         (whole.size() > 24 && shown.find(encode_base64(whole).substr(4, 16)) != std::string::npos);
}

void check_json(const Redactor& redactor, std::string_view text) {
  Result<Json> value = parse_json(text);
  if (!value.ok()) return;
  const bool plain = text.find('%') == text.npos && text.find('\\') == text.npos;
  const std::string shown = redactor.redact(std::string(text));
  if (plain) check(parse_json(shown).ok(), "JSON in a text stays JSON");
  Json hidden = value.value();
  redactor.redact(hidden);
  check(redactor.is_clean(value.value()) == (hidden == value.value()),
        "a look sees what is hidden");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const std::string_view noise(reinterpret_cast<const char*>(data) + 3, size - 3);
  const std::size_t form = data[0] % kBefore.size();
  const bool known = form + 1 == kBefore.size();
  Redactor redactor;
  if (known) redactor.add_forms(std::string(kSecret));
  check_json(redactor, noise);

  const std::string whole = std::string(kBefore[form]).append(kSecret).append(kBehind[form]);
  const bool in_base64 = data[1] % 5 == 1 || data[1] % 5 == 4;
  if (tells(std::string(noise), in_base64 ? whole : "")) return 0;  // It was guessed.
  const std::size_t place = noise.size() * data[2] / 256;
  const std::string text = std::string(noise.substr(0, place)) + "\n" + encoded(whole, data[1]) +
                           "\n" + std::string(noise.substr(place));
  const std::string shown = redactor.redact(text);
  check(!tells(shown, in_base64 ? whole : ""), "no secret is left");
  check(!tells(redactor.redact(shown), ""), "and none comes back");
  return 0;
}
