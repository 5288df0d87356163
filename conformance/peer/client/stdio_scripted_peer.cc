#include "conformance/peer/client/stdio_scripted_peer.h"

#include <algorithm>
#include <utility>

namespace plumbline::conformance {

namespace {

constexpr std::size_t kStreamBytes = 16U << 10U;  // What an open stream costs.
constexpr std::size_t kStrangersMax = 100;

}  // namespace

StdioScriptedPeer::StdioScriptedPeer(Loop& loop, net::Network& network, std::string key,
                                     WireLog& log, Record& record, Script& script)
    : ScriptRunner(loop, network, log, record, script), key_(std::move(key)) {
  Result<std::unique_ptr<net::Listener>> listener =
      network.listen({"127.0.0.1", 0}, std::nullopt, [this](std::unique_ptr<net::Pipe> pipe) {
        std::erase_if(strangers_, [](const auto& stranger) { return stranger->closed(); });
        if (strangers_.size() >= kStrangersMax) return;
        strangers_.push_back(std::make_unique<Stream>(*this, std::move(pipe)));
      });
  if (listener.ok()) {
    listener_ = std::move(listener).value();
  } else {
    fail(listener.error());
  }
}

StdioScriptedPeer::~StdioScriptedPeer() = default;

std::string StdioScriptedPeer::address() const {
  return "127.0.0.1:" + std::to_string(listener_ == nullptr ? 0 : listener_->port()) + "/" + key_;
}

std::uint32_t StdioScriptedPeer::begin(Stream& stream) {
  const auto found = std::ranges::find(strangers_, &stream, &std::unique_ptr<Stream>::get);
  streams_.push_back(std::move(*found));
  strangers_.erase(found);
  record_.streams.emplace_back().opened = now();
  active();
  return static_cast<std::uint32_t>(record_.streams.size());
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

StdioScriptedPeer::Stream::Stream(StdioScriptedPeer& owner, std::unique_ptr<net::Pipe> pipe)
    : owner_(owner), pipe_(std::move(pipe)) {
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
    if (closed_ && number_ == 0) return;
    if (number_ == 0) {
      if (line->bytes != owner_.key_ || !owner_.takes(kStreamBytes)) return close();
      number_ = owner_.begin(*this);
      continue;
    }
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
  if (number_ == 0) return close();
  StreamHeard& heard = owner_.stream_heard(number_);
  if (!heard.closed) heard.closed = owner_.now();
  if (!closed_) close();
  owner_.active();
}

}  // namespace plumbline::conformance
