// Deviations are named protocol bugs of a simulated server: each changes exactly one behaviour of
// a server that is correct otherwise.
//
// A bug in responses spares the answer to initialize, so that a conversation gets far enough to
// show it; the bugs of area "lifecycle" are about that answer.

#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

namespace plumbline::fakes {

// The comments stand in the table of deviations.cc, which is what people are shown.
enum class Deviation : std::uint8_t {
  // JSON-RPC.
  kWrongResponseId,
  kStringIdForNumber,
  kNullId,
  kMissingId,
  kMissingJsonrpc,
  kJsonrpc10,
  kBothResultAndError,
  kNeitherResultNorError,
  kErrorCodeAsString,
  kErrorCodeFraction,
  kErrorWithoutMessage,
  kErrorNotObject,
  kResultNotObject,
  kRepliesTwice,
  kAnswersNotifications,
  kUnknownMethodAsSuccess,
  kBatchReply,
  kParseErrorIgnored,
  // Lifecycle.
  kUnsupportedVersion,
  kEmptyVersion,
  kVersionNumber,
  kMissingVersion,
  kMissingServerInfo,
  kServerInfoWithoutName,
  kMissingCapabilities,
  kCapabilitiesArray,
  kToolsUndeclared,
  kInitializeTwiceAccepted,
  kAnswersBeforeInitialize,
  kRequestBeforeInitialized,
  kRefusesBeforeInitialized,
  kPingUnanswered,
  kPingWithPayload,
  kIgnoresStdinClose,
  // Tools.
  kToolsNotArray,
  kManifestNull,
  kManifestMissing,
  kToolWithoutName,
  kToolNameNumber,
  kToolWithoutSchema,
  kSchemaNotObject,
  kSchemaTypeArray,
  kDuplicateToolNames,
  kListChangedLoop,
  kListChangedUndeclared,
  kUnknownToolAsSuccess,
  kMissingArgumentsAccepted,
  kMissingContent,
  kContentNotArray,
  kUnknownContentType,
  kTextWithoutText,
  kIsErrorAsString,
  kStructuredContentMismatch,
  kStructuredContentMissing,
  kStructuredContentArray,
  kBinaryAsText,
  // Pagination.
  kEndlessCursor,
  kRepeatedCursor,
  kCursorNumber,
  kUnknownCursorAccepted,
  kPageRepeated,
  // Resources, prompts, completion, logging.
  kResourceWithoutUri,
  kUnknownResourceAsSuccess,
  kContentsNotArray,
  kBlobNotBase64,
  kPromptWithoutName,
  kPromptRoleUnknown,
  kPromptArgumentsIgnored,
  kCompletionOverLimit,
  kLogLevelUnknownAccepted,
  // Progress, cancellation, notifications.
  kIgnoresCancel,
  kProgressAfterReply,
  kProgressGoesBack,
  kProgressUnknownToken,
  kUnknownNotification,
  kRequestIdReused,
  // Framing of stdio, and sizes.
  kBlankLines,
  kCrlfLines,
  kBomLine,
  kLogOnStdout,
  kPrettyPrintedJson,
  kTwoMessagesOneLine,
  kInvalidUtf8,
  kHugeResult,
  kDeepResult,
};

inline constexpr std::size_t kDeviationCount = static_cast<std::size_t>(Deviation::kDeepResult) + 1;

struct DeviationInfo {
  Deviation which;
  std::string_view name;  // As scenarios and `plumbline list faults` spell it.
  std::string_view area;
  std::string_view what;  // One sentence about the server.
};

// all_deviations returns the table, in the order of the enum.
std::span<const DeviationInfo> all_deviations();

// find_deviation returns the one called `name`.
std::optional<Deviation> find_deviation(std::string_view name);

// DeviationSet is what one server does wrong.
class DeviationSet {
 public:
  DeviationSet() = default;
  DeviationSet(std::initializer_list<Deviation> list) {
    for (const Deviation one : list) add(one);
  }

  void add(Deviation which) { bits_.set(static_cast<std::size_t>(which)); }
  bool has(Deviation which) const { return bits_.test(static_cast<std::size_t>(which)); }
  bool any() const { return bits_.any(); }

 private:
  std::bitset<kDeviationCount> bits_;
};

}  // namespace plumbline::fakes
