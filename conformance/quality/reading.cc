#include "conformance/quality/reading.h"

#include <algorithm>
#include <array>
#include <utility>

#include "conformance/peer/name_words.h"
#include "conformance/quality/tokens.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

constexpr int kDepthMax = 16;                 // Of arguments that are looked at.
constexpr std::size_t kArgumentsMax = 2'000;  // Of one tool.

std::string_view text_of(const Json& object, std::string_view key) {
  const Json* const member = find(object, key);
  const auto* const text = member ? member->get_ptr<const std::string*>() : nullptr;
  return text == nullptr ? std::string_view() : *text;
}

bool requires_it(const Json& schema, std::string_view name) {
  const Json* const required = find(schema, "required");
  return required != nullptr && required->is_array() &&
         std::ranges::any_of(*required, [name](const Json& one) {
           const auto* const text = one.get_ptr<const std::string*>();
           return text != nullptr && *text == name;
         });
}

// add_arguments adds those of `schema` and their members, in lists as well.
void add_arguments(const Json& schema, const std::string& above, int depth,
                   std::vector<Argument>& out) {
  if (depth > kDepthMax || out.size() >= kArgumentsMax) return;
  if (const Json* const items = find(schema, "items")) add_arguments(*items, above, depth, out);
  for (const char* const either : {"anyOf", "oneOf", "allOf"}) {
    const Json* const all = find(schema, either);
    if (all == nullptr || !all->is_array()) continue;
    for (const Json& one : *all) add_arguments(one, above, depth, out);
  }
  const Json* const properties = find(schema, "properties");
  if (properties == nullptr || !properties->is_object()) return;
  for (const auto& [name, property] : properties->items()) {
    const std::string full = above.empty() ? name : above + "." + name;
    if (std::ranges::find(out, full, &Argument::name) != out.end()) continue;
    out.push_back({full, &property, requires_it(schema, name), depth});
    add_arguments(property, full, depth + 1, out);
  }
}

std::int64_t cost_of(const Json& tool) {
  Json sent(Json::value_t::object);
  for (const char* const key : {"name", "description", "inputSchema"}) {
    if (const Json* const member = find(tool, key)) sent[key] = *member;
  }
  return tokens_of(dump_json(sent));
}

OfferedTool offered(const Json& item) {
  OfferedTool tool;
  tool.item = &item;
  tool.name = text_of(item, "name");
  tool.description = text_of(item, "description");
  tool.words = words_of(tool.name);
  if (const Json* const schema = find(item, "inputSchema")) {
    add_arguments(*schema, "", 1, tool.arguments);
  }
  tool.tokens = cost_of(item);
  return tool;
}

Text::Kind kind_of(const std::string& at) {
  const std::string_view key = std::string_view(at).substr(at.rfind('/') + 1);
  if (at.find("/properties/") != std::string::npos) {
    return key == "description" || key == "title" ? Text::Kind::kArgument : Text::Kind::kValue;
  }
  if (at.find("/arguments/") != std::string::npos) return Text::Kind::kArgument;
  if (key == "name" || key == "title" || key == "uri") return Text::Kind::kName;
  return key == "description" ? Text::Kind::kDescription : Text::Kind::kValue;
}

// add_texts adds every text of `value`, and every key that is a name somebody chose.
void add_texts(const Json& value, const std::string& item, const std::string& at,
               std::vector<Text>& out) {
  if (const auto* const text = value.get_ptr<const std::string*>()) {
    out.push_back({item, at, kind_of(at), *text});
  } else if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      add_texts(value[i], item, at + "/" + std::to_string(i), out);
    }
  } else if (value.is_object()) {
    const bool names = at.ends_with("/properties");
    for (const auto& [key, member] : value.items()) {
      constexpr std::array<std::string_view, 4> kOfMachines = {"$schema", "$id", "$ref", "icons"};
      if (std::ranges::find(kOfMachines, key) != kOfMachines.end()) continue;
      if (names) out.push_back({item, at + "/" + pointer_token(key), Text::Kind::kName, key});
      add_texts(member, item, at + "/" + pointer_token(key), out);
    }
  }
}

void add_answer_texts(const SeenAnswer& seen, std::vector<Text>& out) {
  const std::size_t first = out.size();
  if (const Json* const result = find(seen.answer, "result")) {
    add_texts(*result, seen.tool, "/result", out);
  } else if (const Json* const error = find(seen.answer, "error")) {
    add_texts(*error, seen.tool, "/error", out);
  }
  for (std::size_t i = first; i < out.size(); ++i) out[i].kind = Text::Kind::kAnswer;
}

}  // namespace

std::string_view Argument::last() const {
  return std::string_view(name).substr(name.rfind('.') + 1);
}

std::string_view Argument::description() const { return text_of(*schema, "description"); }

std::optional<bool> OfferedTool::hint(std::string_view key) const {
  const Json* const annotations = find(*item, "annotations");
  const Json* const hint = annotations == nullptr ? nullptr : find(*annotations, key);
  if (hint == nullptr || !hint->is_boolean()) return std::nullopt;
  return *hint == Json(true);
}

Reading::Reading(const ServerOffer& read) : offer(read) {
  for (const Json& item : offer.tools) {
    tools.push_back(offered(item));
    tokens += tools.back().tokens;
    add_texts(item, tools.back().name, "", texts);
  }
  for (const auto* const list : {&offer.prompts, &offer.resources, &offer.templates}) {
    for (const Json& item : *list) add_texts(item, string_or(item, "name", "?"), "", texts);
  }
  if (!offer.instructions.empty()) {
    texts.push_back({"", "/instructions", Text::Kind::kInstructions, offer.instructions});
    instructions_tokens = tokens_of(offer.instructions);
    tokens += instructions_tokens;
  }
  for (const SeenAnswer& seen : offer.answers) add_answer_texts(seen, texts);
}

const OfferedTool* Reading::tool(std::string_view name) const {
  const auto found = std::ranges::find(tools, name, &OfferedTool::name);
  return found == tools.end() ? nullptr : &*found;
}

std::string shown_place(const Text& text) {
  std::string path;
  std::string_view rest = text.at;
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const std::string_view step = rest.substr(0, rest.find('/'));
    rest.remove_prefix(step.size());
    if (step == "inputSchema" || step == "properties" || step == "items") continue;
    if (step == "description" && !path.empty()) continue;
    path += (path.empty() ? "" : ".") + std::string(step);
  }
  return path;
}

}  // namespace plumbline::conformance
