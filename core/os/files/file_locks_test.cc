#include "core/os/files/file_locks.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "core/os/fd.h"
#include "core/os/files/temporary_folder.h"

namespace plumbline::os {
namespace {

class FileLocksTest : public testing::Test {
 protected:
  std::string path() const { return folder_.path() + "/made/locks"; }

  TemporaryFolder folder_{TemporaryFolder::make().value()};
};

TEST_F(FileLocksTest, OneOfSeveralHasANameUntilItGivesItBackOrEnds) {
  FileLocks one(path());
  FileLocks other(path());
  EXPECT_TRUE(one.take("a").value());
  EXPECT_TRUE(one.take("a").value()) << "its own";
  EXPECT_FALSE(other.take("a").value());
  EXPECT_TRUE(other.take("b").value());
  one.give_back("a");
  EXPECT_TRUE(other.take("a").value());
  {
    FileLocks third(path());
    EXPECT_TRUE(third.take("c").value());
    EXPECT_FALSE(one.take("c").value());
  }
  EXPECT_TRUE(one.take("c").value());
  struct stat about {};
  ASSERT_EQ(stat(path().c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777U, 0600U);
}

TEST_F(FileLocksTest, AProcessThatIsKilledHoldsNothing) {
  PipeEnds told = make_pipe().value();
  const pid_t child = fork();
  if (child == 0) {
    FileLocks dying(path());
    const char held = dying.take("a").ok() && dying.take("a").value() ? 'y' : 'n';
    if (write(told.write.number(), &held, 1) != 1) _exit(1);
    for (;;) pause();
  }
  char held = 'n';
  ASSERT_EQ(read(told.read.number(), &held, 1), 1);
  EXPECT_EQ(held, 'y');
  FileLocks next(path());
  EXPECT_FALSE(next.take("a").value());
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(next.take("a").value());
}

TEST_F(FileLocksTest, WhereNoneCanBeTheReasonIsTold) {
  std::ofstream(folder_.path() + "/file") << "x";
  FileLocks none(folder_.path() + "/file/locks");
  const Result<bool> taken = none.take("a");
  ASSERT_FALSE(taken.ok());
  EXPECT_NE(taken.error().message.find("/file/locks"), std::string::npos);
  none.give_back("a");
}

}  // namespace
}  // namespace plumbline::os
