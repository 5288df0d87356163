#include "fakes/model/model_script.h"

#include <array>
#include <utility>

#include "core/base/limits.h"
#include "core/model/failure.h"

namespace plumbline::fakes {

namespace {

constexpr std::int64_t kTokensMax = 100'000'000;
constexpr std::int64_t kPiecesMax = 1'000'000;

template <typename Read>
void for_each_item(ObjectReader& reader, std::string_view key, Read read) {
  const Json* const items = reader.array(key);
  for (std::size_t i = 0; items != nullptr && i < items->size(); ++i) {
    read((*items)[i], reader.pointer_to(key) + "/" + std::to_string(i));
  }
}

ScriptedCall read_call(const Json& item, const std::string& pointer,
                       std::optional<Problem>& problem) {
  ObjectReader reader(item, pointer, "a call", problem);
  ScriptedCall call;
  call.name = reader.required_string("name");
  call.arguments_text = reader.text("arguments_text");
  if (const Json* const arguments = reader.take("arguments")) {
    call.arguments = *arguments;
    if (call.arguments_text) {
      reader.refuse("arguments_text", "expected either \"arguments\" or \"arguments_text\"");
    }
  }
  reader.finish();
  return call;
}

model::Failure read_failure(const Json& item, const std::string& pointer,
                            std::optional<Problem>& problem) {
  ObjectReader reader(item, pointer, "a failure", problem);
  reader.require("status", "the HTTP status, 400 to 599");
  const int status = static_cast<int>(reader.integer("status", 400, 599).value_or(500));
  const std::string code = reader.text("code").value_or("");
  model::Failure failure;
  failure.kind = model::kind_of_status(status, code);
  failure.status = status;
  failure.code = code;
  failure.message =
      reader.string("message").value_or("the script says status " + std::to_string(status));
  failure.retry_after = reader.milliseconds("retry_after_ms");
  reader.finish();
  return failure;
}

void read_usage(ObjectReader& reader, ModelTurn& turn, std::optional<Problem>& problem) {
  const Json* const usage = reader.take("usage");
  if (usage == nullptr) return;
  if (usage->is_boolean() && !usage->get<bool>()) {
    turn.tells_usage = false;
    return;
  }
  ObjectReader fields(*usage, reader.pointer_to("usage"), "a usage", problem);
  turn.usage.emplace();
  turn.usage->input_tokens = fields.integer("input_tokens", 0, kTokensMax).value_or(0);
  turn.usage->output_tokens = fields.integer("output_tokens", 0, kTokensMax).value_or(0);
  fields.finish();
}

void read_when(ObjectReader& reader, ModelTurn& turn) {
  static constexpr std::array<std::string_view, 2> kRoles = {"user", "tool"};
  turn.when = reader.string("when");
  if (const std::optional<std::size_t> role = reader.choice("role", kRoles)) {
    turn.role = *role == 0 ? model::Role::kUser : model::Role::kTool;
  }
  const std::optional<std::int64_t> times = reader.integer("times", 1, limits::kTurnsMax);
  if (times) turn.times = times;
  if (reader.boolean("always").value_or(false)) {
    if (times) reader.refuse("always", "expected either \"times\" or \"always\"");
    turn.times.reset();
  }
}

void read_answer(ObjectReader& reader, ModelTurn& turn, std::optional<Problem>& problem) {
  static constexpr std::array<std::string_view, 4> kFinishes = {"stop", "tool_calls", "length",
                                                                "refusal"};
  turn.text = reader.text("text").value_or("");
  for_each_item(reader, "calls", [&](const Json& item, const std::string& at) {
    turn.calls.push_back(read_call(item, at, problem));
  });
  turn.obeys = reader.boolean("obeys").value_or(false);
  if (turn.obeys && !turn.calls.empty()) {
    reader.refuse("obeys", "expected either \"calls\" or \"obeys\"");
  }
  if (const std::optional<std::size_t> finish = reader.choice("finish", kFinishes)) {
    turn.finish = static_cast<model::FinishReason>(*finish);
  }
  turn.bytes = static_cast<std::size_t>(
      reader.integer("bytes", 0, static_cast<std::int64_t>(limits::kMessageBytesMax)).value_or(0));
  if (turn.bytes > 0 && turn.text.empty()) {
    reader.refuse("bytes", "expected a \"text\" to repeat");
  }
}

ModelTurn read_turn(const Json& item, const std::string& pointer, const ModelTurn& usual,
                    std::optional<Problem>& problem) {
  ObjectReader reader(item, pointer, "a turn", problem);
  ModelTurn turn;
  read_when(reader, turn);
  read_answer(reader, turn, problem);
  if (const auto pieces = reader.integer("cut_after", 0, kPiecesMax)) {
    turn.cut_after = static_cast<std::size_t>(*pieces);
  }
  turn.garbage = reader.boolean("garbage").value_or(false);
  if (const Json* const fails = reader.take("fails")) {
    turn.fails = read_failure(*fails, reader.pointer_to("fails"), problem);
  }
  read_usage(reader, turn, problem);
  turn.latency = reader.milliseconds("latency_ms").value_or(usual.latency);
  turn.piece = reader.milliseconds("piece_ms").value_or(usual.piece);
  reader.finish();
  const bool answers = !turn.text.empty() || !turn.calls.empty() || turn.obeys;
  if (turn.fails && (answers || turn.cut_after || turn.garbage)) {
    add_problem(problem, pointer, "a turn that \"fails\" says nothing else");
  }
  if (turn.cut_after && turn.garbage) {
    add_problem(problem, pointer, "expected either \"cut_after\" or \"garbage\"");
  }
  return turn;
}

}  // namespace

Result<ModelScript, Problem> parse_model_script(const Json& json) {
  std::optional<Problem> problem;
  ObjectReader reader(json, "", "a model", problem);
  ModelScript script;
  script.model = reader.string("model").value_or(script.model);
  script.context_tokens = reader.integer("context_tokens", 1, kTokensMax);
  ModelTurn usual;
  usual.latency = reader.milliseconds("latency_ms").value_or(Duration{});
  usual.piece = reader.milliseconds("piece_ms").value_or(Duration{});
  reader.require("turns", "the answers in order");
  for_each_item(reader, "turns", [&](const Json& item, const std::string& at) {
    script.turns.push_back(read_turn(item, at, usual, problem));
  });
  reader.finish();
  if (problem) return *std::move(problem);
  return script;
}

}  // namespace plumbline::fakes
