#include "conformance/checks/client/asking/owned_tasks.h"

#include <algorithm>
#include <set>
#include <utility>

#include "conformance/catalogue/meta_keys.h"
#include "conformance/checks/client/script_kit.h"
#include "conformance/wire/entropy.h"

namespace plumbline::conformance {

namespace {

bool is_terminal(std::string_view status) {
  return status == "completed" || status == "failed" || status == "cancelled";
}

bool is_status(std::string_view status) {
  return is_terminal(status) || status == "working" || status == "input_required";
}

// Judge reads a conversation; its task was made.
class Judge {
 public:
  Judge(const Record& record, const OwnedTaskTalk& talk) : record_(record), talk_(talk) {}

  Finding created() const {
    const Json& result = *talk_.result("make");
    for (const char* const own : {"content", "action", "role"}) {
      if (find(result, own) == nullptr) continue;
      return broken("the result that makes a task has " + std::string(own) +
                    ", which belongs to what comes of the task");
    }
    return passes();
  }

  Finding begins_working() const {
    const std::string status = string_or(made(), "status", "");
    if (status == "working") return passes();
    return broken("a new task has the status \"" + status + "\", expected \"working\"");
  }

  Finding dated() const {
    const Json* const early = talk_.result("early");
    for (const Json* const task : {&made(), early}) {
      for (const char* const when : {"createdAt", "lastUpdatedAt"}) {
        const std::string text = task == nullptr ? "" : string_or(*task, when, "");
        if (task == nullptr || (text.size() >= 20 && text[4] == '-' && text[10] == 'T')) continue;
        return broken("a task has the " + std::string(when) + " \"" + text +
                      "\", expected a time as of RFC 3339");
      }
    }
    return passes();
  }

  Finding has_ttl() const {
    const Json* const early = talk_.result("early");
    if (early == nullptr) return lacks("early", "tasks/get");
    const Json* const ttl = find(*early, "ttl");
    if (ttl != nullptr && (ttl->is_number() || ttl->is_null())) return passes();
    return broken("tasks/get got the ttl " + shown(ttl) + ", expected a number or null");
  }

  Finding unique() const {
    const std::set<std::string> different(talk_.ids.begin(), talk_.ids.end());
    if (talk_.ids.size() < 2) return not_for_it("it made one task alone");
    return different.size() == talk_.ids.size() ? passes() : broken("two tasks have one id");
  }

  Finding secret() const {
    if (talk_.ids.size() < 2) return not_for_it("it made one task alone");
    const std::string weak = weakness_of(talk_.ids);
    return weak.empty() ? passes() : broken("its task ids can be guessed: " + weak);
  }

  Finding blocks() const {
    if (!talk_.answered("result")) return not_for_it("its task did not come to an end");
    if (talk_.is_over("early")) return not_for_it("its task was over before its result was asked");
    const std::string status = talk_.status("checked");
    if (status.empty()) return lacks("checked", "tasks/get");
    if (is_terminal(status)) return passes();
    return broken("tasks/result was answered while the task was \"" + status + "\"");
  }

  Finding equals() const {
    const Json* const result = talk_.result("result");
    if (result == nullptr) return lacks("result", "tasks/result");
    const bool whole = talk_.method == "elicitation/create"
                           ? find_string(*result, "action").has_value()
                           : find_string(*result, "role") && find_string(*result, "model") &&
                                 find(*result, "content") != nullptr;
    if (whole) return passes();
    return broken("tasks/result got " + shown(result) + ", expected what " + talk_.method +
                  " gives without a task");
  }

  Finding related() const {
    const Json* const result = talk_.result("result");
    if (result == nullptr) return lacks("result", "tasks/result");
    const Json* const meta = find(*result, "_meta");
    const Json* const about = meta == nullptr ? nullptr : find(*meta, kMetaRelatedTask);
    if (about != nullptr && string_or(*about, "taskId", "") == talk_.first()) return passes();
    return broken("the result of tasks/result does not name its task in _meta " +
                  std::string(kMetaRelatedTask));
  }

  Finding by_parameter() const {
    const Json* const misled = talk_.result("misled");
    if (misled == nullptr && talk_.result("still") == nullptr) return lacks("still", "tasks/get");
    if (misled != nullptr && string_or(*misled, "taskId", "") == talk_.first()) return passes();
    return broken("tasks/get with metadata of another task got " + got("misled") +
                  ", expected the task of its taskId");
  }

  // Each message of the client that shows the status of its first task, in order.
  std::vector<std::string> statuses() const {
    std::vector<std::string> all;
    for (const Heard& heard : record_.heard) {
      const Json* task = find(heard.message, "result");
      if (task == nullptr && heard.method() == "notifications/tasks/status") task = heard.params();
      if (task != nullptr && find(*task, "task") != nullptr) task = find(*task, "task");
      if (task == nullptr || string_or(*task, "taskId", "") != talk_.first()) continue;
      if (const auto status = find_string(*task, "status")) all.emplace_back(*status);
    }
    return all;
  }

  Finding moves() const {
    std::string before;
    for (const std::string& status : statuses()) {
      if (!is_status(status)) {
        return broken("a task has the status \"" + status + "\", which there is not");
      }
      if (is_terminal(before) && !is_terminal(status)) {
        return broken("a task went from \"" + before + "\" to \"" + status + "\"");
      }
      before = status;
    }
    return passes();
  }

  Finding stays() const {
    const std::string settled = talk_.status("settled");
    const std::string still = talk_.status("still");
    if (!is_terminal(settled)) return not_for_it("its task did not come to an end");
    if (still.empty()) return not_for_it("its task is gone");
    if (still == settled) return passes();
    return broken("a task that was \"" + settled + "\" is \"" + still + "\" afterwards");
  }

  Finding told() const {
    Finding finding = not_for_it("it sent no notifications/tasks/status");
    for (const Heard* const notice : record_.notifications("notifications/tasks/status")) {
      finding = passes();
      for (const char* const member : {"taskId", "status", "createdAt", "lastUpdatedAt", "ttl"}) {
        const Json* const params = notice->params();
        if (params != nullptr && find(*params, member) != nullptr) continue;
        return at(record_, *notice,
                  broken("notifications/tasks/status without " + std::string(member)));
      }
    }
    return finding;
  }

  Finding knows() const {
    for (const char* const step : {"no-get", "no-result", "no-cancel"}) {
      if (std::string_view(step) == "no-cancel" && !talk_.cancels) continue;
      if (!talk_.answered(step)) return lacks(step, "tasks/" + std::string(step).substr(3));
      if (talk_.code(step) == -32602) continue;
      return broken("tasks/" + std::string(step).substr(3) + " of a task that there is not got " +
                    got(step) + ", expected error -32602");
    }
    return passes();
  }

  Finding cancels_no_more() const {
    if (!talk_.cancels) return not_for_it("it cancels no tasks");
    if (!is_terminal(talk_.status("settled"))) {
      return not_for_it("its task did not come to an end");
    }
    if (!talk_.answered("over")) return lacks("over", "tasks/cancel");
    if (talk_.code("over") == -32602) return passes();
    return broken("tasks/cancel of a task that is over got " + got("over") +
                  ", expected error -32602");
  }

  Finding marks() const {
    if (!talk_.cancels) return not_for_it("it cancels no tasks");
    if (!talk_.answered("drop")) return lacks("drop", "tasks/cancel");
    if (talk_.code("drop") == -32602) return not_for_it("its task was over at once");
    if (talk_.status("drop") == "cancelled") return passes();
    return broken("tasks/cancel got " + got("drop") + ", expected a task that is \"cancelled\"");
  }

  Finding sticks() const {
    if (talk_.status("drop") != "cancelled") return not_for_it("it cancelled no task");
    for (const char* const step : {"dropped", "dropped-later"}) {
      const std::string status = talk_.status(step);
      if (status.empty() || status == "cancelled") continue;
      return broken("a task that was cancelled is \"" + status + "\" afterwards");
    }
    return passes();
  }

  Finding lists_all() const {
    if (!talk_.lists) return not_for_it("it does not list tasks");
    if (talk_.result("list") == nullptr) return lacks("list", "tasks/list");
    if (talk_.result("still") == nullptr) return not_for_it("its task is gone");
    if (on_page("list", talk_.first())) return passes();
    for (int page = 1; page <= talk_.pages; ++page) {
      if (on_page("list-" + std::to_string(page), talk_.first())) return passes();
    }
    return broken("tasks/list does not name the task \"" + talk_.first() + "\"");
  }

  Finding pages() const {
    if (!talk_.lists) return not_for_it("it does not list tasks");
    const Json* const list = talk_.result("list");
    if (list == nullptr) return lacks("list", "tasks/list");
    if (find(*list, "nextCursor") != nullptr) return passes();
    const std::string& last = talk_.ids.back();
    if (on_page("list", talk_.first()) && on_page("list", last)) {
      return not_for_it("its tasks are on one page");
    }
    if (talk_.result("still") == nullptr) return not_for_it("its tasks are gone");
    return broken("tasks/list has no nextCursor, and not all of " +
                  std::to_string(talk_.ids.size()) + " tasks");
  }

  Finding refuses_cursors() const {
    if (!talk_.lists) return not_for_it("it does not list tasks");
    if (!talk_.answered("bad-cursor")) return lacks("bad-cursor", "tasks/list");
    if (talk_.code("bad-cursor") == -32602) return passes();
    return broken("tasks/list with a made-up cursor got " + got("bad-cursor") +
                  ", expected error -32602");
  }

 private:
  const Json& made() const { return *find(*talk_.result("make"), "task"); }

  bool on_page(const std::string& step, const std::string& id) const {
    const Json* const page = talk_.result(step);
    const Json* const tasks = page == nullptr ? nullptr : find(*page, "tasks");
    return tasks != nullptr && std::ranges::any_of(*tasks, [&](const Json& task) {
             return string_or(task, "taskId", "") == id;
           });
  }

  std::string got(const std::string& step) const {
    const auto found = talk_.answers.find(step);
    if (found == talk_.answers.end()) return "no answer";
    const Json* const result = find(found->second, "result");
    return result != nullptr ? "the result " + shown(result)
                             : "error " + std::to_string(talk_.code(step));
  }

  // lacks is the Finding where a step was not answered with a result.
  Finding lacks(const std::string& step, const std::string& method) const {
    if (!talk_.answered(step)) return undecided("it did not answer " + method);
    return not_for_it(method + " got " + got(step));
  }

  const Record& record_;
  const OwnedTaskTalk& talk_;
};

struct Row {
  std::string_view id;
  Finding (Judge::*judge)() const;
};

constexpr Row kRows[] = {
    {"tasks.create-result", &Judge::created},
    {"tasks.initial-status-working", &Judge::begins_working},
    {"tasks.timestamps-present", &Judge::dated},
    {"tasks.ttl-reported", &Judge::has_ttl},
    {"tasks.id-unique", &Judge::unique},
    {"tasks.id-entropy", &Judge::secret},
    {"tasks.result-blocks-until-terminal", &Judge::blocks},
    {"tasks.result-equals-underlying", &Judge::equals},
    {"tasks.result-has-related-meta", &Judge::related},
    {"tasks.id-param-decides", &Judge::by_parameter},
    {"tasks.valid-transitions", &Judge::moves},
    {"tasks.terminal-is-final", &Judge::stays},
    {"tasks.status-notification-full", &Judge::told},
    {"tasks.unknown-id-32602", &Judge::knows},
    {"tasks.cancel-terminal-32602", &Judge::cancels_no_more},
    {"tasks.cancel-marks-before-response", &Judge::marks},
    {"tasks.cancel-sticky", &Judge::sticks},
    {"tasks.list-complete", &Judge::lists_all},
    {"tasks.list-next-cursor", &Judge::pages},
    {"tasks.list-bad-cursor-32602", &Judge::refuses_cursors},
};

// undeclared says what a client does with a task that it never offered to take.
Finding undeclared(const OwnedTaskTalk& talk) {
  if (talk.declared) return not_for_it("it declares tasks for " + talk.method);
  if (talk.result("make") == nullptr) return not_for_it(talk.method + " got no result");
  if (find(*talk.result("make"), "task") == nullptr) return passes();
  return broken("it declares no tasks for " + talk.method + ", and made one of a request");
}

}  // namespace

const Json* OwnedTaskTalk::result(const std::string& step) const {
  const auto found = answers.find(step);
  const Json* const result = found == answers.end() ? nullptr : find(found->second, "result");
  return result != nullptr && result->is_object() ? result : nullptr;
}

std::int64_t OwnedTaskTalk::code(const std::string& step) const {
  const auto found = answers.find(step);
  const Json* const error = found == answers.end() ? nullptr : find(found->second, "error");
  return error == nullptr ? 0 : int_or(*error, "code", 0);
}

std::string OwnedTaskTalk::status(const std::string& step) const {
  const Json* const task = result(step);
  return task == nullptr ? "" : string_or(*task, "status", "");
}

bool OwnedTaskTalk::is_over(const std::string& step) const {
  return result(step) == nullptr || is_terminal(status(step));
}

void judge_owned_tasks(const Record& record, const OwnedTaskTalk& talk, Verdicts& verdicts) {
  Finding none = never_came(record, "called a tool");
  if (talk.came) none = not_for_it("it has neither sampling nor elicitation");
  Finding declares = none;
  Finding names = none;
  if (!talk.method.empty()) {
    declares = undeclared(talk);
    verdicts.say("tasks.undeclared-augmentation-ignored", declares);
    none = not_for_it("it declares no tasks for " + talk.method);
    names = none;
  } else {
    verdicts.say("tasks.undeclared-augmentation-ignored", none);
  }
  const Json* const made = talk.result("make");
  const bool is_task = made != nullptr && find(*made, "task") != nullptr;
  if (talk.declared && is_task) {
    declares = passes();
    names = talk.ids.empty() ? broken("a new task has no taskId that is a string") : passes();
    none = not_for_it("its task has no id");
  } else if (talk.declared && made != nullptr) {
    none = not_for_it("it made no task");
    names = none;
    verdicts.say("tasks.create-result",
                 broken("it declares tasks for " + talk.method + ", and a request with task got " +
                        shown(made) + ", expected a result with task"));
  } else if (talk.declared) {
    none = not_for_it(talk.method + " as a task got no result");
    names = none;
  }
  verdicts.say("tasks.capability-declared", std::move(declares));
  verdicts.say("tasks.id-is-string-from-receiver", std::move(names));
  const Judge judge(record, talk);
  const bool can = talk.declared && is_task && !talk.ids.empty();
  for (const Row& row : kRows) verdicts.say(row.id, can ? (judge.*row.judge)() : none);
}

}  // namespace plumbline::conformance
