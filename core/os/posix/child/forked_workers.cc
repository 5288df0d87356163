#include "core/os/posix/child/forked_workers.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <utility>

#include "core/base/check.h"
#include "core/net/spawner.h"
#include "core/os/child/forked_workers.h"

namespace plumbline::os {

namespace {

// A frame is its kind, the length of its text in four bytes of this machine's order, and the text.
// Tasks go the other way without a kind.
constexpr char kSaid = 's';
constexpr char kDone = 'd';
constexpr std::size_t kLengthBytes = sizeof(std::uint32_t);

// write_all returns false when nobody reads any more.
bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

// read_all fills `bytes`; false at the end of the stream.
bool read_all(int fd, char* bytes, std::size_t size) {
  while (size > 0) {
    const ssize_t got = ::read(fd, bytes, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    bytes += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

void append_length(std::string& out, std::size_t size) {
  const auto length = static_cast<std::uint32_t>(size);
  std::array<char, kLengthBytes> bytes{};
  std::memcpy(bytes.data(), &length, kLengthBytes);
  out.append(bytes.data(), kLengthBytes);
}

std::uint32_t length_at(const char* bytes) {
  std::uint32_t length = 0;
  std::memcpy(&length, bytes, kLengthBytes);
  return length;
}

void append_frame(std::string& out, char kind, std::string_view text) {
  out += kind;
  append_length(out, text.size());
  out.append(text);
}

// shared_counts returns `count` numbers that this process shares with its copies.
std::uint64_t* shared_counts(std::size_t count) {
  void* const memory = mmap(nullptr, count * sizeof(std::uint64_t), PROT_READ | PROT_WRITE,
                            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  check(memory != MAP_FAILED, "there is no memory to share");
  return static_cast<std::uint64_t*>(memory);
}

// read_some appends what can be read at once; false at the end of the stream.
bool read_some(const Fd& fd, std::string& into) {
  std::array<char, 1 << 16> bytes{};
  const ssize_t got = ::read(fd.number(), bytes.data(), bytes.size());
  if (got < 0 && errno == EINTR) return true;
  if (got > 0) into.append(bytes.data(), static_cast<std::size_t>(got));
  return got > 0;
}

net::ExitStatus reap(pid_t pid) {
  siginfo_t info{};
  while (waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED) != 0 && errno == EINTR) {
  }
  net::ExitStatus status;
  (info.si_code == CLD_EXITED ? status.code : status.signal) = info.si_status;
  return status;
}

// line_with returns the line of `text` that holds `mark`, from the mark on; empty: there is none.
std::string line_with(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return "";
  return std::string(text.substr(at, text.find('\n', at) - at));
}

// cause_of returns what a process said last words of: its failed check, a sanitizer's summary.
std::string cause_of(std::string_view errors) {
  for (const std::string_view mark :
       {"check failed: ", "SUMMARY: ", "runtime error: ", "terminate called"}) {
    std::string line = line_with(errors, mark);
    if (!line.empty()) return line;
  }
  return "";
}

}  // namespace

ForkedWorkers::ForkedWorkers(int count, Work work)
    : count_(static_cast<std::size_t>(std::max(1, count))),
      work_(std::move(work)),
      said_(shared_counts(count_)) {
  members_.reserve(count_);
  std::signal(SIGPIPE, SIG_IGN);  // One that has died is heard of otherwise.
}

ForkedWorkers::~ForkedWorkers() {
  for (const Member& member : members_) kill(member.pid, SIGKILL);
  for (const Member& member : members_) reap(member.pid);
  munmap(said_, count_ * sizeof(std::uint64_t));
}

std::uint64_t ForkedWorkers::give(std::string task) {
  waiting_.push_back(Task{given_, std::move(task)});
  return given_++;
}

std::optional<Workers::News> ForkedWorkers::next() {
  while (news_.empty()) {
    start_tasks();
    if (!news_.empty()) break;
    const auto at_work = [](const Member& member) { return member.task.has_value(); };
    if (std::ranges::none_of(members_, at_work) || !wait_for_some()) return std::nullopt;
  }
  News first = std::move(news_.front());
  news_.pop_front();
  return first;
}

void ForkedWorkers::start_tasks() {
  while (!waiting_.empty()) {
    Member* const member = free_member();
    if (member == nullptr && !members_.empty()) return;
    const Task task = std::move(waiting_.front());
    waiting_.pop_front();
    if (member == nullptr) {
      news_.push_back(News{News::Kind::kDied, task.number, "no process can be started", "", 0});
      continue;
    }
    member->task = task.number;
    said_[member->place] = 0;
    std::string bytes;
    append_length(bytes, task.text.size());
    // One that has just died is found out by the end of its news.
    write_all(member->tasks.number(), bytes.append(task.text));
  }
}

// free_member returns a process with nothing to do, a new one where there may be one; null: all
// that there can be are at work.
ForkedWorkers::Member* ForkedWorkers::free_member() {
  const auto idle = [](const Member& member) { return !member.task; };
  const auto found = std::ranges::find_if(members_, idle);
  if (found != members_.end()) return &*found;
  if (members_.size() < count_ && fork_member()) return &members_.back();
  return nullptr;
}

bool ForkedWorkers::fork_member() {
  Result<PipeEnds> tasks = make_pipe();
  Result<PipeEnds> news = make_pipe();
  Result<PipeEnds> errors = make_pipe();
  if (!tasks.ok() || !news.ok() || !errors.ok()) return false;
  std::fflush(nullptr);  // What is written there is written once.
  const std::size_t place = free_place();
  const pid_t parent = getpid();
  const pid_t pid = fork();
  if (pid < 0) return false;
  if (pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    tasks.value().write.close();
    news.value().read.close();
    errors.value().read.close();
    serve(std::move(tasks.value().read), std::move(news.value().write),
          std::move(errors.value().write), place);
  }
  Member member;
  member.pid = pid;
  member.place = place;
  member.tasks = std::move(tasks.value().write);
  member.news = std::move(news.value().read);
  member.errors = std::move(errors.value().read);
  set_nonblocking(member.errors);
  members_.push_back(std::move(member));
  return true;
}

// free_place returns the first number that no process counts in.
std::size_t ForkedWorkers::free_place() const {
  std::size_t place = 0;
  while (std::ranges::find(members_, place, &Member::place) != members_.end()) ++place;
  return place;
}

// serve is all that a copy does.
void ForkedWorkers::serve(Fd tasks, Fd news, Fd errors, std::size_t place) {
  std::signal(SIGINT, SIG_IGN);
  std::signal(SIGTERM, SIG_IGN);
  members_.clear();
  dup2(errors.number(), STDERR_FILENO);
  std::string unsent;
  const auto send = [&] {
    if (!write_all(news.number(), std::exchange(unsent, {}))) _exit(0);
  };
  const Say say = [&](std::string_view text) {
    append_frame(unsent, kSaid, text);
    ++said_[place];
    if (unsent.size() >= kTextBytesAtOnce) send();
  };
  for (std::array<char, kLengthBytes> length{};
       read_all(tasks.number(), length.data(), length.size());) {
    std::string task(length_at(length.data()), '\0');
    if (!read_all(tasks.number(), task.data(), task.size())) break;
    work_(task, say);
    append_frame(unsent, kDone, "");
    send();
  }
  _exit(0);
}

// wait_for_some hears what there is to hear; false: a signal came first.
bool ForkedWorkers::wait_for_some() {
  std::vector<pollfd> watched;
  for (const Member& member : members_) {
    watched.push_back({member.news.number(), POLLIN, 0});
    watched.push_back({member.errors.number(), POLLIN, 0});
  }
  if (poll(watched.data(), watched.size(), -1) < 0) return errno != EINTR;
  for (std::size_t i = members_.size(); i-- > 0;) {
    if (watched[2 * i + 1].revents != 0) hear_errors(members_[i]);
    if (watched[2 * i].revents != 0) hear(members_[i]);
  }
  const auto gone = [](const Member& member) { return member.pid < 0; };
  std::erase_if(members_, gone);
  return true;
}

void ForkedWorkers::hear(Member& member) {
  const bool goes_on = read_some(member.news, member.heard);
  take_frames(member);
  if (!goes_on) bury(member);
}

void ForkedWorkers::hear_errors(Member& member) {
  std::string text;
  while (read_some(member.errors, text)) {
  }
  const std::size_t room = kErrorBytesMax - member.errors_text.size();
  member.errors_text.append(text, 0, room);
}

void ForkedWorkers::take_frames(Member& member) {
  constexpr std::size_t kHead = 1 + kLengthBytes;
  std::size_t at = 0;
  while (member.task && member.heard.size() - at >= kHead) {
    const char kind = member.heard[at];
    const std::size_t size = length_at(member.heard.data() + at + 1);
    if (member.heard.size() - at - kHead < size) break;
    const bool done = kind == kDone;
    news_.push_back(News{done ? News::Kind::kDone : News::Kind::kSaid, *member.task,
                         member.heard.substr(at + kHead, size), "", 0});
    at += kHead + size;
    if (!done) continue;
    member.task.reset();
    hear_errors(member);
    write_all(STDERR_FILENO, std::exchange(member.errors_text, {}));
  }
  member.heard.erase(0, at);
}

// bury tells how a process ended that should not have.
void ForkedWorkers::bury(Member& member) {
  const std::string how = describe(reap(std::exchange(member.pid, -1)));
  hear_errors(member);
  if (!member.task) return;
  const std::string cause = cause_of(member.errors_text);
  news_.push_back(News{News::Kind::kDied, *member.task, cause.empty() ? how : cause + ", " + how,
                       std::move(member.errors_text), said_[member.place]});
}

std::unique_ptr<Workers> forked_workers(int count, Workers::Work work) {
  return std::make_unique<ForkedWorkers>(count, std::move(work));
}

}  // namespace plumbline::os
