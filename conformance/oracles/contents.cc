// What messages hold: content by its kind, and schemas.

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "conformance/catalogue/outcomes.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/oracles/rules.h"
#include "core/schema/schema.h"

namespace plumbline::conformance {

namespace {

struct Kind {
  std::string_view name;
  std::string_view since;
  bool of_sampling = true;  // Whether models get and say it.
  bool of_sampling_alone = false;
};

constexpr std::array<Kind, 7> kKinds = {{{"text", since::kBeginning},
                                         {"image", since::kBeginning},
                                         {"audio", since::kAudio},
                                         {"resource", since::kBeginning, false},
                                         {"resource_link", since::kResourceLinks, false},
                                         {"tool_use", since::kToolsInSampling, true, true},
                                         {"tool_result", since::kToolsInSampling, true, true}}};

struct Content {
  const Json* value;
  bool of_sampling;
};

// add_contents appends `value`, or its items: sampling has one or several since 2025-11-25.
void add_contents(const Json* value, bool of_sampling, std::vector<Content>& contents) {
  if (value == nullptr) return;
  if (!value->is_array()) return contents.push_back({value, of_sampling});
  for (const Json& item : *value) contents.push_back({&item, of_sampling});
}

std::vector<Content> contents_of(const Dialogue& dialogue, const ObservedMessage& said) {
  std::vector<Content> contents;
  if (said.method == "sampling/createMessage") {
    if (const Json* const messages = find(said.params(), "messages")) {
      for (const Json& message : *messages) add_contents(find(message, "content"), true, contents);
    }
  }
  if (said.request == kNoPlace) return contents;
  const std::string& method = dialogue.said[said.request].method;
  if (method == "tools/call") add_contents(find(said.result(), "content"), false, contents);
  if (method == "sampling/createMessage") {
    add_contents(find(said.result(), "content"), true, contents);
  }
  if (const Json* const messages = find(said.result(), "messages");
      messages && method == "prompts/get") {
    for (const Json& message : *messages) add_contents(find(message, "content"), false, contents);
  }
  return contents;
}

bool is_allowed(const std::string& type, bool of_sampling, const std::string& revision) {
  return std::ranges::any_of(kKinds, [&](const Kind& kind) {
    return kind.name == type && kind.since <= revision &&
           (of_sampling ? kind.of_sampling : !kind.of_sampling_alone);
  });
}

// each_schema calls `look` with every schema that the judged side publishes, and whose it is.
template <class Look>
void each_schema(const Transcript& transcript, const Look& look) {
  each(transcript, [&](const Dialogue& dialogue, const ObservedMessage& said) {
    if (said.method == "elicitation/create") {
      if (const Json* const schema = find(said.params(), "requestedSchema")) {
        look(said, *schema, "the requestedSchema");
      }
    }
    if (const Json* const inputs = find(said.result(), "inputRequests");
        inputs != nullptr && inputs->is_object()) {
      for (const auto& [key, input] : inputs->items()) {
        const Json* const schema = at_pointer(input, "/params/requestedSchema");
        if (schema != nullptr) look(said, *schema, "the requestedSchema of " + key);
      }
    }
    const Json* const tools = find(said.result(), "tools");
    const bool listed =
        said.request != kNoPlace && dialogue.said[said.request].method == "tools/list";
    if (!listed || tools == nullptr || !tools->is_array()) return;
    for (const Json& tool : *tools) {
      for (const char* const member : {"inputSchema", "outputSchema"}) {
        const Json* const schema = find(tool, member);
        if (schema == nullptr) continue;
        look(said, *schema, "the " + std::string(member) + " of " + string_or(tool, "name", "?"));
      }
    }
  });
}

// dialect_of returns the URI of the dialect without the # at its end.
std::string dialect_of(const Json& schema) {
  std::string uri = string_or(schema, "$schema", schema::kMetaschema202012);
  if (uri.ends_with('#')) uri.pop_back();
  return uri;
}

constexpr const char* kNoSchema = "it published no schema";

}  // namespace

Finding content_is_of_the_revision(const Transcript& transcript) {
  Ruling ruling(transcript);
  each(transcript, [&](const Dialogue& dialogue, const ObservedMessage& said) {
    if (said.revision.empty()) return;
    for (const Content& content : contents_of(dialogue, said)) {
      ruling.sees();
      const std::string type = string_or(*content.value, "type", "");
      if (is_allowed(type, content.of_sampling, said.revision)) continue;
      ruling.breaks(
          said, "content of type \"" + type + "\", which " + said.revision + " does not have here");
    }
  });
  return ruling.finding("it sent no content");
}

Finding schemas_are_valid(const Transcript& transcript) {
  Ruling ruling(transcript);
  each_schema(transcript, [&](const ObservedMessage& said, const Json& published,
                              const std::string& whose) {
    const std::string dialect = dialect_of(published);
    const bool is_draft7 = dialect == dialect_of({{"$schema", schema::kMetaschemaDraft7}});
    if (!is_draft7 && dialect != schema::kMetaschema202012) return;
    ruling.sees();
    const schema::Schema& judge =
        schema::metaschema(is_draft7 ? schema::Dialect::kDraft7 : schema::Dialect::k202012);
    const auto wrong = ruling.measured().violation(judge, published);
    if (!wrong) return;
    ruling.breaks(said, whose + " is no valid schema, at \"" + wrong->instance_pointer +
                            "\": " + wrong->message);
  });
  return ruling.finding(kNoSchema);
}

Finding schemas_are_of_2020_12(const Transcript& transcript) {
  Ruling ruling(transcript);
  each_schema(transcript, [&](const ObservedMessage& said, const Json& published,
                              const std::string& whose) {
    ruling.sees();
    const std::string dialect = dialect_of(published);
    if (dialect == schema::kMetaschema202012) return;
    const bool is_draft7 = dialect == dialect_of({{"$schema", schema::kMetaschemaDraft7}});
    ruling.breaks(said, whose + " is written in " + dialect + ", expected JSON Schema 2020-12",
                  is_draft7 ? outcome::kDraft7 : std::string_view());
  });
  return ruling.finding(kNoSchema);
}

}  // namespace plumbline::conformance
