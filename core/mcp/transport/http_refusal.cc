#include "core/mcp/transport/http_refusal.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "core/base/text.h"
#include "core/net/http_answer.h"
#include "core/wire/retry_after.h"

namespace plumbline::transport {

namespace {

constexpr std::size_t kTextBytesShown = 160;

// shown returns the beginning of `text` in one line of printable ASCII.
std::string shown(std::string_view text) {
  std::string out;
  for (const char c : text.substr(0, kTextBytesShown)) {
    const bool plain = c > ' ' && c < 127;
    if (plain || (!out.empty() && out.back() != ' ')) out += plain ? c : ' ';
  }
  while (!out.empty() && out.back() == ' ') out.pop_back();
  return out;
}

// words_of returns what a body says to people: of JSON, the message of its error.
std::string words_of(const wire::HttpHeaders& headers, std::string_view body) {
  const std::string_view type = headers.get("Content-Type").value_or("");
  if (net::is_media_type(type, "text/html"))
    return "an HTML page, such as a sign-in or a proxy shows";
  const Result<Json> json = parse_json(body);
  if (!json.ok()) return net::is_media_type(type, "text/plain") ? shown(body) : "";
  const Json* const error = find(json.value(), "error");
  if (error != nullptr && error->is_object()) return shown(string_or(*error, "message", ""));
  return shown(string_or(json.value(), "message", string_or(json.value(), "error", "")));
}

}  // namespace

std::string describe_answer(int status, const wire::HttpHeaders& headers, std::string_view body) {
  std::string out = "HTTP " + std::to_string(status) + " " + std::string(wire::reason_of(status));
  const auto location = headers.get("Location");
  if (status >= 300 && status < 400 && location) {
    return out + ", a redirect to " + shown(*location) + ", which is not followed";
  }
  const std::string_view coding = headers.get("Content-Encoding").value_or("identity");
  if (!net::is_media_type(coding, "identity")) {
    return out + " in the content encoding " + shown(coding) + ", which nobody asked for";
  }
  const std::string words = words_of(headers, body);
  return words.empty() ? out : out + ": " + words;
}

void add_status(Json& error, int status, const wire::HttpHeaders& headers) {
  Json& data = error["data"];
  if (!data.is_object() && !data.is_null()) return;
  if (!data.contains("httpStatus")) data["httpStatus"] = status;
  const std::optional<Duration> wait = wire::retry_after(headers);
  if (!wait || data.contains("retryAfter")) return;
  data["retryAfter"] = std::chrono::duration_cast<std::chrono::seconds>(*wait).count();
}

std::optional<Json> error_of(int status, const wire::HttpHeaders& headers, std::string_view body) {
  constexpr std::array kTelling = {401, 403, 429, 503};
  if (std::ranges::find(kTelling, status) == kTelling.end()) return std::nullopt;
  Json error = Json::object();
  error["code"] = status;
  error["message"] = describe_answer(status, headers, body);
  add_status(error, status, headers);
  return error;
}

bool speaks_of_lost_session(std::string_view text) {
  constexpr std::array kOver = {"not found", "unknown",    "expired",   "invalid",
                                "no valid",  "terminated", "not exist", "no such"};
  const std::string words = lower_case(text);
  const auto has = [&words](std::string_view part) { return words.find(part) != words.npos; };
  if (has("not initialized") || has("not initialised")) return true;
  return has("session") && std::ranges::any_of(kOver, has);
}

}  // namespace plumbline::transport
