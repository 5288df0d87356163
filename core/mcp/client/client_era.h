// How a client opens a conversation, what each request carries and how results are read: all that
// differs between the kinds of revision. Functions of values; ClientEngine keeps the state.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/mcp/client/client_options.h"
#include "core/mcp/protocol/server_info.h"
#include "core/rpc/message.h"

namespace plumbline::mcp {

// newest_stateful returns what to initialize with, nothing for a client of stateless revisions.
std::optional<Revision> newest_stateful(const ClientOptions& options);

// client_capabilities returns what is declared in `revision`.
Json client_capabilities(const ClientOptions& options, Revision revision);

// request_meta returns what _meta of every request holds in a stateless revision.
//
// Spec 2026-07-28, basic/index, _meta (MUST version and capabilities, SHOULD clientInfo).
Json request_meta(const ClientOptions& options, Revision revision);

// ClientOpening is the request that opens the conversation.
struct ClientOpening {
  std::string method;  // server/discover or initialize.
  Json params;
};
ClientOpening opening_of(const ClientOptions& options, Revision revision);

// OpeningVerdict is what follows from the answer: the conversation is open, or another opening is
// to be tried in `revision`, or it fails.
struct OpeningVerdict {
  enum class Kind { kOpen, kTryAgain, kFail };
  Kind kind = Kind::kFail;
  ServerInfo server;
  Revision revision = kLatestStateful;
  Failure why;
};

// judge_initialize and judge_discover read the answer to an opening in `asked`. `again`: it was a
// second server/discover.
//
// Spec 2025-11-25, basic/lifecycle, Version Negotiation (SHOULD disconnect from a server whose
// version is not supported; MUST in the comment of the schema).
// Spec 2026-07-28, basic/versioning (MUST NOT fall back after a modern error); basic/transports/
// stdio (MUST NOT make the fallback depend on one code).
OpeningVerdict judge_initialize(const ClientOptions& options, Revision asked,
                                const Reply<Json>& answer);
OpeningVerdict judge_discover(const ClientOptions& options, Revision asked, bool again,
                              const Reply<Json>& answer);

// not_of returns why `method` cannot be sent in `revision`, nothing when it can.
std::optional<std::string> not_of(Revision revision, std::string_view method);

// read_result checks a complete result of `method` and strips its resultType.
//
// Spec 2026-07-28, basic/index, Result Responses (MUST take an absent resultType for complete and
// an unknown one for invalid).
Reply<Json> read_result(Revision revision, std::string_view method, Json result);

}  // namespace plumbline::mcp
