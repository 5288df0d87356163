// ChatCompletions is OpenAI's Chat Completions interface, and that of all who are compatible with
// it, at whatever base URL.
//
// Source: OpenAI's API reference, Chat Completions: Create chat completion, and its streaming
// events.

#pragma once

#include "core/model/providers/dialect.h"

namespace plumbline::model {

class ChatCompletions final : public Dialect {
 public:
  // implements Dialect ---
  //
  // Images go as data URLs; audio as input_audio, WAV and MP3. What the result of a tool shows goes
  // in a message of the user behind the results, since a tool's holds text alone. A schema is
  // strict where it is of the kind that the provider can keep to strictly.
  std::string_view name() const override { return "Chat Completions"; }
  bool takes(std::string_view mime_type) const override;
  Asking ask(const Prompt& prompt, std::string_view model, const Account& account) const override;

  // An answer of several choices is its first. A stream is over with [DONE]; without that, one that
  // has told its finish_reason is whole at its end.
  std::unique_ptr<AnswerReader> read(AnswerBuilder& answer) const override;
};

}  // namespace plumbline::model
