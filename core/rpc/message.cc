#include "core/rpc/message.h"

#include <utility>

namespace plumbline::rpc {

namespace {

using Kind = DecodeError::Kind;

// take moves the member `key` out of an object, null when there is none.
Json take(Json::object_t& members, std::string_view key) {
  const auto found = members.find(key);
  return found == members.end() ? Json() : std::move(found->second);
}

Result<Message, DecodeError> bad(Kind kind, std::optional<RpcId> id, std::string what) {
  return DecodeError{kind, std::move(id), std::move(what)};
}

Result<Message, DecodeError> decode_call(Json::object_t& members, const Json& method,
                                         const Json* id_member) {
  std::optional<RpcId> id = id_member ? read_id(*id_member) : std::nullopt;
  if (!method.is_string()) {
    return bad(Kind::kRequest, std::move(id),
               "method is " + std::string(type_name(method)) + ", not a string");
  }
  const auto params = members.find("params");
  if (params != members.end() && !params->second.is_structured()) {
    return bad(Kind::kRequest, std::move(id),
               "params is " + std::string(type_name(params->second)) + ", not an object");
  }
  if (id_member != nullptr && !id) {
    return bad(Kind::kRequest, std::nullopt,
               "id is " + dump_json(*id_member).substr(0, 64) + ", not a string or an integer");
  }
  Json payload = params == members.end() ? Json() : std::move(params->second);
  std::string name = std::move(members.find("method")->second.get_ref<std::string&>());
  if (!id) return Message(Notification{std::move(name), std::move(payload)});
  return Message(Request{std::move(*id), std::move(name), std::move(payload)});
}

Result<Message, DecodeError> decode_error(std::optional<RpcId> id, Json error) {
  auto* const members = error.get_ptr<Json::object_t*>();
  if (members == nullptr) {
    return bad(Kind::kResponse, std::move(id),
               "error is " + std::string(type_name(error)) + ", not an object");
  }
  const std::optional<std::int64_t> code = find_int(error, "code");
  if (!code) return bad(Kind::kResponse, std::move(id), "error has no whole number code");
  Json message = take(*members, "message");
  if (!message.is_string()) {
    return bad(Kind::kResponse, std::move(id), "error has no message string");
  }
  return Message(ErrorResponse{std::move(id), *code, std::move(message.get_ref<std::string&>()),
                               take(*members, "data")});
}

Result<Message, DecodeError> decode_answer(Json::object_t& members, const Json* id_member) {
  std::optional<RpcId> id = id_member ? read_id(*id_member) : std::nullopt;
  const bool has_result = members.find("result") != members.end();
  const bool has_error = members.find("error") != members.end();
  if (has_result && has_error) {
    return bad(Kind::kResponse, std::move(id), "both result and error are there");
  }
  const bool null_id = id_member == nullptr || id_member->is_null();
  if (!id && !(has_error && null_id)) {
    return bad(Kind::kResponse, std::nullopt,
               id_member
                   ? "id is " + dump_json(*id_member).substr(0, 64) + ", not a string or an integer"
                   : "a result without id");
  }
  if (has_error) return decode_error(std::move(id), take(members, "error"));
  return Message(Response{std::move(*id), take(members, "result")});
}

Json envelope() {
  Json out(Json::value_t::object);
  out.emplace("jsonrpc", "2.0");
  return out;
}

Json error_body(ErrorResponse& error) {
  Json body(Json::value_t::object);
  body.emplace("code", error.code);
  if (!error.data.is_null()) body.emplace("data", std::move(error.data));
  body.emplace("message", std::move(error.message));
  return body;
}

struct Encoder {
  Json operator()(Request& request) const {
    Json out = envelope();
    out.emplace("id", to_json(std::move(request.id)));
    out.emplace("method", std::move(request.method));
    if (!request.params.is_null()) out.emplace("params", std::move(request.params));
    return out;
  }
  Json operator()(Notification& notification) const {
    Json out = envelope();
    out.emplace("method", std::move(notification.method));
    if (!notification.params.is_null()) out.emplace("params", std::move(notification.params));
    return out;
  }
  Json operator()(Response& response) const {
    Json out = envelope();
    out.emplace("id", to_json(std::move(response.id)));
    out.emplace("result", std::move(response.result));
    return out;
  }
  Json operator()(ErrorResponse& error) const {
    Json out = envelope();
    out.emplace("error", error_body(error));
    out.emplace("id", error.id ? to_json(std::move(*error.id)) : Json());
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
  const Json* const id = find(value, "id");
  const Json* const method = find(value, "method");
  const bool answers = find(value, "result") != nullptr || find(value, "error") != nullptr;
  const Kind kind = method == nullptr && answers ? Kind::kResponse : Kind::kRequest;
  const Json* const version = find(value, "jsonrpc");
  const auto* const spelt = version ? version->get_ptr<const std::string*>() : nullptr;
  if (spelt == nullptr || *spelt != "2.0") {
    return bad(kind, id ? read_id(*id) : std::nullopt, "jsonrpc is not \"2.0\"");
  }
  if (method != nullptr && answers) {
    return bad(kind, id ? read_id(*id) : std::nullopt, "a method together with result or error");
  }
  if (method != nullptr) return decode_call(*members, *method, id);
  if (answers) return decode_answer(*members, id);
  return bad(kind, id ? read_id(*id) : std::nullopt, "neither method nor result nor error");
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
