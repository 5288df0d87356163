// Other people's records of a session, and our own traces, as recordings.

#pragma once

#include <cstddef>
#include <string_view>

#include "core/base/result.h"
#include "core/json/json.h"
#include "scenarios/record/recorder.h"

namespace plumbline::scenarios {

// import_har writes the entries of an HTTP archive (HAR 1.2, as browsers and mitmproxy save it)
// that carry messages of JSON-RPC, WebSockets as Chromium notes them among them, and returns how
// many messages there are. Times are those of the archive. kInvalidInput: it is none, or has none.
Result<std::size_t> import_har(const Json& archive, Recorder& recorder);

// import_trace writes the messages of a `--trace` file, a session for each connection, and returns
// how many there are. kInvalidInput: "line 7: ...", or it has none.
Result<std::size_t> import_trace(std::string_view text, Recorder& recorder);

}  // namespace plumbline::scenarios
