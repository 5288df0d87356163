#include "core/os/child/real_paths.h"

#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/os/child/real_spawner.h"
#include "core/os/files/temporary_folder.h"
#include "core/os/real_loop.h"
#include "core/os/test_support.h"

namespace plumbline::os {
namespace {

TEST(RealPathsTest, LinksAreFollowedAndWhatIsMissingIsNamed) {
  const TemporaryFolder folder = std::move(TemporaryFolder::make()).value();
  RealPaths paths;
  const std::string root = paths.real_path(folder.path()).value();
  std::ofstream(root + "/file") << "x";
  std::filesystem::create_symlink("file", root + "/link");
  std::filesystem::create_symlink("loop", root + "/loop");
  EXPECT_EQ(paths.real_path(root + "/./link").value(), root + "/file");
  EXPECT_EQ(paths.real_path(root + "/none").error().message,
            "cannot find \"" + root + "/none\": No such file or directory");
  EXPECT_FALSE(paths.real_path(root + "/loop").ok());
  EXPECT_TRUE(paths.is_folder(root));
  EXPECT_FALSE(paths.is_folder(root + "/link"));
  EXPECT_FALSE(paths.is_program(root + "/link"));
  EXPECT_FALSE(paths.is_program(root));
  std::filesystem::permissions(root + "/file", std::filesystem::perms::owner_all);
  EXPECT_TRUE(paths.is_program(root + "/link"));
}

std::string output_of(RealLoop& loop, const std::string& program, const std::string& name) {
  RealSpawner spawner(loop);
  net::Command command({name, "-c", "echo here; echo $0"});
  command.program = program;
  Result<std::unique_ptr<net::Child>> child = spawner.spawn(command);
  if (!child.ok()) return child.error().message;
  RecordingReader reader;
  child.value()->stdio().start(reader);
  child.value()->stdio().close_write();
  EXPECT_TRUE(run_within(loop, std::chrono::seconds(10), [&] { return reader.ended; }));
  return reader.bytes;
}

// What was opened is started, whatever stands in its place by then; and it is seen that it does.
TEST(RealPathsTest, AnOpenProgramStaysTheOneThatItWas) {
  const TemporaryFolder folder = std::move(TemporaryFolder::make()).value();
  RealPaths paths;
  RealLoop loop;
  const std::string program = folder.path() + "/tool";
  std::filesystem::copy_file("/bin/sh", program);
  const OpenProgram open = paths.open_program(program).value();
  EXPECT_EQ(open.digest.size(), 64U);
  EXPECT_EQ(paths.open_program(program).value().digest, open.digest);
  EXPECT_NE(open.path, program);
  std::filesystem::remove(program);
  std::filesystem::copy_file("/bin/true", program);
  EXPECT_NE(paths.open_program(program).value().digest, open.digest);
  EXPECT_EQ(output_of(loop, open.path, "tool"), "here\ntool\n");
}

TEST(RealPathsTest, AnOpenFolderStaysTheOneThatItWas) {
  const TemporaryFolder folder = std::move(TemporaryFolder::make()).value();
  RealPaths paths;
  const std::string work = folder.path() + "/work";
  std::filesystem::create_directory(work);
  std::ofstream(work + "/first") << "x";
  const OpenFolder open = paths.open_folder(work).value();
  EXPECT_EQ(paths.open_folder(work).value().number, open.number);
  std::filesystem::rename(work, folder.path() + "/away");
  std::filesystem::create_directory(work);
  EXPECT_NE(paths.open_folder(work).value().number, open.number);
  RealLoop loop;
  RealSpawner spawner(loop);
  net::Command command({"ls"});
  command.cwd = open.path;
  Result<std::unique_ptr<net::Child>> child = spawner.spawn(command);
  ASSERT_TRUE(child.ok()) << child.error().message;
  RecordingReader reader;
  child.value()->stdio().start(reader);
  child.value()->stdio().close_write();
  EXPECT_TRUE(run_within(loop, std::chrono::seconds(10), [&] { return reader.ended; }));
  EXPECT_EQ(reader.bytes, "first\n");
  EXPECT_FALSE(paths.open_folder("/bin/sh").ok());
}

TEST(RealPathsTest, AScriptIsItsBytesAndItsInterpreters) {
  const TemporaryFolder folder = std::move(TemporaryFolder::make()).value();
  RealPaths paths;
  RealLoop loop;
  const std::string shell = folder.path() + "/sh";
  const std::string script = folder.path() + "/tool";
  std::filesystem::copy_file("/bin/sh", shell);
  std::ofstream(script) << "#!" << shell << "\necho script\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  const OpenProgram open = paths.open_program(script).value();
  EXPECT_EQ(open.path, script);
  EXPECT_EQ(output_of(loop, open.path, "tool"), "script\n");
  std::ofstream(script) << "#!" << shell << "\necho other\n";
  const std::string other = paths.open_program(script).value().digest;
  EXPECT_NE(other, open.digest);
  std::filesystem::remove(shell);
  std::filesystem::copy_file("/bin/true", shell);
  EXPECT_NE(paths.open_program(script).value().digest, other);
  EXPECT_FALSE(paths.open_program(folder.path()).ok());
  EXPECT_FALSE(paths.open_program(folder.path() + "/none").ok());
}

}  // namespace
}  // namespace plumbline::os
