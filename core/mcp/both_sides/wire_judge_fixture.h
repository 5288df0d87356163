// WireJudge holds every message of a conversation to what the published schema of its revision
// asks for.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/events/trace_event.h"
#include "core/json/json.h"
#include "core/mcp/protocol/meta_keys.h"
#include "core/mcp/protocol/published_shapes_fixture.h"
#include "core/mcp/protocol/revision.h"
#include "core/schema/schema.h"

namespace plumbline::mcp {

class WireJudge {
 public:
  WireJudge();
  ~WireJudge();

  // sent learns of one message, in order. Batches are left out.
  void sent(bool by_client, const Json& message);

  // problems returns what has been wrong so far, one line each.
  const std::vector<std::string>& problems() const { return problems_; }

  // judged returns how many messages have been held to a definition of their own.
  int judged() const { return judged_; }

 private:
  struct Schemas;
  struct Asked {
    std::string method;
    Revision revision;
  };

  void judge(Revision revision, const std::string& definition, const Json& value);

  Schemas* schemas_ = nullptr;
  Revision session_ = kLatestStateful;
  Revision alone_ = kLatest;               // That the last request without a session names.
  std::map<std::string, Asked> asked_[2];  // By id; what the client asked, what the server asked.
  std::vector<std::string> problems_;
  int judged_ = 0;
};

// JudgingSink holds what a client session has sent and received to the schemas.
class JudgingSink final : public EventSink {
 public:
  void on_event(const TraceEvent& event) override {
    if (event.kind == EventKind::kMessageSent) judge.sent(true, event.detail);
    if (event.kind == EventKind::kMessageReceived) judge.sent(false, event.detail);
  }

  WireJudge judge;
};

// The implementation ------------------------------------------------------------------------------

// stem_of turns "ListToolsRequest" into "ListTools".
inline std::string stem_of(const std::string& request) {
  const std::string_view tail = "Request";
  return request.ends_with(tail) ? request.substr(0, request.size() - tail.size()) : "";
}

struct WireJudge::Schemas {
  // Book is the schema of one revision, and what has been compiled of it.
  struct Book {
    Json definitions;
    std::map<std::string, std::string> by_method;
    std::map<std::string, schema::Schema> compiled;
  };

  Book& book(Revision revision) {
    const auto found = books.find(revision);
    if (found != books.end()) return found->second;
    Book& book = books[revision];
    book.definitions = published_definitions(name_of(revision));
    for (const auto& [name, definition] : book.definitions.items()) {
      const Json* const method = at_pointer(definition, "/properties/method/const");
      if (method != nullptr) book.by_method[method->get_ref<const std::string&>()] = name;
    }
    return book;
  }

  std::map<Revision, Book> books;
};

// Compiling takes longer than judging: all judges share what one of them has compiled.
inline WireJudge::WireJudge() {
  static Schemas all;
  schemas_ = &all;
}
inline WireJudge::~WireJudge() = default;

inline void WireJudge::judge(Revision revision, const std::string& definition, const Json& value) {
  Schemas::Book& book = schemas_->book(revision);
  if (!book.definitions.contains(definition)) return;
  auto found = book.compiled.find(definition);
  if (found == book.compiled.end()) {
    Json root = Json::object();
    root["$defs"] = book.definitions;
    root["$ref"] = "#/$defs/" + definition;
    Result<schema::Schema> compiled = schema::Schema::compile(std::move(root));
    if (!compiled.ok()) {
      problems_.push_back(definition + ": " + compiled.error().message);
      return;
    }
    found = book.compiled.emplace(definition, std::move(compiled).value()).first;
  }
  ++judged_;
  if (const std::optional<schema::Violation> wrong = found->second.validate(value)) {
    problems_.push_back(std::string(name_of(revision)) + " " + definition + " at " +
                        wrong->instance_pointer + ": " + wrong->message + " in " +
                        dump_json(value));
  }
}

inline void WireJudge::sent(bool by_client, const Json& message) {
  if (!message.is_object()) return;
  const Json* const method = find(message, "method");
  const Json* const id = find(message, "id");
  if (method != nullptr) {
    const Json* const params = find(message, "params");
    const Json* const version = params ? find_meta(*params, kMetaVersion) : nullptr;
    if (version != nullptr && version->is_string()) {
      alone_ = parse_revision(version->get_ref<const std::string&>()).value_or(alone_);
    }
    const bool listens = params != nullptr && find_meta(*params, kMetaSubscription) != nullptr;
    const Revision revision = version != nullptr || listens ? alone_ : session_;
    const std::string& name = method->get_ref<const std::string&>();
    if (id != nullptr) asked_[by_client ? 0 : 1][dump_json(*id)] = {name, revision};
    const Schemas::Book& book = schemas_->book(revision);
    const auto known = book.by_method.find(name);
    if (known != book.by_method.end()) {
      judge(revision, known->second, message);
    } else if (id == nullptr && name != "notifications/tasks") {  // That is of an extension.
      problems_.push_back("no definition of " + name);
    }
    return;
  }
  const auto asked = id ? asked_[by_client ? 1 : 0].find(dump_json(*id)) : asked_[0].end();
  if (id == nullptr || asked == asked_[by_client ? 1 : 0].end()) return;
  const Asked about = asked->second;
  const Json* const result = find(message, "result");
  if (result == nullptr) {
    const bool since_2025_11 = about.revision >= Revision::k2025_11_25;
    return judge(about.revision, since_2025_11 ? "JSONRPCErrorResponse" : "JSONRPCError", message);
  }
  if (about.method == "initialize" && find(*result, "protocolVersion") != nullptr) {
    session_ = parse_revision(string_or(*result, "protocolVersion", "")).value_or(session_);
    return judge(session_, "InitializeResult", *result);
  }
  const Schemas::Book& book = schemas_->book(about.revision);
  const std::string type = string_or(*result, "resultType", "complete");
  if (type == "task") return judge(about.revision, "Result", *result);  // Of an extension.
  if (type == "input_required") return judge(about.revision, "InputRequiredResult", *result);
  if (find(*result, "task") != nullptr && about.revision == Revision::k2025_11_25) {
    const bool create = find(*result, "task")->is_object() && about.method == "tools/call";
    if (create) return judge(about.revision, "CreateTaskResult", *result);
  }
  const auto known = book.by_method.find(about.method);
  const std::string stem = known == book.by_method.end() ? "" : stem_of(known->second);
  const bool own = book.definitions.contains(stem + "Result");
  judge(about.revision, own ? stem + "Result" : "Result", *result);
}

}  // namespace plumbline::mcp
