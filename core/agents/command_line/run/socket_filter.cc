#include "core/agents/command_line/run/socket_filter.h"

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

namespace plumbline::agents::command_line {

namespace {

static_assert(std::endian::native == std::endian::little, "arguments are read by their low half");

// Instruction is a struct sock_filter.
struct Instruction {
  std::uint16_t code;
  std::uint8_t if_true;
  std::uint8_t if_false;
  std::uint32_t k;
};
static_assert(sizeof(Instruction) == 8);

using Program = std::vector<Instruction>;

// Where struct seccomp_data has things.
constexpr std::uint32_t kCall = 0;
constexpr std::uint32_t kArchitecture = 4;
constexpr std::uint32_t kFirst = 16;   // The low half of the first argument.
constexpr std::uint32_t kSecond = 24;  // Of the second one.

constexpr std::uint32_t kAllow = 0x7fff0000;
constexpr std::uint32_t kEnd = 0x80000000;
constexpr std::uint32_t kRefuse = 0x00050000U + 97U;      // EAFNOSUPPORT.
constexpr std::uint32_t kNoSuchCall = 0x00050000U + 38U;  // ENOSYS.

constexpr std::uint32_t kIoUringSetup = 425;  // On every processor.

Program load(std::uint32_t offset) { return {{0x20, 0, 0, offset}}; }
Program mask(std::uint32_t bits) { return {{0x54, 0, 0, bits}}; }
Program end_with(std::uint32_t verdict) { return {{0x06, 0, 0, verdict}}; }

// when_is returns what does `then`, which must end, where the loaded value is `k`.
Program when_is(std::uint32_t k, const Program& then) {
  Program out = {{0x15, 0, static_cast<std::uint8_t>(then.size()), k}};
  out.insert(out.end(), then.begin(), then.end());
  return out;
}

Program operator+(Program first, const Program& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

// allow_only ends with kAllow where the loaded value is one of `values`, else with kRefuse.
template <std::size_t N>
Program allow_only(const std::array<std::uint32_t, N>& values) {
  Program out;
  for (const std::uint32_t value : values) out = out + when_is(value, end_with(kAllow));
  return out + end_with(kRefuse);
}

struct Processor {
  std::uint32_t architecture;
  std::uint32_t socket;
  std::uint32_t pair;
  std::uint32_t multiplexed;  // The call that is both by its first argument; 0: there is none.
};

constexpr std::array kProcessors = {
    Processor{0xc000003e, 41, 53, 0},      // x86-64, and x32 beside it.
    Processor{0x40000003, 359, 360, 102},  // i386.
    Processor{0xc00000b7, 198, 199, 0},    // aarch64.
    Processor{0x40000028, 281, 288, 0},    // arm.
    Processor{0xc00000f3, 198, 199, 0},    // riscv64.
};

Program judge_call(const Processor& of) {
  constexpr std::array<std::uint32_t, 3> kFamilies = {2, 10, 16};  // IPv4, IPv6, netlink.
  // Datagrams of a pair could still be sent elsewhere.
  constexpr std::array<std::uint32_t, 2> kStreams = {1, 5};
  constexpr std::uint32_t kTypeBits = 0xf;
  constexpr std::uint32_t kAllButX32 = ~0x40000000U;
  Program out = load(kCall) + mask(kAllButX32) + when_is(kIoUringSetup, end_with(kNoSuchCall)) +
                when_is(of.socket, load(kFirst) + allow_only(kFamilies)) +
                when_is(of.pair, load(kSecond) + mask(kTypeBits) + allow_only(kStreams));
  if (of.multiplexed != 0) {
    // Its arguments lie where nobody can look: programs of our time make both calls by themselves.
    const Program both = when_is(1, end_with(kRefuse)) + when_is(8, end_with(kRefuse));
    out = out + when_is(of.multiplexed, load(kFirst) + both + end_with(kAllow));
  }
  return out + end_with(kAllow);
}

}  // namespace

std::string socket_filter() {
  Program program = load(kArchitecture);
  for (const Processor& processor : kProcessors) {
    program = program + when_is(processor.architecture, judge_call(processor));
  }
  program = program + end_with(kEnd);
  std::string bytes;
  for (const Instruction& one : program) {
    const auto raw = std::bit_cast<std::array<char, sizeof(Instruction)>>(one);
    bytes.append(raw.data(), raw.size());
  }
  return bytes;
}

}  // namespace plumbline::agents::command_line
