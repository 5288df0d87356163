// Responses is OpenAI's Responses interface, with nothing kept at the provider: each request has
// the whole conversation.
//
// Source: OpenAI's API reference, Responses: Create a model response, and its streaming events.

#pragma once

#include "core/model/providers/dialect.h"

namespace plumbline::model {

class Responses final : public Dialect {
 public:
  // implements Dialect ---
  //
  // Images and PDF, also as what a tool returns. A schema is strict where it is of the kind that
  // the provider can keep to strictly.
  std::string_view name() const override { return "Responses"; }
  bool takes(std::string_view mime_type) const override;
  Asking ask(const Prompt& prompt, std::string_view model, const Account& account) const override;

  // Of items that are neither messages nor calls of functions, nothing is kept.
  std::unique_ptr<AnswerReader> read(AnswerBuilder& answer) const override;
};

}  // namespace plumbline::model
