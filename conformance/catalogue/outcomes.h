// Outcomes: what came where something else was expected, in one word that stays when our sentences
// change. It is the reason of a finding, and by it sdks.tsv knows the habits of an SDK.
//
// Of an answer it is kResult, kFailedResult, kNoResponse, kEnded, kArray, the code of its error or
// its HTTP status; of a message that breaks a rule by itself the method that it belongs to, unless
// one of the others says more.

#pragma once

#include <string>
#include <string_view>

#include "core/json/json.h"

namespace plumbline::conformance::outcome {

inline constexpr std::string_view kResult = "result";
inline constexpr std::string_view kFailedResult = "failed-result";  // It has isError.
inline constexpr std::string_view kEmptyResult = "empty-result";    // Without what it is for.
inline constexpr std::string_view kNoResponse = "no-response";
inline constexpr std::string_view kEnded = "ended";  // It no longer answers.
inline constexpr std::string_view kArray = "array";  // Of messages.
inline constexpr std::string_view kUnaskedResponse = "unasked-response";
inline constexpr std::string_view kNoMessage = "no-message";
inline constexpr std::string_view kMessageFirst = "message-first";      // A stream begins with it.
inline constexpr std::string_view kSeveralLines = "several-lines";      // Of an error's message.
inline constexpr std::string_view kUndatedVersion = "undated-version";  // That was asked for.
inline constexpr std::string_view kDraft7 = "draft-07";                 // Of JSON Schema.

// lists returns whether `item` is one of "a, b, c".
bool lists(std::string_view list, std::string_view item);

// with_reason adds `reason` to "a, b, c", once. A finding about several messages has every one.
std::string with_reason(std::string reasons, std::string_view reason);

// of_error returns "error-32602", or "error" for one without a whole number as its code.
std::string of_error(const Json& error);

// of_result returns kResult or kFailedResult.
std::string_view of_result(const Json& result);

// of_status returns "status-400".
std::string of_status(int status);

// is_outcome returns whether `text` is one: of those above, an error, a status or a method.
bool is_outcome(std::string_view text);

}  // namespace plumbline::conformance::outcome
