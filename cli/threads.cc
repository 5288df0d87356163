#include "cli/threads.h"

#include "core/base/errors/errors.h"
#include "core/os/child/environment.h"
#include "core/os/real_file_store.h"
#include "core/os/store/open_postgres.h"
#include "core/os/store/sqlite_record_store.h"
#include "core/store/memory_record_store.h"

namespace plumbline::cli {

namespace {

using Records = std::unique_ptr<RecordStore>;

// file_of returns the file of a store: in a folder, one of a name of ours.
std::string file_of(const std::string& path) {
  return os::is_folder(path) ? path + "/checkpoints.sqlite" : path;
}

std::optional<Result<Records>> open_at(const StoreUri& uri, Host& host) {
  switch (uri.kind) {
    case StoreUri::Kind::kMemory:
      return Result<Records>(std::make_unique<store::MemoryRecordStore>());
    case StoreUri::Kind::kSqlite:
      return os::SqliteRecordStore::open(host.world().loop(), file_of(uri.where));
    case StoreUri::Kind::kPostgres:
      return wait_for(host, os::open_postgres(host.world().loop(), uri.where));
  }
  return std::nullopt;
}

StoreVariables store_variables() {
  return {os::environment_variable("LANGGRAPH_CHECKPOINT_BACKEND"),
          os::environment_variable("LANGGRAPH_CHECKPOINT_PATH")};
}

// find_uri returns the store that `option` or the variables name, or complains and returns the exit
// status.
std::variant<StoreUri, int> find_uri(const std::string& option, Host& host) {
  const StoreVariables variables = store_variables();
  const Result<std::optional<StoreUri>> found = find_store(option, variables);
  if (!found.ok()) return host.complain(found.error(), kExitUsage);
  if (!found.value()) return host.complain(the_error("store.none"), kExitUsage);
  host.secrets().add_words({found.value()->text});
  return *found.value();
}

}  // namespace

std::variant<Records, int> open_records(const std::string& option, Host& host) {
  const std::variant<StoreUri, int> found = find_uri(option, host);
  if (const int* const status = std::get_if<int>(&found)) return *status;
  const StoreUri& uri = std::get<StoreUri>(found);
  std::optional<Result<Records>> records = open_at(uri, host);
  if (!records)
    return host.complain(the_error("cli.interrupted", " before the store was open"),
                         kExitInterrupted);
  if (!records->ok()) {
    return host.complain(
        behind(host.secrets().redact(uri.text) + ": ", records->error(),
               uri.kind == StoreUri::Kind::kPostgres ? "store.postgres" : "store.unusable"),
        kExitUnreachable);
  }
  return std::move(*records).value();
}

std::variant<Records, int> optional_records(const std::string& option, const std::string& otherwise,
                                            Host& host) {
  const bool named = !option.empty() || !store_variables().backend.value_or("").empty();
  if (named) return open_records(option, host);
  return open_records(otherwise.empty() ? "memory:" : otherwise, host);
}

std::variant<std::unique_ptr<Threads>, int> Threads::open(const std::string& option, Host& host) {
  const std::variant<StoreUri, int> found = find_uri(option, host);
  if (const int* const status = std::get_if<int>(&found)) return *status;
  std::variant<Records, int> records = open_records(option, host);
  if (const int* const status = std::get_if<int>(&records)) return *status;
  return std::make_unique<Threads>(std::move(std::get<Records>(records)),
                                   host.secrets().redact(std::get<StoreUri>(found).text),
                                   host.secrets().redactor());
}

std::variant<std::unique_ptr<Threads>, int> Threads::open_kept(const std::string& option,
                                                               Host& host) {
  const std::variant<StoreUri, int> found = find_uri(option, host);
  if (const int* const status = std::get_if<int>(&found)) return *status;
  const StoreUri& uri = std::get<StoreUri>(found);
  if (uri.kind == StoreUri::Kind::kSqlite && !os::is_there(file_of(uri.where))) {
    return host.complain(the_error("file.not-there", host.secrets().redact(uri.text)),
                         kExitUnreachable);
  }
  return open(option, host);
}

std::vector<graph::Question> ThreadView::open() const {
  return latest ? latest->checkpoint.at.open() : std::vector<graph::Question>();
}

std::optional<Duration> ThreadView::expires() const {
  const std::optional<std::int64_t> ms = find_int(info.about, "expires_ms");
  if (!ms || open().empty()) return std::nullopt;
  return latest->at + std::chrono::milliseconds(*ms);
}

std::string_view ThreadView::status(Duration now) const {
  if (!damage.empty()) return "damaged";
  if (const std::optional<Duration> at = expires()) return now >= *at ? "expired" : "waits";
  if (!open().empty()) return "waits";
  return latest && latest->checkpoint.ended() ? "ended" : "unfinished";
}

Task<Result<std::optional<ThreadView>>> view_thread(store::ThreadStore& store, std::string id) {
  Result<std::optional<store::ThreadInfo>> info = co_await store.info(id);
  if (!info.ok()) co_return info.error();
  if (!info.value()) co_return std::optional<ThreadView>();
  graph::Range newest;
  newest.count = 1;
  Result<std::vector<store::KeptStep>> steps = co_await store.steps(std::move(id), newest);
  if (!steps.ok()) co_return steps.error();
  ThreadView view{std::move(*info.value()), std::nullopt};
  if (!steps.value().empty()) view.latest = std::move(steps.value().front());
  co_return std::optional<ThreadView>(std::move(view));
}

Json to_json(const ThreadView& view, Duration now) {
  Json out = view.info.about;
  out["thread"] = view.info.id;
  out["status"] = view.status(now);
  out["begun"] = rfc3339(view.info.begun);
  if (!view.damage.empty()) out["damage"] = view.damage;
  out["step"] = nullptr;
  if (view.latest) {
    out["step"] = view.latest->checkpoint.step;
    out["changed"] = rfc3339(view.latest->changed);
  }
  Json& questions = out["questions"] = Json::array();
  for (const graph::Question& question : view.open()) {
    Json& one = questions.emplace_back(Json::object());
    one["key"] = question.key;
    one["asks"] = question.what;
  }
  if (const std::optional<Duration> at = view.expires()) out["expires"] = rfc3339(*at);
  return out;
}

std::variant<FoundThread, int> find_thread(const std::string& store, const std::string& id,
                                           Host& host) {
  std::variant<std::unique_ptr<Threads>, int> opened = Threads::open_kept(store, host);
  if (const int* const status = std::get_if<int>(&opened)) return *status;
  auto threads = std::move(std::get<0>(opened));
  std::optional<Result<std::optional<ThreadView>>> view =
      wait_for(host, view_thread(threads->store(), id));
  if (!view) return host.complain(the_error("cli.interrupted", ""), kExitInterrupted);
  if (!view->ok()) return host.complain(view->error(), kExitUnreachable);
  if (!view->value()) {
    return host.complain(the_error("thread.none", id, threads->shown()), kExitUsage);
  }
  return FoundThread{std::move(threads), std::move(*view->value())};
}

}  // namespace plumbline::cli
