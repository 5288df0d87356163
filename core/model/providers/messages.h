// Messages is Anthropic's Messages interface.
//
// Source: Anthropic's API reference, Messages: Create a Message, Streaming messages, Errors.

#pragma once

#include "core/model/providers/dialect.h"

namespace plumbline::model {

class Messages final : public Dialect {
 public:
  // implements Dialect ---
  //
  // Images and PDF. The interface wants to know how long an answer may be: 4,096 tokens, where the
  // settings do not say. Arguments that are no JSON object go back as {"arguments_text": ...},
  // since they cannot go back as they are. Messages of nothing are left out: they would be refused.
  // Thinking is asked for where no tools are offered, and takes half of the answer's tokens.
  std::string_view name() const override { return "Messages"; }
  bool takes(std::string_view mime_type) const override;
  Asking ask(const Prompt& prompt, std::string_view model, const Account& account) const override;

  // Of what is not text or a call of a tool, nothing is kept: thinking among it.
  std::unique_ptr<AnswerReader> read(AnswerBuilder& answer) const override;
};

}  // namespace plumbline::model
