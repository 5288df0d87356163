#include "core/connector/limits/paced_connection.h"

#include <algorithm>

namespace plumbline::connector {

namespace {

bool is_request(const Json& message) {
  return find(message, "method") != nullptr && find(message, "id") != nullptr;
}

// asks_for_life returns whether a request asks an agent whether it is there.
bool asks_for_life(std::string_view method) {
  return method == "ping" || method == "initialize" || method == "server/discover";
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

// may_have returns whether the agent is to get such a request now, be it its turn or not.
bool RequestPacer::may_have(std::string_view method) const {
  return asks_for_life(method) || is_well_();
}

// may_go takes a token for a request that need not wait. Those who wait are overtaken by what asks
// whether the agent is there alone: they may wait for that.
bool RequestPacer::may_go(std::string_view method) {
  const bool first = turns_.empty() || asks_for_life(method);
  if (first && may_have(method) && limiter_.check_limit(method, loop_.now())) return true;
  ++held_;
  return false;
}

void RequestPacer::enter(PacedChannel& channel) {
  if (channel.waiting_.size() == 1) turns_.push_back(&channel);  // Else it is there already.
  if (!due_.armed()) serve();
}

// serve sends what may go, a request of each connection in turn. A connection whose next request
// waits for its method alone, or for the agent to be well, keeps its place.
void RequestPacer::serve() {
  Duration wait = Duration::max();
  for (auto turn = turns_.begin(); turn != turns_.end();) {
    PacedChannel& channel = **turn;
    const std::string method = string_or(channel.waiting_.front(), "method", "");
    if (!may_have(method)) {
      ++turn;
      continue;
    }
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
  if (wait < Duration::max()) loop_.arm(due_, after(loop_.now(), wait));
}

void PacedChannel::send(Json message) {
  if (!is_request(message)) {
    if (!take_back(message)) inner_.send(std::move(message));
    return;
  }
  const std::string method = string_or(message, "method", "");
  const bool urgent = asks_for_life(method);
  if ((waiting_.empty() || urgent) && pacer_.may_go(method)) {
    inner_.send(std::move(message));
    return;
  }
  waiting_.insert(urgent ? waiting_.begin() : waiting_.end(), std::move(message));
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
