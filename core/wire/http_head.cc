#include "core/wire/http_head.h"

#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/status.hpp>

#include <utility>

#include "core/base/check.h"

namespace plumbline::wire {

namespace http = boost::beast::http;

namespace {

using BeastError = boost::beast::error_code;
using BeastView = boost::beast::string_view;

std::string text_of_beast(BeastView view) { return std::string(view.data(), view.size()); }

// ends_in_version tells a version that is not ours from no version at all.
bool ends_in_version(std::string_view line) {
  constexpr std::string_view shape = "HTTP/d.d\r\n";
  if (line.size() < shape.size()) return false;
  line.remove_prefix(line.size() - shape.size());
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const bool fits = shape[i] == 'd' ? line[i] >= '0' && line[i] <= '9' : line[i] == shape[i];
    if (!fits) return false;
  }
  return true;
}

// HeadSink is the part of Beast's parser that keeps what it finds. It never gets a body.
template <bool is_request>
class HeadSink : public http::basic_parser<is_request> {
 public:
  explicit HeadSink(HttpHead& head) : head_(head) {
    this->header_limit(~std::uint32_t{0});  // HttpHeadParser bounds it.
    this->body_limit(boost::none);
  }

  bool is_http_1_1() const { return version_ == 11; }

 private:
  void on_request_impl(http::verb, BeastView method, BeastView target, int version,
                       BeastError&) override {
    head_.method = text_of_beast(method);
    head_.target = text_of_beast(target);
    version_ = version;
  }
  void on_response_impl(int status, BeastView, int version, BeastError&) override {
    head_.status = status;
    version_ = version;
  }
  void on_field_impl(http::field, BeastView name, BeastView value, BeastError&) override {
    head_.headers.add(text_of_beast(name), text_of_beast(value));
  }
  void on_header_impl(BeastError&) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>&, BeastError&) override {}
  std::size_t on_body_impl(BeastView body, BeastError&) override { return body.size(); }
  void on_chunk_header_impl(std::uint64_t, BeastView, BeastError&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, BeastView body, BeastError&) override {
    return body.size();
  }
  void on_finish_impl(BeastError&) override {}

  HttpHead& head_;
  int version_ = 0;
};

}  // namespace

// Beast is one of its two parsers.
struct HttpHeadParser::Beast {
  virtual ~Beast() = default;

  // put returns why Beast refuses `text`, empty when it took all of it.
  virtual std::string put(std::string_view text) = 0;
  virtual bool is_http_1_1() const = 0;

  // settle fills in what follows from the fields, once the head is whole.
  virtual void settle(HttpHead& head) const = 0;

 protected:
  template <typename Sink>
  static std::string put_into(Sink& sink, std::string_view text) {
    BeastError error;
    const std::size_t used = sink.put({text.data(), text.size()}, error);
    if (error == http::error::need_more && used == text.size()) return "";
    if (error) return error.message();
    return used == text.size() ? "" : "bytes behind the head";
  }

  template <typename Sink>
  static void settle_from(const Sink& sink, HttpHead& head) {
    check(sink.is_header_done(), "the head is whole");
    head.keep_alive = sink.keep_alive();
    if (sink.is_done()) return;
    if (sink.chunked()) {
      head.framing = HttpFraming::kChunked;
    } else if (const auto length = sink.content_length()) {
      head.framing = HttpFraming::kLength;
      head.content_length = *length;
    } else {
      head.framing = HttpFraming::kUntilClose;
    }
  }
};

struct HttpHeadParser::BeastRequest final : Beast {
  explicit BeastRequest(HttpHead& head) : sink(head) {}
  std::string put(std::string_view text) override { return put_into(sink, text); }
  bool is_http_1_1() const override { return sink.is_http_1_1(); }
  void settle(HttpHead& head) const override { settle_from(sink, head); }
  HeadSink<true> sink;
};

struct HttpHeadParser::BeastResponse final : Beast {
  BeastResponse(HttpHead& head, bool without_body) : sink(head) { sink.skip(without_body); }
  std::string put(std::string_view text) override { return put_into(sink, text); }
  bool is_http_1_1() const override { return sink.is_http_1_1(); }
  void settle(HttpHead& head) const override { settle_from(sink, head); }
  HeadSink<false> sink;
};

HttpHeadParser::HttpHeadParser(Kind kind, std::size_t header_bytes_max)
    : kind_(kind), header_bytes_max_(header_bytes_max) {
  if (kind == Kind::kRequest) {
    beast_ = std::make_unique<BeastRequest>(head_);
  } else {
    beast_ = std::make_unique<BeastResponse>(head_, kind == Kind::kResponseWithoutBody);
  }
}

HttpHeadParser::~HttpHeadParser() = default;

void HttpHeadParser::feed(std::string_view& bytes) {
  while (!bytes.empty() && !done_ && !fault_) {
    const std::size_t newline = bytes.find('\n');
    const bool ended = newline != std::string_view::npos;
    const std::string_view piece = bytes.substr(0, ended ? newline + 1 : bytes.size());
    if (piece.size() > header_bytes_max_ - text_.size()) {
      if (kind_ == Kind::kRequest && line_start_ == 0) return fail(414, "the target is too long");
      return fail(431, "the head is too long");
    }
    text_.append(piece);
    bytes.remove_prefix(piece.size());
    if (ended) take_line();
  }
}

// take_line looks at the line that has just become whole. Beast sees the start line at once, so
// that a peer which speaks something else is told apart without waiting for an empty line.
void HttpHeadParser::take_line() {
  const std::string_view line = std::string_view(text_).substr(line_start_);
  if (!line.ends_with("\r\n")) return fail(400, "a line of the head ends without CR");
  if (line.size() == 2 && line_start_ == 0) return text_.clear();  // RFC 9112, section 2.2.
  if (line.size() == 2) return parse_fields();
  if (line_start_ == 0) {
    start_bytes_ = line.size();
    parse_start_line();
  } else if (line.front() == ' ' || line.front() == '\t') {
    return fail(400, "a header field is folded");
  }
  line_start_ = text_.size();
}

void HttpHeadParser::parse_start_line() {
  const std::string why = beast_->put(text_);
  if (why.empty()) return;
  const bool version = kind_ == Kind::kRequest && ends_in_version(text_) &&
                       !text_.ends_with("HTTP/1.1\r\n") && !text_.ends_with("HTTP/1.0\r\n");
  if (version) return fail(505, "HTTP/1.1 is what is spoken here");
  fail(400, "the start line is no HTTP/1.1: " + why);
}

void HttpHeadParser::parse_fields() {
  const std::string why = beast_->put(std::string_view(text_).substr(start_bytes_));
  if (!why.empty()) return fail(400, "the header fields are malformed: " + why);
  beast_->settle(head_);
  for (const HttpHeaders::Field& field : head_.headers.fields()) {
    if (!equals_ignoring_case(field.first, "Transfer-Encoding")) continue;
    if (!equals_ignoring_case(field.second, "chunked")) {
      return fail(501, "a transfer encoding other than chunked");
    }
    if (!beast_->is_http_1_1()) return fail(400, "HTTP/1.0 has no transfer encodings");
  }
  if (kind_ == Kind::kRequest) check_request();
  done_ = !fault_;
}

void HttpHeadParser::check_request() {
  const std::size_t hosts = head_.headers.count("Host");
  if (hosts > 1) return fail(400, "more than one Host");
  if (!beast_->is_http_1_1()) return;
  if (hosts == 0) return fail(400, "no Host");
  const std::optional<std::string_view> expect = head_.headers.get("Expect");
  if (!expect) return;
  head_.expects_continue = equals_ignoring_case(*expect, "100-continue");
  if (!head_.expects_continue) fail(417, "an expectation other than 100-continue");
}

std::string_view reason_of(int status) {
  const http::status known = http::int_to_status(static_cast<unsigned>(status));
  if (known == http::status::unknown) return "Unknown";
  const BeastView reason = http::obsolete_reason(known);
  return {reason.data(), reason.size()};
}

}  // namespace plumbline::wire
