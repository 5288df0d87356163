#include "core/model/providers/http_model.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "core/base/wait.h"
#include "core/model/conversation.h"
#include "core/model/providers/answer_parser.h"

namespace plumbline::model {

namespace {

// How long an answer that is over may take to end: then its connection can be used again.
constexpr Duration kEndGrace = std::chrono::milliseconds(100);

// Turn hears one exchange until its answer is known.
class Turn final : public net::HttpExchangeReader {
 public:
  Turn(Loop& loop, AnswerParser& parser) : loop_(loop), parser_(parser) {}

  Event& over() { return over_; }
  Completed take() { return parser_.take(broken_ ? &*broken_ : nullptr); }

 private:
  void on_head(int status, const wire::HttpHeaders& headers) override {
    parser_.on_head(status, headers);
    if (parser_.failed()) over_.set();
  }
  void on_body(std::string_view bytes) override {
    parser_.on_body(bytes);
    if (parser_.failed()) return over_.set();
    if (parser_.over() && !grace_.armed()) loop_.arm(grace_, after(loop_.now(), kEndGrace));
  }
  void on_end() override { over_.set(); }
  void on_failed(const Error& error, bool /*connected*/) override {
    broken_ = error;
    over_.set();
  }

  Loop& loop_;
  AnswerParser& parser_;
  std::optional<Error> broken_;
  Event over_;
  Alarm grace_{[this] { over_.set(); }};
};

// behind returns the URL of `path` below `base`, with the query of that.
wire::Url behind(wire::Url base, std::string_view path) {
  const std::size_t end = std::min(base.target.find('?'), base.target.size());
  const std::string query = base.target.substr(end);
  base.target.resize(end);
  while (base.target.ends_with('/')) base.target.pop_back();
  base.target.append(path).append(query);
  return base;
}

}  // namespace

HttpModel::HttpModel(net::HttpClient& client, const Dialect& dialect, std::string name,
                     Account account, Options options)
    : client_(client),
      dialect_(dialect),
      name_(std::move(name)),
      account_(std::move(account)),
      options_(options) {
  redactor_.add_forms(account_.key);
}

Task<Completed> HttpModel::complete(Prompt prompt, DeltaReader* reader, Instant deadline) {
  if (std::optional<Failure> refusal = refusal_of(prompt)) co_return *std::move(refusal);
  AnswerParser parser(dialect_, prompt, reader, options_.answer_bytes_max);
  Turn turn(client_.loop(), parser);
  wire::Url to;
  wire::HttpRequest request = request_for(prompt, to);
  const std::unique_ptr<net::HttpExchange> exchange =
      client_.start(to, std::move(request), turn, deadline);
  co_await turn.over().wait(client_.loop(), deadline);
  if (!turn.over().is_set() && !parser.over()) {
    co_return Failure{.kind = FailureKind::kUnavailable,
                      .message = "the model did not answer in time"};
  }
  co_return redacted(turn.take());
}

std::optional<Failure> HttpModel::refusal_of(const Prompt& prompt) const {
  const auto invalid = [](std::string why) {
    return Failure{.kind = FailureKind::kInvalidRequest, .message = std::move(why)};
  };
  if (const std::optional<std::string> fault = fault_of(prompt.messages)) {
    return invalid("the conversation is not valid: " + *fault);
  }
  for (const Message& message : prompt.messages) {
    for (const Media& media : message.media) {
      if (dialect_.takes(media.mime_type)) continue;
      return invalid(std::string(dialect_.name()) + " takes no " + media.mime_type);
    }
  }
  for (const std::string* value : {&account_.key, &account_.organization, &account_.project}) {
    if (value->empty() || wire::is_header_value(*value)) continue;
    return Failure{.kind = FailureKind::kAuthentication,
                   .message = "the key, the organization or the project holds what no header can"};
  }
  return std::nullopt;
}

wire::HttpRequest HttpModel::request_for(const Prompt& prompt, wire::Url& to) const {
  Asking asking = dialect_.ask(prompt, name_, account_);
  to = behind(account_.base, asking.path);
  wire::HttpRequest request;
  request.method = "POST";
  request.headers = std::move(asking.headers);
  request.headers.set("Content-Type", "application/json");
  request.headers.set("Accept", "text/event-stream, application/json");
  request.headers.set("Accept-Encoding", "identity");
  request.headers.set("User-Agent", "plumbline");
  request.body = dump_json(asking.body);
  return request;
}

Completed HttpModel::redacted(Completed completed) const {
  if (Failure* const failure = std::get_if<Failure>(&completed)) {
    failure->message = redactor_.redact(std::move(failure->message));
    failure->code = redactor_.redact(std::move(failure->code));
  }
  return completed;
}

}  // namespace plumbline::model
