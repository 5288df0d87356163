#include "scenarios/suite/suite_text.h"

#include <utility>

#include "core/json/json.h"

namespace plumbline::suite {

namespace {

constexpr std::size_t kColumns = 100;

using Member = std::pair<std::string, std::string>;  // Its name, and its value as JSON.

// spaced returns JSON on one line, with a space behind each comma and colon.
std::string spaced(const Json& value) {
  std::string out;
  if (value.is_object()) {
    for (const auto& [key, member] : value.items()) {
      out += (out.empty() ? "" : ", ") + dump_json(Json(key)) + ": " + spaced(member);
    }
    return '{' + out + '}';
  }
  if (value.is_array()) {
    bool first = true;
    for (const Json& item : value) out += (std::exchange(first, false) ? "" : ", ") + spaced(item);
    return '[' + out + ']';
  }
  return dump_json(value);
}

// object_of puts as many members on a line as fit.
std::string object_of(const std::vector<Member>& members, const std::string& indent) {
  std::string out = indent + '{';
  std::size_t column = out.size();
  bool first = true;
  for (const auto& [name, value] : members) {
    const std::string text = dump_json(Json(name)) + ": " + value;
    const bool fits = first || column + text.size() + 2 <= kColumns;
    if (!first) out += fits ? ", " : ",\n" + indent + ' ';
    column = fits ? column + text.size() + 2 : indent.size() + 1 + text.size();
    out += text;
    first = false;
  }
  return out + '}';
}

void add_texts(const std::map<std::string, std::string>& texts, const char* name,
               std::vector<Member>& members) {
  if (texts.empty()) return;
  Json object = Json::object();
  for (const auto& [key, value] : texts) object[key] = value;
  members.emplace_back(name, spaced(object));
}

std::vector<Member> members_of(const SuiteServer& server) {
  std::vector<Member> members;
  const auto add = [&members](const char* name, const std::string& text) {
    if (!text.empty()) members.emplace_back(name, dump_json(Json(text)));
  };
  if (!server.command.empty()) {
    add("command", server.command.front());
    const std::vector<std::string> args(server.command.begin() + 1, server.command.end());
    if (!args.empty()) members.emplace_back("args", spaced(Json(args)));
  }
  add("start", server.start);
  add("url", server.url);
  add("cwd", server.cwd);
  add_texts(server.env, "env", members);
  add_texts(server.headers, "headers", members);
  return members;
}

std::vector<Member> members_of(const Draft& draft) {
  const Step& step = draft.test.steps.front();
  std::vector<Member> members;
  members.emplace_back("name", dump_json(Json(draft.test.name)));
  const std::string verb(name_of(step.verb));
  members.emplace_back(
      verb, step.verb == Verb::kComplete ? spaced(step.with) : dump_json(Json(step.what)));
  if (!step.with.is_null() && step.verb != Verb::kComplete) {
    members.emplace_back("with", spaced(step.with));
  }
  add_texts(step.keep, "keep", members);
  if (!step.expect.is_null()) members.emplace_back("expect", spaced(step.expect));
  if (!draft.masks.empty()) members.emplace_back("mask", spaced(Json(draft.masks)));
  return members;
}

}  // namespace

std::string suite_text(const SuiteHead& head, const std::vector<Draft>& drafts) {
  std::string out = "{\n  \"mcptest\": 1,\n";
  if (!head.servers.empty()) {
    out += "  \"servers\": {\n";
    for (std::size_t i = 0; i < head.servers.size(); ++i) {
      const std::string object = object_of(members_of(head.servers[i]), "    ");
      out += "    " + dump_json(Json(head.servers[i].name)) + ": " + object.substr(4) +
             (i + 1 < head.servers.size() ? ",\n" : "\n");
    }
    out += "  },\n";
  }
  if (!head.fixture.empty()) out += "  \"fixture\": " + dump_json(Json(head.fixture)) + ",\n";
  if (head.in_order) out += "  \"in_order\": true,\n";
  out += std::string("  \"writes\": ") + (head.writes ? "true" : "false") + ",\n";
  if (!head.masks.empty()) out += "  \"mask\": " + spaced(Json(head.masks)) + ",\n";
  out += "  \"tests\": [\n";
  for (std::size_t i = 0; i < drafts.size(); ++i) {
    out += object_of(members_of(drafts[i]), "    ") + (i + 1 < drafts.size() ? ",\n" : "\n");
  }
  return out + "  ]\n}\n";
}

}  // namespace plumbline::suite
