#include "core/net/http_reply.h"

#include <utility>

#include "core/base/check.h"

namespace plumbline::net {

HttpReply::HttpReply(HttpReplyTarget& target) : target_(&target) { target.reply_ = this; }

HttpReply::HttpReply(HttpReply&& other) noexcept
    : target_(std::exchange(other.target_, nullptr)),
      streaming_(other.streaming_),
      gone_(std::move(other.gone_)),
      principal_(std::move(other.principal_)),
      headers_(std::move(other.headers_)),
      on_head_(std::move(other.on_head_)) {
  if (target_ != nullptr) target_->reply_ = this;
}

HttpReply& HttpReply::operator=(HttpReply&& other) noexcept {
  if (this == &other) return *this;
  drop();
  target_ = std::exchange(other.target_, nullptr);
  streaming_ = other.streaming_;
  gone_ = std::move(other.gone_);
  principal_ = std::move(other.principal_);
  headers_ = std::move(other.headers_);
  on_head_ = std::move(other.on_head_);
  if (target_ != nullptr) target_->reply_ = this;
  return *this;
}

HttpReply::~HttpReply() { drop(); }

void HttpReply::drop() {
  if (!open()) return;
  if (streaming_) {
    target_->break_stream();
  } else {
    respond(wire::HttpResponse{500, {}, ""});
  }
}

void HttpReply::respond(const wire::HttpResponse& response) {
  if (!open()) return;
  check(!streaming_, "respond() inside a stream");
  tell_head(response.status);
  if (headers_.fields().empty()) return target_->respond(response);
  target_->respond(wire::HttpResponse{response.status, joined(response.headers), response.body});
}

void HttpReply::open_stream(int status, const wire::HttpHeaders& headers) {
  if (!open()) return;
  check(!streaming_, "open_stream() inside a stream");
  streaming_ = true;
  tell_head(status);
  target_->open_stream(status, joined(headers));
}

void HttpReply::tell_head(int status) {
  if (const OnHead tell = std::exchange(on_head_, nullptr)) tell(*this, status);
}

wire::HttpHeaders HttpReply::joined(const wire::HttpHeaders& headers) const {
  wire::HttpHeaders all = headers;
  for (const auto& [name, value] : headers_.fields()) all.set(name, value);
  return all;
}

void HttpReply::write(std::string_view bytes) {
  if (!open()) return;
  check(streaming_, "write() before open_stream()");
  target_->write(bytes);
}

void HttpReply::end() {
  if (!open()) return;
  check(streaming_, "end() before open_stream()");
  target_->end();
}

std::unique_ptr<Pipe> HttpReply::upgrade(const wire::HttpHeaders& headers) {
  if (!open()) return nullptr;
  check(!streaming_, "upgrade() inside a stream");
  return target_->upgrade(headers);
}

std::function<void()> HttpReplyTarget::release() {
  if (reply_ == nullptr) return nullptr;
  HttpReply& reply = *std::exchange(reply_, nullptr);
  reply.target_ = nullptr;
  return std::exchange(reply.gone_, nullptr);
}

}  // namespace plumbline::net
