#include "fakes/model/model_script.h"

#include <array>
#include <utility>

#include "core/base/limits.h"
#include "core/json/fields/fields.h"
#include "core/model/failure.h"

namespace plumbline::fakes {

namespace {

constexpr std::int64_t kTokensMax = 100'000'000;
constexpr std::int64_t kPiecesMax = 1'000'000;
constexpr auto kBytesMax = static_cast<std::int64_t>(limits::kMessageBytesMax);

constexpr std::array<std::string_view, 2> kRoles = {"user", "tool"};
constexpr std::array<std::string_view, 4> kFinishes = {"stop", "tool_calls", "length", "refusal"};

template <typename Read>
void for_each_item(ObjectReader& reader, std::string_view key, Read read) {
  const Json* const items = reader.array(key);
  for (std::size_t i = 0; items != nullptr && i < items->size(); ++i) {
    read((*items)[i], reader.pointer_to(key) + "/" + std::to_string(i));
  }
}

void read_arguments(ObjectReader& reader, ScriptedCall& call) {
  const Json* const arguments = reader.take("arguments");
  if (arguments == nullptr) return;
  call.arguments = *arguments;
  if (!call.arguments_text) return;
  reader.refuse("arguments_text", "expected either \"arguments\" or \"arguments_text\"");
}

const Fields<ScriptedCall>& call_fields() {
  static const Fields<ScriptedCall> kFields(
      "a call", {
                    field::words("name", &ScriptedCall::name).must("a string"),
                    field::text("arguments_text", &ScriptedCall::arguments_text)
                        .says("the arguments as the model writes them, well or badly"),
                    field::own<ScriptedCall>("arguments", Json::object(), read_arguments),
                });
  return kFields;
}

const Fields<model::Failure>& failure_fields() {
  using model::Failure;
  static const Fields<Failure> kFields(
      "a failure",
      {
          field::whole("status", &Failure::status, 400, 599).must("the HTTP status, 400 to 599"),
          field::text("code", &Failure::code),
          field::words("message", &Failure::message),
          field::milliseconds("retry_after_ms", &Failure::retry_after),
      });
  return kFields;
}

void read_failure(ObjectReader& reader, ModelTurn& turn) {
  const Json* const fails = reader.take("fails");
  if (fails == nullptr) return;
  model::Failure& failure = turn.fails.emplace();
  failure.status = 500;
  failure_fields().read(*fails, reader.pointer_to("fails"), reader.problem(), failure);
  failure.kind = model::kind_of_status(failure.status, failure.code);
  if (!failure.message.empty()) return;
  failure.message = "the script says status " + std::to_string(failure.status);
}

const Fields<model::Usage>& usage_fields() {
  using model::Usage;
  static const Fields<Usage> kFields(
      "a usage", {
                     field::whole("input_tokens", &Usage::input_tokens, 0, kTokensMax),
                     field::whole("output_tokens", &Usage::output_tokens, 0, kTokensMax),
                 });
  return kFields;
}

void read_usage(ObjectReader& reader, ModelTurn& turn) {
  const Json* const usage = reader.take("usage");
  if (usage == nullptr) return;
  if (usage->is_boolean() && !usage->get<bool>()) {
    turn.tells_usage = false;
    return;
  }
  usage_fields().read(*usage, reader.pointer_to("usage"), reader.problem(), turn.usage.emplace());
}

void read_role(ObjectReader& reader, ModelTurn& turn) {
  if (const std::optional<std::size_t> role = reader.choice("role", kRoles)) {
    turn.role = *role == 0 ? model::Role::kUser : model::Role::kTool;
  }
}

void read_always(ObjectReader& reader, ModelTurn& turn) {
  if (!reader.boolean("always").value_or(false)) return;
  if (reader.has("times")) reader.refuse("always", "expected either \"times\" or \"always\"");
  turn.times.reset();
}

void read_bytes(ObjectReader& reader, ModelTurn& turn) {
  turn.bytes = static_cast<std::size_t>(reader.integer("bytes", 0, kBytesMax).value_or(0));
  if (turn.bytes > 0 && turn.text.empty()) {
    reader.refuse("bytes", "expected a \"text\" to repeat");
  }
}

const Fields<ModelTurn>& turn_fields() {
  static const Fields<ModelTurn> kFields(
      "a turn",
      {
          field::words("when", &ModelTurn::when).says("only if the last message holds this"),
          field::own<ModelTurn>("role", shape::one_of(kRoles), read_role)
              .says("only if the last message is of this one"),
          field::whole("times", &ModelTurn::times, 1, limits::kTurnsMax)
              .says("how often it may be used"),
          field::own<ModelTurn>("always", shape::yes(), read_always),
          field::text("text", &ModelTurn::text),
          field::items("calls", &ModelTurn::calls, call_fields()),
          field::yes("obeys", &ModelTurn::obeys).says("makes the calls that the text asks for"),
          field::choice("finish", &ModelTurn::finish, kFinishes),
          field::own<ModelTurn>("bytes", shape::whole(0, kBytesMax), read_bytes)
              .says("the text is repeated up to this size"),
          field::whole("cut_after", &ModelTurn::cut_after, 0, kPiecesMax)
              .says("the stream breaks behind so many pieces"),
          field::yes("garbage", &ModelTurn::garbage),
          field::own<ModelTurn>("fails", failure_fields().shape(), read_failure),
          field::own<ModelTurn>("usage", shape::either(shape::only(false), usage_fields().shape()),
                                read_usage)
              .says("false: the model tells none"),
          field::milliseconds("latency_ms", &ModelTurn::latency),
          field::milliseconds("piece_ms", &ModelTurn::piece).says("between two pieces"),
      });
  return kFields;
}

ModelTurn read_turn(const Json& item, const std::string& pointer, const ModelTurn& usual,
                    std::optional<Problem>& problem) {
  ObjectReader reader(item, pointer, "a turn", problem);
  ModelTurn turn;
  turn.latency = usual.latency;
  turn.piece = usual.piece;
  turn_fields().read(reader, turn);
  if (turn.obeys && !turn.calls.empty()) {
    reader.refuse("obeys", "expected either \"calls\" or \"obeys\"");
  }
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

// What the turns of a script have where they say nothing.
const Fields<ModelTurn>& usual_fields() {
  static const Fields<ModelTurn> kFields("a model",
                                         {
                                             field::milliseconds("latency_ms", &ModelTurn::latency),
                                             field::milliseconds("piece_ms", &ModelTurn::piece),
                                         });
  return kFields;
}

void read_turns(ObjectReader& reader, ModelScript& script) {
  ModelTurn usual;
  usual_fields().read(reader, usual);
  for_each_item(reader, "turns", [&](const Json& item, const std::string& at) {
    script.turns.push_back(read_turn(item, at, usual, reader.problem()));
  });
}

const Fields<ModelScript>& script_fields() {
  static const Fields<ModelScript> kFields(
      "a model",
      {
          field::words("model", &ModelScript::model),
          field::whole("context_tokens", &ModelScript::context_tokens, 1, kTokensMax),
          field::own<ModelScript>("turns", shape::list(shape::ref("model_turn")), read_turns)
              .must("the answers in order"),
      });
  return kFields;
}

}  // namespace

Result<ModelScript, Problem> parse_model_script(const Json& json) {
  std::optional<Problem> problem;
  ObjectReader reader(json, "", "a model", problem);
  ModelScript script;
  script_fields().read(reader, script);
  reader.finish();
  if (problem) return *std::move(problem);
  return script;
}

Json model_shape() { return shape::with_members(script_fields().shape(), usual_fields().shape()); }

Json model_turn_shape() { return turn_fields().shape(); }

}  // namespace plumbline::fakes
