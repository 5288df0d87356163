// Does with each door of core/os what its header promises, and prints what came of it: a line for
// each, the same whichever half of core/os it is built with (doors_test.mjs compares them).
//
// doors FOLDER

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/wait.h"
#include "core/os/child/environment.h"
#include "core/os/child/real_paths.h"
#include "core/os/child/real_spawner.h"
#include "core/os/files/file_locks.h"
#include "core/os/files/line_log.h"
#include "core/os/files/mapped_file.h"
#include "core/os/files/temporary_folder.h"
#include "core/os/net/real_network.h"
#include "core/os/random.h"
#include "core/os/real_file_store.h"
#include "core/os/real_loop.h"
#include "core/os/store/sqlite_record_store.h"

namespace plumbline {
namespace {

constexpr Duration kPatience = std::chrono::seconds(20);

void say(std::string_view what, std::string_view came) {
  std::printf("%.*s: %.*s\n", static_cast<int>(what.size()), what.data(),
              static_cast<int>(came.size()), came.data());
}

// shown leaves out the folder, whose name is another each time.
std::string shown(std::string text, const std::string& folder) {
  for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder)) {
    text.replace(at, folder.size(), "FOLDER");
  }
  return text;
}

std::string code_of(const Error& error) {
  return "error " + std::to_string(static_cast<int>(error.code)) + ", " + error.message;
}

// Files is what is done with files in one folder.
class Files {
 public:
  explicit Files(std::string folder) : folder_(std::move(folder)) {}

  void do_all() {
    write_and_read();
    refusals();
    others();
  }

 private:
  std::string at(const std::string& name) const { return folder_ + "/" + name; }
  void tell(const std::string& what, const Status& came) const {
    say(what, came.ok() ? "done" : shown(code_of(came.error()), folder_));
  }
  template <typename T>
  void tell_value(const std::string& what, const Result<T>& came,
                  const std::function<std::string(const T&)>& text) const {
    say(what, shown(came.ok() ? text(came.value()) : code_of(came.error()), folder_));
  }
  void tell_text(const std::string& what, const Result<std::string>& came) const {
    tell_value<std::string>(what, came, [](const std::string& text) { return text; });
  }
  void tell_bool(const std::string& what, const Result<bool>& came) const {
    tell_value<bool>(what, came, [](const bool& is) { return std::string(is ? "yes" : "no"); });
  }

  void write_and_read() {
    tell("write", store_.write_file(at("a.txt"), std::string("a\0b\r\n\xff", 6)));
    tell_value<std::string>("read", store_.read_file(at("a.txt")),
                            [](const std::string& text) { return std::to_string(text.size()); });
    tell("append", store_.append_file(at("b.txt"), "one\n"));
    tell("append more", store_.append_file(at("b.txt"), "two\n"));
    tell_text("both", store_.read_file(at("b.txt")));
    tell_bool("create", store_.create_file(at("deep/er/c.json"), "{}"));
    tell_bool("create again", store_.create_file(at("deep/er/c.json"), "[]"));
    tell_text("as it was", store_.read_file(at("deep/er/c.json")));
    tell_value<unsigned>("mode", store_.mode_of(at("deep/er/c.json")),
                         [](const unsigned& mode) { return std::to_string(mode); });
    tell("set mode", store_.set_mode(at("b.txt"), 0640));
    tell("rename", store_.rename_file(at("b.txt"), at("deep/b.json")));
    tell_value<std::vector<std::string>>("list", store_.list_files(folder_, ".json"),
                                         [](const std::vector<std::string>& names) {
                                           std::string all;
                                           for (const std::string& name : names) all += name + " ";
                                           return all;
                                         });
  }

  void refusals() {
    tell_text("read missing", store_.read_file(at("none")));
    tell_text("read folder", store_.read_file(folder_));
    tell("write below missing", store_.write_file(at("none/a"), "x"));
    tell("write over folder", store_.write_file(at("deep"), "x"));
    tell("check writable", os::check_writable(at("new")));
    tell("check below missing", os::check_writable(at("none/new")));
    tell("rename missing", store_.rename_file(at("none"), at("other")));
    tell("remove", store_.remove_file(at("a.txt")));
    tell("remove again", store_.remove_file(at("a.txt")));
    tell_text("read below", store_.read_below(folder_, "deep/b.json"));
    tell_text("read above", store_.read_below(folder_ + "/deep", "../deep/b.json"));
    tell_text("real path of none", os::RealPaths().real_path(at("none")));
    pins();
    tell_bool("folder", os::is_folder(at("deep")));
    tell_bool("there", os::is_there(at("none")));
    tell("make folder", os::make_folder(at("one/two")));
    tell("make over file", os::make_folder(at("deep/b.json")));
    say("absolute", shown(os::absolute_path(folder_ + "/./one/../deep"), folder_));
  }

  void pins() {
    tell("script", store_.write_file(at("script"), "#! /bin/sh -e\n"));
    tell_digest("digest of a script", at("script"));
    tell("program", store_.write_file(at("program"), "no script"));
    tell_digest("digest of a program", at("program"));
    tell_digest("digest of a folder", folder_);
    // Its name is in it, and is another each time. Nobody reads it for ever.
    tell("script by itself", store_.write_file(at("itself"), "#!" + at("itself") + "\n"));
    const Result<OpenProgram> itself = os::RealPaths().open_program(at("itself"));
    say("digest of that", itself.ok() ? std::to_string(itself.value().digest.size()) : "none");
    const Result<OpenFolder> top = os::RealPaths().open_folder("/");
    say("number of the top", top.ok() ? top.value().number : code_of(top.error()));
    const Result<OpenFolder> none = os::RealPaths().open_folder(at("program"));
    say("number of a file", none.ok() ? "one" : shown(code_of(none.error()), folder_));
  }

  void tell_digest(const std::string& what, const std::string& path) const {
    const Result<OpenProgram> program = os::RealPaths().open_program(path);
    say(what, program.ok() ? program.value().digest : shown(code_of(program.error()), folder_));
  }

  void others() {
    os::FileLocks locks(at("locks"));
    tell_bool("lock", locks.take("a"));
    tell_bool("lock another", locks.take("b"));
    locks.give_back("a");
    Result<os::LineLog> log = os::LineLog::open(at("log.jsonl"));
    tell("log", log.ok() ? log.value().append("first\n") : Status(log.error()));
    Result<os::LineLog> second = os::LineLog::open(at("log.jsonl"));
    say("second log", second.ok() ? shown(second.value().path(), folder_) : "none");
    tell_text("logged", store_.read_file(at("log.jsonl")));
    const Result<os::MappedFile> mapped = os::MappedFile::open(at("log.jsonl"));
    say("mapped", mapped.ok() ? mapped.value().text() : mapped.error().message);
    const Result<os::TemporaryFolder> temporary = os::TemporaryFolder::make();
    tell("fill", temporary.ok() ? temporary.value().fill(at("deep")) : Status(temporary.error()));
    say("filled", os::is_there(temporary.value().path() + "/er/c.json") ? "yes" : "no");
    say("random", std::to_string(os::random_token(16).size()));
  }

  std::string folder_;
  os::RealFileStore store_;
};

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
  co_await child_says(loop, spawner, "deaf", shell("exec <&-; exit 0"), std::string(200'000, 'y'));
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
  pipe.value()->start(heard);
  pipe.value()->write(std::move(text));
  pipe.value()->close_write();
  const Instant late = loop.now() + kPatience;
  co_await heard.ended.wait(loop, late);
  say(name, sum_of(heard.text) + ", " + heard.end + ", peer " + pipe.value()->peer_address());
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

std::string shown(const Result<std::vector<Record>>& records) {
  if (!records.ok()) return code_of(records.error());
  std::string all;
  for (const Record& record : records.value()) {
    all += record.key + " " + std::to_string(record.version) + " " + sum_of(record.value) + "; ";
  }
  return all;
}

std::string shown(const Result<bool>& came) {
  if (!came.ok()) return code_of(came.error());
  return came.value() ? "yes" : "no";
}

// Each line begins with "records": the host may have no SQLite.
Task<void> records(RecordStore& store) {
  std::vector<Put> puts = {{"a", 0, std::string("one\0", 4)}, {"b", 0, std::string(300'000, 'v')}};
  Result<bool> put = co_await store.put(puts);
  say("records put", shown(put));
  put = co_await store.put(std::move(puts));
  say("records put again", shown(put));
  puts.assign(1, Put{"a", 1, ""});
  put = co_await store.put(std::move(puts));
  say("records put next", shown(put));
  Result<std::vector<Record>> found = co_await store.history("a", RecordStore::kNewest, 9);
  say("records history", shown(found));
  found = co_await store.list("", "", 9);
  say("records list", shown(found));
  const Status trimmed = co_await store.trim("a", 2);
  say("records trim", trimmed.ok() ? "done" : code_of(trimmed.error()));
  put = co_await store.remove("b", 7);
  say("records remove another", shown(put));
  put = co_await store.remove("b", RecordStore::kNewest);
  say("records remove", shown(put));
  put = co_await store.hold("a");
  say("records hold", shown(put));
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

int do_all(const std::string& folder) {
  Files(folder).do_all();
  os::RealLoop loop;
  timers(loop);
  records(loop, folder + "/records.sqlite");
  os::RealSpawner spawner(loop);
  os::RealNetwork network(loop);
  say("children", os::run(loop, children(loop, spawner)) ? "done" : "stuck");
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
