#include "fakes/service/session_worker.h"

#include <utility>

#include "core/base/wait.h"

namespace plumbline::fakes {

namespace {

constexpr Duration kRetry = std::chrono::seconds(1);
constexpr Duration kPatience = std::chrono::seconds(60);
constexpr std::size_t kBodyBytesMax = 1U << 20U;

wire::Url at(wire::Url base, std::string target) {
  base.target = std::move(target);
  return base;
}

}  // namespace

SessionWorker::SessionWorker(Loop& loop, net::Network& network, wire::Url base, std::string code,
                             WorkerHabits habits, Rng rng)
    : loop_(loop),
      client_(loop, network),
      base_(std::move(base)),
      code_(std::move(code)),
      habits_(std::move(habits)),
      rng_(rng),
      again_([this] { listen(); }) {}

SessionWorker::~SessionWorker() { leave(); }

void SessionWorker::listen() {
  left_ = false;
  wire::HttpRequest request;
  request.method = "GET";
  request.headers.set("Accept", "text/event-stream");
  if (last_event_id_) request.headers.set("Last-Event-ID", *last_event_id_);
  net::HttpAnswerReader& reader = *this;
  answer_ = std::make_unique<net::HttpAnswer>(
      client_, at(base_, "/api/stream?sessionCode=" + code_), std::move(request), reader, kNever);
}

void SessionWorker::leave() {
  left_ = true;
  again_.cancel();
  answer_.reset();
}

void SessionWorker::come_back(Duration wait) {
  if (!left_) loop_.arm(again_, after(loop_.now(), wait));
}

void SessionWorker::on_answer_head(net::HttpAnswer& answer) { status_ = answer.status(); }

void SessionWorker::on_answer_event(net::HttpAnswer& /*answer*/, wire::SseEvent event) {
  if (event.id) last_event_id_ = event.id;
  events_.push_back(event.event);
  const Result<Json> data = parse_json(event.data);
  if (!data.ok()) return;
  if (event.event == "taken_over" || event.event == "session_expired") return leave();
  if (event.event != "tool_request") return;
  requests_.push_back(string_or(data.value(), "requestId", ""));
  if (on_call) on_call(data.value());
  if (rng_.chance(static_cast<std::uint64_t>(habits_.vanish_percent), 100)) {
    answer_.reset();
    return come_back(habits_.away);
  }
  work_.spawn(work(*this, data.value()));
}

// A 204 tells EventSource to stay away.
void SessionWorker::on_answer_over(net::HttpAnswer& /*answer*/, const Error* /*error*/,
                                   bool /*connected*/) {
  const bool unwanted = status_ == 204 || status_ == 404 || status_ == 429;
  answer_.reset();
  if (!unwanted) come_back(kRetry);
}

Task<void> SessionWorker::work(SessionWorker& self, Json request) {
  const auto often = [&self](int percent) {
    return self.rng_.chance(static_cast<std::uint64_t>(percent), 100);
  };
  const bool silent = often(self.habits_.silent_percent);
  const bool twice = often(self.habits_.double_percent);
  const bool fails = often(self.habits_.fail_percent);
  const bool foreign = often(self.habits_.foreign_percent);
  const bool reports = often(self.habits_.report_percent);
  const Duration wait(
      self.rng_.between(self.habits_.answer_min.count(), self.habits_.answer_max.count()));
  const std::string id = string_or(request, "requestId", "");
  if (reports) {
    Json report = {{"sessionCode", self.code_}, {"requestId", id}, {"progress", 1}, {"total", 2}};
    std::string path = "/api/progress";
    co_await post(self, std::move(path), std::move(report));
  }
  co_await Sleep(self.loop_, after(self.loop_.now(), wait));
  if (silent) co_return;
  Json body = {{"sessionCode", self.code_}, {"requestId", id}};
  if (fails) {
    body["error"] = "the worker failed " + id;
  } else {
    const Json* const params = find(request, "params");
    body["result"] = {
        {"success", true},
        {"data", {{"did", id}, {"for", self.code_}, {"asked", params ? *params : Json()}}}};
  }
  if (foreign) {
    Json theft = body;
    theft["sessionCode"] = self.habits_.foreign_code;
    std::string path = "/api/response";
    co_await post(self, std::move(path), std::move(theft));
  }
  for (int times = twice ? 2 : 1; times > 0; --times) {
    Json copy = body;
    std::string path = "/api/response";
    co_await post(self, std::move(path), std::move(copy));
  }
}

Task<void> SessionWorker::post(SessionWorker& self, std::string path, Json body) {
  wire::HttpRequest request;
  request.method = "POST";
  request.headers.set("Content-Type", "application/json");
  request.body = dump_json(body);
  wire::Url to = at(self.base_, std::move(path));
  const Result<wire::HttpResponse> answer =
      co_await net::fetch(self.client_, std::move(to), std::move(request),
                          after(self.loop_.now(), kPatience), kBodyBytesMax);
  ++self.answers_[answer.ok() ? answer.value().status : 0];
}

}  // namespace plumbline::fakes
