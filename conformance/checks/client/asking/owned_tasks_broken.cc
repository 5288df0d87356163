// A client that runs tasks for its server, as it should and in the ways in which it should not: a
// keeper of tasks stands before the reference client, which has none.

#include <algorithm>
#include <array>
#include <string>

#include "conformance/broken/client/client_edits.h"
#include "conformance/broken/client/right_clients.h"
#include "conformance/catalogue/meta_keys.h"

namespace plumbline::conformance {

namespace {

enum class Wrong {
  kNothing,
  kUndeclared,
  kNoTask,
  kNumbersForIds,
  kBeginsElsewhere,
  kNoDates,
  kNoTtl,
  kSameIds,
  kIdsInOrder,
  kDoesNotWait,
  kOtherResult,
  kUnrelated,
  kGoesByMeta,
  kStrangeStatus,
  kChangesAfterwards,
  kTellsHalf,
  kUnknownCode,
  kCancelsTwice,
  kCancelsLater,
  kRevives,
  kHidesOne,
  kNoCursor,
  kAnyCursor,
};

constexpr std::size_t kPage = 5;
constexpr std::string_view kKeeperMark = "keeper-";  // Of what the keeper asks the client.

// spread makes a number that tells nothing of the next one (splitmix64).
std::uint64_t spread(std::uint64_t n) {
  n += 0x9E3779B97F4A7C15U;
  n = (n ^ (n >> 30U)) * 0xBF58476D1CE4E5B9U;
  n = (n ^ (n >> 27U)) * 0x94D049BB133111EBU;
  return n ^ (n >> 31U);
}

// Keeper keeps its tasks in the memory of the interceptor.
class Keeper {
 public:
  Keeper(Interceptor& interceptor, Wrong wrong)
      : interceptor_(interceptor), wrong_(wrong), tasks_(interceptor.memory["tasks"]) {
    if (!tasks_.is_array()) tasks_ = Json::array();
  }

  void from_client(Json message) {
    if (method_is(message, "initialize") && wrong_ != Wrong::kUndeclared) {
      message["params"]["capabilities"]["tasks"] = parse_json(R"({"list": {}, "cancel": {},
          "requests": {"sampling": {"createMessage": {}}, "elicitation": {"create": {}}}})")
                                                       .value();
    }
    const Json* const id = find(message, "id");
    if (id == nullptr || !id->is_string() || !id->get<std::string>().starts_with(kKeeperMark)) {
      return interceptor_.pass(message);
    }
    Json& task = tasks_[std::stoul(id->get<std::string>().substr(kKeeperMark.size()))];
    task["result"] = *find(message, "result");
  }

  void from_server(const Json& message) {
    const std::string method = string_or(message, "method", "");
    if (at_pointer(message, "/params/task") != nullptr && wrong_ != Wrong::kNoTask) {
      return make(message);
    }
    if (method == "tasks/list") return list(message);
    if (!method.starts_with("tasks/")) return interceptor_.say(message);
    Json* const task = named(message);
    if (task == nullptr) return refuse(message, wrong_ == Wrong::kUnknownCode ? -32603 : -32602);
    if (method == "tasks/get") return get(message, *task);
    if (method == "tasks/cancel") return cancel(message, *task);
    (*task)["waiting"].push_back(message);
    if (status(*task) != "working" || wrong_ == Wrong::kDoesNotWait) hand_over(*task);
  }

 private:
  static std::string status(const Json& task) { return string_or(task["shown"], "status", ""); }

  void answer(const Json& request, Json result) {
    Json response(Json::value_t::object);
    response["jsonrpc"] = "2.0";
    response["id"] = request["id"];
    response["result"] = std::move(result);
    interceptor_.pass(response);
  }

  void refuse(const Json& request, std::int64_t code) {
    Json response(Json::value_t::object);
    response["jsonrpc"] = "2.0";
    response["id"] = request["id"];
    response["error"] = error_object(code);
    interceptor_.pass(response);
  }

  Json fresh_id() const {
    const std::size_t n = tasks_.size();
    if (wrong_ == Wrong::kNumbersForIds) return n;
    if (wrong_ == Wrong::kIdsInOrder) return "task-" + std::to_string(n);
    const std::size_t seed = wrong_ == Wrong::kSameIds ? std::min<std::size_t>(n, 2) : n;
    return std::to_string(spread(2 * seed)) + "-" + std::to_string(spread(2 * seed + 1));
  }

  void make(const Json& request) {
    Json task(Json::value_t::object);
    Json& shown = task["shown"];
    shown["taskId"] = fresh_id();
    shown["status"] = "working";
    shown["createdAt"] = shown["lastUpdatedAt"] =
        wrong_ == Wrong::kNoDates ? "yesterday" : "2025-11-25T10:00:00Z";
    shown["ttl"] = 60'000;
    task["looks"] = 0;
    task["waiting"] = Json::array();
    Json asked = request;
    asked["id"] = std::string(kKeeperMark) + std::to_string(tasks_.size());
    asked["params"].erase("task");
    Json made(Json::value_t::object);
    made["task"] = shown;
    if (wrong_ == Wrong::kBeginsElsewhere) made["task"]["status"] = "input_required";
    tasks_.push_back(std::move(task));
    answer(request, std::move(made));
    interceptor_.say(asked);
  }

  Json* named(const Json& request) {
    const Json* const meta = at_pointer(request, "/params/_meta");
    const bool misled = wrong_ == Wrong::kGoesByMeta && meta != nullptr;
    const Json& by = misled ? *find(*meta, kMetaRelatedTask) : request["params"];
    const auto found = std::ranges::find_if(
        tasks_, [&](const Json& task) { return task["shown"]["taskId"] == by["taskId"]; });
    return found == tasks_.end() ? nullptr : &*found;
  }

  // A task is over when it has been looked at twice.
  void get(const Json& request, Json& task) {
    const int looks = task["looks"].get<int>() + 1;
    task["looks"] = looks;
    const int needed = wrong_ == Wrong::kDoesNotWait ? 4 : 2;
    if (looks >= needed && status(task) == "working" && task.contains("result")) complete(task);
    if (wrong_ == Wrong::kRevives && status(task) == "cancelled" && looks >= 2) {
      task["shown"]["status"] = "completed";
    }
    Json shown = task["shown"];
    if (wrong_ == Wrong::kNoTtl) shown.erase("ttl");
    if (wrong_ == Wrong::kStrangeStatus && looks == 1 && &task == &tasks_[0])
      shown["status"] = "running";
    answer(request, std::move(shown));
  }

  void complete(Json& task) {
    task["shown"]["status"] = "completed";
    Json notice = notice_of("notifications/tasks/status");
    notice["params"] = task["shown"];
    if (wrong_ == Wrong::kTellsHalf) notice["params"].erase("ttl");
    interceptor_.pass(notice);
    hand_over(task);
  }

  void hand_over(Json& task) {
    const Json waiting = task["waiting"];
    task["waiting"] = Json::array();
    for (const Json& request : waiting) {
      Json result = task.contains("result") ? task["result"] : Json::object();
      if (wrong_ == Wrong::kOtherResult) result = Json::object();
      if (wrong_ != Wrong::kUnrelated) {
        result["_meta"][kMetaRelatedTask]["taskId"] = task["shown"]["taskId"];
      }
      answer(request, std::move(result));
    }
  }

  void cancel(const Json& request, Json& task) {
    if (status(task) != "working") {
      if (wrong_ == Wrong::kChangesAfterwards) task["shown"]["status"] = "failed";
      return refuse(request, wrong_ == Wrong::kCancelsTwice ? -32600 : -32602);
    }
    Json shown = task["shown"];
    task["shown"]["status"] = "cancelled";
    if (wrong_ != Wrong::kCancelsLater) shown = task["shown"];
    answer(request, std::move(shown));
  }

  void list(const Json& request) {
    const Json* const cursor = at_pointer(request, "/params/cursor");
    std::size_t from = 0;
    if (cursor != nullptr && wrong_ != Wrong::kAnyCursor) {
      const std::string text = cursor->get<std::string>();
      if (!text.starts_with("from ")) return refuse(request, -32602);
      from = std::stoul(text.substr(5));
    }
    Json result(Json::value_t::object);
    result["tasks"] = Json::array();
    for (std::size_t at = from; at < std::min(tasks_.size(), from + kPage); ++at) {
      if (at != 0 || wrong_ != Wrong::kHidesOne) result["tasks"].push_back(tasks_[at]["shown"]);
    }
    if (from + kPage < tasks_.size() && cursor == nullptr && wrong_ != Wrong::kNoCursor) {
      result["nextCursor"] = "from " + std::to_string(from + kPage);
    }
    answer(request, std::move(result));
  }

  Interceptor& interceptor_;
  const Wrong wrong_;
  Json& tasks_;
};

template <Wrong kWrong>
void to_judge(Interceptor& interceptor, Json message) {
  Keeper(interceptor, kWrong).from_client(std::move(message));
}

template <Wrong kWrong>
void to_client(Interceptor& interceptor, Json message) {
  Keeper(interceptor, kWrong).from_server(message);
}

template <Wrong kWrong>
ClientDeviation keeper(std::string_view id, std::string_view what,
                       std::vector<std::string_view> also = {}) {
  ClientDeviation deviation;
  deviation.id = id;
  deviation.revision = "2025-11-25";
  deviation.what = what;
  deviation.from_client = to_judge<kWrong>;
  deviation.from_server = to_client<kWrong>;
  deviation.also = std::move(also);
  return deviation;
}

const ClientDeviation kOwnedTaskDeviations[] = {
    keeper<Wrong::kUndeclared>("tasks.capability-declared", "makes tasks and does not say so",
                               {"tasks.undeclared-augmentation-ignored"}),
    keeper<Wrong::kUndeclared>("tasks.undeclared-augmentation-ignored",
                               "makes tasks and does not say so", {"tasks.capability-declared"}),
    keeper<Wrong::kNoTask>("tasks.create-result", "answers as if no task had been asked for"),
    keeper<Wrong::kNumbersForIds>("tasks.id-is-string-from-receiver", "numbers its tasks",
                                  {"schema.messages-validate"}),
    keeper<Wrong::kBeginsElsewhere>("tasks.initial-status-working", "begins in need of input"),
    keeper<Wrong::kNoDates>("tasks.timestamps-present", "has no dates"),
    keeper<Wrong::kNoTtl>("tasks.ttl-reported", "does not say how long a task is kept",
                          {"schema.messages-validate"}),
    keeper<Wrong::kSameIds>("tasks.id-unique", "gives two tasks one id",
                            {"tasks.id-entropy", "tasks.list-complete"}),
    keeper<Wrong::kIdsInOrder>("tasks.id-entropy", "counts its tasks"),
    keeper<Wrong::kDoesNotWait>("tasks.result-blocks-until-terminal",
                                "gives a result while it works",
                                {"tasks.result-equals-underlying"}),
    keeper<Wrong::kOtherResult>("tasks.result-equals-underlying", "gives an empty result"),
    keeper<Wrong::kUnrelated>("tasks.result-has-related-meta", "does not name the task"),
    keeper<Wrong::kGoesByMeta>("tasks.id-param-decides", "goes by the metadata"),
    keeper<Wrong::kStrangeStatus>("tasks.valid-transitions", "has a status of its own",
                                  {"schema.messages-validate"}),
    keeper<Wrong::kChangesAfterwards>("tasks.terminal-is-final", "fails after it was done"),
    keeper<Wrong::kTellsHalf>("tasks.status-notification-full", "tells half of a task",
                              {"schema.messages-validate"}),
    keeper<Wrong::kUnknownCode>("tasks.unknown-id-32602", "has an error of its own"),
    keeper<Wrong::kCancelsTwice>("tasks.cancel-terminal-32602", "refuses by another error"),
    keeper<Wrong::kCancelsLater>("tasks.cancel-marks-before-response", "is still at work"),
    keeper<Wrong::kRevives>("tasks.cancel-sticky", "goes on with what was cancelled"),
    keeper<Wrong::kHidesOne>("tasks.list-complete", "leaves a task out"),
    keeper<Wrong::kNoCursor>("tasks.list-next-cursor", "ends its list after a page"),
    keeper<Wrong::kAnyCursor>("tasks.list-bad-cursor-32602", "takes any cursor"),
};

}  // namespace

ClientDeviations owned_task_deviations() { return kOwnedTaskDeviations; }

ClientDeviation right_task_keeper() {
  return keeper<Wrong::kNothing>("tasks.result-equals-underlying", "keeps tasks as it should");
}

}  // namespace plumbline::conformance
