// What the linker lays out can be loaded. glibc's loader makes the pages of GNU_RELRO read-only
// when it has relocated them (_dl_protect_relro): both ends are rounded down to pages, and where
// one page is not mapped the program ends before main(), "cannot apply additional memory
// protection".

#include <elf.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace {

constexpr std::size_t kBeginning = 64U << 10U;  // Linkers put program headers in front.

std::string beginning_of(const std::string& path) {
  std::string bytes(kBeginning, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

// HeadersOf is the program headers of an executable, none where it is not one for 64 bits.
struct HeadersOf {
  explicit HeadersOf(const std::string& program) {
    Elf64_Ehdr header;
    if (program.size() < sizeof header) return;
    std::memcpy(&header, program.data(), sizeof header);
    if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) return;
    if (header.e_ident[EI_CLASS] != ELFCLASS64) return;
    offset = header.e_phoff;
    const std::size_t bytes = header.e_phnum * sizeof(Elf64_Phdr);
    if (offset + bytes > program.size()) return;
    all.resize(header.e_phnum);
    std::memcpy(all.data(), program.data() + offset, bytes);
  }

  std::size_t offset = 0;
  std::vector<Elf64_Phdr> all;
};

std::string in_hex(std::uint64_t number) {
  std::string text;
  for (; number != 0 || text.empty(); number /= 16) text += "0123456789abcdef"[number % 16];
  return "0x" + std::string(text.rbegin(), text.rend());
}

// what_is_wrong says which page of GNU_RELRO lies in no writable segment; empty: none.
std::string what_is_wrong(const std::string& program) {
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const auto down = [page](std::uint64_t address) { return address / page * page; };
  const std::vector<Elf64_Phdr> headers = HeadersOf(program).all;
  if (headers.empty()) return "no program headers";
  for (const Elf64_Phdr& relro : headers) {
    if (relro.p_type != PT_GNU_RELRO) continue;
    const std::uint64_t end = down(relro.p_vaddr + relro.p_memsz);
    for (std::uint64_t at = down(relro.p_vaddr); at < end; at += page) {
      const bool mapped = std::ranges::any_of(headers, [&](const Elf64_Phdr& load) {
        return load.p_type == PT_LOAD && (load.p_flags & PF_W) != 0 && at >= down(load.p_vaddr) &&
               at < down(load.p_vaddr + load.p_memsz + page - 1);
      });
      if (!mapped) return "the page " + in_hex(at) + " of GNU_RELRO is in no writable segment";
    }
  }
  return {};
}

// with_relro returns `program` with GNU_RELRO moved and stretched by so many bytes.
std::string with_relro(std::string program, std::int64_t moved, std::int64_t stretched) {
  HeadersOf headers(program);
  for (Elf64_Phdr& header : headers.all) {
    if (header.p_type != PT_GNU_RELRO) continue;
    header.p_vaddr += static_cast<std::uint64_t>(moved);
    header.p_memsz += static_cast<std::uint64_t>(stretched);
  }
  std::memcpy(program.data() + headers.offset, headers.all.data(),
              headers.all.size() * sizeof(Elf64_Phdr));
  return program;
}

// The list is made when the build is configured (CMakeLists.txt); who builds few targets has few.
TEST(ProgramHeadersTest, EveryExecutableThatIsBuiltCanBeLoaded) {
  std::ifstream list(BINARY_ROOT "/executables.txt");
  int read = 0;
  for (std::string path; std::getline(list, path);) {
    const std::string program = beginning_of(path);
    if (program.empty()) continue;
    ++read;
    EXPECT_EQ(what_is_wrong(program), "") << path;
  }
  EXPECT_GT(read, 1) << "executables in " << BINARY_ROOT "/executables.txt";
}

TEST(ProgramHeadersTest, APageOutsideTheSegmentIsFound) {
  const std::string program = beginning_of(PLUMBLINE_PROGRAM);
  ASSERT_EQ(what_is_wrong(program), "");
  const std::vector<Elf64_Phdr> headers = HeadersOf(program).all;
  const auto of = [&](Elf64_Word type) {
    return *std::ranges::find(headers, type, &Elf64_Phdr::p_type);
  };
  const Elf64_Phdr relro = of(PT_GNU_RELRO);
  ASSERT_GT(relro.p_memsz, 0U);
  // As mold laid it: from the end of a .tbss, four bytes before the first page of the segment.
  const std::int64_t early = static_cast<std::int64_t>(relro.p_vaddr % 4096) + 4;
  EXPECT_NE(what_is_wrong(with_relro(program, -early, early)), "");
  // Past the end of what is mapped.
  EXPECT_NE(what_is_wrong(with_relro(program, 0, 1 << 30)), "");
  EXPECT_NE(what_is_wrong("#!/bin/sh\n"), "");
}

}  // namespace
