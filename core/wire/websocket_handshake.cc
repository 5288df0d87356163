#include "core/wire/websocket_handshake.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "core/base/base64.h"
#include "core/base/check.h"
#include "core/base/text.h"

namespace plumbline::wire {

namespace {

constexpr std::string_view kVersion = "13";
constexpr std::size_t kRandomBytes = 16;

// is_key returns whether `text` is 16 bytes in base64.
bool is_key(std::string_view text) {
  const std::optional<std::string> bytes = decode_base64(text);
  return bytes && bytes->size() == kRandomBytes && encode_base64(*bytes) == text;
}

// accept_of returns the proof that a server has read `key` (section 4.2.2, step 5).
std::string accept_of(std::string_view key) {
  const std::string text = std::string(key) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
  std::array<unsigned char, 20> digest{};
  check(EVP_Digest(text.data(), text.size(), digest.data(), nullptr, EVP_sha1(), nullptr) == 1,
        "SHA-1 is missing");
  return encode_base64({reinterpret_cast<const char*>(digest.data()), digest.size()});
}

// words_of returns the members of a comma-separated list, of all fields of `name`.
std::vector<std::string> words_of(const HttpHeaders& headers, std::string_view name) {
  std::vector<std::string> words;
  for (const auto& [field, value] : headers.fields()) {
    if (!equals_ignoring_case(field, name)) continue;
    for (std::string_view rest = value; !rest.empty();) {
      const std::size_t comma = std::min(rest.find(','), rest.size());
      const std::string_view word = trimmed(rest.substr(0, comma));
      rest.remove_prefix(std::min(comma + 1, rest.size()));
      if (!word.empty()) words.emplace_back(word);
    }
  }
  return words;
}

bool has_word(const HttpHeaders& headers, std::string_view name, std::string_view word) {
  return std::ranges::any_of(words_of(headers, name), [&](const std::string& candidate) {
    return equals_ignoring_case(candidate, word);
  });
}

std::string joined_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

bool is_among(const std::vector<std::string>& words, const std::string& word) {
  return std::ranges::find(words, word) != words.end();
}

WebSocketAnswer refusal(int status, std::string why) {
  WebSocketAnswer answer;
  answer.response.status = status;
  answer.response.headers.set("Content-Type", "text/plain; charset=utf-8");
  if (status == 405) answer.response.headers.set("Allow", "GET");
  if (status == 426) {
    answer.response.headers.set("Connection", "Upgrade");
    answer.response.headers.set("Upgrade", "websocket");
    answer.response.headers.set("Sec-WebSocket-Version", std::string(kVersion));
  }
  answer.response.body = std::move(why) + "\n";
  return answer;
}

}  // namespace

std::string ws_key_of(std::string_view random_bytes) {
  check(random_bytes.size() == kRandomBytes, "a key is 16 bytes");
  return encode_base64(random_bytes);
}

HttpRequest ws_request(const WebSocketOffer& offer) {
  HttpRequest request;
  request.method = "GET";
  request.target = offer.target;
  request.headers = {{"Host", offer.host},
                     {"Connection", "Upgrade"},
                     {"Upgrade", "websocket"},
                     {"Sec-WebSocket-Version", std::string(kVersion)},
                     {"Sec-WebSocket-Key", offer.key}};
  if (!offer.subprotocols.empty()) {
    request.headers.add("Sec-WebSocket-Protocol", joined_words(offer.subprotocols));
  }
  return request;
}

Result<std::string> accept_ws_response(const WebSocketOffer& offer, int status,
                                       const HttpHeaders& headers) {
  const auto wrong = [](std::string what) { return Error{ErrorCode::kInvalidInput, what}; };
  if (status != 101) {
    return Error{ErrorCode::kUnsupported,
                 "the server opens no WebSocket: status " + std::to_string(status)};
  }
  if (!has_word(headers, "Upgrade", "websocket") || !has_word(headers, "Connection", "Upgrade")) {
    return wrong("the server upgrades to something else");
  }
  if (headers.count("Sec-WebSocket-Accept") != 1 ||
      headers.get("Sec-WebSocket-Accept") != accept_of(offer.key)) {
    return wrong("Sec-WebSocket-Accept does not answer our key");
  }
  if (!words_of(headers, "Sec-WebSocket-Extensions").empty()) {
    return wrong("the server uses an extension that was not offered");
  }
  const std::vector<std::string> chosen = words_of(headers, "Sec-WebSocket-Protocol");
  if (chosen.empty()) return std::string();
  if (chosen.size() != 1 || !is_among(offer.subprotocols, chosen.front())) {
    return wrong("the server chose a subprotocol that was not offered");
  }
  return chosen.front();
}

WebSocketAnswer answer_ws_request(const HttpRequest& request,
                                  const std::vector<std::string>& subprotocols) {
  const HttpHeaders& headers = request.headers;
  if (request.method != "GET") return refusal(405, "a WebSocket is opened with GET");
  if (!has_word(headers, "Upgrade", "websocket") || !has_word(headers, "Connection", "Upgrade")) {
    return refusal(426, "this is a WebSocket");
  }
  if (headers.get("Sec-WebSocket-Version") != kVersion) {
    return refusal(426, "WebSocket version 13 is what is spoken here");
  }
  const std::optional<std::string_view> key = headers.get("Sec-WebSocket-Key");
  if (headers.count("Sec-WebSocket-Key") != 1 || !is_key(*key)) {
    return refusal(400, "Sec-WebSocket-Key is not 16 bytes in base64");
  }
  WebSocketAnswer answer;
  answer.response.status = 101;
  answer.response.headers = {{"Connection", "Upgrade"},
                             {"Upgrade", "websocket"},
                             {"Sec-WebSocket-Accept", accept_of(*key)}};
  for (const std::string& offered : words_of(headers, "Sec-WebSocket-Protocol")) {
    if (!is_among(subprotocols, offered)) continue;
    answer.subprotocol = offered;
    answer.response.headers.add("Sec-WebSocket-Protocol", offered);
    break;
  }
  return answer;
}

}  // namespace plumbline::wire
