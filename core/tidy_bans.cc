#include "core/tidy_bans.h"

namespace plumbline::tidy {

namespace {

const std::vector<std::string> kWorld = {"core/os/"};
// What others include of core/os has no type of POSIX's or of Asio's.
const std::vector<std::string> kPosix = {"core/os/posix/", "tests/", "_test.cc", "_fixture.h"};
const std::vector<std::string> kPosixAndPrograms = {"core/os/posix/", "tests/", "_test.cc",
                                                    "_fixture.h", "cli/"};
const std::vector<std::string> kWorldAndTests = {"bench/", "fuzz/", "core/os/", "_test.cc",
                                                 "_fixture.h"};
// A thread's stack is its own, and so is how far down it value.h is.
const std::vector<std::string> kThreads = {"core/base/rare.h", "core/json/value.h", "core/os/",
                                           "scenarios/sweep/parallel.", "_test.cc"};
const std::vector<std::string> kPrograms = {"cli/", "tests/", "fuzz/", "bench/", "core/os/"};
constexpr const char* kBehindDoors = "the headers of core/os (POSIX is in core/os/posix alone)";

}  // namespace

const std::vector<Ban>& bans() {
  static const std::vector<Ban> all = {
      {clock_words(), "the Loop that was handed down", kWorld},
      {{"sleep_for", "sleep_until", "usleep", "nanosleep"}, "co_await Sleep", kWorld},
      {{"random_device", "std::rand", "srand", "mt19937", "default_random_engine"},
       "an Rng forked from the seed",
       kWorld},
      {{"uniform_int_distribution", "uniform_real_distribution", "bernoulli_distribution",
        "normal_distribution", "discrete_distribution", "std::shuffle", "std::sample"},
       "Rng (std distributions differ between libraries)",
       {}},
      {{"unordered_map", "unordered_set", "unordered_multimap", "unordered_multiset"},
       "std::map, std::set or a sorted vector (iteration order reaches the trace)",
       {}},
      {{"std::thread", "std::jthread", "std::async", "std::mutex", "std::condition_variable",
        "std::atomic", "thread_local"},
       "the one Loop of a world; worlds share nothing",
       kThreads},
      {{"std::regex", "std::regex_search", "std::regex_match"},
       "string functions, or RE2 for a peer's patterns (std::regex overflows the stack)",
       {}},
      {{"getenv", "setenv", "putenv"}, "a value handed down from core/os", kWorldAndTests},
      {{"fopen", "std::ifstream", "std::ofstream", "std::fstream", "std::filesystem"},
       "a FileStore",
       kWorldAndTests},
      {{"::fork", "fork()", "vfork", "execv", "execve", "execvp", "execl", "execlp", "posix_spawn",
        "popen", "std::system", "waitpid"},
       "a Spawner",
       kWorld},
      // A message of a subject is held by the log and by whoever waits for it, and may be
      // megabytes.
      {{"shared_ptr", "weak_ptr", "make_shared", "enable_shared_from_this"},
       "one owner and references",
       // What is held of a share may outlive the server, and whoever holds any of it needs all of
       // it. The tools of a prompt are the same for thousands of conversations that wait.
       {"conformance/wire/wire_log.h", "core/base/budget/guests.", "core/model/model.h"}},
      {{"new", "delete"}, "std::make_unique", {}},
      {{"std::source_location", "source_location"}, "__builtin_FILE() default arguments", {}},
      {{"std::views", "std::ranges::views"}, "std::ranges algorithms", {}},
      {{"std::cout", "std::cerr", "std::clog", "printf", "std::printf"},
       "a returned string or an EventSink",
       kPrograms},
      {{"throw"}, "Result<T>", {}},
      {{"assert"}, "check()", {}},
      {{"#define"}, "a constant or a function", {}},
  };
  return all;
}

const std::vector<HeaderBan>& header_bans() {
  static const std::vector<HeaderBan> all = {
      {"nlohmann/", "\"core/json/json.h\"", {"core/json/"}},
      {"boost/beast/", "core/wire", {"core/os/", "core/wire/"}},
      {"boost/url", "core/wire/url.h", {"core/wire/url.cc"}},
      {"boost/", "the interfaces of core/base and core/net", kPosix},
      {"openssl/",
       "core/base/sha256.h or core/os",
       {"core/os/", "core/auth/crypto/", "core/base/base64.cc", "core/base/sha256.cc",
        "core/wire/websocket_handshake.cc"}},
      {"toml++/", "cli/config/toml_text.h", {"cli/config/toml_text.cc"}},
      {"CLI/", "the options that cli/ hands down", {"cli/"}},
      {"iostream", "a returned string", {"cli/", "tests/"}},
      {"unistd.h", kBehindDoors, kPosixAndPrograms},
      {"sys/", kBehindDoors, kPosix},
      {"fcntl.h", kBehindDoors, kPosix},
      {"spawn.h", kBehindDoors, kPosix},
      {"poll.h", kBehindDoors, kPosix},
      {"signal.h", kBehindDoors, kPosix},
      {"termios.h", kBehindDoors, kPosix},
      {"netinet/", kBehindDoors, kPosix},
      {"arpa/", kBehindDoors, kPosix},
      {"netdb.h", kBehindDoors, kPosix},
      {"dlfcn.h", kBehindDoors, kPosix},
      {"pwd.h", kBehindDoors, kPosix},
  };
  return all;
}

}  // namespace plumbline::tidy
