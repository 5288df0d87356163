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

Failure invalid(std::string why) { return {rpc::kInvalidParams, std::move(why)}; }

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
    return invalid("a message needs the role user or assistant");
  out.role = role == "user" ? model::Role::kUser : model::Role::kAssistant;
  const Json* const content = find(said, "content");
  if (content == nullptr) return invalid("a message has no content");
  const Json blocks = content->is_array() ? *content : Json::array({*content});
  for (const Json& block : blocks) {
    if (!take_content(block, out)) {
      return invalid("content of type \"" + clipped(string_or(block, "type", ""), 40) +
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
  if (!params.is_object()) return invalid("the parameters are no object");
  for (const char* const undeclared : {"tools", "toolChoice"}) {
    if (find(params, undeclared) != nullptr) {
      return invalid(std::string(undeclared) + ": sampling.tools was not declared");
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
    return invalid("there are no messages");
  std::size_t media_bytes = 0;
  for (const Json& one : *said) {
    Reply<Message> message = message_of(one);
    if (!message.ok()) return std::move(message).error();
    bytes += message.value().text.size();
    for (const model::Media& media : message.value().media) media_bytes += media.data_base64.size();
    out.messages.push_back(std::move(message).value());
  }
  if (bytes > bytes_max || media_bytes > services.limits.media_bytes_max) {
    return invalid("the messages are too long: at most " + std::to_string(bytes_max) +
                   " bytes of text are taken");
  }
  return out;
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
  const std::shared_ptr<Visit::Answering> answering = visit->ask(std::move(prompt).value());
  co_await answering->done.landed();
  if (!answering->reply) co_return turned_down_because("the call is over");
  co_return *std::move(answering->reply);
}

SampleDesk::Visit::Visit(SampleDesk& desk, Loop& loop, const ChatServices& services, Call call)
    : desk_(desk), loop_(loop), services_(services), call_(std::move(call)) {
  desk_.visits_.push_back(this);
}

SampleDesk::Visit::~Visit() {
  std::erase(desk_.visits_, this);
  asking_.cancel();
  for (const auto& one : answering_) one->done.land();
}

bool SampleDesk::Visit::may_be_asked(const Json& params) {
  const std::string digest = approvals::digest_of(sample_action(call_.server, call_.tool, params));
  if (std::ranges::find(call_.approved, digest) != call_.approved.end()) return true;
  if (!turned_down_) turned_down_ = params;
  return false;
}

std::shared_ptr<SampleDesk::Visit::Answering> SampleDesk::Visit::ask(model::Prompt prompt) {
  prompt.traceparent = call_.traceparent;
  auto answering = std::make_shared<Answering>(loop_);
  answering_.push_back(answering);
  std::shared_ptr<Answering> copy = answering;
  asking_.spawn(complete(std::move(copy), std::move(prompt)));
  return answering;
}

Task<void> SampleDesk::Visit::complete(std::shared_ptr<Answering> answering, model::Prompt prompt) {
  const model::Completed done =
      co_await services_.model.complete(std::move(prompt), nullptr, call_.until);
  if (const auto* const failure = std::get_if<model::Failure>(&done)) {
    answering->reply =
        Failure(rpc::kInternalError, "the model did not answer: " + failure->message);
  } else {
    const auto& said = std::get<model::Completion>(done);
    usage_.input_tokens += said.usage.input_tokens;
    usage_.output_tokens += said.usage.output_tokens;
    usage_.estimated = usage_.estimated || said.usage.estimated;
    answering->reply = result_of(said, services_.model.name());
  }
  answering->done.land();
}

}  // namespace plumbline::agents::chat
