// What the tests of the program share: a folder of their own, and runs of the program in it.

#pragma once

#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/loop.h"
#include "core/json/json.h"
#include "core/os/child/real_spawner.h"
#include "core/os/real_loop.h"

namespace plumbline::cli {

namespace fs = std::filesystem;
using std::chrono::seconds;

// kEmail is a server with a tool that changes the world.
inline constexpr const char* kEmail =
    R"({"tools":[{"name":"send_email","description":"Sends a document by email.",
  "inputSchema":{"type":"object","properties":{"to":{"type":"string"},"document":{"type":"string"}},
  "required":["to","document"]},"effect":{}}]})";

// After so long a program hangs.
inline constexpr seconds kHangs{240};

// Outcome is how one run of the program ended.
struct Outcome {
  int code = -1;
  std::string out;
  std::string err;
};

class Collector final : public net::PipeReader {
 public:
  void on_bytes(std::string_view bytes) override { text += bytes; }
  void on_end(const Error*) override { ended = true; }

  std::string text;
  bool ended = false;
};

class ProgramTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "plumbline-XXXXXX";
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    fs::create_directories(folder_ / "managed");
    write("managed/notes.md", "hello\n");
    write("managed/sample.txt", "sample\n");
  }
  void TearDown() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }

  std::string read(const std::string& name) {
    std::ostringstream text;
    text << std::ifstream(folder_ / name, std::ios::binary).rdbuf();
    return text.str();
  }

  std::string path(const std::string& name) { return (folder_ / name).string(); }

  // run starts the program in the test's folder and waits for its end. A busy machine may take
  // minutes for what takes a second; what hangs has no end.
  Outcome run(std::vector<std::string> words, std::map<std::string, std::string> env = {}) {
    words.insert(words.begin(), PLUMBLINE_PROGRAM);
    net::Command command(std::move(words));
    command.env = std::move(env);
    return run_command(std::move(command));
  }

  // shell runs a script likewise; $1 in it is the program.
  Outcome shell(const std::string& script) {
    return run_command(net::Command({"sh", "-c", script, "sh", PLUMBLINE_PROGRAM}));
  }

  Outcome run_command(net::Command command) {
    os::RealLoop loop;
    os::RealSpawner spawner(loop);
    command.cwd = folder_.string();
    command.env.try_emplace("XDG_STATE_HOME", path("state"));
    auto child = spawner.spawn(command);
    Outcome outcome;
    if (!child.ok()) {
      ADD_FAILURE() << child.error().message;
      return outcome;
    }
    Collector out;
    child.value()->stdio().start(out);
    child.value()->stdio().close_write();
    bool late = false;
    Alarm alarm([&late] { late = true; });
    loop.arm(alarm, loop.now() + kHangs);
    loop.run_until([&] { return late || (out.ended && child.value()->exit_status()); });
    EXPECT_FALSE(late) << "the program hangs; so far it said: " << out.text;
    if (child.value()->exit_status()) outcome.code = child.value()->exit_status()->code;
    outcome.out = out.text;
    outcome.err = child.value()->stderr_tail();
    return outcome;
  }

  // config writes a configuration with one server and returns its path.
  std::string config(const std::string& name, std::vector<std::string> argv, Json ours = nullptr) {
    Json server = Json::object();
    server["command"] = argv.front();
    server["args"] = std::vector<std::string>(argv.begin() + 1, argv.end());
    server["cwd"] = ".";
    Json root = Json::object();
    root["mcpServers"][name] = server;
    if (!ours.is_null()) root["plumbline"] = ours;
    write("config.json", pretty_json(root));
    return path("config.json");
  }

  // scripted writes a scenario with one server, `script`, and returns a configuration that runs it.
  std::string scripted(const std::string& name, const std::string& script) {
    write("server.json",
          "{\"plumbline\":1,\"id\":\"server\",\"title\":\"a server\",\"request\":{"
          "\"input\":\"x\"},\"servers\":{\"" +
              name + "\":" + script +
              "},"
              "\"expect\":{\"status\":\"ok\"}}");
    return config(
        name, {PLUMBLINE_PROGRAM, "serve", "server.json", "--stdio", "--trace", "served.jsonl"});
  }

  std::size_t effects() {
    const std::string trace = read("served.jsonl");
    std::size_t count = 0;
    for (std::size_t at = trace.find("\"kind\":\"effect\""); at != std::string::npos;
         at = trace.find("\"kind\":\"effect\"", at + 1)) {
      ++count;
    }
    return count;
  }

  fs::path folder_;
};

// RunningServer is `plumbline serve` with the words given, in `folder`, or another server, from its
// first line on. It ends with the object.
class RunningServer {
 public:
  RunningServer(std::vector<std::string> words, const std::string& folder)
      : RunningServer(serving(std::move(words), folder)) {}

  explicit RunningServer(const net::Command& command) {
    child_ = std::move(spawner_.spawn(command)).value();
    child_->stdio().start(out_);
    wait([this] { return out_.text.find('\n') != std::string::npos || out_.ended; });
  }

  // url returns its first line.
  std::string url() const { return out_.text.substr(0, out_.text.find('\n')); }

  // all_output returns what it has printed so far.
  const std::string& all_output() const { return out_.text; }

  // stop sends SIGTERM and returns how it ended.
  std::optional<net::ExitStatus> stop() {
    child_->signal(net::Signal::kTerminate);
    wait([this] { return child_->exit_status().has_value(); });
    return child_->exit_status();
  }

 private:
  static net::Command serving(std::vector<std::string> words, const std::string& folder) {
    words.insert(words.begin(), {PLUMBLINE_PROGRAM, "serve"});
    net::Command command(std::move(words));
    command.cwd = folder;
    return command;
  }

  template <typename Finished>
  void wait(Finished finished) {
    bool late = false;
    Alarm alarm([&late] { late = true; });
    loop_.arm(alarm, loop_.now() + seconds(30));
    loop_.run_until([&] { return late || finished(); });
  }

  os::RealLoop loop_;
  os::RealSpawner spawner_{loop_};
  Collector out_;
  std::unique_ptr<net::Child> child_;
};

}  // namespace plumbline::cli
