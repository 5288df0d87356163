#include "core/model/context/trim.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "core/model/conversation.h"
#include "core/model/tokens.h"

namespace plumbline::model {

namespace {

// Round is what stays or goes as one: a message, or calls with their answers.
struct Round {
  std::vector<Message> messages{};
  std::int64_t tokens = 0;
  bool stays = false;
  bool gone = false;

  Role role() const { return messages.front().role; }
};

std::vector<Round> rounds_of(std::vector<Message> messages) {
  std::vector<Round> rounds;
  for (Message& message : messages) {
    if (message.role != Role::kTool) rounds.emplace_back();
    rounds.back().tokens += estimated_tokens(message);
    rounds.back().messages.push_back(std::move(message));
  }
  return rounds;
}

// mark_what_stays returns where the user's newest message is; rounds.size(): nowhere.
std::size_t mark_what_stays(std::vector<Round>& rounds) {
  std::size_t newest = rounds.size();
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    if (rounds[i].role() == Role::kUser) newest = i;
    rounds[i].stays = rounds[i].role() == Role::kSystem;
  }
  if (newest < rounds.size()) rounds[newest].stays = true;
  if (!rounds.empty()) rounds.back().stays = true;
  return newest;
}

// drop_the_oldest lets rounds go until the rest fits. Returns what that has.
std::int64_t drop_the_oldest(std::vector<Round>& rounds, std::size_t newest, std::int64_t tokens,
                             std::int64_t budget_tokens) {
  bool dropped = false;  // Of what is before the newest message of the user.
  for (std::size_t i = 0; i < rounds.size(); ++i) {
    Round& round = rounds[i];
    if (round.stays) continue;
    const bool headless = dropped && i < newest && round.role() != Role::kUser;
    if (tokens <= budget_tokens && !headless) break;
    round.gone = true;
    tokens -= round.tokens;
    dropped = dropped || i < newest;
  }
  return tokens;
}

}  // namespace

std::variant<Trimmed, Failure> trim(std::vector<Message> messages, const ToolOffers& tools,
                                    std::int64_t budget_tokens) {
  if (const std::optional<std::string> fault = fault_of(messages)) {
    return Failure{.kind = FailureKind::kInvalidRequest,
                   .message = "the conversation is not valid: " + *fault};
  }
  std::int64_t tokens = 0;
  for (const ToolOffer& tool : tools) tokens += estimated_tokens(tool);
  std::vector<Round> rounds = rounds_of(std::move(messages));
  for (const Round& round : rounds) tokens += round.tokens;
  const std::size_t newest = mark_what_stays(rounds);
  tokens = drop_the_oldest(rounds, newest, tokens, budget_tokens);
  if (tokens > budget_tokens) {
    return Failure{.kind = FailureKind::kTooLong,
                   .message = "what has to stay has about " + std::to_string(tokens) + " tokens, " +
                              std::to_string(budget_tokens) + " are allowed"};
  }
  Trimmed trimmed{.tokens = tokens};
  for (Round& round : rounds) {
    std::vector<Message>& to = round.gone ? trimmed.dropped : trimmed.kept;
    for (Message& message : round.messages) to.push_back(std::move(message));
  }
  return trimmed;
}

}  // namespace plumbline::model
