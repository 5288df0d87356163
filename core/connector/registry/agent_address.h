// Which addresses a registry may lead to. Who runs a registry says where its agents are, and must
// not have us ask machines that only we can reach, nor take a request to whomever it likes.

#pragma once

#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/connector/registry/descriptor.h"
#include "core/wire/url.h"

namespace plumbline::registry {

// AllowedOrigins is where the agents of a registry may be beside its own origin: at one of
// `origins`, whatever it is, or with `any` at every public one.
struct AllowedOrigins {
  std::vector<std::string> origins;  // As wire::Url::origin() writes them, with http or https.
  bool any = false;
};

// read_origin reads one as a person writes it: "https://agents.example", with a path or without;
// ws and wss count as http and https. "any" allows every one. kInvalidInput: it is no URL.
Status read_origin(std::string_view text, AllowedOrigins& into);

// agent_address returns where the agent is that `registry` tells of. kInvalidInput, with a sentence
// that names the address: it is no URL, or one with a {variable}; neither https nor wss, nor of
// this machine; of another origin that nobody allowed; private, while the registry is public and
// nobody allowed that very origin. Names are judged as they are written.
Result<wire::Url> agent_address(const std::string& endpoint, const wire::Url& registry,
                                const AllowedOrigins& allowed);

// speaks_mcp returns whether an agent says that it does: "mcp", "mcp/REVISION", the name of one of
// our transports, or nothing at all.
bool speaks_mcp(const AgentDescriptor& agent);

}  // namespace plumbline::registry
