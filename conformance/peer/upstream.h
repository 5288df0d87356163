// Upstream is the judge in the place of what stands behind a server: an API, and the authorization
// server that guards it. The server is set to use it; what it asks here is what nobody else sees.

#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/loop.h"
#include "core/base/result.h"
#include "core/net/http_server.h"
#include "core/net/network.h"
#include "core/wire/url.h"

namespace plumbline::conformance {

// holds_text returns whether a request holds `text`, in its target, a header or its body, as it is
// or percent-encoded.
bool holds_text(const wire::HttpRequest& request, std::string_view text);

class Upstream final : private net::HttpHandler {
 public:
  // Nobody hears of it before listen(), which makes one.
  Upstream(Loop& loop, const std::string& host);

  // listen takes a place. kInvalidInput, kUnavailable and the like: it cannot be had. `loop` and
  // `network` must outlive it.
  static Result<std::unique_ptr<Upstream>> listen(Loop& loop, net::Network& network,
                                                  net::Authority at);

  // url is what the server is to be given: "http://127.0.0.1:4000".
  const std::string& url() const { return url_; }

  // seen returns every request that came, oldest first. At most kSeenMax are kept.
  static constexpr std::size_t kSeenMax = 10'000;
  const std::vector<wire::HttpRequest>& seen() const { return seen_; }

  // is_authorization returns whether `address` is an authorization request to this third party.
  bool is_authorization(std::string_view address) const;

  // agree says yes to one, as a person who is signed in here does, and returns where the browser is
  // sent: to its redirect_uri, with a code.
  std::string agree(std::string_view address);

  // refuse says no.
  std::string refuse(std::string_view address) const;

  // given_in returns the first code or token in `text` that was given out here; empty: there is
  // none.
  std::string given_in(std::string_view text) const;

 private:
  // implements net::HttpHandler ---
  void on_request(wire::HttpRequest request, net::HttpReply reply) override;

  wire::HttpResponse answer(const wire::HttpRequest& request);
  std::string give(const char* what);

  net::HttpServer server_;
  std::unique_ptr<net::Listener> listener_;
  std::string url_;
  std::vector<wire::HttpRequest> seen_;
  std::vector<std::string> given_;
};

}  // namespace plumbline::conformance
