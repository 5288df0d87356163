#include "core/trace/export/span_exporter.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/json/json.h"

namespace plumbline::trace {

namespace {

constexpr Duration kSendMax = std::chrono::seconds(10);
constexpr std::size_t kReplyBytesMax = 64U << 10U;

bool may_pass(int status) {
  return status == 429 || status == 502 || status == 503 || status == 504;
}

}  // namespace

CollectorPlace::CollectorPlace(Loop& loop, net::HttpClient& http, wire::Url endpoint,
                               wire::HttpHeaders headers)
    : loop_(loop), http_(http), endpoint_(std::move(endpoint)), headers_(std::move(headers)) {}

Task<Status> CollectorPlace::send(std::string body) {
  wire::HttpRequest request;
  request.method = "POST";
  request.headers = headers_;
  request.headers.set("Content-Type", "application/json");
  request.body = std::move(body);
  wire::Url to = endpoint_;
  const Instant deadline = after(loop_.now(), kSendMax);
  const Result<wire::HttpResponse> reply =
      co_await net::fetch(http_, std::move(to), std::move(request), deadline, kReplyBytesMax);
  if (!reply.ok()) co_return Error{ErrorCode::kDisconnected, reply.error().message};
  const int status = reply.value().status;
  if (status >= 200 && status < 300) co_return Done{};
  const ErrorCode code = may_pass(status) ? ErrorCode::kDisconnected : ErrorCode::kInvalidInput;
  co_return Error{code, "the collector answers with status " + std::to_string(status)};
}

Task<Status> FilePlace::send(std::string body) {
  body += '\n';
  co_return files_.append_file(path_, body);
}

SpanExporter::SpanExporter(Loop& loop, SpanPlace& place, Resource resource, OnTrouble on_trouble,
                           ExportLimits limits)
    : loop_(loop),
      place_(place),
      resource_(std::move(resource)),
      on_trouble_(std::move(on_trouble)),
      limits_(limits),
      turns_(loop),
      due_([this] {
        loop_.arm(due_, after(loop_.now(), limits_.interval));
        if (waiting_.empty() || !sending_.done()) return;  // The next time sends it all.
        sending_ = flush();
        sending_.start();
      }) {}

void SpanExporter::start() { loop_.arm(due_, after(loop_.now(), limits_.interval)); }

void SpanExporter::on_span(Span span) {
  if (waiting_.size() >= limits_.spans_max) {
    ++lost_;
    trouble("more than " + std::to_string(limits_.spans_max) +
            " are waiting, so some of them are lost");
    return;
  }
  waiting_.push_back(std::move(span));
  const bool batch = waiting_.size() % limits_.batch_max == 0;
  if (batch && due_.armed() && !in_trouble_) loop_.arm(due_, loop_.now());
}

Task<void> SpanExporter::flush() {
  const Turns::Turn turn = co_await turns_.take();
  while (!waiting_.empty()) {
    const Status sent = co_await send_batch();
    if (sent.ok()) {
      in_trouble_ = false;
      continue;
    }
    trouble(sent.error().message);
    if (sent.error().code != ErrorCode::kInvalidInput) co_return;
  }
}

// send_batch sends what has waited longest. What may be taken later waits on.
Task<Status> SpanExporter::send_batch() {
  const std::size_t count = std::min(waiting_.size(), limits_.batch_max);
  const auto end = waiting_.begin() + static_cast<std::ptrdiff_t>(count);
  const std::vector<Span> batch(waiting_.begin(), end);
  std::string body = dump_json(otlp_traces(batch, resource_));
  const Status sent = co_await place_.send(std::move(body));
  const bool over = sent.ok() || sent.error().code == ErrorCode::kInvalidInput;
  if (!sent.ok() && over) lost_ += count;
  if (over) waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<std::ptrdiff_t>(count));
  co_return sent;
}

void SpanExporter::trouble(const std::string& why) {
  if (std::exchange(in_trouble_, true) || !on_trouble_) return;
  on_trouble_("spans cannot be sent to " + place_.name() + ": " + why);
}

}  // namespace plumbline::trace
