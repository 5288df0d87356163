// ExecutionDialer reaches machines by their ExecutionApi: RemoteAccess::host is the URL at which it
// stands ("https://api.example"), RemoteAccess::password the bearer token for it.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/net/http_client.h"
#include "core/net/remote_host.h"
#include "core/wire/url.h"

namespace plumbline::agents::command_line {

class ExecutionDialer final : public net::RemoteDialer {
 public:
  // `client` must outlive the dialer and its hosts. Nobody else than `allowed`, URLs, gets the
  // token.
  ExecutionDialer(net::HttpClient& client, std::vector<std::string> allowed)
      : client_(client), allowed_(std::move(allowed)) {}

  // connect sends nothing yet. kInvalidInput: it is no such URL, is not allowed, or is no https and
  // not this machine; there is no token.
  //
  // run of the host that it returns sends the line once, and never again: an answer that does not
  // come, or is none, leaves the outcome unknown. An Error: there was no connection, or the API has
  // refused it.
  Task<Result<std::unique_ptr<net::RemoteHost>>> connect(net::RemoteAccess access,
                                                         Instant deadline) override;

 private:
  net::HttpClient& client_;
  std::vector<std::string> allowed_;
};

// is_api returns whether a remote host is meant to be reached by its API: "http://", "https://".
bool is_api(const std::string& host);

}  // namespace plumbline::agents::command_line
