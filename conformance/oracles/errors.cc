// What errors have to be, and which codes they may have.

#include <algorithm>
#include <array>
#include <string>

#include "conformance/catalogue/outcomes.h"
#include "conformance/oracles/rules.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kMessageBytesMax = 300;
constexpr std::size_t kAskedBytesMax = 4'000;  // Of a request whose error ought to be short.
constexpr std::int64_t kHeaderMismatch = -32020;
constexpr std::int64_t kMissingCapability = -32021;
constexpr std::int64_t kUnsupportedVersion = -32022;

// each_error calls `look` with every error of the judged side.
template <class Look>
void each_error(const Transcript& transcript, const Look& look) {
  each(transcript, [&](const Dialogue& dialogue, const ObservedMessage& said) {
    if (said.is_response() && said.message->contains("error")) look(dialogue, said);
  });
}

// each_code calls `look` with every code of a stateless dialogue that is a whole number.
template <class Look>
void each_code(const Transcript& transcript, const Look& look) {
  each_error(transcript, [&](const Dialogue& dialogue, const ObservedMessage& said) {
    const auto code = find_int(said.error(), "code");
    if (code && dialogue.stateless()) look(dialogue, said, *code);
  });
}

// exceeds returns whether `value` takes more bytes than `left` as text, without the punctuation; it
// looks no further. Of what fits it takes the bytes away.
bool exceeds(const Json& value, std::size_t& left) {
  const auto take = [&left](std::size_t bytes) {
    const bool fits = bytes <= left;
    left -= fits ? bytes : left;
    return !fits;
  };
  if (const auto* const text = value.get_ptr<const Json::string_t*>())
    return take(text->size() + 1);
  if (const auto* const members = value.get_ptr<const Json::object_t*>()) {
    return take(1) || std::ranges::any_of(*members, [&](const auto& member) {
             return take(member.first.size() + 1) || exceeds(member.second, left);
           });
  }
  if (!value.is_array()) return take(1);
  return take(1) ||
         std::ranges::any_of(value, [&](const Json& item) { return exceeds(item, left); });
}

// is_our_size returns whether an error answers a request that is long itself, and may only repeat
// what it was asked for.
bool is_our_size(const Dialogue& dialogue, const ObservedMessage& said) {
  std::size_t left = kAskedBytesMax;
  return said.request != kNoPlace && exceeds(*dialogue.said[said.request].message, left);
}

constexpr const char* kNoError = "it answered nothing with an error";

}  // namespace

Finding errors_have_code_and_message(const Transcript& transcript) {
  Ruling ruling(transcript);
  each_error(transcript, [&](const Dialogue&, const ObservedMessage& said) {
    ruling.sees();
    if (!said.error().is_object()) return ruling.breaks(said, "an error is no object");
    if (find(said.error(), "code") == nullptr) ruling.breaks(said, "an error has no code");
    if (find_string(said.error(), "message")) return;
    ruling.breaks(said, "an error has no message that is a string");
  });
  return ruling.finding(kNoError);
}

Finding error_codes_are_integers(const Transcript& transcript) {
  Ruling ruling(transcript);
  each_error(transcript, [&](const Dialogue&, const ObservedMessage& said) {
    const Json* const code = find(said.error(), "code");
    if (code == nullptr) return;
    ruling.sees();
    if (!as_int(*code)) ruling.breaks(said, "the code " + dump_json(*code) + " is no integer");
  });
  return ruling.finding(kNoError);
}

Finding error_messages_are_concise(const Transcript& transcript) {
  Ruling ruling(transcript);
  each_error(transcript, [&](const Dialogue& dialogue, const ObservedMessage& said) {
    const auto message = find_string(said.error(), "message");
    if (!message) return;
    ruling.sees();
    if (message->empty()) ruling.breaks(said, "an error has an empty message");
    if (message->size() > kMessageBytesMax && !is_our_size(dialogue, said)) {
      ruling.breaks(said, "an error has a message of " + std::to_string(message->size()) +
                              " bytes, expected one short sentence");
    } else if (message->find('\n') != std::string::npos) {
      ruling.breaks(said, "an error has a message of several lines, expected one short sentence",
                    outcome::kSeveralLines);
    }
  });
  return ruling.finding(kNoError);
}

Finding legacy_codes_are_unused(const Transcript& transcript) {
  Ruling ruling(transcript);
  each_code(transcript, [&](const Dialogue&, const ObservedMessage& said, std::int64_t code) {
    ruling.sees();
    if (code > -32000 || code < -32019) return;
    ruling.breaks(said, "the code " + std::to_string(code) + " is one of -32000 to -32019");
  });
  return ruling.finding(kNoError);
}

Finding reserved_codes_are_defined(const Transcript& transcript) {
  Ruling ruling(transcript);
  each_code(transcript, [&](const Dialogue&, const ObservedMessage& said, std::int64_t code) {
    ruling.sees();
    if (code > kHeaderMismatch || code < -32099 || code >= kUnsupportedVersion) return;
    if (code == -32042) return;  // jsonrpc.error-code-retired tells.
    ruling.breaks(said, "the code " + std::to_string(code) + " is reserved and not defined");
  });
  return ruling.finding(kNoError);
}

Finding defined_codes_keep_their_meaning(const Transcript& transcript) {
  Ruling ruling(transcript);
  each_code(transcript, [&](const Dialogue&, const ObservedMessage& said, std::int64_t code) {
    const Json* const data = find(said.error(), "data");
    const Json none = Json::object();
    const Json& details = data == nullptr ? none : *data;
    if (code == kHeaderMismatch) {
      ruling.sees();
      if (!transcript.conversation().http) ruling.breaks(said, "-32020 is about HTTP headers");
    } else if (code == kMissingCapability) {
      ruling.sees();
      const Json* const needed = find(details, "requiredCapabilities");
      if (needed == nullptr || !needed->is_object() || needed->empty()) {
        ruling.breaks(said, "-32021 does not name the missing ones in data.requiredCapabilities");
      }
    } else if (code == kUnsupportedVersion) {
      ruling.sees();
      const Json* const supported = find(details, "supported");
      if (supported == nullptr || !supported->is_array() || !find_string(details, "requested")) {
        ruling.breaks(said, "-32022 needs data.supported and data.requested");
      }
    }
  });
  return ruling.finding("it used none of the codes");
}

Finding retired_codes_are_unused(const Transcript& transcript) {
  Ruling ruling(transcript);
  each_code(transcript, [&](const Dialogue&, const ObservedMessage& said, std::int64_t code) {
    ruling.sees();
    if (code == -32002) ruling.breaks(said, "the code -32002 is retired, not found is -32602");
    if (code == -32042) ruling.breaks(said, "the code -32042 is retired");
  });
  return ruling.finding(kNoError);
}

Finding own_codes_are_outside(const Transcript& transcript) {
  static constexpr std::array<std::int64_t, 5> kStandard = {-32700, -32600, -32601, -32602, -32603};
  Ruling ruling(transcript);
  each_code(transcript, [&](const Dialogue&, const ObservedMessage& said, std::int64_t code) {
    ruling.sees();
    // Those from -32099 on are for the other rules to tell.
    if (code > -32100 || code < -32768 || std::ranges::find(kStandard, code) != kStandard.end()) {
      return;
    }
    ruling.breaks(said, "the code " + std::to_string(code) +
                            " is of the block that JSON-RPC has "
                            "reserved, expected one outside -32768 to -32000");
  });
  return ruling.finding(kNoError);
}

}  // namespace plumbline::conformance
