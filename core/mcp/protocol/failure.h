// Failure is why a request to a peer brought no result.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "core/json/json.h"

namespace plumbline::mcp {

struct Failure {
  enum class Kind {
    kRpc,           // The peer answered with an error: code, message, data.
    kTimeout,       // No answer by the deadline.
    kDisconnected,  // The connection ended first, or there is none.
    kCancelled,     // We took the request back.
    kInvalidReply,  // The answer breaks the protocol; message says how.
    kRefused,       // Never sent: the peer did not declare the capability, or a limit was met.
  };

  Kind kind = Kind::kRpc;
  std::int64_t code = 0;  // Only with kRpc.
  std::string message;
  Json data;  // Null when there is none.

  Failure() = default;
  Failure(Kind what, std::string why) : kind(what), message(std::move(why)) {}
  Failure(std::int64_t rpc_code, std::string why, Json extra = nullptr)
      : code(rpc_code), message(std::move(why)), data(std::move(extra)) {}
};

template <typename T>
using Reply = Result<T, Failure>;

// name_of returns "rpc", "timeout", "disconnected", "cancelled", "invalid_reply", "refused".
std::string_view name_of(Failure::Kind kind);

// describe returns one sentence without a full stop:
// "the server answered with error -32602 (invalid params): unknown tool x".
std::string describe(const Failure& failure);

// FailureClass says what kind of trouble it is, and with that what a caller can do about it.
enum class FailureClass {
  kNetwork,         // Disconnected. A new connection may help.
  kAuthentication,  // Who are you? Never retried with the same credentials.
  kAuthorization,   // You may not. Never retried.
  kRateLimit,       // Not so fast: wait, then retry.
  kTimeout,
  kInvalidRequest,  // What we asked for is wrong, unknown or not supported.
  kExecution,       // The peer tried and failed.
  kProtocol,        // The peer breaks the protocol.
};

// name_of returns "network", "authentication", "authorization", "rate_limit", "timeout",
// "invalid_request", "execution", "protocol".
std::string_view name_of(FailureClass which);

// classify looks at the kind, then at an HTTP status (code, data.status, data.httpStatus,
// data.statusCode), then at a JSON-RPC code that says what was wrong with the request; where there
// is none of them, at the words of the message.
FailureClass classify(const Failure& failure);

// class_by_status looks at that status alone. Only it says that the request was refused before it
// was carried out: words may come of a tool that has met a limit itself.
std::optional<FailureClass> class_by_status(const Failure& failure);

// may_have_happened returns whether such a failure leaves open whether the request took effect.
inline bool may_have_happened(FailureClass kind) {
  return kind == FailureClass::kTimeout || kind == FailureClass::kNetwork ||
         kind == FailureClass::kProtocol;
}

// classify_text looks at words alone, as a tool's isError text needs it. Nothing when they do not
// speak of authentication, authorization, a rate limit or a timeout.
std::optional<FailureClass> classify_text(std::string_view text);

// retry_after_ms returns how long the peer asks to wait: data.retryAfterMs, data.retry_after_ms,
// or data.retryAfter, which is in seconds as in HTTP. Never negative.
std::optional<std::int64_t> retry_after_ms(const Failure& failure);

}  // namespace plumbline::mcp
