// What servers ask of the model (sampling/createMessage) while a call of theirs is under way.
//
// A server asks in the middle of a call, and a person may take a day to answer. So the question is
// turned down at first, and kept; a person sees all of it; then the call is made again, and the
// same question, and no other, gets the model's answer. Nothing of the conversation goes with it.
//
// Spec 2025-11-25, client/sampling (SHOULD: a human who can deny it, and sees the prompt); spec
// 2026-07-28, client/sampling, where the call comes back for its answer anyway.

#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/agents/approvals/approval.h"
#include "core/agents/chat/chat_services.h"
#include "core/base/flight.h"
#include "core/base/task_group.h"
#include "core/mcp/protocol/failure.h"

namespace plumbline::agents::chat {

inline constexpr std::size_t kQuestionsCallMax = 4;  // Of one call's server to the model.

// sample_action returns the question as a person approves it: all of it but its _meta.
approvals::Action sample_action(std::string server, std::string tool, const Json& params);

// sample_prompt reads the question as a prompt for our model. kInvalidParams: it has none of the
// form that the specification gives it, tools (which were not declared), or more than we take.
mcp::Reply<model::Prompt> sample_prompt(const Json& params, const ChatServices& services);

// SampleDesk is where the questions of one user's servers come in.
class SampleDesk {
 public:
  class Visit;

  // answer is the handler of a client that is connected to `server`. A question that belongs to no
  // call, or may belong to several, is turned down.
  Task<mcp::Reply<Json>> answer(std::string server, Json params);

 private:
  // Answering is a question that the model has, as long as somebody waits for what it says.
  struct Answering {
    explicit Answering(Loop& loop) : done(loop) { done.begin(); }

    std::optional<mcp::Reply<Json>> reply;
    Flight done;
  };
  class Place;

  Answering* waiting(int number);

  std::vector<Visit*> visits_;
  std::map<int, Answering> answering_;
  int last_number_ = 0;
};

// Visit is one call under way, and what its server may ask.
class SampleDesk::Visit {
 public:
  struct Call {
    std::string server;
    std::string tool;
    std::vector<std::string> approved;  // The digests of what may be asked (sample_action).
    Instant until;                      // When an answer of the model is given up.
    std::string traceparent;            // As Prompt has it.
  };

  // All must outlive it. Its end stops the model.
  Visit(SampleDesk& desk, Loop& loop, const ChatServices& services, Call call);
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;
  ~Visit();

  // turned_down returns the first question that nobody has approved; nullptr: there was none.
  const Json* turned_down() const { return turned_down_ ? &*turned_down_ : nullptr; }
  const model::Usage& usage() const { return usage_; }

 private:
  friend class SampleDesk;

  bool may_be_asked(const Json& params);
  void ask(int number, model::Prompt prompt);
  Task<void> complete(int number, model::Prompt prompt);

  SampleDesk& desk_;
  Loop& loop_;
  const ChatServices& services_;
  Call call_;
  std::optional<Json> turned_down_;
  model::Usage usage_;
  std::vector<int> asked_;  // By number.
  TaskGroup asking_;        // Last: dropped first.
};

}  // namespace plumbline::agents::chat
