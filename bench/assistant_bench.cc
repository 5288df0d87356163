// What one request costs the operations assistant itself: fourteen tools of a filesystem server, a
// client that answers at once, no bytes, no sessions.

#include <cstddef>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <benchmark/benchmark.h>

#include "core/agents/operations/operations_assistant.h"
#include "core/agents/operations/selection.h"
#include "core/base/check.h"
#include "core/base/timer_queue.h"

namespace plumbline::agents {
namespace {

constexpr std::size_t kListDirectory = 7;
constexpr std::string_view kRequest = "List the files in the managed project folder.";

// Name, description and property names of the fourteen tools, about as long as the real ones.
struct ToolRow {
  const char* name;
  const char* description;
  const char* properties;
};

constexpr ToolRow kTools[] = {
    {"read_file", "Read the whole of a file as text. DEPRECATED: another tool does this better.",
     "path head tail"},
    {"read_text_file",
     "Read the whole of a file as text. Many encodings are known, and an error says in detail why "
     "a "
     "file cannot be read. Use it to look at one file; 'head' and 'tail' return its first or last "
     "lines only. Works within the allowed folders.",
     "path head tail"},
    {"read_media_file",
     "Read an image or audio file. Returns base64 data and its MIME type. Works within the allowed "
     "folders.",
     "path"},
    {"read_multiple_files",
     "Read several files at once. Better than one after the other when files are compared. Each "
     "comes with its path; one that fails does not stop the rest. Works within the allowed "
     "folders.",
     "paths"},
    {"write_file",
     "Create a new file or overwrite an existing one. Careful: overwriting does not ask. Handles "
     "text in a proper encoding. Works within the allowed folders.",
     "path content"},
    {"edit_file",
     "Make edits to a text file by lines. Each edit replaces exact lines by new ones. Returns a "
     "diff of what changed. Works within the allowed folders.",
     "path edits dryRun"},
    {"create_directory",
     "Create a new directory, or make sure that it exists. Makes several nested ones in one step. "
     "Succeeds silently when it is there. Works within the allowed folders.",
     "path"},
    {"list_directory",
     "Get a detailed listing of all files and directories in a path. [FILE] and [DIR] tell them "
     "apart. Essential to understand the structure of a folder and to find files in it. Works "
     "within the allowed folders.",
     "path"},
    {"list_directory_with_sizes",
     "Get a detailed listing of all files and directories in a path, with sizes. [FILE] and [DIR] "
     "tell them apart. Useful to understand the structure of a folder. Works within the allowed "
     "folders.",
     "path sortBy"},
    {"directory_tree",
     "Get a recursive tree of files and directories as JSON. Each entry has a name, a type and, "
     "for "
     "a directory, children. Indented by two spaces. Works within the allowed folders.",
     "path excludePatterns"},
    {"move_file",
     "Move or rename files and directories. Also between directories, and both in one step. Fails "
     "when the destination exists. Works within the allowed folders.",
     "source destination"},
    {"search_files",
     "Search recursively for files and directories that match a pattern, as in a shell. Returns "
     "full paths. Great to find files whose place is not known. Works within the allowed folders.",
     "path pattern excludePatterns"},
    {"get_file_info",
     "Retrieve metadata about a file or directory: size, times, permissions, type. Good to know a "
     "file without reading it. Works within the allowed folders.",
     "path"},
    {"list_allowed_directories",
     "Returns the directories that this server may use. What is below them is allowed, too. Use it "
     "before trying to access files.",
     ""},
};

// filesystem returns the manifest of a server with the tools from `first` on, `count` of them.
connector::Manifest filesystem(std::size_t first, std::size_t count) {
  connector::Manifest manifest;
  connector::ServerManifest& server = manifest.servers.emplace_back();
  server.server = "filesystem";
  for (const ToolRow& row : std::span(kTools).subspan(first, count)) {
    connector::Capability& tool = server.capabilities.emplace_back();
    tool.server = "filesystem";
    tool.name = row.name;
    tool.description = row.description;
    tool.input_schema["type"] = "object";
    tool.input_schema["properties"] = Json::object();
    tool.input_schema["required"] = Json::array();
    for (std::string_view names = row.properties; !names.empty();) {
      const std::size_t space = std::min(names.find(' '), names.size());
      const std::string name(names.substr(0, space));
      tool.input_schema["properties"][name]["type"] = "string";
      tool.input_schema["required"].push_back(name);
      names.remove_prefix(std::min(space + 1, names.size()));
    }
  }
  return manifest;
}

Policy policy() {
  Json file = Json::object();
  file["plumbline_policy"] = 1;
  file["defaults"]["filesystem"]["path"] = ".";
  return Policy::parse(file).value();
}

// The client answers at once: nothing is ever due.
class FrozenLoop final : public Loop {
 public:
  Instant now() const override { return Instant(); }
  void arm(Timer& timer, Instant when) override { queue_.arm(timer, when, 0); }

 private:
  TimerQueue queue_;
};

class ReadyClient final : public connector::McpClient {
 public:
  explicit ReadyClient(const connector::Manifest& manifest) : manifest_(manifest) {
    Json item = Json::object();
    item["type"] = "text";
    item["text"] = "[FILE] sample.txt\n[FILE] notes.md";
    result_["content"] = Json::array({item});
  }
  Task<connector::Discovery> discover() override {
    connector::Discovery discovery;
    discovery.manifest = std::move(next_);
    co_return discovery;
  }
  Task<mcp::Reply<Json>> invoke(connector::McpRequest /*request*/) override {
    mcp::Reply<Json> reply = result_;
    co_return reply;
  }
  void refill() { next_ = manifest_; }

 private:
  const connector::Manifest& manifest_;
  connector::Manifest next_;
  Json result_ = Json::object();
};

// happy_path asks a server with one tool, and one with fourteen.
void happy_path(benchmark::State& state) {
  const connector::Manifest manifest =
      state.range(0) == 1 ? filesystem(kListDirectory, 1) : filesystem(0, std::size(kTools));
  const Policy rules = policy();
  ReadyClient client(manifest);
  FrozenLoop loop;
  AssistantServices services(client, rules);
  for ([[maybe_unused]] const auto step : state) {
    state.PauseTiming();
    client.refill();  // A manifest comes from the wire: copying this one is not measured.
    state.ResumeTiming();
    Task<AssistantOutcome> task = ask(initial_state(std::string(kRequest), {}), graph::RunOptions(),
                                      services, loop, nullptr, nullptr);
    task.start();
    check(task.done(), "nothing waits");
    state.PauseTiming();
    check(task.result().state.context_update.has_value(), "the request succeeds");
    task.drop();
    state.ResumeTiming();
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(happy_path)->Arg(1)->Arg(std::size(kTools));

void ranking(benchmark::State& state) {
  const connector::Manifest manifest = filesystem(0, std::size(kTools));
  const Policy rules = policy();
  const Intent intent = classify_intent(kRequest);
  for ([[maybe_unused]] const auto step : state) {
    benchmark::DoNotOptimize(rank(manifest, kRequest, intent, {}, rules));
  }
}
BENCHMARK(ranking);

void classifying(benchmark::State& state) {
  for ([[maybe_unused]] const auto step : state) {
    benchmark::DoNotOptimize(classify_intent(kRequest));
  }
}
BENCHMARK(classifying);

}  // namespace
}  // namespace plumbline::agents
