// Does one of the fixed pieces of work, for guard_test.mjs to measure:
//
//   plumbline_guard list           the pieces: a name and how many times it is done, a line each
//   plumbline_guard built          what this program was made with
//   plumbline_guard PIECE          does it; prints how many allocations that took
//
// Instructions are those within guard_measured(), which callgrind is told by name. System calls are
// those between the two files that are looked for, which are never there.

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "bench/guard/work.h"
#include "core/json/json.h"

namespace {

std::size_t allocations = 0;

void* counted(std::size_t size) {
  ++allocations;
  void* const block = std::malloc(size == 0 ? 1 : size);
  if (block == nullptr) std::abort();
  return block;
}

}  // namespace

void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t /*size*/) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t /*size*/) noexcept { std::free(block); }

extern "C" [[gnu::noinline]] void guard_measured(plumbline::guard::Work& work, int times) {
  for (int i = 0; i < times; ++i) work.once();
}

namespace plumbline::guard {
namespace {

constexpr int kWarmUps = 3;

Pieces all_pieces() {
  Pieces all = world_pieces();
  for (const Pieces& more : {message_pieces(), value_pieces()}) {
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

// mark looks for a file that is not there: whoever traces the program sees it.
void mark(const char* path) {
  std::FILE* const file = std::fopen(path, "r");
  if (file != nullptr) std::fclose(file);
}

void measure(const Piece& piece) {
  const std::unique_ptr<Work> work = piece.make();
  for (int i = 0; i < kWarmUps; ++i) work->once();
  const std::size_t before = allocations;
  mark("/plumbline-guard/begin");
  guard_measured(*work, piece.times);
  mark("/plumbline-guard/end");
  std::printf("%zu\n", allocations - before);
}

void print_built() {
#ifdef __clang__
  const std::string compiler = "clang " + std::to_string(__clang_major__);
#else
  const std::string compiler = "g++ " + std::to_string(__GNUC__);
#endif
  std::printf("%s %s, libstdc++ %ld, nlohmann-json %d.%d.%d\n", compiler.c_str(), GUARD_BUILD_TYPE,
              static_cast<long>(__GLIBCXX__), NLOHMANN_JSON_VERSION_MAJOR,
              NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH);
}

int run(const std::string& word) {
  const Pieces all = all_pieces();
  if (word == "built") {
    print_built();
    return 0;
  }
  if (word == "list") {
    for (const Piece& piece : all) {
      std::printf("%s %d\n", std::string(piece.name).c_str(), piece.times);
    }
    return 0;
  }
  const auto found =
      std::ranges::find_if(all, [&word](const Piece& piece) { return piece.name == word; });
  if (found == all.end()) {
    std::fprintf(stderr, "usage: plumbline_guard list | built | PIECE\n");
    return 2;
  }
  measure(*found);
  return 0;
}

}  // namespace
}  // namespace plumbline::guard

int main(int count, char** words) { return plumbline::guard::run(count == 2 ? words[1] : ""); }
