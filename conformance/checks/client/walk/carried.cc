// How HTTP may carry an answer: one form for each of walk_forms.cc.

#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "conformance/checks/client/walk/walk.h"

namespace plumbline::conformance {

namespace {

constexpr const char* kJsonType = "application/json";
constexpr const char* kStreamType = "text/event-stream";
constexpr Duration kFirstEventLate = std::chrono::seconds(1);

std::string escaped(const Json& value) { return value.dump(-1, ' ', true); }

// id_last returns the response with its id behind the result.
std::string id_last(const Json& response) {
  return R"({"result":)" + dump_json(response["result"]) + R"(,"jsonrpc":"2.0","id":)" +
         dump_json(response["id"]) + "}";
}

std::string data_of(const std::string& text) { return "data: " + text + "\n\n"; }

// in_lines returns an event whose data is `text`, line by line.
std::string in_lines(const std::string& text) {
  std::string event;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t to = std::min(text.find('\n', begin), text.size());
    event += "data: " + text.substr(begin, to - begin) + "\n";
    begin = to + 1;
  }
  return event + "\n";
}

// with_separators returns the response with letters in it that end a line elsewhere: U+0085, U+2028
// and U+2029. In a stream they end none (HTML, Server-sent events, Parsing an event stream).
Json with_separators(Json response) {
  response["result"]["_meta"]["plumbline.dev/separators"] = "a\u0085b\u2028c\u2029d";
  return response;
}

std::string with_cr(std::string text) {
  for (char& c : text) {
    if (c == '\n') c = '\r';
  }
  return text;
}

struct Whole {
  std::string type;
  std::string body;
};

// json_form and stream_form return the whole answer; an empty type: it is none of theirs.
Whole json_form(std::string_view form, const Json& response) {
  const std::string plain = dump_json(response);
  if (form == "c_json_charset") return {"application/json; charset=utf-8", plain};
  if (form == "c_json_tight") return {"application/json;charset=UTF-8", plain};
  if (form == "c_json_quoted") return {"application/json; charset=\"utf-8\"", plain};
  if (form == "c_json_indented") return {kJsonType, pretty_json(response)};
  if (form == "c_json_blanks") return {kJsonType, "\r\n \t" + plain + "\r\n\r\n"};
  if (form == "c_json_escaped") return {kJsonType, escaped(response)};
  if (form == "c_json_order") return {kJsonType, id_last(response)};
  if (form == "c_json_headers") return {kJsonType, plain};
  return {};
}

Whole stream_form(std::string_view form, const Json& response) {
  const std::string plain = data_of(dump_json(response));
  if (form == "c_sse_charset") return {"text/event-stream; charset=utf-8", plain};
  if (form == "c_sse_tight") return {"text/event-stream;charset=UTF-8", plain};
  if (form == "c_sse_separators") {
    return {kStreamType, data_of(dump_json(with_separators(response)))};
  }
  if (form == "c_sse_plain" || form == "c_sse_length") return {kStreamType, plain};
  return {};
}

// stream_text returns what comes in pieces; empty: it is none of these.
std::string stream_text(std::string_view form, const Json& response) {
  const std::string text = dump_json(response);
  const std::string plain = data_of(text);
  if (form == "c_sse_bom") return "\xef\xbb\xbf" + plain;
  if (form == "c_sse_cr") return with_cr("event: message\n" + plain + ":\n");
  if (form == "c_sse_blank_lines") return "\n\n\r\n" + plain;
  if (form == "c_sse_comments") {
    std::string all;
    for (int i = 0; i < 100; ++i) all += ": " + std::to_string(i) + "\n\n";
    return all + plain;
  }
  if (form == "c_sse_unknown") return "plumbline: 1\nplumbline\n" + plain;
  if (form == "c_sse_id") return "id: " + letters(300) + "/é?=&\n" + plain;
  if (form == "c_sse_last_id") return "data: " + text + "\nid: 7\nevent: message\n\n";
  if (form == "c_sse_blanks") return "data:   " + text + "  \n\n";
  if (form == "c_sse_behind") return plain + ": the end\n\n";
  if (form == "c_sse_garbage") return "data: keep-alive\n\n" + plain;
  if (form == "c_sse_retry") return "retry: 0\n\n" + plain;
  if (form == "c_sse_indented") return in_lines(pretty_json(response));
  return {};
}

}  // namespace

void carry(ScriptedPeer& peer, const Asked& asked, std::string_view form, const Json& response) {
  peer.record().heard[asked.heard].answered = peer.now();
  Whole whole = json_form(form, response);
  if (whole.type.empty()) whole = stream_form(form, response);
  if (!whole.type.empty()) {
    wire::HttpResponse answer;
    answer.status = 200;
    answer.headers.set("Content-Type", std::move(whole.type));
    if (form == "c_json_headers") {
      answer.headers.set("Set-Cookie", "plumbline=1; Path=/; HttpOnly");
      answer.headers.set("X-Plumbline", "1, 2;q=0.5");
      answer.headers.set("Cache-Control", "no-store");
    }
    answer.body = std::move(whole.body);
    peer.note(response, asked.exchange);
    return peer.respond(asked.exchange, answer);
  }
  const std::string text = stream_text(form, response);
  if (!text.empty()) return peer.bytes(asked.exchange, text, true);
  const std::string plain = data_of(dump_json(response));
  if (form == "c_sse_late") {
    peer.bytes(asked.exchange, ": soon\n\n", false);
    return peer.later(kFirstEventLate, [&peer, exchange = asked.exchange, plain] {
      peer.bytes(exchange, plain, true);
    });
  }
  for (std::size_t i = 0; i < plain.size(); ++i) {
    peer.bytes(asked.exchange, plain.substr(i, 1), i + 1 == plain.size());
  }
}

}  // namespace plumbline::conformance
