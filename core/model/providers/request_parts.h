// What the requests of several dialects are made of.

#pragma once

#include <string>
#include <string_view>

#include "core/json/json.h"
#include "core/model/model.h"
#include "core/model/providers/dialect.h"

namespace plumbline::model {

bool is_image(std::string_view mime_type);

// audio_format returns "wav" or "mp3"; nothing for any other type.
std::string_view audio_format(std::string_view mime_type);

// data_url returns "data:image/png;base64,...".
std::string data_url(const Media& media);

// is_strict returns whether every object of `schema` requires all its properties and allows no
// other: then a provider can be asked to keep to it strictly.
bool is_strict(const Json& schema);

// openai_headers says who asks, to OpenAI and to who is compatible with it.
wire::HttpHeaders openai_headers(const Account& account);

// function_tools_of writes the tools of a prompt as Chat Completions does, and Ollama.
Json function_tools_of(const Prompt& prompt);

// arguments_as_object returns the arguments of a call where they are a JSON object, else
// {"arguments_text": ...} of them as they stand, for interfaces that take nothing but objects.
Json arguments_as_object(const std::string& arguments);

}  // namespace plumbline::model
