#include "conformance/peer/reply.h"

#include "conformance/catalogue/outcomes.h"
#include "core/base/text.h"

namespace plumbline::conformance {

namespace {

std::string described(const Json& error) {
  const Json* const number = find(error, "code");
  return "error " + (number == nullptr ? "without a code" : clipped(dump_json(*number))) + " (" +
         clipped(string_or(error, "message", "no message")) + ")";
}

// described_result tells of a tool that fails what it says of it.
std::string described_result(const Json& result) {
  if (!bool_or(result, "isError", false)) return "a result";
  const Json* const content = find(result, "content");
  const bool says = content != nullptr && content->is_array() && !content->empty();
  const std::string text = says ? string_or(content->front(), "text", "") : "";
  return "a result with isError" + (text.empty() ? "" : " (" + clipped(text) + ")");
}

std::string id_in(const Json& message) {
  const Json* const id = find(message, "id");
  return id == nullptr ? " without an id" : " whose id is " + clipped(dump_json(*id));
}

}  // namespace

const Json* Reply::member(const char* name, const char* other) const {
  const Json* const own = find(*message, name);
  const Json* const beside = find(*message, other);
  const bool filler = own != nullptr && own->is_null() && beside != nullptr && !beside->is_null();
  return filler ? nullptr : own;
}

const Json* Reply::error_of_another_id() const {
  for (const KeptJson& other : along) {
    const Json* const error = find(*other, "error");
    if (error != nullptr && error->is_object()) return other.get();  // No text of OAuth.
  }
  return nullptr;
}

std::string Reply::id_of_another_result() const {
  for (const KeptJson& other : along) {
    if (find(*other, "result") && find(*other, "id")) return dump_json(*find(*other, "id"));
  }
  return {};
}

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
      if (const Json* const other = error_of_another_id()) {
        return (status == 0 ? "" : "status " + std::to_string(status) + " and ") +
               described(*find(*other, "error")) + id_in(*other);
      }
      return "no JSON-RPC response" + with_status + because;
    case How::kClosed:
      return "the end of the connection" + because;
    case How::kAnswered:
      break;
  }
  if (const Json* const wrong = error()) return described(*wrong) + with_status;
  return described_result(*result()) + with_status;
}

std::string Reply::outcome() const {
  if (const Json* const wrong = error()) return outcome::of_error(*wrong);
  if (const Json* const right = result()) return std::string(outcome::of_result(*right));
  if (status != 0 && how != How::kClosed) return outcome::of_status(status);
  return std::string(how == How::kSilent ? outcome::kNoResponse : outcome::kEnded);
}

bool is_response(const Json& message) {
  return message.is_object() && !message.contains("method") &&
         (message.contains("result") || message.contains("error"));
}

}  // namespace plumbline::conformance
