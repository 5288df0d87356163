// Does with each door of core/os what its header promises, and prints what came of it: a line for
// each, the same whichever half of core/os it is built with (doors_test.mjs compares them).
//
// doors FOLDER

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/wait.h"
#include "core/os/child/environment.h"
#include "core/os/child/real_spawner.h"
#include "core/os/files/file_watch.h"
#include "core/os/net/real_network.h"
#include "core/os/real_file_store.h"
#include "core/os/real_loop.h"
#include "core/os/store/sqlite_record_store.h"
#include "tests/wasm/doors_said.h"

namespace plumbline {
namespace {

constexpr Duration kPatience = std::chrono::seconds(20);

// Heard takes what a pipe says.
class Heard final : public net::PipeReader {
 public:
  void on_bytes(std::string_view bytes) override { text += bytes; }
  void on_end(const Error* error) override {
    end = error == nullptr ? "ended" : code_of(*error);
    ended.set();
  }

  std::string text;
  std::string end = "open";
  Event ended;
};

std::string sum_of(const std::string& text) {
  unsigned sum = 0;
  for (const char c : text) sum = sum * 31 + static_cast<unsigned char>(c);
  return std::to_string(text.size()) + " bytes, " + std::to_string(sum);
}

Task<void> child_says(os::RealLoop& loop, os::RealSpawner& spawner, std::string name,
                      net::Command command, std::string input) {
  Result<std::unique_ptr<net::Child>> started = spawner.spawn(command);
  if (!started.ok()) {
    say(name, code_of(started.error()));
    co_return;
  }
  net::Child& child = *started.value();
  Heard heard;
  Event gone;
  child.on_exit([&gone] { gone.set(); });
  child.stdio().start(heard);
  child.stdio().write(std::move(input));
  child.stdio().close_write();
  const Instant late = loop.now() + kPatience;
  const bool ended = co_await gone.wait(loop, late);
  const std::string how = ended ? net::describe(*child.exit_status()) : std::string("still there");
  const std::string said = heard.text.size() < 100 ? heard.text : sum_of(heard.text);
  say(name, how + "; said " + said + "; errors " + child.stderr_tail() + "; " + heard.end);
}

net::Command program(const std::string& name) { return net::Command({name}); }
net::Command shell(const std::string& script) { return net::Command({"sh", "-c", script}); }

Task<void> children(os::RealLoop& loop, os::RealSpawner& spawner) {
  co_await child_says(loop, spawner, "echo", shell("cat; echo oops >&2; exit 3"), "hello");
  co_await child_says(loop, spawner, "much", shell("cat"), std::string(3'000'000, 'x'));
  co_await child_says(loop, spawner, "killed", shell("kill -9 $$"), "");
  co_await child_says(loop, spawner, "left behind", shell("sleep 30 & echo here"), "");
  co_await child_says(loop, spawner, "deaf", shell("exec <&-; exit 0"),
                      std::string(2'000'000, 'y'));
  net::Command missing = program("plumbline-no-such");
  co_await child_says(loop, spawner, "no program", std::move(missing), "");
  missing = program("/no/such/program");
  co_await child_says(loop, spawner, "no such path", std::move(missing), "");
  net::Command elsewhere = shell("pwd");
  elsewhere.cwd = "/no/such/folder";
  co_await child_says(loop, spawner, "no folder", elsewhere, "");
  elsewhere.cwd = "/";
  elsewhere.env["GIVEN"] = "a b\"c";
  elsewhere.argv.back() = "pwd; printf '%s' \"$GIVEN$SECRET_OF_OURS\"";
  co_await child_says(loop, spawner, "folder and variable", elsewhere, "");
  net::Command given = shell("cat <&3");
  given.given = "handed over";
  co_await child_says(loop, spawner, "given", given, "");
  net::Command nul = shell("true");
  nul.argv.emplace_back(1, '\0');
  co_await child_says(loop, spawner, "a NUL byte", nul, "");
}

// What is written while the news that all before was taken is on its way is told of, too.
Task<void> taken(os::RealLoop& loop, os::RealSpawner& spawner) {
  Result<std::unique_ptr<net::Child>> started = spawner.spawn(shell("cat >/dev/null"));
  if (!started.ok()) {
    say("taken", code_of(started.error()));
    co_return;
  }
  net::Pipe& pipe = started.value()->stdio();
  Heard heard;
  pipe.start(heard);
  pipe.write("first");
  (void)pipe.queued_bytes();
  // Outside of any callback the clock goes on.
  const Instant until = after(loop.now(), std::chrono::milliseconds(100));
  while (loop.now() < until) continue;
  pipe.write("second");
  const Instant late = after(loop.now(), std::chrono::seconds(3));
  while (pipe.queued_bytes() > 0 && loop.now() < late) {
    Event never;
    (void)co_await never.wait(loop, after(loop.now(), std::chrono::milliseconds(10)));
  }
  say("taken", std::to_string(pipe.queued_bytes()) + " bytes wait");
}

Task<void> stopped(os::RealLoop& loop, os::RealSpawner& spawner) {
  const auto grace = std::chrono::milliseconds(200);
  Result<std::unique_ptr<net::Child>> deaf =
      spawner.spawn(shell("trap '' TERM; while :; do sleep 1; done"));
  if (!deaf.ok()) {
    say("stop of a deaf child", code_of(deaf.error()));
    co_return;
  }
  Heard heard;
  deaf.value()->stdio().start(heard);
  const Result<net::ExitStatus> status = co_await net::stop(loop, *deaf.value(), grace);
  say("stop of a deaf child", status.ok() ? net::describe(status.value()) : status.error().message);
}

// Echo says back what it hears, and ends when it does.
class Echo final : public net::PipeReader {
 public:
  explicit Echo(std::unique_ptr<net::Pipe> pipe) : pipe_(std::move(pipe)) { pipe_->start(*this); }
  void on_bytes(std::string_view bytes) override { pipe_->write(std::string(bytes)); }
  void on_end(const Error* /*error*/) override { pipe_->close_write(); }

 private:
  std::unique_ptr<net::Pipe> pipe_;
};

Task<void> spoken(os::RealLoop& loop, os::RealNetwork& network, net::Authority to,
                  std::string text) {
  const std::string name = "dial";
  Task<Result<std::unique_ptr<net::Pipe>>> dialling = network.dial(std::move(to), std::nullopt);
  Result<std::unique_ptr<net::Pipe>> pipe = co_await std::move(dialling);
  if (!pipe.ok()) {
    say(name, code_of(pipe.error()));
    co_return;
  }
  Heard heard;
  const std::string peer = pipe.value()->peer_address();
  pipe.value()->start(heard);
  pipe.value()->write(std::move(text));
  pipe.value()->close_write();
  const Instant late = loop.now() + kPatience;
  co_await heard.ended.wait(loop, late);
  say(name, sum_of(heard.text) + ", " + heard.end + ", peer " + peer);
}

Task<void> network_all(os::RealLoop& loop, os::RealNetwork& network) {
  std::vector<std::unique_ptr<Echo>> echoes;
  Result<std::unique_ptr<net::Listener>> listener =
      network.listen({"127.0.0.1", 0}, std::nullopt, [&](std::unique_ptr<net::Pipe> pipe) {
        say("accepted from", pipe->peer_address());
        echoes.push_back(std::make_unique<Echo>(std::move(pipe)));
      });
  if (!listener.ok()) {
    say("listen", code_of(listener.error()));
    co_return;
  }
  const std::uint16_t port = listener.value()->port();
  net::Authority to{"127.0.0.1", port};
  co_await spoken(loop, network, to, "hello");
  to.host = "localhost";
  co_await spoken(loop, network, to, std::string(5'000'000, 'z'));
  const auto nobody = [](std::unique_ptr<net::Pipe> /*pipe*/) {};
  const Result<std::unique_ptr<net::Listener>> taken =
      network.listen({"127.0.0.1", port}, std::nullopt, nobody);
  const std::string at = std::to_string(port);
  say("listen twice", taken.ok() ? "done" : shown(code_of(taken.error()), at));
  const Result<std::unique_ptr<net::Listener>> nowhere =
      network.listen({"no.such.host.invalid", 0}, std::nullopt, nobody);
  say("listen nowhere", nowhere.ok() ? "done" : code_of(nowhere.error()));
  listener.value().reset();
  echoes.clear();
  to = net::Authority{"127.0.0.1", 1};
  co_await spoken(loop, network, to, "");
  to = net::Authority{"", 80};
  co_await spoken(loop, network, to, "");
}

std::string listed(const Result<std::vector<Record>>& records) {
  if (!records.ok()) return code_of(records.error());
  std::string all;
  for (const Record& record : records.value()) {
    all += record.key + " " + std::to_string(record.version) + " " + sum_of(record.value) + "; ";
  }
  return all;
}

std::string yes_or_no(const Result<bool>& came) {
  if (!came.ok()) return code_of(came.error());
  return came.value() ? "yes" : "no";
}

// Each line begins with "records": the host may have no SQLite.
Task<void> records(RecordStore& store) {
  std::vector<Put> puts = {{"a", 0, std::string("one\0", 4)}, {"b", 0, std::string(300'000, 'v')}};
  Result<bool> put = co_await store.put(puts);
  say("records put", yes_or_no(put));
  put = co_await store.put(std::move(puts));
  say("records put again", yes_or_no(put));
  puts.assign(1, Put{"a", 1, ""});
  put = co_await store.put(std::move(puts));
  say("records put next", yes_or_no(put));
  Result<std::vector<Record>> found = co_await store.history("a", RecordStore::kNewest, 9);
  say("records history", listed(found));
  found = co_await store.list("", "", 9);
  say("records list", listed(found));
  const Status trimmed = co_await store.trim("a", 2);
  say("records trim", trimmed.ok() ? "done" : code_of(trimmed.error()));
  put = co_await store.remove("b", 7);
  say("records remove another", yes_or_no(put));
  put = co_await store.remove("b", RecordStore::kNewest);
  say("records remove", yes_or_no(put));
  put = co_await store.hold("a");
  say("records hold", yes_or_no(put));
}

void records(os::RealLoop& loop, const std::string& path) {
  const Result<std::unique_ptr<RecordStore>> store = os::SqliteRecordStore::open(loop, path);
  if (!store.ok()) return say("records", code_of(store.error()));
  say("records", os::run(loop, records(*store.value())) ? "done" : "stuck");
  const Result<std::unique_ptr<RecordStore>> no_database =
      os::SqliteRecordStore::open(loop, path + "/none");
  say("records in no folder", no_database.ok() ? "there" : "none");
}

void timers(os::RealLoop& loop) {
  std::string order;
  Alarm second([&] { order += "second "; });
  Alarm first([&] { order += "first "; });
  const Instant now = loop.now();
  loop.arm(second, now + std::chrono::milliseconds(20));
  loop.arm(first, now + std::chrono::milliseconds(10));
  const bool more = loop.run_until([] { return false; });
  say("timers", order + (more ? "more" : "nothing left"));
}

// What is written beside a file, and below a folder; what others have built is not looked at.
void watched(os::RealLoop& loop, const std::string& folder) {
  os::RealFileStore store;
  std::set<std::string> changed;
  os::FileWatch watch(loop, std::chrono::milliseconds(150), [&](std::set<std::string> files) {
    changed.insert(files.begin(), files.end());
  });
  for (const char* const name : {"deep/er/a", "node_modules/x/a", "b"}) {
    (void)store.create_file(folder + "/" + name, "1");
  }
  const Status missing = watch.add(folder + "/none");
  say("watch nothing", missing.ok() ? "done" : shown(code_of(missing.error()), folder));
  const Status added = watch.add(folder);
  say("watch", added.ok() ? std::to_string(watch.folders()) + " folders" : code_of(added.error()));
  for (const char* const name : {"deep/er/a", "node_modules/x/a", "new"}) {
    (void)store.write_file(folder + "/" + name, "2");
  }
  bool late = false;
  Alarm patience([&late] { late = true; });
  loop.arm(patience, after(loop.now(), kPatience));
  loop.run_until([&] { return late || !changed.empty(); });
  for (const std::string& file : changed) {
    // A file is written beside its place first.
    if (file.find(".tmp") == std::string::npos) say("changed", shown(file, folder));
  }
}

int do_all(const std::string& folder) {
  do_files(folder);
  os::RealLoop loop;
  timers(loop);
  records(loop, folder + "/records.sqlite");
  watched(loop, folder + "/watched");
  os::RealSpawner spawner(loop);
  os::RealNetwork network(loop);
  say("children", os::run(loop, children(loop, spawner)) ? "done" : "stuck");
  say("taken", os::run(loop, taken(loop, spawner)) ? "done" : "stuck");
  say("stopped", os::run(loop, stopped(loop, spawner)) ? "done" : "stuck");
  say("network", os::run(loop, network_all(loop, network)) ? "done" : "stuck");
  return 0;
}

}  // namespace
}  // namespace plumbline

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  return plumbline::do_all(argv[1]);
}
