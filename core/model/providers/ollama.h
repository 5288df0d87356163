// Ollama is the interface of an Ollama server.
//
// Source: Ollama's API documentation, Generate a chat completion, Streaming, Errors.

#pragma once

#include "core/model/providers/dialect.h"

namespace plumbline::model {

class Ollama final : public Dialect {
 public:
  // implements Dialect ---
  //
  // Images alone. The account's window_tokens go as num_ctx: without it the server forgets, without
  // a word, what is beyond some thousand tokens. Arguments that are no JSON object go back as
  // {"arguments_text": ...}.
  std::string_view name() const override { return "Ollama"; }
  Framing framing() const override { return Framing::kLines; }
  bool takes(std::string_view mime_type) const override;
  Asking ask(const Prompt& prompt, std::string_view model, const Account& account) const override;

  // A stream is over with the line that says "done": true. Of thinking nothing is kept.
  std::unique_ptr<AnswerReader> read(AnswerBuilder& answer) const override;
};

}  // namespace plumbline::model
