// Discovery finds the authorization server of an MCP server, step by step: it says which document
// to get, is told what came, and knows in the end who gives out tokens, or why nobody does.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/auth/steps/challenge.h"
#include "core/auth/steps/metadata.h"
#include "core/base/result.h"
#include "core/mcp/protocol/revision.h"
#include "core/wire/http.h"
#include "core/wire/url.h"

namespace plumbline::auth {

// Found is where an MCP server has its tokens from.
struct Found {
  std::string resource;             // What tokens are asked for, RFC 8707.
  std::vector<std::string> scopes;  // Of the challenge; else all that the resource has.
  ServerMetadata server;
  bool guessed = false;  // Nobody has named the endpoints.
};

class Discovery {
 public:
  // `challenge` is what the server refused with; an empty one when nobody asked yet. At 2025-03-26
  // the endpoints of a server without any metadata are guessed, and at no other revision.
  Discovery(wire::Url server, Challenge challenge, mcp::Revision revision);

  // next returns the address to GET now; nothing when result() is there.
  std::optional<wire::Url> next();

  // take tells what came of that: an answer, or why there is none.
  void take(const Result<wire::HttpResponse>& answer);

  // result returns what was found. kInvalidInput: a document is wrong, or leads where it must not;
  // kUnsupported: there is no authorization server; kDisconnected and the like: nobody answers.
  // Every message names the step and the address.
  const Result<Found>& result() const { return result_.value(); }

 private:
  enum class Stage { kResource, kServer };

  void look_for_resource();
  void look_for_server();
  void take_resource(const Json& document);
  void take_server(const Json& document);
  void nothing_found();
  void finish();
  void fail(ErrorCode code, const std::string& what);

  wire::Url server_;
  Challenge challenge_;
  mcp::Revision revision_;
  Stage stage_ = Stage::kResource;
  std::vector<std::string> candidates_;  // The next one first.
  std::string at_;                       // The one that is asked, for people.
  std::string missed_;                   // What came of those before, for people.
  std::optional<Error> trouble_;         // The first of them that was more than a "not found".
  std::optional<ResourceMetadata> resource_;
  std::string issuer_;
  Found found_;
  std::optional<Result<Found>> result_;
};

}  // namespace plumbline::auth
