// HttpAuthorizer gives the exchanges of an HttpClient what shows who we are, and hears where that
// was not good enough.

#pragma once

#include <string>

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/net/http_exchange.h"
#include "core/wire/http.h"
#include "core/wire/url.h"

namespace plumbline::net {

// HttpRefusal is an answer with 401 or 403.
struct HttpRefusal {
  wire::Url to;
  Worth worth = Worth::kNeeded;
  int status = 0;
  wire::HttpHeaders headers;  // Of the answer.
  wire::HttpHeaders sent;     // What headers_for gave the exchange.
};

class HttpAuthorizer {
 public:
  // headers_for returns what an exchange with `to` is sent with, beside its own headers. An Error:
  // it is not sent, and whoever asked hears an answer 401 whose text is the message; 503 where that
  // may pass (kDisconnected).
  virtual Task<Result<wire::HttpHeaders>> headers_for(wire::Url to) = 0;

  // on_refused returns whether to send the request again, which asks headers_for once more; it is
  // sent kHttpSendsMax times at most. false: the answer goes to who asked as it is. An Error: with
  // the message as its text, and 503 as above.
  virtual Task<Result<bool>> on_refused(HttpRefusal refusal) = 0;

  // on_answered tells that an exchange got another answer than that; `sent` is what headers_for
  // gave it.
  virtual void on_answered(const wire::HttpHeaders& sent) = 0;

 protected:
  ~HttpAuthorizer() = default;
};

inline constexpr int kHttpSendsMax = 4;

}  // namespace plumbline::net
