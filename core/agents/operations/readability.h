// Readability decides whether a result may be put before a model: text, of the shape it was
// promised, not too much of it, and in agreement with itself.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/agents/operations/operations_state.h"
#include "core/base/result.h"
#include "core/connector/capability.h"
#include "core/json/json.h"

namespace plumbline::agents {

// Unreadable is why a result cannot be used as context.
struct Unreadable {
  enum class Kind {
    kOpaque,         // Binary, or a document without its text.
    kOversized,      // More than the context takes.
    kMalformed,      // Not the shape that the protocol or the output schema promises.
    kContradictory,  // Its parts say different things.
  };
  Kind kind = Kind::kMalformed;
  std::string message;
};

// name_of returns "opaque", "oversized", "malformed" or "contradictory".
std::string_view name_of(Unreadable::Kind kind);

// is_opaque_type returns whether content of this media type says nothing to a model as it is:
// images, audio, archives, PDF, octet streams. An empty type is not opaque: it is unknown.
bool is_opaque_type(std::string_view mime_type);

// read_result turns the result object of a successful call into context: its texts, then the
// structured content that they do not say, then the names of what is no text. `context_bytes_max`
// bounds all of it.
Result<ContextUpdate, Unreadable> read_result(const connector::Capability& capability,
                                              const Json& result, std::int64_t context_bytes_max);

// error_text returns what a tool result with isError says of its reason, in its texts or its
// structured content; at most 500 bytes.
std::string error_text(const Json& result);

// extracts returns whether a tool makes text of documents that have none to read.
bool extracts(const connector::Capability& tool);

}  // namespace plumbline::agents
