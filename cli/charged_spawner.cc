#include "cli/charged_spawner.h"

#include <optional>
#include <string>
#include <utility>

#include "core/base/errors/errors.h"
#include "core/net/forwarding_child.h"

namespace plumbline::cli {

namespace {

class ChargedChild final : public net::ForwardingChild {
 public:
  ChargedChild(std::unique_ptr<net::Child> child, Charge charge)
      : ForwardingChild(std::move(child)), charge_(std::move(charge)) {}

 private:
  Charge charge_;
};

}  // namespace

Result<std::unique_ptr<net::Child>> ChargedSpawner::spawn(const net::Command& command) {
  std::optional<Charge> charge = budget_.take(Resource::kProcesses);
  if (!charge) {
    const std::string program = command.argv.empty() ? command.program : command.argv.front();
    return the_error_as(ErrorCode::kLimitReached, "server.cannot-start", program,
                        budget_.spent() + ", and this one may start when another has ended");
  }
  Result<std::unique_ptr<net::Child>> child = inner_.spawn(command);
  if (!child.ok()) return child;
  return std::unique_ptr<net::Child>(
      std::make_unique<ChargedChild>(std::move(child).value(), *std::move(charge)));
}

}  // namespace plumbline::cli
