// Why a database is not reached is told by its SQLSTATE, and never by its words, which are of any
// language.

#ifdef PLUMBLINE_LIBPQ

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "core/os/optional/optional_parts.h"
#include "core/os/real_loop.h"
#include "core/os/store/postgres.h"

namespace plumbline::os {
namespace {

// Refuser is a server that answers the first message of one client with an error.
class Refuser {
 public:
  Refuser(const std::string& state, const std::string& words)
      : listener_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t bytes = sizeof at;
    EXPECT_EQ(bind(listener_, reinterpret_cast<sockaddr*>(&at), bytes), 0);
    EXPECT_EQ(listen(listener_, 1), 0);
    EXPECT_EQ(getsockname(listener_, reinterpret_cast<sockaddr*>(&at), &bytes), 0);
    port_ = ntohs(at.sin_port);
    thread_ = std::thread([this, state, words] { refuse(state, words); });
  }
  Refuser(const Refuser&) = delete;
  Refuser& operator=(const Refuser&) = delete;
  ~Refuser() {
    shutdown(listener_, SHUT_RDWR);
    thread_.join();
    close(listener_);
  }

  std::string uri() const {
    return "postgres://u@127.0.0.1:" + std::to_string(port_) +
           "/d?sslmode=disable&gssencmode=disable";
  }

 private:
  void refuse(const std::string& state, const std::string& words) const {
    const int client = accept(listener_, nullptr, nullptr);
    if (client < 0) return;
    std::array<char, 1024> ignored{};
    EXPECT_GT(read(client, ignored.data(), ignored.size()), 0);
    std::string fields;
    for (const char* const field : {"SFATAL", "VFATAL"}) fields += std::string(field) + '\0';
    fields += 'C' + state + '\0' + 'M' + words + '\0' + '\0';
    const std::uint32_t bytes = htonl(static_cast<std::uint32_t>(fields.size() + 4));
    const std::string message =
        'E' + std::string(reinterpret_cast<const char*>(&bytes), sizeof bytes) + fields;
    EXPECT_EQ(write(client, message.data(), message.size()), static_cast<ssize_t>(message.size()));
    close(client);
  }

  int listener_;
  int port_ = 0;
  std::thread thread_;
};

class PostgresRefusalTest : public testing::Test {
 protected:
  void SetUp() override {
    const auto is_there = [](const OptionalPart& part) {
      return part.library == "libpq" && part.present;
    };
    if (!std::ranges::any_of(optional_parts(), is_there)) GTEST_SKIP() << "there is no libpq";
  }

  static std::string told(const std::string& uri) {
    RealLoop loop;
    Postgres postgres(loop, uri);
    Task<Status> connecting = postgres.connect(after(loop.now(), std::chrono::seconds(20)));
    connecting.start();
    loop.run_until([&connecting] { return connecting.done(); });
    const Status& made = connecting.result();
    if (made.ok()) return "none";
    const bool gone = made.error().code == ErrorCode::kDisconnected;
    const bool refused = made.error().code == ErrorCode::kInvalidInput;
    return (gone ? "gone: " : refused ? "refused: " : "other: ") + made.error().message;
  }
};

TEST_F(PostgresRefusalTest, ByItsStateAServerIsOnlyPassingOrRefuses) {
  const std::array<std::array<std::string, 3>, 6> all = {{
      {"57P03", "das Datenbanksystem startet", "gone"},
      {"57P01", "Verbindung wird abgebrochen", "gone"},
      {"53300", "tut mir leid, schon zu viele Verbindungen", "gone"},
      {"28P01", "the database is starting up: too many words of recovery", "refused"},
      {"3D000", "Datenbank existiert nicht: FATAL:  57P03: x", "refused"},
      {"28000", "could not connect", "refused"},
  }};
  for (const auto& [state, words, kind] : all) {
    const Refuser refuser(state, words);
    const std::string why = told(refuser.uri());
    EXPECT_TRUE(why.starts_with(kind + ": " + words.substr(0, 12))) << state << ' ' << why;
  }
}

TEST_F(PostgresRefusalTest, AnAddressThatIsNoneIsToldApartFromOneWhereNobodyIs) {
  EXPECT_TRUE(told("postgres://127.0.0.1:1/d").starts_with("gone: "));
  EXPECT_TRUE(told("host=/no/such/folder").starts_with("gone: "));
  for (const char* const none : {"postgres://%zz", "nonsense", "host=127.0.0.1 port=many",
                                 "host=127.0.0.1 port=99999", "sslmode=perhaps", "colour=red"}) {
    EXPECT_TRUE(told(none).starts_with("refused: ")) << none << ' ' << told(none);
  }
}

}  // namespace
}  // namespace plumbline::os

#endif  // PLUMBLINE_LIBPQ
