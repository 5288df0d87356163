#include "core/service/event_feed.h"

#include <charconv>
#include <utility>

#include "core/wire/sse.h"

namespace plumbline::service {

EventFeed::EventFeed(Loop& loop, std::string name, EventFeedOptions options,
                     std::function<void()> gone, const Share& share)
    : loop_(loop),
      name_(std::move(name)),
      options_(options),
      gone_(std::move(gone)),
      kept_charge_(share.take(Resource::kTextBytes, 0).value_or(Held())) {}

std::optional<std::uint64_t> EventFeed::number_of(std::string_view event_id) const {
  if (!event_id.starts_with(name_ + "-")) return std::nullopt;
  event_id.remove_prefix(name_.size() + 1);
  std::uint64_t number = 0;
  const char* const end = event_id.data() + event_id.size();
  const auto [rest, error] = std::from_chars(event_id.data(), end, number);
  if (error != std::errc() || rest != end || number > last_) return std::nullopt;
  return number;
}

bool EventFeed::knows(std::string_view last_event_id) const {
  return number_of(last_event_id).has_value();
}

bool EventFeed::attach(net::HttpReply reply, std::optional<std::string_view> last_event_id) {
  if (stream_) stream_->end();
  reply.on_gone([this] {
    stream_.reset();
    gone_();
  });
  stream_.emplace(loop_, std::move(reply), options_.keep_alive);
  stream_->begin();
  const std::uint64_t behind = last_event_id ? number_of(*last_event_id).value_or(0) : 0;
  const bool whole = kept_.empty() ? behind == last_ : kept_.front().number <= behind + 1;
  std::string missed;
  for (const Kept& event : kept_) {
    if (event.number > behind) missed += event.text;
  }
  stream_->write(missed);
  return whole;
}

void EventFeed::send(std::string_view event, const Json& data) {
  ++last_;
  const std::optional<int> retry =
      last_ == 1 ? std::optional<int>(static_cast<int>(milliseconds_of(options_.retry)))
                 : std::nullopt;
  std::string text;
  wire::append_sse(text, wire::SseEvent{std::string(event), dump_json(data),
                                        name_ + "-" + std::to_string(last_), retry});
  if (connected()) stream_->write(text);
  kept_bytes_ += text.size();
  kept_.push_back({last_, std::move(text)});
  const auto too_many = [this] {
    const bool many = kept_bytes_ > options_.replay_bytes_max && kept_.size() > 1;
    return many || !kept_charge_.grow_to(kept_bytes_);
  };
  while (!kept_.empty() && too_many()) {
    kept_bytes_ -= kept_.front().text.size();
    kept_.pop_front();
  }
}

void EventFeed::end() {
  if (stream_) stream_->end();
  stream_.reset();
}

}  // namespace plumbline::service
