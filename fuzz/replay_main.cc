// Runs a fuzz target without libFuzzer, over the files of a folder and over what comes of each when
// it is cut, doubled or has bytes changed; always the same. For every run of the tests.
//
// NAME_replay FOLDER [VARIANTS]

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/base/rng.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

constexpr int kVariantsUsual = 300;  // Of each file.

void run(const std::string& input) {
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

std::string varied(std::string input, plumbline::Rng& rng) {
  for (std::uint64_t changes = 1 + rng.below(4); changes > 0 && !input.empty(); --changes) {
    const auto at = static_cast<std::size_t>(rng.below(input.size()));
    switch (rng.below(4)) {
      case 0:
        input[at] = static_cast<char>(rng.below(256));
        break;
      case 1:
        input.erase(at, static_cast<std::size_t>(rng.below(8)));
        break;
      case 2:
        input.insert(at, input.substr(at, static_cast<std::size_t>(rng.below(16))));
        break;
      default:
        input.resize(at);
    }
  }
  return input;
}

}  // namespace

int main(int argc, char** argv) {
  const int variants = argc == 3 ? std::atoi(argv[2]) : kVariantsUsual;
  if (argc < 2 || argc > 3 || variants < 1 || !std::filesystem::is_directory(argv[1])) {
    std::fprintf(stderr, "usage: %s FOLDER [VARIANTS]\n", argv[0]);
    return 2;
  }
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1])) files.push_back(entry);
  std::ranges::sort(files);
  plumbline::Rng rng(2026);
  for (const std::filesystem::path& path : files) {
    std::ifstream file(path, std::ios::binary);
    const std::string input{std::istreambuf_iterator<char>(file), {}};
    run(input);
    for (int i = 0; i < variants; ++i) run(varied(input, rng));
  }
  std::printf("%zu files, %zu inputs\n", files.size(),
              files.size() * static_cast<std::size_t>(variants + 1));
  return files.empty() ? 1 : 0;
}
