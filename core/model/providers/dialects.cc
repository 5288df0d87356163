#include "core/model/providers/dialects.h"

#include <utility>

#include "core/base/check.h"
#include "core/model/providers/chat_completions.h"
#include "core/model/providers/messages.h"
#include "core/model/providers/ollama.h"
#include "core/model/providers/responses.h"

namespace plumbline::model {

const Dialect& dialect_of(Interface interface) {
  static const ChatCompletions kChatCompletions;
  static const Responses kResponses;
  static const Messages kMessages;
  static const Ollama kOllama;
  switch (interface) {
    case Interface::kChatCompletions:
      return kChatCompletions;
    case Interface::kResponses:
      return kResponses;
    case Interface::kMessages:
      return kMessages;
    case Interface::kOllama:
      return kOllama;
  }
  check(false, "an interface that nobody speaks");
  return kChatCompletions;
}

Account account_for(const Provider& provider, const ModelInfo& info, std::string key) {
  return {.base = provider.url,
          .key = std::move(key),
          .organization = provider.organization,
          .project = provider.project,
          .window_tokens = info.window_tokens};
}

}  // namespace plumbline::model
