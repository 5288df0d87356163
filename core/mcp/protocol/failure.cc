#include "core/mcp/protocol/failure.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/check.h"
#include "core/base/text.h"
#include "core/rpc/message.h"

namespace plumbline::mcp {

namespace {

using Kind = Failure::Kind;

std::string words_of(std::string_view text) {
  std::string out = lower_case(text);
  for (char& c : out) {
    if (c == '_' || c == '-') c = ' ';
  }
  return out;
}

bool is_word(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// has_phrase finds `phrase` in `text` with no letter or digit directly before or after it, so that
// "401" is not found in "14013" nor "forbidden" in "forbiddenly".
bool has_phrase(std::string_view text, std::string_view phrase) {
  for (std::size_t at = text.find(phrase); at != std::string_view::npos;
       at = text.find(phrase, at + 1)) {
    const std::size_t end = at + phrase.size();
    if ((at == 0 || !is_word(text[at - 1])) && (end == text.size() || !is_word(text[end]))) {
      return true;
    }
  }
  return false;
}

struct Phrase {
  std::string_view text;  // In lower case, with spaces for - and _.
  FailureClass meaning;
};

// Rate limits first: "403 forbidden: rate limit exceeded" asks to wait, not to give up.
constexpr std::array kPhrases = {
    Phrase{"rate limit", FailureClass::kRateLimit},
    Phrase{"rate limited", FailureClass::kRateLimit},
    Phrase{"ratelimit", FailureClass::kRateLimit},
    Phrase{"too many requests", FailureClass::kRateLimit},
    Phrase{"quota exceeded", FailureClass::kRateLimit},
    Phrase{"unauthorized", FailureClass::kAuthentication},
    Phrase{"unauthorised", FailureClass::kAuthentication},
    Phrase{"unauthenticated", FailureClass::kAuthentication},
    Phrase{"not authenticated", FailureClass::kAuthentication},
    Phrase{"authentication failed", FailureClass::kAuthentication},
    Phrase{"authentication required", FailureClass::kAuthentication},
    Phrase{"invalid token", FailureClass::kAuthentication},
    Phrase{"invalid access token", FailureClass::kAuthentication},
    Phrase{"invalid api key", FailureClass::kAuthentication},
    Phrase{"invalid credentials", FailureClass::kAuthentication},
    Phrase{"token expired", FailureClass::kAuthentication},
    Phrase{"token has expired", FailureClass::kAuthentication},
    Phrase{"expired token", FailureClass::kAuthentication},
    Phrase{"forbidden", FailureClass::kAuthorization},
    Phrase{"permission denied", FailureClass::kAuthorization},
    Phrase{"access denied", FailureClass::kAuthorization},
    Phrase{"not authorized", FailureClass::kAuthorization},
    Phrase{"not authorised", FailureClass::kAuthorization},
    Phrase{"insufficient scope", FailureClass::kAuthorization},
    Phrase{"insufficient permissions", FailureClass::kAuthorization},
    Phrase{"connection reset", FailureClass::kNetwork},
    Phrase{"connection closed", FailureClass::kNetwork},
    Phrase{"connection lost", FailureClass::kNetwork},
    Phrase{"connection aborted", FailureClass::kNetwork},
    Phrase{"socket hang up", FailureClass::kNetwork},
    Phrase{"broken pipe", FailureClass::kNetwork},
    Phrase{"econnreset", FailureClass::kNetwork},
    Phrase{"timed out", FailureClass::kTimeout},
    Phrase{"deadline exceeded", FailureClass::kTimeout},
};

std::optional<FailureClass> classify_status(std::int64_t status) {
  switch (status) {
    case 401:
    case 407:  // By a proxy.
      return FailureClass::kAuthentication;
    case 403:
      return FailureClass::kAuthorization;
    case 429:
      return FailureClass::kRateLimit;
    case 408:
    case 504:
      return FailureClass::kTimeout;
    case 502:
    case 503:
      return FailureClass::kNetwork;
    default:
      return std::nullopt;
  }
}

constexpr double kRetryAfterMsMax = 1e15;

FailureClass classify_error(const Failure& failure) {
  if (const auto meaning = class_by_status(failure)) return *meaning;
  switch (failure.code) {
    case rpc::kParseError:
    case rpc::kInvalidRequest:
    case rpc::kMethodNotFound:
    case rpc::kInvalidParams:
    case rpc::kResourceNotFound:
      return FailureClass::kInvalidRequest;
    case rpc::kUrlElicitationRequired:
      return FailureClass::kAuthorization;
    default:  // Of no meaning that anybody has agreed on: what is left are the words.
      return classify_text(failure.message).value_or(FailureClass::kExecution);
  }
}

}  // namespace

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::kRpc:
      return "rpc";
    case Kind::kTimeout:
      return "timeout";
    case Kind::kDisconnected:
      return "disconnected";
    case Kind::kCancelled:
      return "cancelled";
    case Kind::kInvalidReply:
      return "invalid_reply";
    case Kind::kRefused:
      return "refused";
  }
  check(false, "unknown Failure::Kind");
  return {};
}

std::string_view name_of(FailureClass which) {
  switch (which) {
    case FailureClass::kNetwork:
      return "network";
    case FailureClass::kAuthentication:
      return "authentication";
    case FailureClass::kAuthorization:
      return "authorization";
    case FailureClass::kRateLimit:
      return "rate_limit";
    case FailureClass::kTimeout:
      return "timeout";
    case FailureClass::kInvalidRequest:
      return "invalid_request";
    case FailureClass::kExecution:
      return "execution";
    case FailureClass::kProtocol:
      return "protocol";
  }
  check(false, "unknown FailureClass");
  return {};
}

std::string describe(const Failure& failure) {
  switch (failure.kind) {
    case Kind::kRpc: {
      std::string out = "the peer answered with error " + std::to_string(failure.code);
      const std::string_view name = rpc::name_of(failure.code);
      if (!name.empty()) out.append(" (").append(name).append(")");
      return failure.message.empty() ? out : out + ": " + failure.message;
    }
    case Kind::kInvalidReply:
      return "the answer breaks the protocol: " + failure.message;
    default:
      return failure.message.empty() ? std::string(name_of(failure.kind)) : failure.message;
  }
}

FailureClass classify(const Failure& failure) {
  switch (failure.kind) {
    case Kind::kRpc:
      return classify_error(failure);
    case Kind::kTimeout:
    case Kind::kCancelled:
      return FailureClass::kTimeout;
    case Kind::kDisconnected:
      return FailureClass::kNetwork;
    case Kind::kInvalidReply:
      return FailureClass::kProtocol;
    case Kind::kRefused:
      return FailureClass::kInvalidRequest;
  }
  check(false, "unknown Failure::Kind");
  return {};
}

std::optional<FailureClass> class_by_status(const Failure& failure) {
  if (failure.kind != Kind::kRpc) return std::nullopt;
  if (const auto meaning = classify_status(failure.code)) return meaning;
  for (const char* key : {"status", "httpStatus", "statusCode"}) {
    if (const auto status = find_int(failure.data, key)) {
      if (const auto meaning = classify_status(*status)) return meaning;
    }
  }
  return std::nullopt;
}

std::optional<FailureClass> classify_text(std::string_view text) {
  const std::string words = words_of(text);
  for (const Phrase& phrase : kPhrases) {
    if (has_phrase(words, phrase.text)) return phrase.meaning;
  }
  return std::nullopt;
}

std::optional<std::int64_t> retry_after_ms(const Failure& failure) {
  const auto read = [&failure](std::string_view key, double scale) -> std::optional<std::int64_t> {
    const Json* const value = find(failure.data, key);
    if (value == nullptr || !value->is_number()) return std::nullopt;
    const double ms = value->get<double>() * scale;
    if (!(ms >= 0)) return std::nullopt;
    return static_cast<std::int64_t>(std::ceil(std::min(ms, kRetryAfterMsMax)));
  };
  if (const auto ms = read("retryAfterMs", 1)) return ms;
  if (const auto ms = read("retry_after_ms", 1)) return ms;
  return read("retryAfter", 1000);
}

}  // namespace plumbline::mcp
