// How the interfaces of OpenAI write media, and what a schema must be for them to keep to it.

#pragma once

#include <string>
#include <string_view>

#include "core/json/json.h"
#include "core/model/model.h"

namespace plumbline::model {

bool is_image(std::string_view mime_type);

// audio_format returns "wav" or "mp3"; nothing for any other type.
std::string_view audio_format(std::string_view mime_type);

// data_url returns "data:image/png;base64,...".
std::string data_url(const Media& media);

// is_strict returns whether every object of `schema` requires all its properties and allows no
// other: then a provider can be asked to keep to it strictly.
bool is_strict(const Json& schema);

}  // namespace plumbline::model
