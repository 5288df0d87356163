#include "conformance/checks/server/exercise.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "conformance/catalogue/requirement.h"
#include "conformance/catalogue/revisions.h"
#include "conformance/checks/server/callable_tools.h"
#include "conformance/checks/server/shapes.h"
#include "conformance/peer/answers.h"
#include "conformance/peer/opening.h"
#include "core/base/wait.h"
#include "core/schema/sample_value.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kToolsMax = 60;
constexpr std::size_t kPromptsMax = 30;
constexpr std::size_t kResourcesMax = 30;
constexpr int kRoundsMax = 6;
constexpr Duration kExerciseMax = std::chrono::seconds(6);
constexpr Duration kCallMax = std::chrono::seconds(2);  // A tool that takes longer shows nothing.
constexpr int kAnswersAwaited = 6;                      // Of a slow subject, beyond that.
constexpr Duration kBusy = std::chrono::milliseconds(30);
constexpr std::size_t kLanesMax = 10;
constexpr std::size_t kLanesSlow = 3;  // Processes that take their time to start.
constexpr const char* kCapabilitiesKey = "io.modelcontextprotocol/clientCapabilities";

// unsuited names the fixtures that change the server or end connections.
bool unsuited(std::string_view name) {
  return name.starts_with("test_trigger_") || name == "test_reconnection";
}

// tool_use answers a sampling request that offers tools: two uses of the first one.
Json tool_use(const Json& tool) {
  Json result(Json::value_t::object);
  result["role"] = "assistant";
  result["model"] = "plumbline";
  result["stopReason"] = "toolUse";
  for (const char* const id : {"use-1", "use-2"}) {
    Json block(Json::value_t::object);
    block["type"] = "tool_use";
    block["id"] = id;
    block["name"] = string_or(tool, "name", "");
    const Json* const schema = find(tool, "inputSchema");
    block["input"] = schema == nullptr ? Json::object() : schema::sample_arguments(*schema);
    block["_meta"]["plumbline/kept"] = id;
    result["content"].push_back(std::move(block));
  }
  return result;
}

bool has_tool_results(const Json& params) {
  const Json* const messages = find(params, "messages");
  return messages != nullptr && mentions(dump_json(*messages), "\"tool_result\"");
}

// obliging grants everything, and uses tools once where they are offered.
Json obliging(const Json& request) {
  const Json* const params = find(request, "params");
  const Json* const tools = params == nullptr ? nullptr : find(*params, "tools");
  if (tools != nullptr && tools->is_array() && !tools->empty() && !has_tool_results(*params)) {
    return tool_use(tools->front());
  }
  return granted(request);
}

Json as_response(const Json& request) {
  Json response(Json::value_t::object);
  response["result"] = obliging(request);
  return response;
}

Json prompt_params(const Json& prompt) {
  Json params(Json::value_t::object);
  params["name"] = string_or(prompt, "name", "");
  const Json* const arguments = find(prompt, "arguments");
  if (arguments == nullptr || !arguments->is_array()) return params;
  for (const Json& argument : *arguments) {
    if (!bool_or(argument, "required", false)) continue;
    const std::string name = string_or(argument, "name", "");
    // An argument that is called so in every example of embedded resources.
    params["arguments"][name] = name == "resourceUri" ? "test://example-resource" : "plumbline";
  }
  return params;
}

}  // namespace

Json capabilities_of(Declared declared, const std::string& revision) {
  if (declared == Declared::kAll) return all_capabilities(revision);
  Json some = Json::object();
  if (declared == Declared::kBare) {
    some["roots"] = some["sampling"] = Json::object();
    if (knows_elicitation(revision)) some["elicitation"] = Json::object();
  }
  if (declared == Declared::kUrlOnly) some["elicitation"]["url"] = Json::object();
  return some;
}

const Json* Call::complete() const {
  const Json* const result = reply.result();
  if (result == nullptr || string_or(*result, "resultType", "complete") != "complete") {
    return nullptr;
  }
  const bool of_task = find(*result, "task") != nullptr && find(*result, "content") == nullptr;
  return of_task ? nullptr : result;
}

Json ServerAsked::params() const {
  const Json* const found = find(request, "params");
  return found != nullptr && found->is_object() ? *found : Json::object();
}

std::vector<const ServerAsked*> Exercise::asked_by(std::string_view method) const {
  std::vector<const ServerAsked*> found;
  for (const ServerAsked& each : asked) {
    if (each.method() == method) found.push_back(&each);
  }
  return found;
}

std::vector<const Call*> Exercise::asking(std::string_view method) const {
  std::vector<const Call*> found;
  for (const Call& call : calls) {
    const bool wanted = std::ranges::find(call.wants, method) != call.wants.end();
    if (call.first && wanted) found.push_back(&call);
  }
  return found;
}

std::vector<const Call*> Exercise::completed(std::string_view method) const {
  std::vector<const Call*> found;
  for (const Call& call : calls) {
    if (call.method == method && call.complete() != nullptr) found.push_back(&call);
  }
  return found;
}

// Run makes calls of one exercise, one after the other, on a session of its own. Several share the
// list of what is to be called.
class Exercises::Run {
 public:
  Run(Exercises& owner, Declared declared, Entry& entry, std::size_t number)
      : owner_(owner),
        declared_(declared),
        entry_(entry),
        exercise_(entry.exercise),
        number_(number) {}

  Task<void> run() {
    SessionOptions options;
    options.revision = owner_.survey_.revision;
    options.capabilities = capabilities_of(declared_, options.revision);
    Result<std::unique_ptr<Session>> opened =
        co_await open_session(owner_.subject_, std::move(options), 0);
    opened_ = true;
    if (!opened.ok()) co_return;
    session_ = std::move(opened).value();
    session_->mirror_parameters(owner_.survey_.tools.items);
    for (const char* const method : {"sampling/createMessage", "elicitation/create"}) {
      session_->answer_with(method, as_response);
    }
    const Duration patience = kExerciseMax + owner_.subject_.pace().several(kAnswersAwaited);
    const Instant enough = after(owner_.subject_.loop().now(), patience);
    while (entry_.next < entry_.calls.size()) {
      if (!session_->usable() || owner_.subject_.loop().now() >= enough) break;
      co_await make(entry_.calls[entry_.next++]);
    }
    co_await Sleep(owner_.subject_.loop(),
                   after(owner_.subject_.loop().now(), owner_.subject_.pace().quiet()));
    read_frames();
    co_await session_->close();
  }

  // opened returns whether there is a session, or none to be had.
  bool opened() const { return opened_; }

  // wanted returns what is to be called.
  std::vector<Call> wanted() const {
    std::vector<Call> calls;
    if (declared_ != Declared::kAll) {
      for (const Call& call : owner_.entries_.at(Declared::kAll).exercise.calls) {
        const bool asks = call.first && !call.wants.empty();
        if (asks && call.reply.answered()) calls.push_back(fresh(call.method, call.params));
      }
      return calls;
    }
    for (const Json& tool : owner_.survey_.tools.items) {
      if (calls.size() == kToolsMax) break;
      if (!unsuited(string_or(tool, "name", "")) && may_call_tool(tool, owner_.allow_writes_)) {
        calls.push_back(fresh("tools/call", call_params(tool)));
      }
    }
    std::size_t prompts = 0;
    for (const Json& prompt : owner_.survey_.prompts.items) {
      if (prompts++ == kPromptsMax) break;
      calls.push_back(fresh("prompts/get", prompt_params(prompt)));
    }
    std::size_t resources = 0;
    for (const Json& resource : owner_.survey_.resources.items) {
      if (resources++ == kResourcesMax) break;
      Json params = Json::object();
      params["uri"] = string_or(resource, "uri", "");
      calls.push_back(fresh("resources/read", std::move(params)));
    }
    return calls;
  }

 private:
  static Call fresh(std::string method, Json params) {
    Call call;
    call.method = std::move(method);
    call.params = std::move(params);
    return call;
  }

  // make sends one call and, while input is asked for, gives it and calls again.
  Task<void> make(Call call) {
    const Json first = call.params;
    for (int round = 0; round < kRoundsMax; ++round) {
      Client client(*session_, 0);
      Json message = client.request_of(call.method, call.params);
      if (is_stateless(session_->revision())) {
        message["params"]["_meta"][kCapabilitiesKey] =
            capabilities_of(declared_, session_->revision());
      }
      call.evidence.push_back(now("->", message));
      Client::Begun begun = client.begin(std::move(message));
      const Duration patience = kCallMax + client.pace().quiet() + client.pace().several(2);
      call.reply = co_await client.finish(std::move(begun), patience);
      if (call.reply.answered()) call.evidence.push_back(now("<-", *call.reply.message));
      read_frames();
      call.wants = asked_now_;
      call.repeats_keys = repeats_keys_;
      const Json* const result = call.reply.result();
      const bool more = result != nullptr &&
                        string_or(*result, "resultType", "") == "input_required" &&
                        is_stateless(session_->revision());
      if (more) note_inputs(call);
      exercise_.calls.push_back(call);
      if (!more) co_return;
      call.params = retried(first, *result);
      call.evidence.clear();
      call.first = false;
    }
  }

  Json retried(Json params, const Json& result) const {
    params = retry_of(std::move(params), result);
    const Json* const asked = find(result, "inputRequests");
    if (asked == nullptr || !asked->is_object()) return params;
    for (const auto& [key, request] : asked->items()) {
      params["inputResponses"][key] = obliging(request);
    }
    return params;
  }

  void note_inputs(Call& call) {
    const Json* const asked = find(*call.reply.result(), "inputRequests");
    if (asked == nullptr || !asked->is_object()) return;
    for (const auto& [key, request] : asked->items()) {
      exercise_.asked.push_back(ServerAsked{request, number_, false, key, call.evidence});
      call.wants.push_back(exercise_.asked.back().method());
    }
  }

  // read_frames takes in what the server said of its own accord since the last time.
  void read_frames() {
    asked_now_.clear();
    repeats_keys_ = false;
    Inbox& inbox = session_->wire().inbox();
    for (; frames_read_ < inbox.frames.size(); ++frames_read_) {
      const Json& message = *inbox.frames[frames_read_].message;
      repeats_keys_ = repeats_keys_ || inbox.frames[frames_read_].repeats_keys;
      if (find(message, "method") == nullptr) continue;
      std::vector<Evidence> evidence;
      evidence.push_back(now("<-", message));
      const bool request = find(message, "id") != nullptr;
      if (request) asked_now_.push_back(string_or(message, "method", ""));
      auto& list = request ? exercise_.asked : exercise_.told;
      list.push_back(ServerAsked{message, number_, request, {}, std::move(evidence)});
    }
  }

  Evidence now(const char* direction, const Json& message) const {
    const Duration since = owner_.subject_.loop().now() - Instant{};
    return Evidence{milliseconds_of(since), direction, message};
  }

  Exercises& owner_;
  Declared declared_;
  Entry& entry_;
  Exercise& exercise_;
  std::size_t number_;  // Of its session.
  std::unique_ptr<Session> session_;
  bool opened_ = false;
  std::size_t frames_read_ = 0;
  std::vector<std::string> asked_now_;
  bool repeats_keys_ = false;
};

Task<const Exercise*> Exercises::of(Declared declared) {
  if (declared != Declared::kAll) co_await of(Declared::kAll);
  Entry& entry = entries_[declared];
  if (!entry.begun) {
    entry.begun = true;
    tasks_.spawn(make(declared));
  }
  const auto is_done = [&entry] { return entry.done; };
  ++entry.callers;
  co_await until(subject_.loop(), kNever, is_done);
  --entry.callers;
  co_return &entry.exercise;
}

int Exercises::waiting() const {
  int waiting = 0;
  for (const auto& [declared, entry] : entries_) waiting += std::max(0, entry.callers - 1);
  return waiting;
}

Task<void> Exercises::make(Declared declared) {
  Entry& entry = entries_[declared];
  entry.calls = Run(*this, declared, entry, 0).wanted();
  // While those that call are busy and something is left to call, there comes one more.
  std::vector<std::unique_ptr<Run>> runs;
  TaskGroup lanes;
  const auto all_called = [&entry] { return entry.next >= entry.calls.size(); };
  const std::size_t lanes_max = subject_.starts().slow ? kLanesSlow : kLanesMax;
  for (std::size_t i = 0; !all_called() && i < lanes_max; ++i) {
    runs.push_back(std::make_unique<Run>(*this, declared, entry, i));
    lanes.spawn(runs.back()->run());
    const auto is_open = [&newest = *runs.back()] { return newest.opened(); };
    if (subject_.starts().slow) co_await until(subject_.loop(), kNever, is_open);
    if (co_await until(subject_.loop(), after(subject_.loop().now(), kBusy), all_called)) break;
  }
  co_await lanes.join(subject_.loop());
  entry.done = true;
}

void Tally::wrong(std::string what, std::vector<Evidence> evidence) {
  ++wrong_;
  if (wrong_ > 1) return;
  first_ = broken(std::move(what));
  first_.evidence = std::move(evidence);
}

Finding Tally::finding(std::string none) const {
  if (wrong_ == 0 && seen_ == 0) return not_for_it(std::move(none));
  Finding finding = wrong_ == 0 ? passes() : first_;
  finding.observed = std::max(seen_, wrong_);
  if (wrong_ > 1) finding.message += " (and " + std::to_string(wrong_ - 1) + " more)";
  return finding;
}

}  // namespace plumbline::conformance
