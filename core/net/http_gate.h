// HttpGate stands before a handler and decides who comes in. What it lets in carries the principal
// in its reply.

#pragma once

#include <string>

#include "core/net/http_reply.h"

namespace plumbline::net {

class HttpGate : public HttpHandler {
 public:
  // guard names what is behind the gate and the URL at which it is reached, once and before the
  // first request. `inside` must outlive the last of them.
  virtual void guard(const std::string& url, HttpHandler& inside) = 0;

 protected:
  ~HttpGate() = default;
};

}  // namespace plumbline::net
