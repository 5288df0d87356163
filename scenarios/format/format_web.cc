#include "scenarios/format/format_web.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>

#include "core/base/base64.h"

namespace plumbline::scenarios {

namespace {

using fakes::HttpAction;
using fakes::HttpMatch;
using fakes::StreamEdits;

constexpr std::int64_t kReplicasMax = 10;
constexpr std::int64_t kWebCountMax = 1'000'000;
constexpr std::int64_t kWebBytesMax = 1 << 30;
constexpr std::int64_t kStatusMin = 200;
constexpr std::int64_t kStatusMax = 599;

bool is_header_text(std::string_view text, bool name) {
  const auto fine = [name](char c) { return name ? c > ' ' && c != ':' && c < 127 : c >= ' '; };
  return (!name || !text.empty()) && std::ranges::all_of(text, fine);
}

// read_headers reads an object of header values; null takes a header away where `may_strip`.
std::vector<fakes::HeaderEdit> read_headers(ObjectReader& fields, std::string_view key,
                                            bool may_strip) {
  std::vector<fakes::HeaderEdit> out;
  const Json* const json = fields.take(key);
  if (json == nullptr) return out;
  const std::string expected = may_strip ? "expected an object of header values, null to strip one"
                                         : "expected an object of header values";
  const auto refuse = [&] {
    fields.refuse(key, "\"" + std::string(key) + "\" is wrong, " + expected);
  };
  const auto* const members = json->get_ptr<const Json::object_t*>();
  if (members == nullptr) {
    refuse();
    return out;
  }
  for (const auto& [name, value] : *members) {
    const auto* const text = value.get_ptr<const std::string*>();
    const bool fine = text != nullptr ? is_header_text(*text, false) : may_strip && value.is_null();
    if (!fine || !is_header_text(name, true)) {
      refuse();
      return out;
    }
    out.emplace_back(name, text == nullptr ? std::nullopt : std::optional<std::string>(*text));
  }
  return out;
}

wire::HttpHeaders as_headers(const std::vector<fakes::HeaderEdit>& edits) {
  wire::HttpHeaders headers;
  fakes::edit_headers(headers, edits);
  return headers;
}

std::optional<std::size_t> read_size(ObjectReader& fields, std::string_view key, std::int64_t max) {
  const std::optional<std::int64_t> number = fields.integer(key, 0, max);
  return number ? std::optional<std::size_t>(static_cast<std::size_t>(*number)) : std::nullopt;
}

// read_range reads a count, or [first, last].
void read_range(ObjectReader& fields, HttpMatch& match) {
  const Json* const nth = fields.take("nth");
  if (nth == nullptr) return;
  const bool range = nth->is_array() && nth->size() == 2;
  const std::optional<std::int64_t> first = as_int(range ? nth->front() : *nth);
  const std::optional<std::int64_t> last = as_int(range ? nth->back() : *nth);
  if (!first || !last || *first < 1 || *last < *first) {
    return fields.refuse("nth", "\"nth\" is wrong, expected a number from 1, or [first, last]");
  }
  match.first = *first;
  match.last = *last;
}

void read_span(ObjectReader& fields, HttpMatch& match) {
  const Json* const at = fields.take("at_ms");
  if (at == nullptr) return;
  const bool range = at->is_array() && at->size() == 2;
  const std::optional<Duration> from = range ? milliseconds_from(at->front()) : std::nullopt;
  const std::optional<Duration> until = range ? milliseconds_from(at->back()) : std::nullopt;
  if (!from || !until || *from >= *until) {
    return fields.refuse("at_ms", "\"at_ms\" is wrong, expected [from, until] in milliseconds");
  }
  match.from = *from;
  match.until = *until;
}

// read_bytes reads text as it is under one key, or as Base64 under another.
std::optional<std::string> read_bytes(ObjectReader& fields, std::string_view key,
                                      std::string_view base64_key) {
  const std::optional<std::string> base64 = fields.string(base64_key);
  if (!base64) return fields.string(key);
  std::optional<std::string> bytes = decode_base64(*base64);
  if (!bytes) {
    fields.refuse(base64_key, "\"" + std::string(base64_key) + "\" is wrong, expected Base64");
  }
  return bytes;
}

class ActionReader {
 public:
  ActionReader(const Json& json, std::string pointer, std::optional<Problem>& problem)
      : pointer_(std::move(pointer)),
        problem_(problem),
        fields_(json, pointer_, "what is done to an exchange", problem) {}

  HttpAction read() {
    constexpr std::array<std::string_view, 2> kCodings = {"gzip", "br"};
    constexpr std::array<std::string_view, 3> kDrops = {"hang", "close", "reset"};
    action_.delay = fields_.milliseconds("delay_ms").value_or(Duration{});
    action_.forget_sessions = fields_.boolean("forget_sessions").value_or(false);
    action_.down = fields_.milliseconds("down_ms");
    if (const auto which = fields_.choice("drop", kDrops)) {
      action_.drop = static_cast<HttpAction::Drop>(*which + 1);
    }
    action_.raw = read_bytes(fields_, "raw", "raw_base64");
    read_answer();
    action_.request_headers = read_headers(fields_, "request_headers", true);
    action_.response_headers = read_headers(fields_, "response_headers", true);
    if (const auto which = fields_.choice("encode", kCodings)) {
      action_.encode = static_cast<fakes::ContentCoding>(*which);
    }
    read_edits();
    action_.chunk_bytes = read_size(fields_, "chunk_bytes", kWebBytesMax).value_or(0);
    action_.idle = fields_.milliseconds("idle_cut_ms");
    fields_.finish();
    return std::move(action_);
  }

 private:
  void read_answer() {
    const std::optional<std::int64_t> status = fields_.integer("status", kStatusMin, kStatusMax);
    wire::HttpResponse answer;
    answer.headers = as_headers(read_headers(fields_, "headers", false));
    if (const Json* const body = fields_.take("body")) {
      const auto* const text = body->get_ptr<const std::string*>();
      answer.body = text != nullptr ? *text : dump_json(*body);
      if (!answer.headers.get("Content-Type")) {
        answer.headers.set("Content-Type", text != nullptr ? "text/plain" : "application/json");
      }
    }
    if (!status) return;
    answer.status = static_cast<int>(*status);
    const bool bodiless = *status == 204 || *status == 304;
    if (bodiless && !answer.body.empty()) {
      return fields_.refuse("body", "an answer of this status has no body");
    }
    action_.answer = std::move(answer);
  }

  void read_edits() {
    StreamEdits& edits = action_.edits;
    if (const Json* const sse = fields_.take("sse")) read_sse(*sse, edits);
    if (const Json* const replace = fields_.take("replace")) read_replace(*replace, edits);
    if (const Json* const insert = fields_.take("insert")) read_insert(*insert, edits);
    if (const Json* const cut = fields_.take("cut")) read_cut(*cut, edits);
    const Json* const buffer = fields_.take("buffer");
    if (buffer == nullptr) return;
    if (*buffer == Json(true)) {
      edits.buffer_bytes = std::numeric_limits<std::size_t>::max();
    } else if (const auto bytes = as_int(*buffer); bytes && *bytes > 0) {
      edits.buffer_bytes = static_cast<std::size_t>(*bytes);
    } else {
      fields_.refuse("buffer", "\"buffer\" is wrong, expected true or a number of bytes");
    }
  }

  void read_sse(const Json& json, StreamEdits& edits) {
    constexpr std::array<std::string_view, 3> kLineEnds = {"lf", "crlf", "cr"};
    ObjectReader fields(json, pointer_ + "/sse", "the changes to events", problem_);
    if (const auto which = fields.choice("line_ends", kLineEnds)) {
      edits.line_ends = static_cast<StreamEdits::LineEnds>(*which);
    }
    edits.strip = fields.strings("strip");
    edits.retry_ms = fields.integer("retry_ms", 0, kWebCountMax);
    edits.comments = fields.boolean("comments").value_or(false);
    fields.finish();
  }

  void read_replace(const Json& json, StreamEdits& edits) {
    const auto* const members = json.get_ptr<const Json::object_t*>();
    for (const auto& [from, to] : members == nullptr ? Json::object_t() : *members) {
      const auto* const text = to.get_ptr<const std::string*>();
      if (from.empty() || text == nullptr) {
        return fields_.refuse("replace",
                              "\"replace\" is wrong, expected texts by what they replace");
      }
      edits.replace.emplace_back(from, *text);
    }
    if (members == nullptr) fields_.refuse("replace", "\"replace\" is wrong, expected an object");
  }

  void read_insert(const Json& json, StreamEdits& edits) {
    ObjectReader fields(json, pointer_ + "/insert", "what is put in", problem_);
    fields.require("after_events", "behind how many events");
    edits.insert_after = read_size(fields, "after_events", kWebCountMax);
    edits.insert = read_bytes(fields, "text", "base64").value_or("");
    fields.finish();
  }

  void read_cut(const Json& json, StreamEdits& edits) {
    constexpr std::array<std::string_view, 3> kCuts = {"end", "close", "reset"};
    ObjectReader fields(json, pointer_ + "/cut", "the cut", problem_);
    edits.cut_after_bytes = read_size(fields, "after_bytes", kWebBytesMax);
    edits.cut_after_events = read_size(fields, "after_events", kWebCountMax);
    edits.cut_before_answer = fields.boolean("before_answer").value_or(false);
    const auto how = fields.choice("how", kCuts);
    if (how) action_.cut = static_cast<HttpAction::Cut>(*how);
    fields.finish();
  }

  std::string pointer_;
  std::optional<Problem>& problem_;
  ObjectReader fields_;
  HttpAction action_;
};

fakes::HttpRule read_rule(const Json& json, const std::string& pointer,
                          std::optional<Problem>& problem) {
  ObjectReader fields(json, pointer, "a rule of HTTP", problem);
  fakes::HttpRule rule;
  rule.match.http_method = fields.string("http_method").value_or("");
  rule.match.path = fields.string("path").value_or("");
  rule.match.method = fields.string("method").value_or("");
  rule.match.name = fields.string("name").value_or("");
  rule.match.headers = read_headers(fields, "request_headers", true);
  rule.match.session = read_size(fields, "session", kWebCountMax);
  rule.match.idle = fields.milliseconds("idle_ms").value_or(Duration{});
  read_range(fields, rule.match);
  read_span(fields, rule.match);
  rule.never = fields.boolean("never").value_or(false);
  if (fields.require("do", "what is done to the exchange")) {
    rule.action = ActionReader(*fields.take("do"), pointer + "/do", problem).read();
  }
  fields.finish();
  return rule;
}

}  // namespace

fakes::HttpFront read_http_front(const Json& json, const std::string& pointer,
                                 std::optional<Problem>& problem) {
  ObjectReader fields(json, pointer, "what stands before a server", problem);
  fakes::HttpFront front;
  front.replicas = static_cast<int>(fields.integer("replicas", 1, kReplicasMax).value_or(1));
  front.client_headers = as_headers(read_headers(fields, "client_headers", false));
  if (const Json* const rules = fields.take("rules")) {
    if (!rules->is_array()) fields.refuse("rules", "\"rules\" is wrong, expected an array");
    for (std::size_t i = 0; rules->is_array() && i < rules->size(); ++i) {
      front.rules.push_back(
          read_rule((*rules)[i], pointer + "/rules/" + std::to_string(i), problem));
    }
  }
  fields.finish();
  return front;
}

}  // namespace plumbline::scenarios
