#include "conformance/peer/subject.h"

#include <utility>

#include "conformance/wire/http_wire.h"
#include "conformance/wire/sse_wire.h"
#include "conformance/wire/stdio_wire.h"
#include "conformance/wire/websocket_wire.h"
#include "core/base/check.h"
#include "core/base/random_bytes.h"

namespace plumbline::conformance {

namespace {

net::HttpClientOptions http_options_of(const SubjectSpec& spec) {
  net::HttpClientOptions options;
  options.tls = spec.tls;
  return options;
}

net::Authority place_of(const SubjectSpec& spec) {
  if (spec.transport == Transport::kStdio) return {};
  return {spec.url.host, spec.url.port};
}

}  // namespace

std::string_view name_of(Transport transport) {
  switch (transport) {
    case Transport::kStdio:
      return "stdio";
    case Transport::kHttp:
      return "http";
    case Transport::kSse:
      return "sse";
    case Transport::kWebSocket:
      return "websocket";
  }
  return "";
}

Subject::Subject(Loop& loop, net::Spawner& spawner, net::Network& network, RandomBytes random,
                 WireLog& log, SubjectSpec spec, Duration answer_max)
    : loop_(loop),
      spawner_(spawner),
      network_(network),
      random_(std::move(random)),
      log_(log),
      spec_(std::move(spec)),
      pace_(answer_max),
      own_changes_(loop),
      own_presence_(loop, network, spawner, place_of(spec_), spec_.start, own_changes_),
      own_pages_(loop),
      http_(loop, network, http_options_of(spec_)) {
  if (spec_.transport == Transport::kStdio) pace_.beside(starts_->now);
}

Subject::Subject(const Subject& like, WireLog& log)
    : Subject(like.loop_, like.spawner_, like.network_, like.random_, log, like.spec_,
              like.pace_.answer_max()) {
  starts_ = like.starts_;
  if (spec_.transport == Transport::kStdio) pace_.beside(starts_->now);
  changes_ = like.changes_;
  effort_ = like.effort_;
  presence_ = like.presence_;
  pages_ = like.pages_;
  served_once_ = like.served_once_;
}

std::unique_ptr<Wire> Subject::open_raw(wire::HttpHeaders always) {
  check(spec_.transport != Transport::kStdio, "there is no HTTP over stdio");
  return std::make_unique<HttpWire>(http_, spec_.url, std::move(always), log_);
}

Task<Result<std::unique_ptr<Wire>>> Subject::open(bool second_user, bool apart) {
  wire::HttpHeaders headers = spec_.headers;
  if (second_user) {
    for (const auto& [name, value] : spec_.second_headers.fields()) headers.set(name, value);
  }
  switch (spec_.transport) {
    case Transport::kStdio:
      if (starts_->max > 0 && starts_->all >= starts_->max) {
        ++starts_->refused;
        co_return Error{ErrorCode::kLimitReached,
                        "it was started as often as it may be: " + std::to_string(starts_->all) +
                            (starts_->all == 1 ? " time" : " times")};
      }
      ++starts_->all;
      co_return StdioWire::open(loop_, spawner_, spec_.command, log_, starts_->processes);
    case Transport::kHttp:
      if (apart) {
        auto own = std::make_unique<net::HttpClient>(loop_, network_, http_options_of(spec_));
        co_return std::unique_ptr<Wire>(
            std::make_unique<HttpWire>(std::move(own), spec_.url, std::move(headers), log_));
      }
      co_return std::unique_ptr<Wire>(
          std::make_unique<HttpWire>(http_, spec_.url, std::move(headers), log_));
    case Transport::kSse: {
      Result<std::unique_ptr<Wire>> wire = co_await SseWire::open(
          http_, spec_.url, spec_.headers, log_, after(loop_.now(), pace_.opening()));
      co_return std::move(wire);
    }
    case Transport::kWebSocket: {
      Result<std::unique_ptr<Wire>> wire = co_await WebSocketWire::open(
          http_, spec_.url, spec_.headers, random_, log_, after(loop_.now(), pace_.opening()));
      co_return std::move(wire);
    }
  }
  co_return Error{ErrorCode::kUnsupported, "no such transport"};
}

}  // namespace plumbline::conformance
