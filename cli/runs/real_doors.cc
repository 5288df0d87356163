#include "cli/runs/real_doors.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "core/os/child/environment.h"
#include "core/os/files/temporary_folder.h"
#include "core/os/interrupt.h"
#include "core/os/random.h"
#include "core/os/wall_clock.h"

namespace plumbline::cli {

namespace {

class OwnTemporaryFolder final : public scenarios::OwnFolder {
 public:
  explicit OwnTemporaryFolder(os::TemporaryFolder folder) : folder_(std::move(folder)) {}

  // implements OwnFolder ---
  const std::string& path() const override { return folder_.path(); }

 private:
  os::TemporaryFolder folder_;
};

Result<std::unique_ptr<scenarios::OwnFolder>> make_temporary_folder() {
  Result<os::TemporaryFolder> made = os::TemporaryFolder::make();
  if (!made.ok()) return made.error();
  return std::unique_ptr<scenarios::OwnFolder>(
      std::make_unique<OwnTemporaryFolder>(std::move(made).value()));
}

}  // namespace

scenarios::RealDoors real_doors(RealWorld& world) {
  static const os::RealWallClock clock;
  os::RealLoop& loop = world.loop();
  const auto run_until = [&loop](const std::function<bool()>& done) {
    bool interrupted = false;
    const os::Interrupt interrupt(loop, [&interrupted](int) { interrupted = true; });
    loop.run_until([&] { return done() || interrupted; });
    return !interrupted;
  };
  const auto is_running = [](std::int64_t process) {
    return os::is_there("/proc/" + std::to_string(process));
  };
  return {loop,
          world.network(),
          world.spawner(),
          world.files(),
          clock,
          os::program_path(),
          run_until,
          os::random_bytes,
          make_temporary_folder,
          os::absolute_path,
          is_running};
}

}  // namespace plumbline::cli
