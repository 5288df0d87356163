#include "core/agents/command_line/remote/execution_client.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "core/agents/command_line/remote/execution_api.h"
#include "core/agents/command_line/run/command_result.h"
#include "core/base/wait.h"
#include "core/json/parse.h"
#include "core/net/http_answer.h"

namespace plumbline::agents::command_line {

namespace {

constexpr Duration kTimeoutMax = std::chrono::hours(24);
constexpr Duration kAnswerGrace = std::chrono::seconds(10);  // For the answer to come back.

// ApiAnswer waits for the answer to one request.
class ApiAnswer final : private net::HttpAnswerReader {
 public:
  ApiAnswer(net::HttpClient& client, const wire::Url& to, wire::HttpRequest request,
            Instant deadline)
      : answer_(client, to, std::move(request), *this, deadline) {}

  Event& over() { return over_; }
  const std::optional<Error>& error() const { return error_; }
  bool sent() const { return sent_; }
  int status() const { return answer_.status(); }
  const std::string& body() const { return answer_.body(); }

 private:
  void on_answer_event(net::HttpAnswer& /*answer*/, wire::SseEvent /*event*/) override {}
  void on_answer_over(net::HttpAnswer& /*answer*/, const Error* error, bool connected) override {
    sent_ = connected;
    if (error != nullptr) error_ = *error;
    over_.set();
  }

  std::optional<Error> error_;
  bool sent_ = true;
  Event over_;
  net::HttpAnswer answer_;  // Last: it tells the others.
};

net::RemoteEnd unknown_end(Error why) {
  net::RemoteEnd out;
  out.unknown = std::move(why);
  return out;
}

Error of_api(const wire::Url& api, std::string what) {
  return {ErrorCode::kDisconnected, api.origin() + ' ' + std::move(what)};
}

// first_of returns the first bytes of `text`, and says in `cut` whether there were more.
std::string first_of(std::string text, std::size_t bytes_max, bool& cut) {
  if (text.size() <= bytes_max) return text;
  cut = true;
  text.resize(bytes_max);
  return text;
}

// end_in reads what the API says of a command.
Result<net::RemoteEnd> end_in(const wire::Url& api, const std::string& body,
                              std::size_t output_bytes_max) {
  const auto json = parse_json(body);
  const auto result = json.ok() ? result_from_json(json.value()) : std::nullopt;
  if (!result) return unknown_end(of_api(api, "has answered what is no result"));
  if (result->status == CommandStatus::kBlocked) return of_api(api, "says: " + result->error);
  net::RemoteEnd out;
  out.truncated = result->truncated;
  out.out = first_of(result->out, output_bytes_max, out.truncated);
  out.err = first_of(result->err, output_bytes_max, out.truncated);
  out.return_code = result->return_code;
  if (result->status == CommandStatus::kTimeout) {
    out.unknown = Error{ErrorCode::kDeadlineExceeded, api.origin() + " says: " + result->error};
  } else if (result->outcome_unknown) {
    out.unknown = of_api(api, "says: " + result->error);
  } else if (!result->return_code) {
    return of_api(api, "says: " + result->error);
  }
  return out;
}

class ExecutionHost final : public net::RemoteHost {
 public:
  ExecutionHost(net::HttpClient& client, wire::Url api, std::string token)
      : client_(client), api_(std::move(api)), token_(std::move(token)) {}

  // implements RemoteHost ---
  Task<Result<net::RemoteEnd>> run(std::string line, Instant deadline,
                                   std::size_t output_bytes_max) override {
    const Duration left = std::min<Duration>(deadline - client_.loop().now(), kTimeoutMax);
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left).count();
    wire::HttpRequest request;
    request.method = "POST";
    request.headers.set("Content-Type", "application/json");
    request.headers.set("Authorization", "Bearer " + token_);
    request.body =
        dump_json({{"command", std::move(line)}, {"timeout", std::max<std::int64_t>(seconds, 1)}});
    ApiAnswer answer(client_, api_, std::move(request), after(deadline, kAnswerGrace));
    co_await answer.over().wait(client_.loop(), kNever);
    if (answer.error() && !answer.sent()) co_return *answer.error();
    if (answer.error()) co_return unknown_end(*answer.error());
    const int status = answer.status();
    if (status >= 400 && status < 500) {
      co_return of_api(api_, "has refused it with status " + std::to_string(status));
    }
    if (status != 200) {
      co_return unknown_end(of_api(api_, "has answered with status " + std::to_string(status)));
    }
    co_return end_in(api_, answer.body(), output_bytes_max);
  }

 private:
  net::HttpClient& client_;
  wire::Url api_;
  std::string token_;
};

bool is_own_machine(const std::string& host) {
  return host == "localhost" || host == "127.0.0.1" || host == "::1";
}

}  // namespace

bool is_api(const std::string& host) {
  return host.starts_with("https://") || host.starts_with("http://");
}

Task<Result<std::unique_ptr<net::RemoteHost>>> ExecutionDialer::connect(net::RemoteAccess access,
                                                                        Instant /*deadline*/) {
  const auto bad = [](std::string why) { return Error{ErrorCode::kInvalidInput, std::move(why)}; };
  Result<wire::Url> url = wire::parse_url(access.host);
  if (!url.ok()) co_return url.error();
  const bool listed = std::ranges::any_of(allowed_, [&url](const std::string& each) {
    const Result<wire::Url> one = wire::parse_url(each);
    return one.ok() && one.value().origin() == url.value().origin();
  });
  if (!listed) co_return bad(access.host + " is not among the APIs that may be asked");
  if (!url.value().secure() && !is_own_machine(url.value().host)) {
    co_return bad(access.host + ": expected https, the token would be read on the way");
  }
  if (access.password.empty()) co_return bad("there is no token for " + access.host);
  std::string& target = url.value().target;
  while (target.ends_with('/')) target.pop_back();
  target += kExecutionPath;
  std::unique_ptr<net::RemoteHost> host =
      std::make_unique<ExecutionHost>(client_, std::move(url).value(), std::move(access.password));
  co_return std::move(host);
}

}  // namespace plumbline::agents::command_line
