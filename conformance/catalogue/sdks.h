// What servers are built with: sdks.tsv says by which signs an SDK is known, and what every server
// on it does whatever its author writes. It was measured on bare servers of each SDK, which do
// nothing by themselves, and on servers of others built on it (tests/field): a habit is what each
// of them showed, over that transport, with the same verdict for the same reason (outcomes.h).

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "core/events/check_result.h"

namespace plumbline::conformance {

// SdkSign is something that no other software says, or (weak) hardly any. In `trait` a * stands for
// anything: "error METHOD CODE MESSAGE", "header NAME VALUE", "server NAME" and "description TEXT"
// of serverInfo, "result MEMBER" of what initialize is answered with, "garbage TEXT" of what is no
// JSON.
struct SdkSign {
  std::string_view trait;
  // Capabilities, "completions, logging", or another trait: without them, others say so too.
  std::string_view beside;
  std::string_view words;  // The same for people.
  bool weak = false;       // It counts where no SDK shows another sign.
};

struct SdkHabit {
  std::string_view id;       // Of the check that tells of it.
  std::string_view over;     // The transports: "stdio, sse".
  std::string_view verdict;  // "fail" or "warn". Of a setting empty: it is either.
  std::string_view reason;   // Of the finding: outcomes.h. Of a setting empty: it is any.
  std::string_view words;    // What a user of the SDK can do. May be empty.
};

struct Sdk {
  std::string_view name;
  std::string_view seen;  // The versions that were measured.
  std::string_view on;    // Another SDK that it is built on. May be empty.
  // The server of tests/field/servers on it that does nothing by itself. Empty: there was none, so
  // that of what is no habit nobody knows whose it is.
  std::string_view bare;
  std::vector<SdkSign> signs;
  std::vector<SdkHabit> habits;
  std::vector<SdkHabit> settings;  // What its user has to switch on, and how.
};

// sdks returns every SDK of the table.
std::span<const Sdk> sdks();

// habit_in returns the one of `habits` that `row` tells of; null: it tells of none.
const SdkHabit* habit_in(std::span<const SdkHabit> habits, const CheckResult& row);

}  // namespace plumbline::conformance
