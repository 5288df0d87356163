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

#include "core/agents/chat/server_directory.h"
#include "core/agents/policy/risk.h"
#include "core/model/model.h"

namespace plumbline::agents::chat {

struct DirectoryTool {
  model::ToolOffer offer;
  bool changes_links = false;  // A person has to approve it: what is linked can be used.
};

std::span<const DirectoryTool> directory_tools();

// run_directory_tool calls the one of that name with arguments as the model wrote them. An error
// that is worth telling the model: wrong arguments, no such server, a directory out of reach.
Task<Result<Json>> run_directory_tool(ServerDirectory& directory, std::string name, Json arguments);

}  // namespace plumbline::agents::chat
