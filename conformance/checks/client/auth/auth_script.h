// AuthScript plays an MCP server that wants tokens, and the authorization server that gives them
// out. As it stands both are right; each scenario changes one thing.
//
// Who gives out tokens is at another origin than the server where the revision has metadata that
// says so, and at the server's own before. Its endpoints have unusual names. Nobody is asked for
// consent: the authorization endpoint sends the browser back at once.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/checks/client/script_kit.h"

namespace plumbline::conformance {

// Where RFC 8414 has the metadata of an authorization server whose issuer has no path.
inline constexpr std::string_view kAuthorizationServerPath =
    "/.well-known/oauth-authorization-server";

class AuthScript : public Script {
 public:
  void prepare(ScriptedPeer& peer) final;
  bool on_http(ScriptedPeer& peer, std::size_t exchange, net::HttpReply& reply) final;
  std::optional<wire::HttpResponse> on_document(ScriptedPeer& peer, const std::string& origin,
                                                const wire::HttpRequest& request) final;

 protected:
  // What a scenario may change ---

  // issuer_paths are what stands behind the origin in the issuer of each authorization server;
  // named_issuer is the one that the resource names now.
  virtual std::vector<std::string> issuer_paths() const { return {""}; }
  virtual std::size_t named_issuer() const { return 0; }

  // gives_its_own_tokens returns whether the issuers stand below the address of the MCP server.
  virtual bool gives_its_own_tokens() const { return false; }

  // is_judged_by_resource returns whether the rules that hold of each parameter `resource` hold
  // here.
  virtual bool is_judged_by_resource() const { return true; }

  // challenge is what a 401 says in WWW-Authenticate; unauthenticated is that 401, to `heard`.
  virtual std::string challenge() const;
  virtual wire::HttpResponse unauthenticated(const HttpHeard& /*heard*/) const {
    return unauthorized(challenge());
  }

  // wants_token returns whether a request needs a token.
  virtual bool wants_token(const HttpHeard&) const { return true; }

  // resource_document and server_document return what stands at a URL; null: nothing.
  virtual Json resource_document(const std::string& url) const;
  // missing_status is that of a document that there is not.
  virtual int missing_status() const { return 404; }
  virtual Json server_document(const std::string& url) const;

  // resource and metadata are what the two say.
  virtual Json resource() const;
  virtual Json metadata(std::size_t issuer) const;

  // promises_issuer returns whether the metadata says that iss comes with the code.
  virtual bool promises_issuer() const { return stateless_; }

  // brought_back is what the browser brings back to the client.
  virtual wire::Form brought_back(wire::Form usual) const { return usual; }

  // refuses_registration returns the answer to who may not register.
  virtual std::optional<wire::HttpResponse> refuses_registration(const Json& /*body*/) const {
    return std::nullopt;
  }

  // has_guessed_endpoints returns whether what nobody names is there all the same.
  virtual bool has_guessed_endpoints() const { return false; }
  virtual bool gives_refresh_tokens() const { return true; }

  // renews_refresh_tokens returns whether a refresh token is of one use.
  virtual bool renews_refresh_tokens() const { return true; }

  // token_answer is what an answer with a token says, registered that to a registration.
  virtual Json token_answer(Json usual) const { return usual; }
  virtual Json registered(Json usual) const { return usual; }

  // worded is how a code, a token or a client id is written.
  virtual std::string worded(AuthStep /*of*/, std::string usual) const { return usual; }

  // written is how a document, or an answer in JSON, is sent.
  virtual wire::HttpResponse written(int status, const Json& body) const;

  // refuses returns the answer to a request with a good token that is not let in all the same. It
  // may end the token.
  virtual std::optional<wire::HttpResponse> refuses(const HttpHeard& /*heard*/, Granted& /*with*/) {
    return std::nullopt;
  }

  // Where things are, known from prepare on.
  const std::string& server() const { return server_; }
  const std::string& origin() const { return origin_; }
  const std::string& issuer(std::size_t index = 0) const { return issuers_[index]; }
  std::string named_place()
      const;  // Of the resource's metadata: the well-known one, with its path.
  bool has_resource_metadata() const { return has_resource_metadata_; }

  // unauthorized and forbidden are refusals with a challenge.
  static wire::HttpResponse unauthorized(std::string challenge);
  static wire::HttpResponse forbidden(std::string challenge);

 private:
  struct Code {
    std::string code;
    std::string scope;
    std::size_t issuer = 0;
  };

  std::optional<AuthHeard> step_of(const std::string& url) const;
  wire::HttpResponse answer(Record& record, AuthHeard& heard);
  wire::HttpResponse authorize(AuthHeard& heard);
  wire::HttpResponse redeem(Record& record, AuthHeard& heard);
  wire::HttpResponse enrol(AuthHeard& heard);
  // name returns a name of which no other is the beginning.
  std::string name(const char* kind) { return kind + std::to_string(++names_) + "x"; }

  std::string server_;
  std::string origin_;
  std::vector<std::string> issuers_;
  bool has_resource_metadata_ = true;
  bool stateless_ = false;
  std::vector<Code> codes_;
  std::size_t names_ = 0;
};

// form_of_json returns the texts among the members of an object in JSON; of anything else nothing.
wire::Form form_of_json(const std::string& body);

// json_answer returns a document.
wire::HttpResponse json_answer(int status, const Json& body);

// stopped_before says whether a client that was to see `why` went no further than to what comes
// before `step`: passes where it did, and saw it.
Finding stopped_before(const Record& record, AuthStep step, bool saw, const std::string& why);

// beyond_metadata returns the first request to somebody for something else than metadata; nullptr:
// there is none.
const AuthHeard* beyond_metadata(const Record& record);

// never_asked is the Finding for a client that did not come to `what` on its way to a token.
Finding never_asked(const Record& record, const std::string& what);

// scopes_of returns the scopes that a request asks for.
std::vector<std::string> scopes_of(const AuthHeard& request);
bool holds_scope(const std::vector<std::string>& scopes, std::string_view scope);

}  // namespace plumbline::conformance
