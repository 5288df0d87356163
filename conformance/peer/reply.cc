#include "conformance/peer/reply.h"

#include "core/base/text.h"

namespace plumbline::conformance {

std::optional<std::int64_t> Reply::code() const {
  const Json* const wrong = error();
  return wrong == nullptr ? std::nullopt : find_int(*wrong, "code");
}

std::string Reply::describe() const {
  const std::string with_status = status == 0 ? "" : " with status " + std::to_string(status);
  const std::string because = why.empty() ? "" : " (" + clipped(why) + ")";
  switch (how) {
    case How::kSilent:
      return "nothing within " + std::to_string(milliseconds_of(took)) + " ms";
    case How::kEnded:
      return "no JSON-RPC response" + with_status + because;
    case How::kClosed:
      return "the end of the connection" + because;
    case How::kAnswered:
      break;
  }
  if (const Json* const wrong = error()) {
    const Json* const number = find(*wrong, "code");
    return "error " + (number == nullptr ? "without a code" : clipped(dump_json(*number))) + " (" +
           clipped(string_or(*wrong, "message", "no message")) + ")" + with_status;
  }
  return "a result" + with_status;
}

}  // namespace plumbline::conformance
