// How checks of authorization knock: the request that opens a conversation, with a token of any
// kind or with none, and the documents that lead to the authorization server.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/catalogue/finding.h"
#include "conformance/checks/server/probe.h"
#include "conformance/wire/challenges.h"

namespace plumbline::conformance {

// kUnknownToken is what nobody gave out, as a value of Authorization.
inline constexpr const char* kUnknownToken = "Bearer plumbline-no-such-token";

// Way is the request by which a server is asked whether it lets somebody in. Some open a
// conversation with everybody, and want a token later.
enum class Way { kOpening, kAsking, kCalling };

// knock makes the request of `way` with the user's headers and `authorization` in place of what
// they have of that name; without a value none is sent. `query` goes behind the path. Status 0: it
// could not be made.
Task<Reply> knock(Probe& probe, Way way, std::optional<std::string> authorization,
                  std::string query = {});

// knock_with does so with exactly these headers besides those of the protocol.
Task<Reply> knock_with(Probe& probe, Way way, wire::HttpHeaders headers, std::string query = {});

// knock_outside asks without a token in no session: by the request of kAsking, or, where `listens`,
// for a stream.
Task<Reply> knock_outside(Probe& probe, bool listens);

// Door is what the server says to who shows no token.
struct Door {
  Way way = Way::kOpening;  // By which it was found.
  bool shut = false;        // It refuses with 401, and shows something of MCP's authorization.
  bool own_key = false;     // It refuses with 401, and shows nothing of that.
  Reply refusal;
  Challenge bearer;        // Of the refusal; without a scheme where there is none.
  bool has_token = false;  // The user gave a token, with which it opens.
  std::string open;        // Why nothing is to be judged; empty: it is shut.
};

// try_door asks without a token.
Task<Door> try_door(Probe& probe);

// is_here returns whether `url` is of the origin of `server`, by whatever name this machine goes.
bool is_here(const wire::Url& url, const wire::Url& server);

// fetch makes a GET to a path of the server's origin, with no token.
Task<Reply> fetch(Probe& probe, std::string target);

// fetch_with does so with these headers.
Task<Reply> fetch_with(Probe& probe, wire::HttpHeaders headers, std::string target);

// ResourceMetadata is the document of RFC 9728, where it was found.
struct ResourceMetadata {
  Json document;              // An object; null: there is none.
  std::string where;          // Its path.
  wire::HttpHeaders headers;  // That it came with.
  std::string tried;          // What came of the places without it.
  std::string elsewhere;      // An address at another origin, which is not asked.
};

// find_metadata goes to the address that the challenge names, else to the well-known places.
//
// Spec 2025-11-25, basic/authorization, Protected Resource Metadata Discovery Requirements.
Task<ResourceMetadata> find_metadata(Probe& probe, Challenge challenge);

// LookedUp is the door and the document that it leads to.
struct LookedUp {
  std::optional<Finding> none;  // Said instead, where there is nothing to look at.
  Door door;
  ResourceMetadata metadata;
};

Task<LookedUp> look_up(Probe& probe);

// document_in returns the object that a reply of status 200 holds; null for anything else.
Json document_in(const Reply& reply);

// is_taken returns whether a request was let in: it was answered by something else than a refusal.
bool is_taken(const Reply& reply);

// user_token returns what stands behind "Bearer" in the user's headers; empty: nothing.
std::string user_token(const Probe& probe);

}  // namespace plumbline::conformance
