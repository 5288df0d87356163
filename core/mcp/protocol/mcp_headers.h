// What Streamable HTTP repeats of a message in HTTP headers, written and compared.
//
// Spec 2026-07-28, basic/transports/streamable-http, Request Metadata.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/json/json.h"
#include "core/wire/http.h"

namespace plumbline::transport {

inline constexpr std::string_view kVersionHeader = "MCP-Protocol-Version";
inline constexpr std::string_view kSessionHeader = "Mcp-Session-Id";
inline constexpr std::string_view kMethodHeader = "Mcp-Method";
inline constexpr std::string_view kNameHeader = "Mcp-Name";
inline constexpr std::string_view kParamHeaderPrefix = "Mcp-Param-";

// version_in_meta returns the revision that a request of the stateless era names in its _meta;
// nothing for messages of earlier revisions.
std::optional<std::string> version_in_meta(const Json& message);

// mirrored_name returns what Mcp-Name has to say for a request: the tool, prompt, resource or task
// that it is about. Nothing for methods without.
std::optional<std::string> mirrored_name(const Json& message);

// encode_header_value returns `text` as it may stand in Mcp-Name and Mcp-Param-*: as it is when
// it is plain, else as =?base64?...?=.
std::string encode_header_value(std::string_view text);

// decode_header_value is the way back. Nothing: broken base64 or characters that no value may have.
std::optional<std::string> decode_header_value(std::string_view value);

// ParamHeader is one parameter of a tool that is mirrored into Mcp-Param-{name}.
struct ParamHeader {
  std::string name;
  std::vector<std::string> path;  // The keys that lead to it in the arguments.
  bool integer = false;
  friend bool operator==(const ParamHeader&, const ParamHeader&) = default;
};

// param_headers_of returns the parameters that `input_schema` annotates with x-mcp-header, in the
// order of their paths. kInvalidInput: an annotation breaks a rule; clients drop such a tool.
Result<std::vector<ParamHeader>> param_headers_of(const Json& input_schema);

// param_text returns the value of the parameter as text, not yet encoded. Nothing: no value, null,
// or one that has no such text, as an integer beyond 2^53 - 1.
std::optional<std::string> param_text(const ParamHeader& param, const Json& arguments);

// add_mirror_headers adds Mcp-Method, Mcp-Name and Mcp-Param-* as they belong to `request`.
void add_mirror_headers(wire::HttpHeaders& headers, const Json& request,
                        const std::vector<ParamHeader>& params);

// find_mirror_mismatch returns what is wrong with the mirroring headers of `request`; nothing when
// they agree with it.
std::optional<std::string> find_mirror_mismatch(const wire::HttpHeaders& headers,
                                                const Json& request,
                                                const std::vector<ParamHeader>& params);

}  // namespace plumbline::transport
