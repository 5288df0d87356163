#include "scenarios/format/format_web.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <utility>

#include "core/base/base64.h"
#include "core/json/fields/fields.h"

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

Json texts_by_name() { return shape::by_name(shape::text()); }

template <typename T>
Field<T> edits_row(std::string_view key, std::vector<fakes::HeaderEdit> T::*member) {
  return field::own<T>(key, shape::ref("headers"), [=](ObjectReader& fields, T& out) {
    out.*member = read_headers(fields, key, true);
  });
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

Json range_shape() {
  const Json count = {{"type", "integer"}, {"minimum", 1}};
  return shape::either(count, shape::pair(count));
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

const Fields<HttpMatch>& match_fields() {
  static const Fields<HttpMatch> kFields(
      "a rule of HTTP",
      {
          field::words("http_method", &HttpMatch::http_method)
              .says("the method of the request, as `POST`"),
          field::words("path", &HttpMatch::path).says("its path, without the query"),
          field::words("method", &HttpMatch::method)
              .says("the method of the JSON-RPC message in the body"),
          field::words("name", &HttpMatch::name).says("its `params.name` or `params.uri`"),
          edits_row("request_headers", &HttpMatch::headers)
              .says("each of these headers: `*` in a value matches any run of characters, null "
                    "matches an absent header"),
          field::whole("session", &HttpMatch::session, 0, kWebCountMax)
              .says("the request carries the n-th session id that was issued; 0: none"),
          field::milliseconds("idle_ms", &HttpMatch::idle)
              .says("its connection was idle for at least this long"),
          field::own<HttpMatch>("nth", range_shape(), read_range)
              .says("n, or `[first, last]`, of the exchanges that the rest matches"),
          field::own<HttpMatch>("at_ms", shape::pair(shape::milliseconds()), read_span)
              .says("`[from, until]` of the world's time"),
      });
  return kFields;
}

// base64_row reads bytes in Base64, over a text under another key.
template <typename T, typename M>
Field<T> base64_row(std::string_view key, M T::*member) {
  return field::own<T>(key, shape::words(), [=](ObjectReader& fields, T& out) {
    const std::optional<std::string> base64 = fields.string(key);
    if (!base64) return;
    if (std::optional<std::string> bytes = decode_base64(*base64)) {
      out.*member = *std::move(bytes);
    } else {
      fields.refuse(key, "\"" + std::string(key) + "\" is wrong, expected Base64");
    }
  });
}

const Fields<StreamEdits>& sse_fields() {
  static constexpr std::array<std::string_view, 3> kLineEnds = {"lf", "crlf", "cr"};
  static const Fields<StreamEdits> kFields(
      "the changes to events",
      {
          field::choice("line_ends", &StreamEdits::line_ends, kLineEnds),
          field::texts("strip", &StreamEdits::strip).says("fields to leave out"),
          field::whole("retry_ms", &StreamEdits::retry_ms, 0, kWebCountMax),
          field::yes("comments", &StreamEdits::comments),
      });
  return kFields;
}

const Fields<StreamEdits>& insert_fields() {
  static const Fields<StreamEdits> kFields(
      "what is put in",
      {
          field::whole("after_events", &StreamEdits::insert_after, 0, kWebCountMax)
              .must("behind how many events"),
          field::words("text", &StreamEdits::insert),
          base64_row("base64", &StreamEdits::insert),
      });
  return kFields;
}

const Fields<HttpAction>& cut_fields() {
  static constexpr std::array<std::string_view, 3> kCuts = {"end", "close", "reset"};
  static const Fields<StreamEdits> kWhere(
      "the cut", {
                     field::whole("after_bytes", &StreamEdits::cut_after_bytes, 0, kWebBytesMax),
                     field::whole("after_events", &StreamEdits::cut_after_events, 0, kWebCountMax),
                     field::yes("before_answer", &StreamEdits::cut_before_answer)
                         .says("the JSON-RPC response is lost"),
                 });
  static const Fields<HttpAction> kFields =
      kWhere.within(&HttpAction::edits)
          .and_those({"the cut",
                      {field::choice("how", &HttpAction::cut, kCuts)
                           .says("as if it were complete, closed or reset")}});
  return kFields;
}

void read_replace(ObjectReader& fields, StreamEdits& edits) {
  const Json* const json = fields.take("replace");
  if (json == nullptr) return;
  const auto* const members = json->get_ptr<const Json::object_t*>();
  if (members == nullptr) {
    return fields.refuse("replace", "\"replace\" is wrong, expected an object");
  }
  for (const auto& [from, to] : *members) {
    const auto* const text = to.get_ptr<const std::string*>();
    if (from.empty() || text == nullptr) {
      return fields.refuse("replace", "\"replace\" is wrong, expected texts by what they replace");
    }
    edits.replace.emplace_back(from, *text);
  }
}

void read_buffer(ObjectReader& fields, StreamEdits& edits) {
  const Json* const buffer = fields.take("buffer");
  if (buffer == nullptr) return;
  if (*buffer == Json(true)) {
    edits.buffer_bytes = std::numeric_limits<std::size_t>::max();
  } else if (const auto bytes = as_int(*buffer); bytes && *bytes > 0) {
    edits.buffer_bytes = static_cast<std::size_t>(*bytes);
  } else {
    fields.refuse("buffer", "\"buffer\" is wrong, expected true or a number of bytes");
  }
}

const Fields<StreamEdits>& edit_fields() {
  static const Json kBuffer =
      shape::either(shape::only(true), Json{{"type", "integer"}, {"minimum", 1}});
  static const Fields<StreamEdits> kFields(
      "what is done to an exchange",
      {
          field::part("sse", sse_fields())
              .says("changes events: `line_ends` (`\"lf\"`, `\"crlf\"`, `\"cr\"`), `strip` (fields "
                    "to leave out), `retry_ms`, `comments`"),
          field::own<StreamEdits>("replace", texts_by_name(), read_replace)
              .says("replaces text of the answer by other text"),
          field::part("insert", insert_fields())
              .says("inserts `text` or `base64` after `after_events` events, or frames of a "
                    "WebSocket"),
          field::own<StreamEdits>("buffer", kBuffer, read_buffer)
              .says("holds an answer back until it is complete (`true`), or until this many bytes "
                    "are there"),
      });
  return kFields;
}

// read_answer reads what the proxy answers itself.
void read_answer(ObjectReader& fields, HttpAction& action) {
  const std::optional<std::int64_t> status = fields.integer("status", kStatusMin, kStatusMax);
  wire::HttpResponse answer;
  answer.headers = as_headers(read_headers(fields, "headers", false));
  if (const Json* const body = fields.take("body")) {
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
    return fields.refuse("body", "an answer of this status has no body");
  }
  action.answer = std::move(answer);
}

const Fields<HttpAction>& action_fields() {
  static constexpr std::array<std::string_view, 2> kCodings = {"gzip", "br"};
  static constexpr std::array<std::string_view, 3> kDrops = {"hang", "close", "reset"};
  const auto read_with_status = [](ObjectReader&, HttpAction&) {};
  static const Fields<HttpAction> kFields =
      Fields<HttpAction>(
          "what is done to an exchange",
          {
              field::milliseconds("delay_ms", &HttpAction::delay)
                  .says("waits before anything else"),
              field::yes("forget_sessions", &HttpAction::forget_sessions)
                  .says("every replica forgets its sessions"),
              field::milliseconds("down_ms", &HttpAction::down)
                  .says("every replica forgets its sessions, all connections break, and no new one "
                        "is accepted for this long"),
              field::choice("drop", &HttpAction::drop, kDrops, 1)
                  .says("no answer: the connection stays, ends or breaks"),
              field::words("raw", &HttpAction::raw)
                  .says("the proxy sends these bytes, with `{{id}}` as in `body`, and ends the "
                        "connection"),
              base64_row("raw_base64", &HttpAction::raw).says("as `raw`, in Base64"),
              field::own<HttpAction>("status", shape::whole(kStatusMin, kStatusMax), read_answer)
                  .says("the proxy answers with this status in place of the server"),
              field::own<HttpAction>("headers", texts_by_name(), read_with_status)
                  .says("headers of the answer that `status` gives"),
              field::own<HttpAction>("body", Json::object(), read_with_status)
                  .says("body of the answer that `status` gives: text, or JSON; `{{id}}` in it is "
                        "the id of the request"),
              edits_row("request_headers", &HttpAction::request_headers)
                  .says("sets headers of the request; null removes one"),
              edits_row("response_headers", &HttpAction::response_headers)
                  .says("sets headers of the answer; null removes one"),
              field::choice("encode", &HttpAction::encode, kCodings)
                  .says("compresses the body, and declares it, regardless of `Accept-Encoding`"),
              field::whole("chunk_bytes", &HttpAction::chunk_bytes, 0, kWebBytesMax)
                  .says("cuts a stream into chunks"),
              field::milliseconds("idle_cut_ms", &HttpAction::idle)
                  .says("cuts a stream that is silent for this long"),
              field::part("cut", cut_fields())
                  .says("ends the answer `after_bytes`, `after_events` or `before_answer` (the "
                        "JSON-RPC response is lost); `how`: `\"end\"` as if it were complete, "
                        "`\"close\"` (the default) or `\"reset\"`"),
          })
          .and_those(edit_fields().within(&HttpAction::edits));
  return kFields;
}

const Fields<fakes::HttpRule>& rule_fields() {
  using fakes::HttpRule;
  static const Fields<HttpRule> kFields =
      Fields<HttpRule>(
          "a rule of HTTP",
          {
              field::yes("never", &HttpRule::never)
                  .says("a trap: a run that reaches it has failed"),
              field::object("do", &HttpRule::action, action_fields(), shape::ref("http_action"))
                  .must("what is done to the exchange"),
          })
          .and_those(match_fields().within(&HttpRule::match));
  return kFields;
}

const Fields<fakes::HttpFront>& front_fields() {
  using fakes::HttpFront;
  static const Fields<HttpFront> kFields(
      "what stands before a server",
      {
          field::whole("replicas", &HttpFront::replicas, 1, kReplicasMax)
              .says("which share no sessions; each exchange goes to the next one"),
          field::own<HttpFront>("client_headers", texts_by_name(),
                                [](ObjectReader& fields, HttpFront& front) {
                                  front.client_headers =
                                      as_headers(read_headers(fields, "client_headers", false));
                                })
              .says("what the client is configured to send"),
          field::items("rules", &HttpFront::rules, rule_fields())
              .says("all that match are applied, in this order"),
      });
  return kFields;
}

}  // namespace

fakes::HttpFront read_http_front(const Json& json, const std::string& pointer,
                                 std::optional<Problem>& problem) {
  fakes::HttpFront front;
  front_fields().read(json, pointer, problem, front);
  return front;
}

Json http_shape() { return front_fields().shape(); }
Json http_action_shape() { return action_fields().shape(); }

}  // namespace plumbline::scenarios
