// Message is one JSON-RPC 2.0 message, taken apart: a request, a notification, a result or an
// error. decode() and encode() move the payload, they never copy it.

#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/base/result.h"
#include "core/json/json.h"

namespace plumbline::rpc {

// The codes of JSON-RPC 2.0, section 5.1, and those that MCP gives out.
inline constexpr std::int64_t kParseError = -32700;
inline constexpr std::int64_t kInvalidRequest = -32600;
inline constexpr std::int64_t kMethodNotFound = -32601;
inline constexpr std::int64_t kInvalidParams = -32602;
inline constexpr std::int64_t kInternalError = -32603;
inline constexpr std::int64_t kResourceNotFound = -32002;
inline constexpr std::int64_t kUrlElicitationRequired = -32042;
inline constexpr std::int64_t kRejectedByUser = -1;

// The codes of revision 2026-07-28.
inline constexpr std::int64_t kHeaderMismatch = -32020;
inline constexpr std::int64_t kMissingClientCapability = -32021;
inline constexpr std::int64_t kUnsupportedVersion = -32022;

// name_of returns a code's name for people: "method not found"; empty for one without a name.
std::string_view name_of(std::int64_t code);

// RpcId is a request id with its JSON type: 1 and "1" are two different ids. Ordered, integers
// first.
class RpcId {
 public:
  RpcId() = default;
  RpcId(std::int64_t number) : value_(number) {}  // NOLINT(google-explicit-constructor)
  explicit RpcId(std::string text) : value_(std::move(text)) {}

  // number returns the id when it is an integer, nullptr when it is a string.
  const std::int64_t* number() const { return std::get_if<std::int64_t>(&value_); }
  const std::string* text() const { return std::get_if<std::string>(&value_); }

  friend bool operator==(const RpcId&, const RpcId&) = default;
  friend auto operator<=>(const RpcId&, const RpcId&) = default;

 private:
  std::variant<std::int64_t, std::string> value_;
};

// read_id returns the id that `value` spells: a string, or a whole number of 64 bits (1.0 is 1).
std::optional<RpcId> read_id(const Json& value);

// to_json returns the id as it stands in a message.
Json to_json(RpcId id);

// describe returns the id for people: 7 or "7".
std::string describe(const RpcId& id);

// `params` is null when the message has none.
struct Request {
  RpcId id;
  std::string method;
  Json params;
};

struct Notification {
  std::string method;
  Json params;
};

struct Response {
  RpcId id;
  Json result;
};

// ErrorResponse without an id answers a message whose id could not be read. `data` is null when
// there is none.
struct ErrorResponse {
  std::optional<RpcId> id;
  std::int64_t code = kInternalError;
  std::string message;
  Json data;
};

using Message = std::variant<Request, Notification, Response, ErrorResponse>;

// DecodeError tells what makes a value no message, and whom that concerns: an invalid request is
// answered with kInvalidRequest and `id` (null when unreadable); an invalid response is answered
// with nothing, but ends the request `id` if there is such a one.
struct DecodeError {
  enum class Kind { kRequest, kResponse };  // What it failed to be.
  Kind kind = Kind::kRequest;
  std::optional<RpcId> id;
  std::string what;
};

// decode takes one message apart. An array is an invalid request here: see split_batch.
//
// Accepted: unknown members beside the known ones. Refused: jsonrpc other than "2.0", an id that
// is null, fractional, boolean or structured, params that are neither object nor array, result
// and error together, an error without whole code and text message. An ErrorResponse alone may
// have a null id or none.
Result<Message, DecodeError> decode(Json value);

// encode puts a message together. Members without a value are left out; an ErrorResponse without
// id gets "id": null, as JSON-RPC 2.0 section 5 wants.
Json encode(Message message);

// decode_bytes is parse_json and decode in one; what is no JSON is an invalid request without id.
Result<Message, DecodeError> decode_bytes(std::string_view text, const JsonLimits& limits = {});

// append_bytes appends what dump_json(encode(message)) returns, without building the envelope.
void append_bytes(std::string& out, const Message& message);

// is_batch returns whether the value is an array. Only revision 2025-03-26 knows batches.
inline bool is_batch(const Json& value) { return value.is_array(); }

// split_batch returns the members of a batch, each to be decoded on its own; empty for an empty
// array, which is an invalid request. `batch` must be an array.
std::vector<Json> split_batch(Json batch);

}  // namespace plumbline::rpc
