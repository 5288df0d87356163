#include "core/net/http_event_stream.h"

#include <string>

#include "core/wire/sse.h"

namespace plumbline::net {

void HttpEventStream::begin() {
  begun_ = true;
  reply_.open_stream(200, {{"Content-Type", "text/event-stream"},
                           {"Cache-Control", "no-cache"},
                           {"X-Accel-Buffering", "no"}});
  if (keep_alive_ <= Duration::zero()) return;
  comment_ = std::make_unique<Alarm>([this] { say_something(); });
  loop_.arm(*comment_, after(loop_.now(), keep_alive_));
}

void HttpEventStream::end() {
  reply_.end();
  if (comment_ != nullptr) comment_->cancel();
}

void HttpEventStream::say_something() {
  if (!open()) return;
  std::string bytes;
  wire::append_sse_comment(bytes, "");
  reply_.write(bytes);
  loop_.arm(*comment_, after(loop_.now(), keep_alive_));
}

}  // namespace plumbline::net
