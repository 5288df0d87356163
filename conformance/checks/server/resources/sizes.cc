// Sizes of resources, as lists and links tell them: schema, Resource.size.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "conformance/checks/server/check.h"
#include "conformance/checks/server/judgements.h"
#include "conformance/checks/server/probe.h"
#include "conformance/checks/server/shapes.h"
#include "core/base/base64.h"

namespace plumbline::conformance {

namespace {

constexpr std::size_t kBytesMin = 16;  // Of less, a size that has changed may be anything.
// How characters begin in UTF-8 that no encoding has as one byte: those from U+3000 to U+DFFF, and
// from U+10000 on.
constexpr unsigned char kFirstWide = 0xE3;
constexpr unsigned char kLastWide = 0xED;
constexpr unsigned char kFirstOfFour = 0xF0;

// Units are the ways to count a text.
struct Units {
  std::size_t characters = 0;
  std::size_t utf16 = 0;
  bool has_wide = false;  // One that is more than a byte in any encoding.
};

Units units_of(std::string_view text) {
  Units units;
  for (const char each : text) {
    const auto byte = static_cast<unsigned char>(each);
    if ((byte & 0xC0U) == 0x80U) continue;
    ++units.characters;
    units.utf16 += byte >= kFirstOfFour ? 2 : 1;
    const bool wide = (byte >= kFirstWide && byte <= kLastWide) || byte >= kFirstOfFour;
    units.has_wide = units.has_wide || wide;
  }
  return units;
}

// mistake_in_size says what `size` is in place of the bytes of an entry; empty: it is right, or
// nobody can tell. What is read may have changed since it was listed, and the file behind a text
// may be in another encoding: only what comes of counting something else is a mistake.
std::string mistake_in_size(std::size_t size, const Json& entry) {
  if (const auto blob = find_string(entry, "blob")) {
    const auto bytes = decode_base64(*blob);
    if (!bytes || bytes->size() < kBytesMin || size != blob->size()) return "";
    return "that is the length of the blob in base64, which is " + std::to_string(bytes->size()) +
           " bytes";
  }
  const auto text = find_string(entry, "text");
  if (!text || text->size() < kBytesMin) return "";
  const Units units = units_of(*text);
  if (!units.has_wide || (size != units.characters && size != units.utf16)) return "";
  return "that is the number of its characters, which are " + std::to_string(text->size()) +
         " bytes in UTF-8";
}

// Sized is a resource of which a list or a result says how large it is.
struct Sized {
  const Json* item;
  std::string uri;
  std::size_t size;
  const char* says;
};

std::vector<Sized> sized_in(const Survey& survey, const Exercise& exercise) {
  std::vector<Sized> found;
  const auto take = [&found](const Json& item, const char* says) {
    std::string uri = string_or(item, "uri", "");
    const std::int64_t size = int_or(item, "size", -1);
    if (uri.empty() || size < 0) return;
    found.push_back({&item, std::move(uri), static_cast<std::size_t>(size), says});
  };
  for (const Json& resource : survey.resources.items) take(resource, "is listed");
  for (const Call* const call : exercise.completed("tools/call")) {
    const Json* const content = find(*call->complete(), "content");
    if (content == nullptr || !content->is_array()) continue;
    for (const Json& block : *content) {
      if (string_or(block, "type", "") == "resource_link") take(block, "is linked to");
    }
  }
  return found;
}

// call_that_read returns the call that has read a resource as one text or blob; nullptr: there is
// none.
const Call* call_that_read(const Exercise& exercise, const std::string& uri) {
  for (const Call* const call : exercise.completed("resources/read")) {
    const Json* const contents = find(*call->complete(), "contents");
    const bool one = contents != nullptr && contents->is_array() && contents->size() == 1;
    if (one && string_or(call->params, "uri", "") == uri) return call;
  }
  return nullptr;
}

Task<Finding> counts_bytes(Probe& probe) {
  const Exercise& exercise = *co_await probe.exercise();
  Tally tally;
  for (const Sized& sized : sized_in(probe.survey(), exercise)) {
    const Call* const call = call_that_read(exercise, sized.uri);
    if (call == nullptr) continue;
    tally.saw();
    const std::string wrong = mistake_in_size(sized.size, (*call->complete())["contents"].front());
    if (wrong.empty()) continue;
    std::vector<Evidence> evidence = call->evidence;
    for (Evidence& line : evidence_of(*sized.item)) evidence.push_back(std::move(line));
    tally.wrong("\"" + shortened(sized.uri) + "\" " + sized.says + " with the size " +
                    std::to_string(sized.size) + ": " + wrong + "; expected its raw bytes",
                std::move(evidence));
  }
  co_return tally.finding("nothing that was read has a size");
}

constexpr ServerCheck kSizesChecks[] = {
    {"resources.size-in-bytes", Eras::kBoth, SessionUse::kOpens, counts_bytes},
};

}  // namespace

ServerChecks sizes_checks() { return kSizesChecks; }

}  // namespace plumbline::conformance
