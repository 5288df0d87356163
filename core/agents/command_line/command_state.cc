#include "core/agents/command_line/command_state.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/base/check.h"
#include "core/json/archive.h"
#include "core/json/object_reader.h"
#include "core/json/parse.h"

namespace plumbline::agents::command_line {

namespace {

constexpr std::int64_t kTimeoutSecondsMax = 86'400;
constexpr std::size_t kCommandsMax = 100;

struct CommandFields {
  static void shared(auto& archive, auto& part) {
    archive("results", part.results);
    archive("approved", part.approved);
    archive("remembered", part.remembered);
    archive("next", part.next);
    archive("errors", part.errors);
    archive("final_output", part.final_output);
  }
  static void fields(auto& archive, Some<CommandState> auto& part) {
    shared(archive, part);
    archive("commands", part.commands);
    archive("folder", part.folder);
    archive("env", part.env);
    archive("timeout_ms", part.timeout_ms);
    archive("shell", part.shell);
    archive("who", part.who);
  }
  static void fields(auto& archive, Some<CommandState::Update> auto& part) {
    shared(archive, part);
  }
};

// read_env reads an object of strings.
void read_env(ObjectReader& fields, std::optional<Problem>& problem, Json& into) {
  const Json* const env = fields.object("env_vars");
  if (env == nullptr) return;
  for (const auto& [name, value] : env->items()) {
    if (value.is_string()) continue;
    const std::string pointer = fields.pointer_to("env_vars") + "/" + pointer_token(name);
    return add_type_problem(problem, pointer, value, "a string");
  }
  into = *env;
}

Result<CommandState> read_arguments(const Json& arguments) {
  CommandState state;
  std::optional<Problem> problem;
  ObjectReader fields(arguments, "", "cli_execute", problem);
  fields.require("commands", "a list of command lines");
  state.commands = fields.strings("commands");
  state.folder = fields.string("working_directory").value_or("");
  if (const auto seconds = fields.integer("timeout", 1, kTimeoutSecondsMax)) {
    state.timeout_ms = *seconds * 1'000;
  }
  read_env(fields, problem, state.env);
  state.shell = fields.boolean("shell").value_or(false);
  fields.finish();
  if (problem) {
    const std::string place = problem->pointer.empty() ? "" : problem->pointer + ": ";
    return Error{ErrorCode::kInvalidInput, place + problem->message};
  }
  if (state.commands.size() > kCommandsMax) {
    return Error{ErrorCode::kLimitReached,
                 std::to_string(state.commands.size()) + " commands, at most " +
                     std::to_string(kCommandsMax) + " are run in one request"};
  }
  return state;
}

}  // namespace

void CommandState::apply(Update&& update) {
  std::ranges::move(update.results, std::back_inserter(results));
  std::ranges::move(update.remembered, std::back_inserter(remembered));
  std::ranges::move(update.errors, std::back_inserter(errors));
  if (update.approved) approved = *update.approved;
  if (update.next) next = *std::move(update.next);
  if (update.final_output) final_output = *std::move(update.final_output);
}

Json CommandState::to_json() const { return JsonWriter<CommandFields>::write(*this); }

Result<CommandState> CommandState::from_json(const Json& saved) {
  return JsonReader<CommandFields>::read<CommandState>(saved, "the saved state of commands");
}

Json CommandState::Update::to_json() const { return JsonWriter<CommandFields>::write(*this); }

Result<CommandState::Update> CommandState::Update::from_json(const Json& saved) {
  return JsonReader<CommandFields>::read<Update>(saved, "the saved update of commands");
}

CommandRequest CommandState::request() const {
  check(!done(), "no command is left");
  CommandRequest request{commands[results.size()], folder, {}, shell};
  for (const auto& [name, value] : env.items()) {
    request.env[name] = value.get_ref<const std::string&>();
  }
  return request;
}

Result<CommandState> command_state_of(std::string_view input) {
  if (!input.starts_with('{')) {
    CommandState state;
    state.commands.emplace_back(input);
    return state;
  }
  const auto arguments = parse_json(input);
  if (!arguments.ok()) {
    return Error{ErrorCode::kInvalidInput,
                 "the request begins with \"{\" and is no JSON: " + arguments.error().message};
  }
  return read_arguments(arguments.value());
}

}  // namespace plumbline::agents::command_line
