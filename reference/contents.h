// What the fixtures of the reference server are made of: content blocks, results, small media.

#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "core/json/json.h"

namespace plumbline::reference {

// document reads JSON that stands in a source file. Aborts when it is none.
Json document(std::string_view text);

// kRedPixel is a PNG of one red pixel, kSilence a WAV of one millisecond, both in base64.
inline constexpr std::string_view kRedPixel =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3A0FDAAAAAElFTkSuQmCC";
inline constexpr std::string_view kSilence =
    "UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA==";

// Content blocks, as they stand in the result of a tool and in the message of a prompt.
Json text_block(std::string text);
Json image_block();
Json audio_block();
Json resource_block(std::string uri, std::string mime_type, std::string text);

// result_of returns the result of a tool that holds one block; text_result one of text.
Json result_of(Json block);
Json text_result(std::string text);

// plain_tool describes a tool without arguments.
Json plain_tool(std::string name, std::string description);

// user_message returns a message of a prompt with the role "user".
Json user_message(Json block);

// contents_of returns the result of reading one resource; `kind` is "text" or "blob".
Json contents_of(std::string uri, std::string mime_type, const char* kind, std::string value);
inline Json text_contents(std::string uri, std::string text) {
  return contents_of(std::move(uri), "text/plain", "text", std::move(text));
}

}  // namespace plumbline::reference
