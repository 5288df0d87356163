#include "conformance/peer/client/stdio_scripted_peer.h"

#include <utility>

namespace plumbline::conformance {

namespace {

constexpr std::size_t kStreamBytes = 16U << 10U;  // What an open stream costs.

}  // namespace

StdioScriptedPeer::StdioScriptedPeer(Loop& loop, net::Network& network, WireLog& log,
                                     Record& record, Script& script)
    : ScriptRunner(loop, network, log, record, script) {
  Result<std::unique_ptr<net::Listener>> listener =
      network.listen({"127.0.0.1", 0}, std::nullopt, [this](std::unique_ptr<net::Pipe> pipe) {
        if (!takes(kStreamBytes)) return;
        record_.streams.emplace_back().opened = now();
        const auto number = static_cast<std::uint32_t>(record_.streams.size());
        streams_.push_back(std::make_unique<Stream>(*this, std::move(pipe), number));
        active();
      });
  if (listener.ok()) {
    listener_ = std::move(listener).value();
  } else {
    fail(listener.error());
  }
}

StdioScriptedPeer::~StdioScriptedPeer() = default;

std::string StdioScriptedPeer::address() const {
  return "127.0.0.1:" + std::to_string(listener_ == nullptr ? 0 : listener_->port());
}

void StdioScriptedPeer::text(const Asked& asked, std::string text, bool last) {
  if (last) answered(asked);
  said(text, 0, asked.connection);
  streams_[asked.connection - 1]->write(std::move(text));
}

void StdioScriptedPeer::cut(const Asked& asked) {
  Json what(Json::value_t::object);
  what["server"] = "dies";
  note(std::move(what), 0);
  stream_heard(asked.connection).cut_by_us = true;
  streams_[asked.connection - 1]->close();
}

bool StdioScriptedPeer::tell(std::string text) {
  if (streams_.empty()) return false;
  said(text, 0, static_cast<std::uint32_t>(streams_.size()));
  streams_.back()->write(std::move(text));
  return true;
}

StdioScriptedPeer::Stream::Stream(StdioScriptedPeer& owner, std::unique_ptr<net::Pipe> pipe,
                                  std::uint32_t number)
    : owner_(owner), pipe_(std::move(pipe)), number_(number) {
  pipe_->start(*this);
}

void StdioScriptedPeer::Stream::write(std::string text) {
  if (!closed_) pipe_->write(std::move(text) + "\n");
}

void StdioScriptedPeer::Stream::close() {
  closed_ = true;
  pipe_->close_write();
}

void StdioScriptedPeer::Stream::take_lines() {
  while (const std::optional<wire::Line> line = lines_.next()) {
    if (line->bytes == kEndOfInput) {
      owner_.stream_heard(number_).orderly = true;
      owner_.stream_heard(number_).closed = owner_.now();
      owner_.active();
      continue;
    }
    const std::string bytes(line->bytes);
    owner_.heard(bytes, 0, number_);
  }
}

void StdioScriptedPeer::Stream::on_bytes(std::string_view bytes) {
  if (owner_.flooded()) return;
  lines_.feed(bytes);
  take_lines();
}

void StdioScriptedPeer::Stream::on_end(const Error*) {
  lines_.finish();
  take_lines();
  StreamHeard& heard = owner_.stream_heard(number_);
  if (!heard.closed) heard.closed = owner_.now();
  if (!closed_) close();
  owner_.active();
}

}  // namespace plumbline::conformance
