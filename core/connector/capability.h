// What MCP servers offer, as the assistant sees it: tools, resources and prompts in one form.

#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"
#include "core/json/json.h"

namespace plumbline::connector {

enum class CapabilityType { kTool, kResource, kPrompt };

// name_of returns "tool", "resource" or "prompt".
std::string_view name_of(CapabilityType type);

// Drift is how a tool differs from what its server offered when it was first seen.
enum class Drift {
  kNone,
  kOtherVersion,  // The same tool, of a server with another name or version.
  kNew,           // It was not there.
  kChanged,       // Its words, its schemas or its annotations were others.
};

// name_of returns "none", "other_version", "new" or "changed".
std::string_view name_of(Drift drift);

// Capability is one thing a server can do. Its arguments are described by `input_schema` whatever
// its type: a prompt's arguments and the variables of a resource template are put in that form.
struct Capability {
  CapabilityType type = CapabilityType::kTool;
  std::string server;
  std::string name;
  std::string title;
  std::string description;
  std::string uri;        // Of a resource; with {variables} for a template.
  std::string mime_type;  // Of a resource, when declared.
  Json input_schema = Json::object();
  Json output_schema;    // null when not given, or of no use.
  Json annotations;      // null when not given. The server's own word: hints, not facts.
  bool as_task = false;  // It is to be called as a task (execution.taskSupport "required").
  Drift drift = Drift::kNone;
  std::string as_given;            // Where something of it is left out: the digest of all of it.
  std::vector<std::string> flaws;  // What was wrong with the entry and is left out, for people.
};

// label returns "server/name", as policies and reports name a capability.
std::string label(const Capability& capability);

// tool_of, resource_of, resource_template_of and prompt_of read one entry of a list result.
// kInvalidInput: no name (or uri), an input schema that no argument can meet or that is none, a
// wrong type; the message says which. A flaw that leaves it usable costs only what is wrong.
Result<Capability> tool_of(const std::string& server, Json entry);
Result<Capability> resource_of(const std::string& server, Json entry);
Result<Capability> resource_template_of(const std::string& server, Json entry);
Result<Capability> prompt_of(const std::string& server, Json entry);

// template_variables returns the names in the {braces} of a URI template, operators dropped.
// expand_template puts percent-encoded values in their places; a missing one becomes nothing.
// Sources: RFC 6570, level 1, and of the others what is one variable a brace.
std::vector<std::string> template_variables(std::string_view uri_template);
std::string expand_template(std::string_view uri_template, const Json& values);

// ServerManifest is what one server said of itself.
struct ServerManifest {
  std::string server;  // As configured.
  std::string name;    // As it calls itself.
  std::string version;
  std::string revision;
  std::vector<Capability> capabilities;
  std::string place{};         // Where it is, for people (transport::Place), without secrets.
  std::string place_digest{};  // Another one, when it is somewhere else.
};

// Manifest is everything discovered, in the order of the configuration.
struct Manifest {
  std::vector<ServerManifest> servers;

  std::size_t capability_count() const;
};

// CapabilityRef names one capability of a Manifest.
struct CapabilityRef {
  std::size_t server = 0;
  std::size_t capability = 0;
  friend auto operator<=>(const CapabilityRef&, const CapabilityRef&) = default;
};

const Capability& at(const Manifest& manifest, CapabilityRef ref);

Json to_json(Capability capability);
Json to_json(Manifest manifest);

}  // namespace plumbline::connector
