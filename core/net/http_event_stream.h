// HttpEventStream writes events as the answer to one HTTP request.

#pragma once

#include <memory>
#include <string_view>

#include "core/base/loop.h"
#include "core/net/http_server.h"

namespace plumbline::net {

class HttpEventStream {
 public:
  // `keep_alive` is the time between comments that keep a quiet stream from being closed on the
  // way; zero: none. `loop` must outlive the stream.
  HttpEventStream(Loop& loop, HttpReply reply, Duration keep_alive)
      : loop_(loop), keep_alive_(keep_alive), reply_(std::move(reply)) {}

  // reply answers otherwise, before begin().
  HttpReply& reply() { return reply_; }
  bool open() const { return reply_.open(); }
  bool begun() const { return begun_; }

  // begin sends the head; write sends events as wire::append_sse wrote them; end ends the stream.
  void begin();
  void write(std::string_view events) { reply_.write(events); }
  void end();

 private:
  void say_something();

  Loop& loop_;
  Duration keep_alive_;
  HttpReply reply_;
  bool begun_ = false;
  std::unique_ptr<Alarm> comment_;
};

}  // namespace plumbline::net
