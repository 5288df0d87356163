#include "core/agents/chat/chat_state.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "core/json/archive.h"
#include "core/model/message_json.h"

namespace plumbline::agents::chat {

namespace {

// The fields of every part of the state, as a checkpoint keeps them.
struct ChatFields {
  static constexpr model::Role last(model::Role /*of*/) { return model::Role::kTool; }
  static constexpr Risk last(Risk /*of*/) { return Risk::kDenied; }

  static void fields(auto& archive, Some<model::Media> auto& part) {
    archive("mime_type", part.mime_type);
    archive("data_base64", part.data_base64);
  }

  static void fields(auto& archive, Some<model::ToolCall> auto& part) {
    archive("id", part.id);
    archive("name", part.name);
    archive("arguments", part.arguments);
  }

  static void fields(auto& archive, Some<model::Message> auto& part) {
    archive("role", part.role);
    archive("text", part.text);
    archive("media", part.media);
    archive("tool_calls", part.tool_calls);
    archive("tool_call_id", part.tool_call_id);
    archive("is_error", part.is_error);
  }

  static void fields(auto& archive, Some<model::Usage> auto& part) {
    archive("input_tokens", part.input_tokens);
    archive("output_tokens", part.output_tokens);
    archive("estimated", part.estimated);
  }

  static void fields(auto& archive, Some<ServerLink> auto& part) {
    archive("id", part.id);
    archive("server_id", part.server_id);
    archive("enabled", part.enabled);
    archive("config", part.config);
    archive("server", part.server);
  }

  static void fields(auto& archive, Some<Assessment> auto& part) {
    archive("risks", part.risks);
    archive("allowed_by_name", part.allowed_by_name);
    archive("changes_the_world", part.changes_the_world);
  }

  static void fields(auto& archive, Some<Offer> auto& part) {
    archive("name", part.name);
    archive("server", part.server);
    archive("tool", part.tool);
    archive("as_task", part.as_task);
    archive("assessment", part.assessment);
  }

  static void fields(auto& archive, Some<Sampling> auto& part) {
    archive("call", part.call);
    archive("params", part.params);
  }

  // What a state and an update of it have both.
  static void shared_fields(auto& archive, auto& part) {
    archive("messages", part.messages);
    archive("mcp_links", part.mcp_links);
    archive("next_step", part.next_step);
    archive("error", part.error);
    archive("offers", part.offers);
    archive("rounds", part.rounds);
    archive("usage", part.usage);
    archive("errors", part.errors);
    archive("in_doubt", part.in_doubt);
    archive("samplings", part.samplings);
    archive("final_output", part.final_output);
  }

  static void fields(auto& archive, Some<ChatState> auto& part) {
    shared_fields(archive, part);
    archive("input", part.input);
    archive("turn_begins", part.turn_begins);
  }

  static void fields(auto& archive, Some<ChatState::Update> auto& part) {
    shared_fields(archive, part);
    archive("system", part.system);
    archive("answer", part.answer);
  }
};

using Writer = JsonWriter<ChatFields>;
using Reader = JsonReader<ChatFields>;

// put_in_front makes `text` the system's message.
void put_in_front(std::vector<model::Message>& messages, std::string text) {
  const bool there = !messages.empty() && messages.front().role == model::Role::kSystem;
  if (!there) messages.insert(messages.begin(), {.role = model::Role::kSystem});
  messages.front().text = std::move(text);
}

template <typename Value>
void replace(Value& value, std::optional<Value> with) {
  if (with) value = std::move(*with);
}

}  // namespace

Json to_json(const ServerLink& link) { return Writer::write(link); }

Result<ServerLink> server_link_of(const Json& json) {
  return Reader::read<ServerLink>(json, "a kept link to a server");
}

void ChatState::apply(Update&& update) {
  if (update.system) put_in_front(messages, *std::move(update.system));
  std::ranges::move(update.messages, std::back_inserter(messages));
  std::ranges::move(update.errors, std::back_inserter(errors));
  std::ranges::move(update.in_doubt, std::back_inserter(in_doubt));
  std::ranges::move(update.samplings, std::back_inserter(samplings));
  if (update.answer) {
    const bool there = messages.back().role == model::Role::kAssistant;
    if (!there) messages.push_back({.role = model::Role::kAssistant});
    messages.back().text = *std::move(update.answer);
  }
  replace(mcp_links, std::move(update.mcp_links));
  replace(next_step, std::move(update.next_step));
  replace(offers, std::move(update.offers));
  replace(final_output, std::move(update.final_output));
  if (update.error) error = std::move(update.error);
  rounds += update.rounds;
  usage.input_tokens += update.usage.input_tokens;
  usage.output_tokens += update.usage.output_tokens;
  usage.estimated = usage.estimated || update.usage.estimated;
}

std::vector<const model::ToolCall*> ChatState::open_calls() const {
  const auto said = std::ranges::find(messages.rbegin(), messages.rend(), model::Role::kAssistant,
                                      &model::Message::role);
  if (said == messages.rend()) return {};
  std::set<std::string_view> answered;
  for (auto later = said.base(); later != messages.end(); ++later) {
    answered.insert(later->tool_call_id);
  }
  std::vector<const model::ToolCall*> open;
  for (const model::ToolCall& call : said->tool_calls) {
    if (!answered.contains(call.id)) open.push_back(&call);
  }
  return open;
}

std::vector<const Sampling*> ChatState::samplings_of(const std::string& call) const {
  std::vector<const Sampling*> out;
  for (const Sampling& one : samplings) {
    if (one.call == call) out.push_back(&one);
  }
  return out;
}

const Offer* ChatState::offer(const std::string& name) const {
  const auto found = std::ranges::find(offers, name, &Offer::name);
  return found == offers.end() ? nullptr : &*found;
}

Json ChatState::to_json() const { return Writer::write(*this); }

Result<ChatState> ChatState::from_json(const Json& saved) {
  return Reader::read<ChatState>(saved, "the saved state of the chat agent");
}

Json ChatState::Update::to_json() const { return Writer::write(*this); }

Result<ChatState::Update> ChatState::Update::from_json(const Json& saved) {
  return Reader::read<Update>(saved, "the saved update of the chat agent");
}

}  // namespace plumbline::agents::chat
