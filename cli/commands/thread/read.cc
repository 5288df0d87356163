// `thread list` and `thread show`.

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>
#include <vector>

#include "cli/commands/thread/thread.h"
#include "cli/commands/thread/tool_threads.h"
#include "cli/jobs/threaded_job.h"
#include "core/base/errors/errors.h"
#include "reports/text.h"

namespace plumbline::cli {

namespace {

constexpr std::size_t kPage = 200;

using Views = std::vector<ThreadView>;

// all_threads reads every thread; of one whose latest step is damaged, that it is.
Task<Result<Views>> all_threads(store::ThreadStore& store) {
  Views views;
  std::string after;
  for (;;) {
    Result<std::vector<store::ThreadInfo>> page = co_await store.threads(after, kPage);
    if (!page.ok()) co_return page.error();
    for (const store::ThreadInfo& info : page.value()) {
      Result<std::optional<ThreadView>> view = co_await view_thread(store, info.id);
      const bool damaged = !view.ok() && view.error().code == ErrorCode::kInvalidInput;
      if (!view.ok() && !damaged) co_return view.error();
      if (damaged) {
        views.push_back({info, std::nullopt, view.error().message});
        continue;
      }
      if (view.value()) views.push_back(std::move(*view.value()));
    }
    if (page.value().size() < kPage) co_return views;
    after = page.value().back().id;
  }
}

void print_json(Json json, Host& host) {
  host.secrets().redact(json);
  host.out(reports::safe_json(pretty_json(json)) + "\n");
}

using Row = std::vector<std::string>;

// print_table prints rows in columns, the last one as wide as it is.
void print_table(const std::vector<Row>& rows, Host& host) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    for (std::size_t i = 0; i + 1 < row.size(); ++i) {
      text += row[i] + std::string(widths[i] - row[i].size() + 2, ' ');
    }
    text += row.back() + '\n';
  }
  host.out(reports::without_commands(reports::printable(host.secrets().redact(std::move(text)))));
}

// came_to says where a step leads, or what it waits for.
std::string came_to(const store::SavedCheckpoint& step) {
  if (step.ended()) return "ended";
  std::string text;
  for (const auto& branch : step.at.branches) {
    text += text.empty() ? "" : ", ";
    text += branch.key;
    for (const graph::Question& question : branch.questions) {
      text += branch.answer_to(question.key) == nullptr ? " waits for an answer" : " was answered";
    }
    if (branch.done()) text += " done";
  }
  return "next " + text;
}

std::string before(const store::SavedCheckpoint& step) {
  return step.at.route.empty() ? "-" : step.at.route.back();
}

Json step_json(const store::KeptStep& step) {
  Json out = Json::object();
  out["step"] = step.checkpoint.step;
  out["at"] = rfc3339(step.at);
  out["origin"] = name_of(step.checkpoint.origin);
  if (step.checkpoint.parent) out["parent"] = *step.checkpoint.parent;
  if (!step.checkpoint.parent_thread.empty()) out["of_thread"] = step.checkpoint.parent_thread;
  out["route"] = step.checkpoint.at.route;
  out["next"] = Json::array();
  for (const auto& branch : step.checkpoint.at.branches) out["next"].push_back(branch.key);
  return out;
}

int show_step(const store::KeptStep& step, Host& host) {
  Json json = step_json(step);
  const Json saved = step.checkpoint.at.state.json();
  const Json* const value = find(saved, "value");
  json["state"] = value == nullptr ? saved : *value;
  print_json(std::move(json), host);
  return kExitOk;
}

// add_question adds what is asked: of an action that waits for approval a line each, as a person is
// to see it.
void add_question(const Json& question, std::vector<Row>& rows) {
  const Json* const shown = find(question, "shown");
  if (shown == nullptr || !shown->is_array()) {
    rows.push_back({"asks", dump_json(question)});
    return;
  }
  rows.push_back({"asks", string_or(question, "reason", "")});
  for (const Json& line : *shown) {
    rows.push_back(
        {"", "• " + line.at(0).get<std::string>() + ": " + line.at(1).get<std::string>()});
  }
}

void show_history(const ThreadView& view, const std::vector<store::KeptStep>& steps,
                  Threads& threads, Host& host) {
  const Duration now = threads.clock().since_1970();
  std::vector<Row> head = {{"thread", view.info.id},
                           {"request", string_or(view.info.about, "request", "")},
                           {"begun", rfc3339(view.info.begun)},
                           {"status", std::string(view.status(now))}};
  if (const auto at = view.expires()) head.push_back({"expires", rfc3339(*at)});
  for (const graph::Question& question : view.open()) {
    add_question(question.what, head);
  }
  if (view.status(now) == "waits") {
    head.push_back({"to decide", thread_command("resume", view.info.id, threads) +
                                     " --answer '{\"approve\": true}'"});
  }
  print_table(head, host);
  std::vector<Row> rows = {{"STEP", "AT", "ORIGIN", "AFTER", "CAME TO"}};
  for (const store::KeptStep& step : steps) {
    rows.push_back({std::to_string(step.checkpoint.step), rfc3339(step.at),
                    std::string(name_of(step.checkpoint.origin)), before(step.checkpoint),
                    came_to(step.checkpoint)});
  }
  host.out("\n");
  print_table(rows, host);
}

// show_tools shows a thread of the tools.
int show_tools(const KeptThread& thread, const ThreadShowOptions& options, Host& host) {
  if (options.step) {
    return host.complain(the_error("thread.of-tools", options.id), kExitUsage);
  }
  if (options.json) {
    Json json = to_json(thread);
    json["turns"] = thread.conversation.conversation_turns;
    print_json(std::move(json), host);
    return kExitOk;
  }
  const std::string used = rfc3339(std::chrono::milliseconds(thread.used_ms));
  print_table({{"thread", thread.id()},
               {"tool", thread.tool},
               {"status", std::string(thread_status(thread))},
               {"calls", std::to_string(thread.calls)},
               {"changed", used}},
              host);
  const std::string said = host.secrets().redact(transcript(thread));
  host.out("\n" + reports::without_commands(reports::printable(said)));
  return kExitOk;
}

}  // namespace

int run_thread_list(const ThreadListOptions& options, Host& host) {
  auto opened = Threads::open_kept(options.store, host);
  if (const int* const status = std::get_if<int>(&opened)) return *status;
  Threads& threads = *std::get<0>(opened);
  const std::optional<Result<Views>> views = wait_for(host, all_threads(threads.store()));
  if (!views) return host.complain(the_error("cli.interrupted", ""), kExitInterrupted);
  if (!views->ok()) return host.complain(views->error(), kExitUnreachable);
  auto tools = wait_for(host, agents::supervisor::kept_threads(threads.records()));
  if (!tools) return host.complain(the_error("cli.interrupted", ""), kExitInterrupted);
  if (!tools->ok()) return host.complain(tools->error(), kExitUnreachable);
  const Duration now = threads.clock().since_1970();
  if (options.json) {
    Json all = Json::array();
    for (const ThreadView& view : views->value()) all.push_back(to_json(view, now));
    for (const KeptThread& thread : tools->value()) all.push_back(to_json(thread));
    print_json(std::move(all), host);
    return kExitOk;
  }
  std::vector<Row> rows = {{"THREAD", "STATUS", "STEP", "CHANGED", "REQUEST"}};
  for (const ThreadView& view : views->value()) {
    const auto& latest = view.latest;
    rows.push_back({view.info.id, std::string(view.status(now)),
                    latest ? std::to_string(latest->checkpoint.step) : "-",
                    rfc3339(latest ? latest->changed : view.info.begun),
                    string_or(view.info.about, "request", "")});
  }
  for (const KeptThread& thread : tools->value()) {
    const std::string used = rfc3339(std::chrono::milliseconds(thread.used_ms));
    rows.push_back({thread.id(), std::string(thread_status(thread)), std::to_string(thread.calls),
                    used, first_words(thread)});
  }
  print_table(rows, host);
  return kExitOk;
}

int run_thread_show(const ThreadShowOptions& options, Host& host) {
  auto opened = Threads::open_kept(options.store, host);
  if (const int* const status = std::get_if<int>(&opened)) return *status;
  const auto tools =
      wait_for(host, agents::supervisor::kept_thread(std::get<0>(opened)->records(), options.id));
  if (!tools) return host.complain(the_error("cli.interrupted", ""), kExitInterrupted);
  if (!tools->ok()) return host.complain(tools->error(), kExitUnreachable);
  if (tools->value()) return show_tools(*tools->value(), options, host);
  std::variant<FoundThread, int> found = find_thread(options.store, options.id, host);
  if (const int* const status = std::get_if<int>(&found)) return *status;
  auto& [threads, view] = std::get<FoundThread>(found);
  const auto steps = wait_for(host, threads->store().steps(options.id, {}));
  if (!steps) return host.complain(the_error("cli.interrupted", ""), kExitInterrupted);
  if (!steps->ok()) return host.complain(steps->error(), kExitUnreachable);
  if (options.step) {
    for (const store::KeptStep& step : steps->value()) {
      if (step.checkpoint.step == *options.step) return show_step(step, host);
    }
    return host.complain(the_error("thread.no-step", options.id, std::to_string(*options.step)),
                         kExitUsage);
  }
  if (!options.json) {
    show_history(view, steps->value(), *threads, host);
    return kExitOk;
  }
  Json json = to_json(view, threads->clock().since_1970());
  json["history"] = Json::array();
  for (const store::KeptStep& step : steps->value()) json["history"].push_back(step_json(step));
  print_json(std::move(json), host);
  return kExitOk;
}

}  // namespace plumbline::cli
