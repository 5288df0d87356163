// The prompts, and completion of their arguments.

#include <array>
#include <string>
#include <string_view>
#include <utility>

#include "reference/contents.h"
#include "reference/offer.h"
#include "reference/questions.h"

namespace plumbline::reference {

namespace {

using mcp::at_once;
using mcp::Reply;
using mcp::ServerCall;

Json prompt_of(const char* name, const char* what) {
  Json prompt(Json::value_t::object);
  prompt["name"] = name;
  prompt["description"] = what;
  return prompt;
}

Json with_argument(Json prompt, const char* name, const char* what) {
  Json argument = prompt_of(name, what);
  argument["required"] = true;
  prompt["arguments"].push_back(std::move(argument));
  return prompt;
}

Json messages_of(Json first) {
  Json result(Json::value_t::object);
  result["messages"] = Json::array();
  result["messages"].push_back(user_message(std::move(first)));
  return result;
}

std::string prompt_argument(const Json& params, const char* name) {
  const Json* const arguments = find(params, "arguments");
  return arguments ? string_or(*arguments, name, "") : "";
}

Reply<Json> with_arguments(const Json& params) {
  return messages_of(text_block("Prompt with arguments: arg1='" + prompt_argument(params, "arg1") +
                                "', arg2='" + prompt_argument(params, "arg2") + "'"));
}

Reply<Json> with_resource(const Json& params) {
  Json result = messages_of(resource_block(prompt_argument(params, "resourceUri"), "text/plain",
                                           "Embedded resource content for testing."));
  result["messages"].push_back(
      user_message(text_block("Please process the embedded resource above.")));
  return result;
}

Reply<Json> with_image(const Json&) {
  Json result = messages_of(image_block());
  result["messages"].push_back(user_message(text_block("Please analyze the image above.")));
  return result;
}

Task<Reply<Json>> with_context(ServerCall call, Loop& loop) {
  Json question = form("What context should the prompt use?", "context", "string");
  Reply<Json> answer =
      co_await ask_checked(call, "user_context", "elicitation/create", std::move(question),
                           after(loop.now(), limits::kRequestTimeout));
  if (!answer.ok()) co_return std::move(answer);
  co_return messages_of(text_block("Context: " + filled_in(answer.value(), "context")));
}

// What there is to complete with: words for prompts, numbers for the template.
constexpr std::array<std::string_view, 6> kWords = {"paris",  "park",    "party",
                                                    "tester", "testing", "tests"};
constexpr std::array<std::string_view, 3> kNumbers = {"1", "12", "123"};

// Spec 2025-11-25, server/utilities/completion.
Reply<Json> complete_argument(const Json& params) {
  const std::string typed = string_or(*find(params, "argument"), "value", "");
  const bool prompt = string_or(*find(params, "ref"), "type", "") == "ref/prompt";
  Json values = Json::array();
  const auto add = [&values, &typed](std::string_view candidate) {
    if (candidate.starts_with(typed)) values.push_back(candidate);
  };
  for (const std::string_view word : kWords) {
    if (prompt) add(word);
  }
  for (const std::string_view number : kNumbers) {
    if (!prompt) add(number);
  }
  Json result(Json::value_t::object);
  Json& completion = result["completion"];
  completion["total"] = values.size();
  completion["hasMore"] = false;
  completion["values"] = std::move(values);
  return result;
}

}  // namespace

void add_prompts(Offer& offer) {
  Loop& loop = offer.loop();
  Json simple = messages_of(text_block("This is a simple prompt for testing."));
  offer.prompt(prompt_of("test_simple_prompt", "A prompt without arguments"),
               at_once([simple](const Json&) -> Reply<Json> { return simple; }));
  Json two = with_argument(prompt_of("test_prompt_with_arguments", "A prompt of two arguments"),
                           "arg1", "First test argument");
  two = with_argument(std::move(two), "arg2", "Second test argument");
  offer.prompt(std::move(two), at_once(with_arguments));
  offer.prompt(with_argument(prompt_of("test_prompt_with_embedded_resource",
                                       "A prompt that embeds the resource named"),
                             "resourceUri", "URI of the resource to embed"),
               at_once(with_resource));
  offer.prompt(prompt_of("test_prompt_with_image", "A prompt with an image"), at_once(with_image));
  offer.prompt(prompt_of("test_input_required_result_prompt", "A prompt that asks the user"),
               [&loop](ServerCall call) { return with_context(std::move(call), loop); });
  offer.options.completions = true;
  offer.answer("completion/complete", "", at_once(complete_argument));
}

}  // namespace plumbline::reference
