// The four tools that the chat agent itself has: to find MCP servers, and to link them.
//
//   search_mcp_servers   {query?, tags?, limit?}     {items: [{id, name, description}]}
//   add_mcp_server       {mcpServerId, config?}      {linkId, message}
//   list_my_mcp_servers  {includeDisabled?}          {items: [{linkId, mcpServerId, enabled,
//                                                    server}]}
//   remove_mcp_server    {linkId, hardDelete?}       {ok, message}

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "core/agents/chat/server_directory.h"
#include "core/agents/policy/risk.h"
#include "core/model/model.h"

namespace plumbline::agents::chat {

struct DirectoryTool {
  model::ToolOffer offer;
  bool changes_links = false;  // A person has to approve it: what is linked can be used.
};

std::span<const DirectoryTool> directory_tools();

// server_to_link returns the id of the server that a call is to link; empty: it is another call.
std::string server_to_link(std::string_view name, const Json& arguments);

// server_of returns what the directory says of the server `id`. kInvalidInput: there is none.
Task<Result<Json>> server_of(ServerDirectory& directory, std::string id);

// run_directory_tool calls the one of that name with arguments as the model wrote them. `server` is
// the one that it links, where a person has approved that (server_of); null: it is found now. An
// error that is worth telling the model: wrong arguments, no such server, a directory out of reach.
Task<Result<Json>> run_directory_tool(ServerDirectory& directory, std::string name, Json arguments,
                                      Json server = nullptr);

}  // namespace plumbline::agents::chat
