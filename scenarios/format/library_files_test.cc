#include "scenarios/format/library_files.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include "core/base/check.h"
#include "fakes/sample_size.h"
#include "scenarios/format/format.h"

namespace plumbline::scenarios {

namespace {

// SourceTree reads below a folder of the source tree.
class SourceTree final : public FileStore {
 public:
  explicit SourceTree(std::string root) : root_(std::move(root)) {}

  Result<std::string> read_file(const std::string& path) override {
    std::ifstream file(root_ + path, std::ios::binary);
    if (!file) return Error{ErrorCode::kInvalidInput, "cannot read " + path};
    return std::string(std::istreambuf_iterator<char>(file), {});
  }
  Result<std::string> read_below(const std::string& root, const std::string& path) override {
    return read_file(root + "/" + path);
  }
  Status write_file(const std::string& path, std::string_view) override {
    return Error{ErrorCode::kInvalidInput, "cannot write " + path};
  }
  Result<bool> create_file(const std::string& path, std::string_view) override {
    return Error{ErrorCode::kInvalidInput, "cannot write " + path};
  }
  Status append_file(const std::string& path, std::string_view bytes) override {
    return write_file(path, bytes);
  }
  Status remove_file(const std::string& path) override { return write_file(path, ""); }
  Status rename_file(const std::string& from, const std::string&) override {
    return write_file(from, "");
  }
  Result<unsigned> mode_of(const std::string&) override { return 0644U; }
  Status set_mode(const std::string& path, unsigned) override { return write_file(path, ""); }
  Result<std::vector<std::string>> list_files(const std::string& path,
                                              std::string_view extension) override {
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root_ + path)) {
      const std::string name = entry.path().string().substr(root_.size());
      if (entry.is_regular_file() && name.ends_with(extension)) files.push_back(name);
    }
    std::ranges::sort(files);
    return files;
  }

 private:
  std::string root_;
};

}  // namespace

const std::vector<Scenario>& library_scenarios() {
  static const std::vector<Scenario> kLibrary = [] {
    SourceTree files(std::string(SOURCE_ROOT) + "/");
    Result<std::vector<Scenario>> loaded = load_scenarios(files, "scenarios/library");
    if (!loaded.ok()) ADD_FAILURE() << loaded.error().message;
    check(loaded.ok(), "the library can be read");
    return std::move(loaded).value();
  }();
  return kLibrary;
}

std::vector<Scenario> sampled_scenarios() {
  std::vector<Scenario> out;
  for (std::size_t i = 0; i < library_scenarios().size(); i += kEachNth) {
    out.push_back(library_scenarios()[i]);
  }
  return out;
}

const Scenario& find_scenario(const std::string& id) {
  const auto found = std::ranges::find(library_scenarios(), id, &Scenario::id);
  check(found != library_scenarios().end(), "there is such a scenario");
  return *found;
}

namespace {

TEST(LibraryFilesTest, EveryScenarioSaysWhatIsToComeOfIt) {
  EXPECT_GE(library_scenarios().size(), 45U);
  for (const Scenario& scenario : library_scenarios()) {
    const Expect& expect = scenario.expect;
    // Failures of the field say what matters of them; what the basics do is known to the node.
    if (scenario.folder == "basics" && scenario.id != "link-reset-in-handshake") {
      EXPECT_TRUE(expect.route) << scenario.file << " has no exact route";
      EXPECT_TRUE(expect.effects) << scenario.file << " has no number of effects";
    }
    // A fleet lasts as long as its file says.
    EXPECT_TRUE(expect.virtual_max || scenario.fleet)
        << scenario.file << " has no bound in virtual time";
    EXPECT_TRUE(scenario.title.ends_with(".")) << scenario.file << ": " << scenario.title;
    EXPECT_FALSE(scenario.tags.empty()) << scenario.file;
  }
}

}  // namespace
}  // namespace plumbline::scenarios
