#include "core/connector/limits/paced_connection.h"

#include <algorithm>

namespace plumbline::connector {

namespace {

bool is_request(const Json& message) {
  return find(message, "method") != nullptr && find(message, "id") != nullptr;
}

}  // namespace

void RequestPacer::refused(std::optional<Duration> asked) {
  limiter_.refused(asked, loop_.now());
  if (!turns_.empty()) serve();
}

std::size_t RequestPacer::waiting() const {
  std::size_t waiting = 0;
  for (const PacedChannel* const channel : turns_) waiting += channel->waiting_.size();
  return waiting;
}

// may_go takes a token for a request that need not wait. Nobody overtakes those who do.
bool RequestPacer::may_go(std::string_view method) {
  if (turns_.empty() && limiter_.check_limit(method, loop_.now())) return true;
  ++held_;
  return false;
}

void RequestPacer::enter(PacedChannel& channel) {
  if (channel.waiting_.size() > 1) return;  // It is there already.
  turns_.push_back(&channel);
  if (turns_.size() == 1) serve();
}

// serve sends what may go, a request of each connection in turn. A connection whose next request
// waits for its method alone keeps its place.
void RequestPacer::serve() {
  Duration wait = Duration::max();
  for (auto turn = turns_.begin(); turn != turns_.end();) {
    PacedChannel& channel = **turn;
    const std::string method = string_or(channel.waiting_.front(), "method", "");
    if (!limiter_.check_limit(method, loop_.now())) {
      wait = std::min(wait, limiter_.retry_after(method, loop_.now()));
      ++turn;
      continue;
    }
    Json message = std::move(channel.waiting_.front());
    channel.waiting_.pop_front();
    turn = turns_.erase(turn);
    if (!channel.waiting_.empty()) turns_.push_back(&channel);
    channel.inner_.send(std::move(message));
  }
  if (!turns_.empty()) loop_.arm(due_, after(loop_.now(), wait));
}

void PacedChannel::send(Json message) {
  if (!is_request(message)) {
    if (!take_back(message)) inner_.send(std::move(message));
    return;
  }
  if (waiting_.empty() && pacer_.may_go(string_or(message, "method", ""))) {
    inner_.send(std::move(message));
    return;
  }
  waiting_.push_back(std::move(message));
  pacer_.enter(*this);
}

// take_back drops the request that a notification takes back, where it still waits.
bool PacedChannel::take_back(const Json& cancelled) {
  if (string_or(cancelled, "method", "") != "notifications/cancelled") return false;
  const Json* const id = at_pointer(cancelled, "/params/requestId");
  const auto waits = std::ranges::find_if(
      waiting_, [id](const Json& one) { return id != nullptr && one["id"] == *id; });
  if (waits == waiting_.end()) return false;
  waiting_.erase(waits);
  if (waiting_.empty()) pacer_.leave(*this);
  return true;
}

void PacedChannel::close_send() {
  waiting_.clear();
  pacer_.leave(*this);
  inner_.close_send();
}

void PacedChannel::close() {
  waiting_.clear();
  pacer_.leave(*this);
  inner_.close();
}

}  // namespace plumbline::connector
