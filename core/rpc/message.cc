#include "core/rpc/message.h"

#include <utility>

namespace plumbline::rpc {

namespace {

using Kind = DecodeError::Kind;

// Envelope is the members of a message that JSON-RPC knows; null where they are missing.
struct Envelope {
  Json* error = nullptr;
  Json* id = nullptr;
  Json* jsonrpc = nullptr;
  Json* method = nullptr;
  Json* params = nullptr;
  Json* result = nullptr;
};

// open_envelope looks at each member once: a message has few, and is asked for all of them.
Envelope open_envelope(Json::object_t& object) {
  constexpr std::pair<std::string_view, Json * Envelope::*> kKnown[] = {
      {"id", &Envelope::id},         {"jsonrpc", &Envelope::jsonrpc}, {"method", &Envelope::method},
      {"params", &Envelope::params}, {"result", &Envelope::result},   {"error", &Envelope::error}};
  Envelope found;
  for (auto& [key, value] : object) {
    for (const auto& [name, member] : kKnown) {
      if (key == name) found.*member = &value;
    }
  }
  return found;
}

Result<Message, DecodeError> bad(Kind kind, std::optional<RpcId> id, std::string what) {
  return DecodeError{kind, std::move(id), std::move(what)};
}

std::string not_an_id(const Json& id) {
  return "id is " + dump_json(id).substr(0, 64) + ", not a string or an integer";
}

Result<Message, DecodeError> decode_call(const Envelope& members) {
  std::optional<RpcId> id = members.id ? read_id(*members.id) : std::nullopt;
  auto* const method = members.method->get_ptr<std::string*>();
  if (method == nullptr) {
    return bad(Kind::kRequest, std::move(id),
               "method is " + std::string(type_name(*members.method)) + ", not a string");
  }
  if (members.params != nullptr && !members.params->is_structured()) {
    return bad(Kind::kRequest, std::move(id),
               "params is " + std::string(type_name(*members.params)) + ", not an object");
  }
  if (members.id != nullptr && !id) {
    return bad(Kind::kRequest, std::nullopt, not_an_id(*members.id));
  }
  Json params = members.params ? std::move(*members.params) : Json();
  if (!id) return Message(Notification{std::move(*method), std::move(params)});
  return Message(Request{std::move(*id), std::move(*method), std::move(params)});
}

Result<Message, DecodeError> decode_error(std::optional<RpcId> id, Json error) {
  auto* const members = error.get_ptr<Json::object_t*>();
  if (members == nullptr) {
    return bad(Kind::kResponse, std::move(id),
               "error is " + std::string(type_name(error)) + ", not an object");
  }
  const std::optional<std::int64_t> code = find_int(error, "code");
  if (!code) return bad(Kind::kResponse, std::move(id), "error has no whole number code");
  const auto message = members->find("message");
  if (message == members->end() || !message->second.is_string()) {
    return bad(Kind::kResponse, std::move(id), "error has no message string");
  }
  const auto data = members->find("data");
  return Message(ErrorResponse{std::move(id), *code,
                               std::move(message->second.get_ref<std::string&>()),
                               data == members->end() ? Json() : std::move(data->second)});
}

Result<Message, DecodeError> decode_answer(const Envelope& members) {
  std::optional<RpcId> id = members.id ? read_id(*members.id) : std::nullopt;
  if (members.result != nullptr && members.error != nullptr) {
    return bad(Kind::kResponse, std::move(id), "both result and error are there");
  }
  const bool null_id = members.id == nullptr || members.id->is_null();
  if (!id && !(members.error != nullptr && null_id)) {
    return bad(Kind::kResponse, std::nullopt,
               members.id ? not_an_id(*members.id) : "a result without id");
  }
  if (members.error != nullptr) return decode_error(std::move(id), std::move(*members.error));
  return Message(Response{std::move(*id), std::move(*members.result)});
}

Json error_body(ErrorResponse& error) {
  Json body(Json::value_t::object);
  add_last(body, "code", error.code);
  if (!error.data.is_null()) add_last(body, "data", std::move(error.data));
  add_last(body, "message", std::move(error.message));
  return body;
}

struct Encoder {
  Json operator()(Request& request) const {
    Json out(Json::value_t::object);
    add_last(out, "id", to_json(std::move(request.id)));
    add_last(out, "jsonrpc", "2.0");
    add_last(out, "method", std::move(request.method));
    if (!request.params.is_null()) add_last(out, "params", std::move(request.params));
    return out;
  }
  Json operator()(Notification& notification) const {
    Json out(Json::value_t::object);
    add_last(out, "jsonrpc", "2.0");
    add_last(out, "method", std::move(notification.method));
    if (!notification.params.is_null()) add_last(out, "params", std::move(notification.params));
    return out;
  }
  Json operator()(Response& response) const {
    Json out(Json::value_t::object);
    add_last(out, "id", to_json(std::move(response.id)));
    add_last(out, "jsonrpc", "2.0");
    add_last(out, "result", std::move(response.result));
    return out;
  }
  Json operator()(ErrorResponse& error) const {
    Json out(Json::value_t::object);
    add_last(out, "error", error_body(error));
    add_last(out, "id", error.id ? to_json(std::move(*error.id)) : Json());
    add_last(out, "jsonrpc", "2.0");
    return out;
  }
};

// append_text appends a string with its quotes; most need no escape and are copied as they are.
void append_text(std::string& out, const std::string& text) {
  for (const char c : text) {
    if (c < 0x20 || c > 0x7e || c == '"' || c == '\\') return append_json(out, Json(text));
  }
  out += '"';
  out += text;
  out += '"';
}

// Appender writes the members in the order in which dump_json sorts them.
struct Appender {
  std::string& out;

  void id(const RpcId& which) const {
    out += "\"id\":";
    if (const std::int64_t* const number = which.number()) {
      out += std::to_string(*number);
    } else {
      append_text(out, *which.text());
    }
  }
  void call(const std::string& method, const Json& params) const {
    out += "\"method\":";
    append_text(out, method);
    if (!params.is_null()) {
      out += ",\"params\":";
      append_json(out, params);
    }
    out += '}';
  }

  void operator()(const Request& request) const {
    out += '{';
    id(request.id);
    out += ",\"jsonrpc\":\"2.0\",";
    call(request.method, request.params);
  }
  void operator()(const Notification& notification) const {
    out += "{\"jsonrpc\":\"2.0\",";
    call(notification.method, notification.params);
  }
  void operator()(const Response& response) const {
    out += '{';
    id(response.id);
    out += ",\"jsonrpc\":\"2.0\",\"result\":";
    append_json(out, response.result);
    out += '}';
  }
  void operator()(const ErrorResponse& error) const {
    out += "{\"error\":{\"code\":" + std::to_string(error.code);
    if (!error.data.is_null()) {
      out += ",\"data\":";
      append_json(out, error.data);
    }
    out += ",\"message\":";
    append_text(out, error.message);
    out += "},";
    if (error.id) {
      id(*error.id);
    } else {
      out += "\"id\":null";
    }
    out += ",\"jsonrpc\":\"2.0\"}";
  }
};

}  // namespace

std::string_view name_of(std::int64_t code) {
  switch (code) {
    case kParseError:
      return "parse error";
    case kInvalidRequest:
      return "invalid request";
    case kMethodNotFound:
      return "method not found";
    case kInvalidParams:
      return "invalid params";
    case kInternalError:
      return "internal error";
    case kResourceNotFound:
      return "resource not found";
    case kUrlElicitationRequired:
      return "URL elicitation required";
    case kHeaderMismatch:
      return "header mismatch";
    case kMissingClientCapability:
      return "missing client capability";
    case kUnsupportedVersion:
      return "unsupported protocol version";
    default:
      return {};
  }
}

std::optional<RpcId> read_id(const Json& value) {
  if (const auto* const text = value.get_ptr<const std::string*>()) return RpcId(*text);
  if (const std::optional<std::int64_t> number = as_int(value)) return RpcId(*number);
  return std::nullopt;
}

Json to_json(RpcId id) {
  if (const std::int64_t* const number = id.number()) return Json(*number);
  return Json(*id.text());
}

std::string describe(const RpcId& id) {
  if (const std::int64_t* const number = id.number()) return std::to_string(*number);
  return dump_json(Json(*id.text()));
}

Result<Message, DecodeError> decode(Json value) {
  auto* const members = value.get_ptr<Json::object_t*>();
  if (members == nullptr) {
    return bad(Kind::kRequest, std::nullopt,
               "the message is " + std::string(type_name(value)) + ", not an object");
  }
  const Envelope found = open_envelope(*members);
  const bool answers = found.result != nullptr || found.error != nullptr;
  const Kind kind = found.method == nullptr && answers ? Kind::kResponse : Kind::kRequest;
  const auto* const spelt = found.jsonrpc ? found.jsonrpc->get_ptr<const std::string*>() : nullptr;
  if (spelt == nullptr || *spelt != "2.0") {
    return bad(kind, found.id ? read_id(*found.id) : std::nullopt, "jsonrpc is not \"2.0\"");
  }
  if (found.method != nullptr && answers) {
    return bad(kind, found.id ? read_id(*found.id) : std::nullopt,
               "a method together with result or error");
  }
  if (found.method == nullptr && !answers) {
    return bad(kind, found.id ? read_id(*found.id) : std::nullopt,
               "neither method nor result nor error");
  }
  return answers ? decode_answer(found) : decode_call(found);
}

Json encode(Message message) { return std::visit(Encoder{}, message); }

Result<Message, DecodeError> decode_bytes(std::string_view text, const JsonLimits& limits) {
  Result<Json> parsed = parse_json(text, limits);
  if (!parsed.ok()) {
    return bad(Kind::kRequest, std::nullopt, std::move(parsed).error().message);
  }
  return decode(std::move(parsed).value());
}

void append_bytes(std::string& out, const Message& message) { std::visit(Appender{out}, message); }

std::vector<Json> split_batch(Json batch) {
  auto* const items = batch.get_ptr<Json::array_t*>();
  check(items != nullptr, "split_batch of something that is no array");
  return std::move(*items);
}

}  // namespace plumbline::rpc
