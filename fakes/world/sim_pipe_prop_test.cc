#include "fakes/world/sim_pipe.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "fakes/testing/pipe_log.h"
#include "fakes/world/sim_loop.h"

namespace plumbline::fakes {
namespace {

struct PipeWorld {
  explicit PipeWorld(const PipeOptions& options, Order order, std::uint64_t seed)
      : loop(order, Rng(seed).fork("ties")), pair(make_sim_pipe(loop, options, Rng(seed))) {
    pair.near->start(near);
    pair.far->start(far);
  }
  SimLoop loop;
  PipeLog near;
  PipeLog far;
  SimPipePair pair;
};

PipeOptions any_options() {
  PipeOptions options;
  options.latency_min = Duration(*rc::gen::inRange<std::int64_t>(0, 5));
  options.latency_max = options.latency_min + Duration(*rc::gen::inRange<std::int64_t>(0, 5));
  options.fragments = *rc::gen::element(Fragments::kWhole, Fragments::kRandom, Fragments::kOneByte);
  return options;
}

// However the pipe cuts, joins and delays, and however turns are interleaved with writes, what is
// read in each direction is what was written, and then the end.
RC_GTEST_PROP(SimPipePropTest, FragmentsNeverChangeTheStream, ()) {
  const PipeOptions options = any_options();
  PipeWorld world(options, *rc::gen::element(Order::kFifo, Order::kPermuted),
                  *rc::gen::arbitrary<std::uint64_t>());
  std::string to_far;
  std::string to_near;
  const auto steps = *rc::gen::inRange(0, 60);
  for (int step = 0; step < steps; ++step) {
    const auto bytes = *rc::gen::container<std::string>(rc::gen::arbitrary<char>());
    switch (*rc::gen::inRange(0, 3)) {
      case 0:
        to_far += bytes;
        world.pair.near->write(bytes);
        break;
      case 1:
        to_near += bytes;
        world.pair.far->write(bytes);
        break;
      default:
        if (!world.loop.idle()) world.loop.turn();
    }
  }
  world.pair.near->close_write();
  world.pair.far->close_write();
  RC_ASSERT(world.loop.run_until_idle().ok());
  RC_ASSERT(world.far.text == to_far);
  RC_ASSERT(world.near.text == to_near);
  RC_ASSERT((world.far.ended && !world.far.error));
  RC_ASSERT((world.near.ended && !world.near.error));
}

// A reset after N bytes gives the reader exactly the first N, or all when fewer were written.
RC_GTEST_PROP(SimPipePropTest, AResetCutsAtItsByteWhateverTheFragments, ()) {
  PipeWorld world(any_options(), Order::kFifo, *rc::gen::arbitrary<std::uint64_t>());
  const auto writes = *rc::gen::container<std::vector<std::string>>(
      rc::gen::container<std::string>(rc::gen::inRange('a', 'z')));
  const auto bytes = *rc::gen::inRange<std::size_t>(1, 40);
  world.pair.far->reset_after(bytes);
  std::string all;
  for (const std::string& text : writes) {
    all += text;
    world.pair.near->write(text);
  }
  RC_ASSERT(world.loop.run_until_idle().ok());
  RC_ASSERT(world.far.text == all.substr(0, bytes));
  RC_ASSERT(world.far.error.has_value() == (all.size() >= bytes));
  RC_ASSERT(world.near.error.has_value() == (all.size() >= bytes));
}

TEST(SimPipeFragmentsTest, RandomFragmentsCutAndJoin) {
  bool joined = false;
  bool cut = false;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    PipeWorld world({.fragments = Fragments::kRandom}, Order::kFifo, seed);
    world.pair.near->write("abcd");
    world.pair.near->write("efgh");
    ASSERT_TRUE(world.loop.run_until_idle().ok());
    for (const std::string& piece : world.far.pieces) {
      joined = joined || piece.find("de") != std::string::npos;
      cut = cut || piece.size() < 4;
    }
  }
  EXPECT_TRUE(joined);
  EXPECT_TRUE(cut);
}

}  // namespace
}  // namespace plumbline::fakes
