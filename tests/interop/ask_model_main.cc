// One question to a language model, over the settings, the dialects and the sockets that agents
// use: for tests against servers that others have written.

#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "core/model/providers/dialects.h"
#include "core/model/providers/http_model.h"
#include "core/model/registry/model_registry.h"
#include "core/model/registry/provider_key.h"
#include "core/os/child/environment.h"
#include "core/os/net/real_network.h"
#include "core/os/real_file_store.h"
#include "core/os/real_loop.h"
#include "fakes/model/chat_request.h"

namespace plumbline::interop {
namespace {

constexpr const char* kAskHelp =
    "plumbline-ask-model SETTINGS REQUEST\n"
    "\n"
    "Asks the model that the file REQUEST names, which is the body of a request of Chat "
    "Completions.\n"
    "SETTINGS is a file of models (docs/models.md). Prints a line of JSON for each piece of text "
    "and\n"
    "each call, then how it ended. Exit status: 0 answered, 1 failed, 2 bad usage, 3 a fault of "
    "ours.\n";

constexpr Duration kPatience = std::chrono::seconds(10);

int complain_of(const std::string& what) {
  std::fprintf(stderr, "plumbline-ask-model: %s\n", what.c_str());
  return 2;
}

void print(const Json& line) {
  std::puts(dump_json(line).c_str());
  std::fflush(stdout);
}

Json call_json(const model::ToolCall& call) {
  return {{"id", call.id}, {"name", call.name}, {"arguments", call.arguments}};
}

struct Printer final : model::DeltaReader {
  void on_text(std::string_view piece) override { print({{"text", piece}}); }
  void on_tool_call(const model::ToolCall& call) override { print({{"call", call_json(call)}}); }
};

Json failure_json(const model::Failure& failure) {
  static constexpr const char* kKinds[] = {"authentication", "rate_limit",  "too_long",
                                           "invalid",        "unavailable", "unreadable"};
  Json out = {{"kind", kKinds[static_cast<int>(failure.kind)]}, {"message", failure.message}};
  out["status"] = failure.status;
  out["code"] = failure.code;
  if (failure.retry_after) out["retry_after_ms"] = milliseconds_of(*failure.retry_after);
  return out;
}

Json completion_json(const model::Completion& whole) {
  static constexpr const char* kFinishes[] = {"stop", "tool_calls", "length", "refusal"};
  Json out = {{"finish", kFinishes[static_cast<int>(whole.finish)]}};
  out["text"] = whole.message.text;
  out["calls"] = Json::array();
  for (const model::ToolCall& call : whole.message.tool_calls)
    out["calls"].push_back(call_json(call));
  out["input_tokens"] = whole.usage.input_tokens;
  out["output_tokens"] = whole.usage.output_tokens;
  out["estimated"] = whole.usage.estimated;
  return out;
}

int ask_model(const model::ModelRegistry& registry, fakes::ChatRequest request) {
  const std::optional<model::ModelInfo> info = registry.info(request.model);
  if (!info) return complain_of("the settings have no model " + request.model);
  const model::Provider& provider = *registry.provider_for(request.model);
  os::RealLoop loop;
  const auto key = os::run(loop, model::find_key(provider, os::whole_environment(), nullptr));
  if (!key || !key->ok()) return complain_of(key ? key->error().message : "interrupted");
  os::RealNetwork network(loop);
  net::HttpClient client(loop, network);
  model::HttpModel asked(client, model::dialect_of(provider.interface), info->model,
                         model::account_for(provider, *info, key->value()));
  Printer printer;
  const auto completed = os::run(
      loop, asked.complete(std::move(request.prompt), &printer, after(loop.now(), kPatience)));
  if (!completed) return complain_of("interrupted");
  if (const auto* const failure = std::get_if<model::Failure>(&*completed)) {
    print({{"failure", failure_json(*failure)}});
    return 1;
  }
  print({{"completion", completion_json(std::get<model::Completion>(*completed))}});
  return 0;
}

int ask_as(const std::vector<std::string>& words) {
  if (words.size() != 2) {
    std::fputs(kAskHelp, stderr);
    return 2;
  }
  os::RealFileStore files;
  std::vector<Json> read;
  for (const std::string& path : words) {
    const Result<std::string> text = files.read_file(path);
    if (!text.ok()) return complain_of(text.error().message);
    Result<Json> json = parse_json(text.value(), {.comments = true});
    if (!json.ok()) return complain_of(path + ": " + json.error().message);
    read.push_back(std::move(json).value());
  }
  const Result<model::ModelRegistry, Problem> registry = model::ModelRegistry::parse(read[0]);
  if (!registry.ok())
    return complain_of(registry.error().pointer + ": " + registry.error().message);
  Result<fakes::ChatRequest, std::string> request = fakes::read_chat_request(read[1]);
  if (!request.ok()) return complain_of(request.error());
  return ask_model(registry.value(), std::move(request).value());
}

}  // namespace
}  // namespace plumbline::interop

int main(int argc, char** argv) {
  try {
    return plumbline::interop::ask_as(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& wrong) {
    std::fprintf(stderr, "plumbline-ask-model: a fault of ours: %s\n", wrong.what());
    return 3;
  }
}
