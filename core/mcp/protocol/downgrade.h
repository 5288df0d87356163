// What a server leaves out or rewrites for a client of an older revision.

#pragma once

#include <string_view>

#include "core/json/json.h"
#include "core/mcp/protocol/revision.h"

namespace plumbline::mcp {

// downgrade_item strips from one item of tools/list, resources/list ... what `revision` does not
// know: title, icons, annotations, outputSchema, execution.
void downgrade_item(Json& item, Revision revision);

// downgrade_result makes a result of tools/call, prompts/get or resources/read fit `revision`:
// structuredContent goes, content blocks of an unknown type become text that says what they were.
// A tools/call result with structuredContent and no content gets it as text in any revision.
// completion/complete keeps at most 100 values, and says that there are more.
//
// Spec 2025-11-25, server/tools, Structured Content (SHOULD repeat it as text).
void downgrade_result(std::string_view method, Json& result, Revision revision);

}  // namespace plumbline::mcp
