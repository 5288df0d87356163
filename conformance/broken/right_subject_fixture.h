// RightSubject is a correct server of the field that was blamed once, and what is to be said of it.

#pragma once

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "conformance/broken/deviant_world.h"
#include "conformance/broken/deviation.h"

namespace plumbline::conformance {

// Each is not wrong for the rule of its id, which is to have this verdict.
struct RightSubject {
  Deviation server;
  Verdict expected;
  std::string_view beside = {};  // Another rule, whose check makes the server show it.
  bool writes = false;           // The judge may call tools that write.
};

inline void PrintTo(const RightSubject& one, std::ostream* out) { *out << one.server.what; }

inline void expect_not_blamed(const RightSubject& one) {
  DeviantWorld world(one.server.transport, &one.server);
  JudgeOptions options;
  options.revision = std::string(one.server.revision);
  options.selection.only = {std::string(one.server.id)};
  options.probe.allow_writes = one.writes;
  if (!one.beside.empty()) options.selection.only.emplace_back(one.beside);
  const Judgement judgement = world.judge(std::move(options));
  const auto row = std::ranges::find(judgement.results, one.server.id, &CheckResult::id);
  ASSERT_NE(row, judgement.results.end());
  EXPECT_EQ(name_of(row->verdict), name_of(one.expected)) << row->message;
}

}  // namespace plumbline::conformance
