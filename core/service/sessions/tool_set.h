// ToolSet is the tools of a session, or those that every session begins with: checked, and ready to
// judge arguments.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "core/json/json.h"
#include "core/mcp/protocol/mcp_headers.h"
#include "core/schema/schema.h"

namespace plumbline::service {

// Bounds of what a worker may register.
inline constexpr std::size_t kToolsMax = 64;              // Of one session.
inline constexpr std::size_t kToolBytesMax = 16U << 10U;  // Of one tool, as JSON.
inline constexpr std::size_t kToolNameBytesMax = 128;     // Spec 2025-11-25, server/tools.
inline constexpr std::uint64_t kToolStepsMax = 500'000;   // To judge the arguments of one call.

struct Tool {
  std::string name;
  Json description;       // As tools/list has it.
  schema::Schema schema;  // Of its arguments.
  std::vector<transport::ParamHeader> mirrored;

  // faults_of returns what is wrong with `arguments`, all of it: [{"path", "message"}, ...].
  Json faults_of(const Json& arguments) const;
};

// read_tool checks a tool that somebody else describes: its name (1 to 128 of A-Z a-z 0-9 _ - .),
// its texts, its inputSchema, which has to be one of an object, and its size. kInvalidInput: one
// line.
Result<Tool> read_tool(const Json& description);

class ToolSet {
 public:
  ToolSet() = default;
  explicit ToolSet(std::vector<Tool> tools) : tools_(std::move(tools)) {}

  // read makes a set of a JSON array of descriptions. kInvalidInput: one line that says which and
  // why; two of the same name; more than kToolsMax.
  static Result<ToolSet> read(const Json& descriptions);

  // with returns the set with what `descriptions` describes in it, in place of tools of the same
  // names. Errors as of read. without returns it without the tool `name`.
  Result<ToolSet> with(const Json& descriptions) const;
  ToolSet without(const std::string& name) const;

  const Tool* find(const std::string& name) const;
  const std::vector<Tool>& tools() const { return tools_; }

  // descriptions returns them as tools/list has them.
  std::vector<Json> descriptions() const;

 private:
  std::vector<Tool> tools_;
};

}  // namespace plumbline::service
