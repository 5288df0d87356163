#include <functional>
#include <string>
#include <vector>

#include "core/os/child/real_paths.h"
#include "core/os/files/file_locks.h"
#include "core/os/files/line_log.h"
#include "core/os/files/mapped_file.h"
#include "core/os/files/temporary_folder.h"
#include "core/os/random.h"
#include "core/os/real_file_store.h"
#include "tests/wasm/doors_said.h"

namespace plumbline {
namespace {

// Files is what is done with files in one folder.
class Files {
 public:
  explicit Files(std::string folder) : folder_(std::move(folder)) {}

  void do_all() {
    write_and_read();
    refusals();
    others();
  }

 private:
  std::string at(const std::string& name) const { return folder_ + "/" + name; }
  void tell(const std::string& what, const Status& came) const {
    say(what, came.ok() ? "done" : shown(code_of(came.error()), folder_));
  }
  template <typename T>
  void tell_value(const std::string& what, const Result<T>& came,
                  const std::function<std::string(const T&)>& text) const {
    say(what, shown(came.ok() ? text(came.value()) : code_of(came.error()), folder_));
  }
  void tell_text(const std::string& what, const Result<std::string>& came) const {
    tell_value<std::string>(what, came, [](const std::string& text) { return text; });
  }
  void tell_bool(const std::string& what, const Result<bool>& came) const {
    tell_value<bool>(what, came, [](const bool& is) { return std::string(is ? "yes" : "no"); });
  }

  void write_and_read() {
    tell("write", store_.write_file(at("a.txt"), std::string("a\0b\r\n\xff", 6)));
    tell_value<std::string>("read", store_.read_file(at("a.txt")),
                            [](const std::string& text) { return std::to_string(text.size()); });
    tell("append", store_.append_file(at("b.txt"), "one\n"));
    tell("append more", store_.append_file(at("b.txt"), "two\n"));
    tell_text("both", store_.read_file(at("b.txt")));
    tell_bool("create", store_.create_file(at("deep/er/c.json"), "{}"));
    tell_bool("create again", store_.create_file(at("deep/er/c.json"), "[]"));
    tell_text("as it was", store_.read_file(at("deep/er/c.json")));
    tell_value<unsigned>("mode", store_.mode_of(at("deep/er/c.json")),
                         [](const unsigned& mode) { return std::to_string(mode); });
    tell("set mode", store_.set_mode(at("b.txt"), 0640));
    tell("rename", store_.rename_file(at("b.txt"), at("deep/b.json")));
    tell_value<std::vector<std::string>>("list", store_.list_files(folder_, ".json"),
                                         [](const std::vector<std::string>& names) {
                                           std::string all;
                                           for (const std::string& name : names) all += name + " ";
                                           return all;
                                         });
  }

  void refusals() {
    tell_text("read missing", store_.read_file(at("none")));
    tell_text("read folder", store_.read_file(folder_));
    tell("write below missing", store_.write_file(at("none/a"), "x"));
    tell("write over folder", store_.write_file(at("deep"), "x"));
    tell("check writable", os::check_writable(at("new")));
    tell("check below missing", os::check_writable(at("none/new")));
    tell("rename missing", store_.rename_file(at("none"), at("other")));
    tell("remove", store_.remove_file(at("a.txt")));
    tell("remove again", store_.remove_file(at("a.txt")));
    tell_text("read below", store_.read_below(folder_, "deep/b.json"));
    tell_text("read above", store_.read_below(folder_ + "/deep", "../deep/b.json"));
    tell_text("real path of none", os::RealPaths().real_path(at("none")));
    pins();
    tell_bool("folder", os::is_folder(at("deep")));
    tell_bool("there", os::is_there(at("none")));
    tell("make folder", os::make_folder(at("one/two")));
    tell("make over file", os::make_folder(at("deep/b.json")));
    say("absolute", shown(os::absolute_path(folder_ + "/./one/../deep"), folder_));
  }

  void pins() {
    tell("script", store_.write_file(at("script"), "#! /bin/sh -e\n"));
    tell_digest("digest of a script", at("script"));
    tell("program", store_.write_file(at("program"), "no script"));
    tell_digest("digest of a program", at("program"));
    tell_digest("digest of a folder", folder_);
    // Its name is in it, and is another each time. Nobody reads it for ever.
    tell("script by itself", store_.write_file(at("itself"), "#!" + at("itself") + "\n"));
    const Result<OpenProgram> itself = os::RealPaths().open_program(at("itself"));
    say("digest of that", itself.ok() ? std::to_string(itself.value().digest.size()) : "none");
    const Result<OpenFolder> top = os::RealPaths().open_folder("/");
    say("number of the top", top.ok() ? top.value().number : code_of(top.error()));
    const Result<OpenFolder> none = os::RealPaths().open_folder(at("program"));
    say("number of a file", none.ok() ? "one" : shown(code_of(none.error()), folder_));
  }

  void tell_digest(const std::string& what, const std::string& path) const {
    const Result<OpenProgram> program = os::RealPaths().open_program(path);
    say(what, program.ok() ? program.value().digest : shown(code_of(program.error()), folder_));
  }

  void others() {
    os::FileLocks locks(at("locks"));
    tell_bool("lock", locks.take("a"));
    tell_bool("lock another", locks.take("b"));
    locks.give_back("a");
    Result<os::LineLog> log = os::LineLog::open(at("log.jsonl"));
    tell("log", log.ok() ? log.value().append("first\n") : Status(log.error()));
    Result<os::LineLog> second = os::LineLog::open(at("log.jsonl"));
    say("second log", second.ok() ? shown(second.value().path(), folder_) : "none");
    tell_text("logged", store_.read_file(at("log.jsonl")));
    const Result<os::MappedFile> mapped = os::MappedFile::open(at("log.jsonl"));
    say("mapped", mapped.ok() ? mapped.value().text() : mapped.error().message);
    const Result<os::TemporaryFolder> temporary = os::TemporaryFolder::make();
    tell("fill", temporary.ok() ? temporary.value().fill(at("deep")) : Status(temporary.error()));
    say("filled", os::is_there(temporary.value().path() + "/er/c.json") ? "yes" : "no");
    say("random", std::to_string(os::random_token(16).size()));
  }

  std::string folder_;
  os::RealFileStore store_;
};

}  // namespace

void do_files(const std::string& folder) { Files(folder).do_all(); }

}  // namespace plumbline
