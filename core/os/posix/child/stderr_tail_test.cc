#include "core/os/posix/child/stderr_tail.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace plumbline::os {
namespace {

RC_GTEST_PROP(TailPropTest, KeepsTheLastBytesOfWhateverIsAppended, ()) {
  Tail tail(10);
  std::string all;
  for (const auto& piece : *rc::gen::arbitrary<std::vector<std::string>>()) {
    tail.append(piece);
    all += piece;
    RC_ASSERT(tail.text() == all.substr(all.size() - std::min<std::size_t>(all.size(), 10)));
  }
}

}  // namespace
}  // namespace plumbline::os
