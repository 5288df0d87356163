#include "core/os/posix/child/stderr_tail.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/base/words/text_end.h"

namespace plumbline::os {
namespace {

TEST(TailTest, BeginsWithALineWhereMoreWasSaid) {
  Tail tail(20);
  tail.append("password=secret1234\n");
  EXPECT_EQ(tail.text(), "password=secret1234\n");
  tail.append("and more\n");
  EXPECT_EQ(tail.text(), "and more\n") << "what the cut line told of the rest of it is gone";
}

RC_GTEST_PROP(TailPropTest, KeepsTheLastBytesOfWhateverIsAppended, ()) {
  Tail tail(10);
  std::string all;
  for (const auto& piece : *rc::gen::arbitrary<std::vector<std::string>>()) {
    tail.append(piece);
    all += piece;
    RC_ASSERT(tail.text() == end_of(all, 10));
    RC_ASSERT(all.ends_with(tail.text()));
  }
}

}  // namespace
}  // namespace plumbline::os
