// AuthProbe is everything that one check of an authorization server may use: what is known of the
// server, a client that is registered there, and ways to ask.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/catalogue/finding.h"
#include "conformance/peer/reply.h"
#include "conformance/wire/wire_log.h"
#include "core/base/loop.h"
#include "core/base/task.h"
#include "core/net/http_client.h"
#include "core/wire/form.h"
#include "core/wire/url.h"

namespace plumbline::conformance {

class HttpWire;

// Authority is what an authorization server says of itself.
struct Authority {
  std::string issuer;                    // Under which it was looked for.
  Json oauth;                            // Its metadata by RFC 8414; null: none was found.
  Json oidc;                             // By OpenID Connect Discovery; likewise.
  std::string tried;                     // What came of the places without any.
  bool answered = false;                 // Somebody is there.
  std::string place = {};                // Where the document is.
  std::vector<std::size_t> places = {};  // In the log: of what brought the document.
  std::string page = {};                 // A well-known place that has a page instead.
  std::string type = {};                 // What is wrong with the type of a document.
  std::string resource = {};             // Of the MCP server that names it; empty: it is not known.
  bool resource_is_own = false;          // It is of the origin of the given address.

  // document returns the first that there is; null for none.
  const Json& document() const { return oauth.is_object() ? oauth : oidc; }
  std::string member(std::string_view name) const { return string_or(document(), name, ""); }
};

// AuthClient is the public client under which the judge asks.
struct AuthClient {
  std::string id;  // Empty: there is none.
  std::string redirect_uri;
  std::string lack;         // Why there is none.
  bool has_person = false;  // Somebody signs in and says yes where it is asked for.
  std::string scope = {};   // Without which it registers nobody; empty: it does.
  bool is_ours = false;     // The judge has registered it.
  std::string method = {};  // How it has to authenticate, if the server says so.

  // shows_nothing returns whether it was registered as one that has no secret to show.
  bool shows_nothing() const { return is_ours && (method.empty() || method == "none"); }
};

// ConsentWalk is what was seen on the way through the pages that ask a person.
struct ConsentWalk {
  bool scripted = false;  // A form was on a page with a script, which may read the answer itself.
  bool posted = false;    // A form was sent by POST.
  int posted_on = 0;      // The status that had a browser post that form to somebody else; 0: none.
  bool framed = false;    // It is gone in a frame of another site.
  Reply asked = {};       // The last page with a form, of the last walk; status 0: there was none.
};

class AuthProbe {
 public:
  // Everything given must outlive the probe. `patience` bounds each wait. `given` gets the tokens
  // and codes that the server gives: no report may show them.
  AuthProbe(net::HttpClient& http, WireLog& log, const Authority& authority,
            const AuthClient& client, Duration patience, std::uint32_t check,
            std::vector<std::string>& given)
      : http_(http),
        log_(log),
        authority_(authority),
        client_(client),
        patience_(patience),
        check_(check),
        given_(given) {}
  AuthProbe(const AuthProbe&) = delete;
  AuthProbe& operator=(const AuthProbe&) = delete;

  const Authority& authority() const { return authority_; }
  const AuthClient& client() const { return client_; }

  // ask makes one request and waits for the end of its answer; nothing is followed. An address that
  // is none: a reply without a status.
  Task<Reply> ask(std::string url, wire::HttpRequest request);
  Task<Reply> get(std::string url);
  Task<Reply> post(std::string url, wire::Form form);

  // post_twice posts one form on two connections at a time.
  Task<std::pair<Reply, Reply>> post_twice(std::string url, wire::Form form);

  // register_at sends metadata to a registration endpoint; the client that comes of it stays.
  Task<Reply> register_at(std::string endpoint, Json about);

  // register_client does so at the one of the server, and takes the client back where it lets it
  // (RFC 7592).
  Task<Reply> register_client(Json about);

  // with_client registers a client with this redirect URI, makes `request` as that client, and
  // takes it back. Without a status where it was not registered.
  Task<Reply> with_client(std::string redirect_uri, wire::Form request);

  // as_registered does so with a client that registers `about`, and keeps the redirect URI of
  // `request`.
  Task<Reply> as_registered(Json about, wire::Form request);

  // take_back ends the registration that `registered` tells of.
  Task<void> take_back(Json registered);

  // lacks_client says why nothing can be asked as a client; empty: it can.
  std::string lacks_client() const;

  // lacks_tokens says so of the token endpoint.
  std::string lacks_tokens() const;

  // usual_request returns the parameters of a good authorization request of the client, with PKCE.
  wire::Form usual_request() const;

  // authorize sends a browser with these parameters to the authorization endpoint.
  Task<Reply> authorize(wire::Form form);

  // ask_for_code does so too, and goes on through the pages where there is a person.
  Task<Reply> ask_for_code(wire::Form form);

  // look_twice has each page with a form fetched once more, by somebody without cookies, before the
  // form is sent; keep_cookies has the browser keep them from one time to the next.
  void look_twice(bool twice) { looks_twice_ = twice; }
  void keep_cookies(bool keep) { keeps_cookies_ = keep; }

  // go_in_frame has the pages open as in a frame of another site, where a browser holds back the
  // cookies that say so.
  void go_in_frame(bool framed) { walk_.framed = framed; }

  // is_scripted returns whether a script may have sent the forms of those pages in a browser.
  bool is_scripted() const { return walk_.scripted; }
  const ConsentWalk& walk() const { return walk_; }

  // redeem brings a code to the token endpoint. Without a verifier none is sent.
  Task<Reply> redeem(std::string code, std::optional<std::string> verifier);

  // redeeming returns what redeem() posts, refreshing what refresh() does.
  wire::Form redeeming(std::string code, std::optional<std::string> verifier) const;
  wire::Form refreshing(std::string token) const;

  // right_verifier is that of usual_request().
  static std::string right_verifier();

  // new_code returns a code; empty: the server gives none, for which lacks_code() has the reason.
  Task<std::string> new_code();
  std::string lacks_code() const;

  // new_tokens returns what a new code is redeemed for; null: nothing, as lacks_code() says.
  Task<Json> new_tokens();

  // good_code returns a code of a server that redeems codes, which was tried with another one: what
  // is refused then is not refused for the code. Empty: as with new_code().
  Task<std::string> good_code();

  // renewed_tokens returns tokens that a refresh token was taken for, by a server that takes them;
  // null: there are none, as lacks_refresh() says.
  Task<Json> renewed_tokens();
  std::string lacks_refresh() const { return lacks_refresh_; }

  // refresh brings a refresh token to the token endpoint.
  Task<Reply> refresh(std::string token);

  // as_another registers one more client and redeems or refreshes as that: `form` has everything
  // but its id. Without a status where it was not registered.
  Task<Reply> as_another(wire::Form form);

 private:
  Reply taken(const HttpWire& wire, std::size_t number);

  net::HttpClient& http_;
  WireLog& log_;
  const Authority& authority_;
  const AuthClient& client_;
  Duration patience_;
  std::uint32_t check_;
  std::vector<std::string>& given_;
  ConsentWalk walk_;
  bool looks_twice_ = false;
  bool keeps_cookies_ = false;
  std::map<std::string, std::string> cookies_;
  std::string refused_ = {};        // How a good code was refused.
  std::string lacks_refresh_ = {};  // Why there is no refresh token that is taken.
};

// form_request returns a POST of `form`.
wire::HttpRequest form_request(const wire::Form& form);

// changed returns `form` with another value of `name`.
wire::Form changed(const wire::Form& form, std::string_view name, std::string value);

// without returns `form` with no `name`.
wire::Form without(const wire::Form& form, std::string_view name);

// client_metadata returns what a public native client with this redirect URI registers.
Json client_metadata(const std::string& redirect_uri);

// usual_registration returns what the client of `probe` registers.
Json usual_registration(const AuthProbe& probe);

// is_busy returns whether a reply says nothing of what was asked: it came for the haste of who
// asks, or not at all.
bool is_busy(const Reply& reply);

// grant_error_flaw says what is wrong with how a code or a refresh token is refused that is not
// good for who shows it; empty: nothing. RFC 6749, section 5.2: invalid_grant.
std::string grant_error_flaw(const Reply& reply);

// named_grant_flaw does so, and says nothing where a made-up one is refused in the same way: that
// is for auth.as-unknown-grants.
Task<std::string> named_grant_flaw(AuthProbe& probe, Reply reply, bool code);

// redeemed_for asks for a code with a resource, and redeems it with that. Without a status: no code
// was given.
Task<Reply> redeemed_for(AuthProbe& probe, std::string resource);

// kUnknownSecret is a code or token that nobody was given.
inline constexpr const char* kUnknownSecret = "plumbline-unknown-0123456789-abcdefghijklmnop";

// error_lack says that a refusal names no error; empty: it does.
std::string error_lack(const Reply& reply);

// refused_with says how a reply refuses.
std::string refused_with(const Reply& reply);

// refuses_usual is what can be said where a good request for authorization was refused; nothing: it
// was not.
std::optional<Finding> refuses_usual(const Reply& usual);

// other_type says as what a reply in JSON is sent, if not as application/json; empty: it is.
std::string other_type(const Reply& reply);

// error_of returns the "error" of an answer in JSON; empty: it has none.
std::string error_of(const Reply& reply);

// goes_on returns whether `reply` leads to where the usual request leads: a page to sign in, or the
// client.
bool goes_on(const Reply& reply, const Reply& usual);

// location_of returns where a reply sends the browser; empty: nowhere.
std::string location_of(const Reply& reply);

// is_sent_to returns whether a reply sends the browser to `uri`, whatever stands behind it.
bool is_sent_to(const Reply& reply, std::string_view uri);

// answered_fields returns what a redirect tells the client: of the query, and of the fragment.
wire::Form answered_fields(const Reply& reply);

// code_in_body returns the code that a good answer in JSON holds; empty: none does.
std::string code_in_body(const Reply& reply);

// json_in returns the object in a body; null for anything else.
Json json_in(const Reply& reply);

}  // namespace plumbline::conformance
