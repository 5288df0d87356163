// AnswerBuilder puts one answer together from the pieces that a provider sends, whatever its
// interface, and tells a DeltaReader of them.
//
// What it makes is fit to be sent again: every call has a name, and an id that no other call of the
// conversation has, though some providers leave ids out or begin anew with each answer.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/model.h"

namespace plumbline::model {

class AnswerBuilder {
 public:
  // `reader` may be null, and must outlive the builder. `prompt` is what is answered; nothing of it
  // is kept but ids and its length.
  AnswerBuilder(const Prompt& prompt, DeltaReader* reader);

  // text adds to what the model says.
  void text(std::string_view piece);

  // call_begins opens a call at `place`, as the provider numbers them; a second one at the same
  // place follows the first. call_arguments adds to the one that is open there, call_ends tells the
  // DeltaReader of it. false: there is none.
  void call_begins(std::int64_t place, std::string_view id, std::string_view name);
  bool call_arguments(std::int64_t place, std::string_view piece);
  bool call_ends(std::int64_t place);
  // has_call returns whether one is open at `place`; with an `id`, whether that is its id.
  bool has_call(std::int64_t place, std::string_view id = {}) const;

  // finish says why the answer ends. Calls that are open have ended with it.
  void finish(FinishReason reason);
  // input_tokens and output_tokens are what the provider counted; the last word counts.
  void input_tokens(std::int64_t tokens) { input_tokens_ = tokens; }
  void output_tokens(std::int64_t tokens) { output_tokens_ = tokens; }

  // fail ends the answer; the first Failure is kept.
  void fail(Failure failure);
  void fail(FailureKind kind, std::string message);

  bool failed() const { return failure_.has_value(); }
  bool finished() const { return finish_.has_value(); }

  // take returns the answer, or why there is none: also where nobody has said that it is finished.
  // Tokens that nobody has counted are estimated.
  Completed take();

 private:
  struct Call {
    std::int64_t place = 0;
    std::string provider_id;  // As the provider calls it, which may be nothing.
    bool open = true;
    ToolCall call;
  };

  Call* open_at(std::int64_t place);
  void end(Call& call);
  std::string unused_id(std::string_view proposed);

  DeltaReader* reader_;
  std::int64_t prompt_tokens_;  // An estimate.
  std::set<std::string, std::less<>> ids_;
  std::string text_;
  std::vector<Call> calls_;
  std::optional<FinishReason> finish_;
  std::optional<std::int64_t> input_tokens_;
  std::optional<std::int64_t> output_tokens_;
  std::optional<Failure> failure_;
};

}  // namespace plumbline::model
