// Pages of other origins: what their browser asks by OPTIONS before it lets them send anything
// (Fetch, section 3.2.2).

#pragma once

#include <string_view>

#include "conformance/catalogue/finding.h"
#include "conformance/peer/client.h"

namespace plumbline::conformance {

// Where the pages of MCP Inspector are.
inline constexpr const char* kInspectorPage = "http://localhost:6274";

// names_header returns whether a list of names in a header has `name`, or stands for all.
bool names_header(std::string_view list, std::string_view name);

// may_read returns whether an answer may be read by the pages of MCP Inspector.
bool may_read(const Reply& reply);

// Preflight is what a page has to be let do.
struct Preflight {
  bool stateless = false;      // Of a revision without sessions.
  bool names_version = false;  // By MCP-Protocol-Version.
  bool in_session = false;     // Its requests name a session, which it may end by DELETE.
  wire::HttpHeaders always;    // What every request of the judge has.
};

// judge_preflight asks as such a browser does, where pages may read what the peer answers: without
// a token, which no browser sends with OPTIONS.
Task<Finding> judge_preflight(Client client, Preflight page);

}  // namespace plumbline::conformance
