#include "core/agents/chat/sampling.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "core/base/text.h"
#include "core/rpc/message.h"

namespace plumbline::agents::chat {

namespace {

using mcp::Failure;
using mcp::Reply;
using model::Message;

Failure turned_down_because(std::string why) {
  return {rpc::kRejectedByUser, "the sampling request was turned down: " + std::move(why)};
}

Failure no_question(std::string why) { return {rpc::kInvalidParams, std::move(why)}; }

// take_content adds one block to `message`; false: our model takes nothing of its type.
bool take_content(const Json& block, Message& message) {
  const std::string type = string_or(block, "type", "");
  if (type == "text") {
    if (!message.text.empty()) message.text += '\n';
    message.text += string_or(block, "text", "");
    return true;
  }
  if (type != "image" && type != "audio") return false;
  message.media.push_back({string_or(block, "mimeType", ""), string_or(block, "data", "")});
  return true;
}

Reply<Message> message_of(const Json& said) {
  Message out;
  const std::string role = string_or(said, "role", "");
  if (role != "user" && role != "assistant")
    return no_question("a message needs the role user or assistant");
  out.role = role == "user" ? model::Role::kUser : model::Role::kAssistant;
  const Json* const content = find(said, "content");
  if (content == nullptr) return no_question("a message has no content");
  const Json blocks = content->is_array() ? *content : Json::array({*content});
  for (const Json& block : blocks) {
    if (!take_content(block, out)) {
      return no_question("content of type \"" + clipped(string_or(block, "type", ""), 40) +
                         "\" is not taken here");
    }
  }
  return out;
}

// settings_of goes by what the server wants as far as our own settings allow.
model::Settings settings_of(const Json& params, model::Settings settings) {
  settings.response_schema.reset();
  const Json* const most = find(params, "maxTokens");
  if (const auto wanted = most != nullptr ? as_int(*most) : std::nullopt) {
    settings.output_tokens_max =
        std::max<std::int64_t>(1, std::min(*wanted, settings.output_tokens_max.value_or(*wanted)));
  }
  const Json* const temperature = find(params, "temperature");
  if (temperature != nullptr && temperature->is_number()) {
    settings.temperature = temperature->get<double>();
  }
  return settings;
}

Json result_of(const model::Completion& said, std::string_view model) {
  const bool cut = said.finish == model::FinishReason::kLength;
  return {{"role", "assistant"},
          {"content", {{"type", "text"}, {"text", said.message.text}}},
          {"model", model},
          {"stopReason", cut ? "maxTokens" : "endTurn"}};
}

}  // namespace

approvals::Action sample_action(std::string server, std::string tool, const Json& params) {
  approvals::Action out;
  out.type = "sampling";
  out.server = std::move(server);
  out.name = std::move(tool);
  out.arguments = params;
  out.arguments.erase("_meta");
  return out;
}

Reply<model::Prompt> sample_prompt(const Json& params, const ChatServices& services) {
  const auto bytes_max = static_cast<std::size_t>(services.limits.result_bytes_max);
  if (!params.is_object()) return no_question("the parameters are no object");
  for (const char* const undeclared : {"tools", "toolChoice"}) {
    if (find(params, undeclared) != nullptr) {
      return no_question(std::string(undeclared) + ": sampling.tools was not declared");
    }
  }
  model::Prompt out;
  out.settings = settings_of(params, services.settings);
  std::string system = string_or(params, "systemPrompt", "");
  std::size_t bytes = system.size();
  if (!system.empty()) {
    out.messages.push_back({.role = model::Role::kSystem, .text = std::move(system)});
  }
  const Json* const said = find(params, "messages");
  if (said == nullptr || !said->is_array() || said->empty())
    return no_question("there are no messages");
  std::size_t media_bytes = 0;
  for (const Json& one : *said) {
    Reply<Message> message = message_of(one);
    if (!message.ok()) return std::move(message).error();
    bytes += message.value().text.size();
    for (const model::Media& media : message.value().media) media_bytes += media.data_base64.size();
    out.messages.push_back(std::move(message).value());
  }
  if (bytes > bytes_max || media_bytes > services.limits.media_bytes_max) {
    return no_question("the messages are too long: at most " + std::to_string(bytes_max) +
                       " bytes of text are taken");
  }
  return out;
}

// Place is where one waits for an answer of the model, until he has it or is gone.
class SampleDesk::Place {
 public:
  Place(SampleDesk& desk, Loop& loop) : desk_(desk), number_(++desk.last_number_) {
    desk_.answering_.try_emplace(number_, loop);
  }
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() { desk_.answering_.erase(number_); }

  int number() const { return number_; }
  Answering& answering() { return desk_.answering_.at(number_); }

 private:
  SampleDesk& desk_;
  int number_;
};

SampleDesk::Answering* SampleDesk::waiting(int number) {
  const auto found = answering_.find(number);
  return found == answering_.end() ? nullptr : &found->second;
}

Task<Reply<Json>> SampleDesk::answer(std::string server, Json params) {
  Visit* visit = nullptr;
  for (Visit* const one : visits_) {
    if (one->call_.server != server) continue;
    if (visit != nullptr) co_return turned_down_because("several calls are under way");
    visit = one;
  }
  if (visit == nullptr) co_return turned_down_because("no call is under way");
  Reply<model::Prompt> prompt = sample_prompt(params, visit->services_);
  if (!prompt.ok()) co_return std::move(prompt).error();
  if (!visit->may_be_asked(params)) {
    co_return turned_down_because("a person has to approve it first");
  }
  Place place(*this, visit->loop_);
  visit->ask(place.number(), std::move(prompt).value());
  co_await place.answering().done.landed();
  if (!place.answering().reply) co_return turned_down_because("the call is over");
  co_return *std::move(place.answering().reply);
}

SampleDesk::Visit::Visit(SampleDesk& desk, Loop& loop, const ChatServices& services, Call call)
    : desk_(desk), loop_(loop), services_(services), call_(std::move(call)) {
  desk_.visits_.push_back(this);
}

SampleDesk::Visit::~Visit() {
  std::erase(desk_.visits_, this);
  asking_.cancel();
  for (const int number : asked_) {
    if (Answering* const one = desk_.waiting(number)) one->done.land();
  }
}

bool SampleDesk::Visit::may_be_asked(const Json& params) {
  const std::string digest = approvals::digest_of(sample_action(call_.server, call_.tool, params));
  if (std::ranges::find(call_.approved, digest) != call_.approved.end()) return true;
  if (!turned_down_) turned_down_ = params;
  return false;
}

void SampleDesk::Visit::ask(int number, model::Prompt prompt) {
  prompt.traceparent = call_.traceparent;
  asked_.push_back(number);
  asking_.spawn(complete(number, std::move(prompt)));
}

Task<void> SampleDesk::Visit::complete(int number, model::Prompt prompt) {
  const model::Completed done =
      co_await services_.model.complete(std::move(prompt), nullptr, call_.until);
  const auto* const said = std::get_if<model::Completion>(&done);
  if (said != nullptr) {
    usage_.input_tokens += said->usage.input_tokens;
    usage_.output_tokens += said->usage.output_tokens;
    usage_.estimated = usage_.estimated || said->usage.estimated;
  }
  Answering* const answering = desk_.waiting(number);
  if (answering == nullptr) co_return;  // Nobody waits any more.
  if (said != nullptr) {
    answering->reply = result_of(*said, services_.model.name());
  } else {
    answering->reply = Failure(
        rpc::kInternalError, "the model did not answer: " + std::get<model::Failure>(done).message);
  }
  answering->done.land();
}

}  // namespace plumbline::agents::chat
