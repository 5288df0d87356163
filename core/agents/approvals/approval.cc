#include "core/agents/approvals/approval.h"

#include <algorithm>

#include "core/agents/approvals/shown_text.h"
#include "core/base/sha256.h"

namespace plumbline::agents::approvals {

namespace {

constexpr std::size_t kIdDigits = 16;
constexpr const char* kChanged =
    "what was approved is not what would run now, so it was not done and is asked again";

std::string sha256_of(const Json& value) {
  Sha256 hash;
  hash.update(dump_json(value));
  return hash.finish_hex();
}

// to_bytes makes a JSON string of any bytes: two that differ stay so.
Json to_bytes(std::string_view text) { return shown(text); }

// arguments_of is what is asked about as programs read it, with all bytes as they are.
Json arguments_of(const Action& action) {
  if (action.type != "command") return action.arguments;
  Json out = {{"command", action.line}};
  if (!action.folder.empty()) out["folder"] = action.folder;
  if (!action.program.empty()) out["program"] = action.program;
  if (!action.host.empty()) out["host"] = action.host;
  if (!action.variables.empty()) out["variables"] = action.variables;
  return out;
}

std::string rest_of(const std::string& label, std::string_view name) {
  return label + " " + shown(name);
}

}  // namespace

std::string digest_of(const Action& action) {
  Json all = Json::array();
  for (const std::string* const part :
       {&action.type, &action.line, &action.server, &action.name, &action.host, &action.sign_in,
        &action.folder, &action.program, &action.user, &action.meaning, &action.place,
        &action.identity}) {
    all.push_back(to_bytes(*part));
  }
  all.push_back(action.arguments);
  all.push_back(action.shell);
  Json& variables = all.emplace_back(Json::object());
  for (const auto& [name, value] : action.variables) variables[shown(name)] = to_bytes(value);
  if (!action.runs.empty()) all.push_back(to_bytes(action.runs));
  return sha256_of(all);
}

std::string meaning_of(const connector::Manifest& manifest, std::string_view server,
                       connector::CapabilityType type, std::string_view name) {
  const auto of = std::ranges::find(manifest.servers, server, &connector::ServerManifest::server);
  if (of == manifest.servers.end()) return "";
  const auto found = std::ranges::find_if(of->capabilities, [&](const connector::Capability& one) {
    return one.type == type && one.name == name;
  });
  if (found == of->capabilities.end()) return "";
  connector::Capability defined = *found;
  defined.drift = connector::Drift::kNone;  // How it differs from earlier is no part of it.
  return sha256_of(Json::array({of->name, of->version, to_json(std::move(defined))}));
}

void place_in(const connector::Manifest& manifest, Action& action) {
  const auto of =
      std::ranges::find(manifest.servers, action.server, &connector::ServerManifest::server);
  if (of == manifest.servers.end()) return;
  action.place = of->place;
  action.identity = of->place_digest;
}

std::vector<Row> rows_of(const Action& action) {
  std::vector<Row> rows;
  const auto add = [&rows](std::string label, std::string_view text) {
    if (!text.empty()) rows.emplace_back(std::move(label), shown(text));
  };
  const char* const of_command = action.shell ? "line for a shell" : "command";
  add(action.type == "command" ? of_command : "URI", action.line);
  add("server", action.server);
  if (!action.server.empty()) add("which is", action.place);
  if (action.type != "command") add(action.type, action.name);
  if (action.arguments.is_object()) {
    for (const auto& [name, value] : action.arguments.items()) {
      add(rest_of("argument", dump_json(Json(name))), dump_json(value));
    }
  } else if (!action.arguments.is_null()) {
    add("arguments", dump_json(action.arguments));
  }
  add("on the machine", action.host);
  if (action.server.empty()) add("which is", action.place);
  add("signing in with", action.sign_in);
  add("program", action.program);
  add("what else it runs", action.runs);
  add("in the folder", action.folder);
  for (const auto& [name, value] : action.variables) {
    rows.emplace_back(rest_of("variable", name), shown(value));
  }
  add("for", action.user);
  add(action.type == "command" ? "program's SHA-256" : "definition's SHA-256", action.meaning);
  return rows;
}

Json question_about(const Action& action, const Asked& asked) {
  const std::string digest = digest_of(action);
  Json rows = Json::array();
  for (const auto& [label, text] : rows_of(action)) rows.push_back(Json::array({label, text}));
  if (!asked.about.empty()) rows.push_back(Json::array({"what it is", shown(asked.about)}));
  std::string risks;
  for (const std::string& risk : asked.risks) risks += (risks.empty() ? "" : ", ") + risk;
  if (!risks.empty()) rows.push_back(Json::array({"what may be wrong", shown(risks)}));
  Json question = {{"approval_id", asked.place + "-" + digest.substr(0, kIdDigits)},
                   {"digest", digest},
                   {"server", action.server.empty() ? action.host : action.server},
                   {"type", action.type},
                   {"name", action.name},
                   {"arguments", arguments_of(action)},
                   {"risks", asked.risks},
                   {"reason", in_one_line(asked.reason)},
                   {"shown", std::move(rows)}};
  if (asked.remembers) question["remembers"] = true;
  return question;
}

std::string text_of(const Json& question, std::size_t bytes_max, bool& cut) {
  std::string out;
  const Json* const rows = find(question, "shown");
  if (rows == nullptr || !rows->is_array()) return out;
  for (const Json& row : *rows) {
    const auto& text = row.at(1).get_ref<const std::string&>();
    cut = cut || text.size() > bytes_max;
    out += (out.empty() ? "• " : "\n• ") + row.at(0).get_ref<const std::string&>() + ": " +
           cut_shown(text, bytes_max);
  }
  return out;
}

Json answer_to(const Json& question, Json answer) {
  answer.erase("digest");
  if (bool_or(answer, "approve", false)) answer["digest"] = string_or(question, "digest", "");
  return answer;
}

Judged judge(const Action& action, const Json* answer) {
  if (answer == nullptr) return {};
  if (!bool_or(*answer, "approve", false)) {
    const std::string reason = string_or(*answer, "reason", "");
    return {Standing::kRefused, "a person refused it" + (reason.empty() ? "" : ": " + reason)};
  }
  if (string_or(*answer, "digest", "") == digest_of(action)) return {Standing::kApproved, ""};
  return {Standing::kOpen, kChanged};
}

}  // namespace plumbline::agents::approvals
