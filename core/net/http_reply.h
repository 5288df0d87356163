// HttpReply answers a request that an HttpHandler got of an HttpServer.

#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "core/base/budget/guests.h"
#include "core/net/pipe.h"
#include "core/wire/http.h"

namespace plumbline::net {

class HttpReply;

// HttpReplyTarget is the connection that a reply goes to.
class HttpReplyTarget {
 public:
  HttpReplyTarget() = default;
  HttpReplyTarget(const HttpReplyTarget&) = delete;
  HttpReplyTarget& operator=(const HttpReplyTarget&) = delete;

 protected:
  ~HttpReplyTarget() = default;

  // awaits_reply returns whether a reply is out that may still be given.
  bool awaits_reply() const { return reply_ != nullptr; }

  // release takes the reply's hand off this connection. Returns what it wants called.
  std::function<void()> release();

 private:
  friend class HttpReply;

  // These do what HttpReply says. break_stream: it was dropped inside a stream.
  virtual void respond(const wire::HttpResponse& response) = 0;
  virtual void open_stream(int status, const wire::HttpHeaders& headers) = 0;
  virtual void write(std::string_view bytes) = 0;
  virtual void end() = 0;
  virtual void break_stream() = 0;
  virtual std::unique_ptr<Pipe> upgrade(const wire::HttpHeaders& headers) = 0;
  virtual std::string peer_address() const = 0;
  virtual Share share_of(const std::string& principal) const = 0;
  virtual const Guests& guests() const = 0;

  HttpReply* reply_ = nullptr;
};

// HttpReply is the way to answer one request, at once or later: whole, as a stream, or by handing
// the connection over to another protocol. It may outlive the connection and the server; what it is
// told then is dropped.
//
// Dropping it unanswered answers 500; dropping it inside a stream breaks the stream off.
class HttpReply {
 public:
  HttpReply() = default;
  explicit HttpReply(HttpReplyTarget& target);
  HttpReply(HttpReply&& other) noexcept;
  HttpReply& operator=(HttpReply&& other) noexcept;
  ~HttpReply();

  // principal names who gets the answer, as a gate before the handler has found out who asks;
  // empty: nobody has. It stays when the answer is given.
  const std::string& principal() const { return principal_; }
  void set_principal(std::string principal) { principal_ = std::move(principal); }

  // peer_address returns where the request came from: see Pipe. Empty once nobody waits any more.
  std::string peer_address() const {
    return target_ == nullptr ? std::string() : target_->peer_address();
  }

  // share returns what who asks may take of the server: the principal, or else the caller. Nobody's
  // once nobody waits any more.
  Share share() const { return target_ == nullptr ? Share() : target_->share_of(principal_); }

  // guests returns all that take from the server that was asked; null once nobody waits.
  const Guests* guests() const { return target_ == nullptr ? nullptr : &target_->guests(); }

  // set_header names a field that the answer will have, whoever gives it and whatever it is; it
  // takes the place of one of that name. For what stands before the handler.
  void set_header(std::string_view name, std::string value) {
    headers_.set(name, std::move(value));
  }

  // on_head names who is told the status when the answer is given, or its stream begins: once, and
  // never when the peer has gone before.
  using OnHead = std::function<void(const HttpReply& reply, int status)>;
  void on_head(OnHead tell) { on_head_ = std::move(tell); }

  // open returns whether an answer, or more of it, can still be given.
  bool open() const { return target_ != nullptr; }

  // respond gives the whole answer.
  void respond(const wire::HttpResponse& response);

  // open_stream begins an answer without length; write adds to it, end ends it. A peer that reads
  // too slowly for the pipe's write queue loses the connection.
  void open_stream(int status, const wire::HttpHeaders& headers);
  void write(std::string_view bytes);
  void end();

  // on_gone names a function that is called once, from the loop, when the peer closes before the
  // answer has ended. It may destroy this object. None: nobody is told.
  void on_gone(std::function<void()> gone) { gone_ = std::move(gone); }

  // upgrade answers 101 and hands the connection over. What the peer sent behind its request is
  // read first. Null when the peer is gone.
  std::unique_ptr<Pipe> upgrade(const wire::HttpHeaders& headers);

 private:
  friend class HttpReplyTarget;

  void drop();
  void tell_head(int status);
  wire::HttpHeaders joined(const wire::HttpHeaders& headers) const;

  HttpReplyTarget* target_ = nullptr;
  bool streaming_ = false;  // open_stream() was called.
  std::function<void()> gone_;
  std::string principal_;
  wire::HttpHeaders headers_;  // Of set_header().
  OnHead on_head_;
};

class HttpHandler {
 public:
  // on_request gets one whole request. The next of the same connection follows when this one is
  // answered. It may destroy the server.
  virtual void on_request(wire::HttpRequest request, HttpReply reply) = 0;

  // on_stranger is told of a request that the server refuses (see HttpAccess), before its answer is
  // given. It may name headers of the answer, and who hears of it.
  virtual void on_stranger(const wire::HttpRequest& /*request*/, HttpReply& /*reply*/) {}

 protected:
  ~HttpHandler() = default;
};

}  // namespace plumbline::net
