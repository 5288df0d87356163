// WebRecorder makes the lines of a recording of what passes between HTTP clients and their server:
// the messages, and around them each request and its answer.
//
// Several clients may come at a time. Each line says whose it is: by the session id that the server
// gave out, by the endpoint of HTTP+SSE, by the WebSocket.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "core/base/time.h"
#include "core/wire/http.h"
#include "scenarios/record/recorder.h"

namespace plumbline::scenarios {

class WebRecorder {
 public:
  // `recorder` must outlive it.
  explicit WebRecorder(Recorder& recorder) : recorder_(recorder) {}

  // request takes a whole request and returns the number of its exchange, from 1 on.
  std::int64_t request(const wire::HttpRequest& request, Duration at);

  // status takes the beginning of its answer.
  void status(std::int64_t exchange, int status, const wire::HttpHeaders& headers, Duration at);

  // said takes one message of the way to `to`: a body, the data of an event, a text. `event` is
  // the name of its event, `event_id` its id; empty: it has none.
  void said(std::int64_t exchange, Side to, std::string_view text, Duration at,
            std::string_view event = "", std::string_view event_id = "");

  // kept as of the Recorder.
  const Status& kept() const { return recorder_.kept(); }

  // end tells that the answer has ended; `why` it broke off, empty: in order.
  void end(std::int64_t exchange, const std::string& why, Duration at);

 private:
  Json about(std::int64_t exchange) const;
  std::int64_t client_of(const wire::HttpRequest& request);

  Recorder& recorder_;
  std::int64_t exchanges_ = 0;
  std::int64_t clients_ = 0;
  std::int64_t without_id_ = 0;                      // The client that came last without one.
  std::map<std::int64_t, std::int64_t> client_;      // Of each exchange that has not ended.
  std::map<std::string, std::int64_t> by_session_;   // By the id of its session.
  std::map<std::string, std::int64_t> by_endpoint_;  // By where it posts.
};

}  // namespace plumbline::scenarios
