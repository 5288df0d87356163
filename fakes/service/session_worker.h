// SessionWorker is the worker of a session in a simulated world: it listens to the stream of its
// session, as EventSource does, and answers calls as its habits say, which may be bad ones.

#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/base/loop.h"
#include "core/base/rng.h"
#include "core/base/task_group.h"
#include "core/json/json.h"
#include "core/net/http_answer.h"
#include "core/net/http_client.h"

namespace plumbline::fakes {

// WorkerHabits say what a worker does with a call; in percent of the calls.
struct WorkerHabits {
  Duration answer_min{};  // Until it answers.
  Duration answer_max{};
  int double_percent = 0;   // Answers twice.
  int silent_percent = 0;   // Never answers.
  int fail_percent = 0;     // Says that it failed.
  int vanish_percent = 0;   // Drops its stream instead, and comes back after `away`.
  int foreign_percent = 0;  // Answers for another session too, with the same request id.
  int report_percent = 0;   // Reports progress before.
  Duration away = std::chrono::seconds(2);
  std::string foreign_code{};  // Of that other session.
};

class SessionWorker final : private net::HttpAnswerReader {
 public:
  // `base` is the service ("http://127.0.0.1:80/"). All references must outlive the worker.
  SessionWorker(Loop& loop, net::Network& network, wire::Url base, std::string code,
                WorkerHabits habits, Rng rng);
  ~SessionWorker();

  // listen opens the stream; leave drops it for good. A worker comes back by itself until then, to
  // go on with what it missed.
  void listen();
  void leave();

  // forget makes the next listen() begin anew, as a page that was loaded again.
  void forget() { last_event_id_.reset(); }

  bool connected() const { return answer_ != nullptr && answer_->streamed(); }
  // status is that of the last attempt to listen, 0 before.
  int status() const { return status_; }
  // events are the names of all that were heard, in order.
  const std::vector<std::string>& events() const { return events_; }
  // requests are the ids of the calls that came.
  const std::vector<std::string>& requests() const { return requests_; }
  // answers counts the status with which each answer was taken.
  const std::map<int, int>& answers() const { return answers_; }

  // on_call lets a test look at each request before it is answered.
  std::function<void(const Json& request)> on_call;

 private:
  // implements HttpAnswerReader ---
  void on_answer_head(net::HttpAnswer& answer) override;
  void on_answer_event(net::HttpAnswer& answer, wire::SseEvent event) override;
  void on_answer_over(net::HttpAnswer& answer, const Error* error, bool connected) override;

  static Task<void> work(SessionWorker& self, Json request);
  static Task<void> post(SessionWorker& self, std::string path, Json body);
  void come_back(Duration wait);

  Loop& loop_;
  net::HttpClient client_;
  wire::Url base_;
  std::string code_;
  WorkerHabits habits_;
  Rng rng_;
  bool left_ = false;
  int status_ = 0;
  std::optional<std::string> last_event_id_;
  std::unique_ptr<net::HttpAnswer> answer_;
  std::vector<std::string> events_;
  std::vector<std::string> requests_;
  std::map<int, int> answers_;
  Alarm again_;
  TaskGroup work_;  // Last: its tasks are dropped first.
};

}  // namespace plumbline::fakes
