#include "core/mcp/server/sealed_state.h"

#include <array>
#include <cstddef>

#include "core/base/sha256.h"

namespace plumbline::mcp {

namespace {

constexpr std::size_t kBlockBytes = 64;
constexpr std::size_t kMacDigits = 64;

int digit_of(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }

std::string bytes_of(const std::string& hex) {
  std::string out;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    out.push_back(static_cast<char>(digit_of(hex[i]) * 16 + digit_of(hex[i + 1])));
  }
  return out;
}

std::string padded(const std::string& key, unsigned char pad) {
  std::string out(kBlockBytes, static_cast<char>(pad));
  for (std::size_t i = 0; i < key.size(); ++i) {
    out[i] = static_cast<char>(static_cast<unsigned char>(key[i]) ^ pad);
  }
  return out;
}

// same compares without telling by its time where the first difference is.
bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference |= static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i]);
  }
  return difference == 0;
}

}  // namespace

std::string hmac_sha256(std::string_view secret, std::string_view text) {
  Sha256 hash;
  std::string key(secret);
  if (key.size() > kBlockBytes) {
    hash.update(key);
    key = bytes_of(hash.finish_hex());
  }
  hash.update(padded(key, 0x36));
  hash.update(text);
  const std::string inner = bytes_of(hash.finish_hex());
  hash.update(padded(key, 0x5C));
  hash.update(inner);
  return hash.finish_hex();
}

std::string seal(std::string_view secret, const Json& content) {
  const std::string text = dump_json(content);
  return hmac_sha256(secret, text) + text;
}

std::optional<Json> unseal(std::string_view secret, std::string_view text) {
  if (text.size() < kMacDigits) return std::nullopt;
  const std::string_view content = text.substr(kMacDigits);
  if (!same(text.substr(0, kMacDigits), hmac_sha256(secret, content))) return std::nullopt;
  Result<Json> read = parse_json(content);
  if (!read.ok()) return std::nullopt;
  return std::move(read).value();
}

}  // namespace plumbline::mcp
