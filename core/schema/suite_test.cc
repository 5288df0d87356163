// Runs every required test of the JSON Schema Test Suite: the one of Debian's package
// json-schema-test-suite, or a newer one in build/json-schema-test-suite. Debian 12 packages no
// tests of 2020-12 yet.
//
// What cannot pass is listed with its reason, is run all the same, and may not pass unnoticed.

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "core/schema/schema.h"

namespace plumbline::schema {
namespace {

// Exception is a group of the suite ("file: description", or all of "file") that cannot pass.
struct Exception {
  std::string_view group;
  std::string_view reason;
};

constexpr std::string_view kRemote = "refers to another document, and nothing is fetched";

constexpr std::string_view kVocabulary = "names a metaschema that would have to be fetched";

constexpr Exception kExceptions2020[] = {
    {"refRemote.json", kRemote},
    {"dynamicRef.json: strict-tree schema, guards against misspelled properties", kRemote},
    {"dynamicRef.json: tests for implementation dynamic anchor and reference link", kRemote},
    {"dynamicRef.json: $ref and $dynamicAnchor are independent of order - $defs first", kRemote},
    {"dynamicRef.json: $ref and $dynamicAnchor are independent of order - $ref first", kRemote},
    {"dynamicRef.json: $ref to $dynamicRef finds detached $dynamicAnchor", kRemote},
    {"vocabulary.json: schema that uses custom metaschema with with no validation vocabulary",
     kVocabulary},
    {"vocabulary.json: ignore unrecognized optional vocabulary", kVocabulary},
};

constexpr Exception kExceptions7[] = {
    {"refRemote.json", kRemote},
};

struct Counts {
  int groups = 0;
  int tests = 0;
  int excepted = 0;
};

class SuiteTest : public ::testing::Test {
 protected:
  // run_folder runs every *.json directly in `folder` of the suite and checks each against the
  // exceptions.
  void run_folder(const std::filesystem::path& root, Dialect dialect,
                  std::span<const Exception> exceptions) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(root)) {
      if (entry.path().extension() == ".json") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    options_.dialect = dialect;
    for (const auto& file : files) run_file(file, exceptions);
    EXPECT_EQ(seen_.size(), exceptions.size()) << "an exception names nothing in the suite";
    GTEST_LOG_(INFO) << root.string() << ": " << counts_.tests << " tests of " << counts_.groups
                     << " schemas pass, " << counts_.excepted << " are excepted";
  }

 private:
  void run_file(const std::filesystem::path& file, std::span<const Exception> exceptions) {
    std::ifstream in(file);
    const std::string text((std::istreambuf_iterator<char>(in)), {});
    const Result<Json> groups = parse_json(text);
    ASSERT_TRUE(groups.ok()) << file << ": " << groups.error().message;
    const std::string name = file.filename().string();
    for (const Json& group : groups.value()) {
      const std::string full = name + ": " + string_or(group, "description", "");
      const auto excepted =
          std::find_if(exceptions.begin(), exceptions.end(), [&](const Exception& exception) {
            return exception.group == full || exception.group == name;
          });
      const std::string wrong = run_group(group);
      const int tests = static_cast<int>(find(group, "tests")->size());
      if (excepted != exceptions.end()) {
        EXPECT_NE(wrong, "") << full << " is excepted (" << excepted->reason << ") but passes";
        seen_.insert(excepted->group);
        counts_.excepted += tests;
        continue;
      }
      EXPECT_EQ(wrong, "") << full;
      counts_.tests += tests;
      ++counts_.groups;
    }
  }

  // run_group returns what is wrong, empty when all of its tests pass.
  std::string run_group(const Json& group) {
    const Result<Schema> schema = Schema::compile(*find(group, "schema"), options_);
    if (!schema.ok()) return schema.error().message;
    std::string wrong;
    for (const Json& test : *find(group, "tests")) {
      const Json& data = *find(test, "data");
      const std::optional<Violation> violation = schema.value().validate(data);
      const std::vector<Violation> all = schema.value().validate_all(data);
      if (violation.has_value() == all.empty()) wrong += "validate and validate_all differ; ";
      if (violation.has_value() != bool_or(test, "valid", false)) continue;
      wrong += string_or(test, "description", "") + ": ";
      wrong += violation ? violation->schema_pointer + " " + violation->message : "is accepted";
      wrong += "; ";
    }
    return wrong;
  }

  CompileOptions options_;
  Counts counts_;
  std::set<std::string_view> seen_;
};

// folder_of returns where the tests of `dialect` are, empty when there are none.
std::filesystem::path folder_of(const std::string& dialect) {
  for (const std::string& root : {std::string(SOURCE_ROOT) + "/build/json-schema-test-suite/tests",
                                  std::string("/usr/share/json-schema-test-suite/tests")}) {
    const std::filesystem::path folder = std::filesystem::path(root) / dialect;
    if (std::filesystem::is_directory(folder)) return folder;
  }
  return {};
}

TEST_F(SuiteTest, EveryRequiredTestOf202012Passes) {
  const std::filesystem::path folder = folder_of("draft2020-12");
  if (folder.empty()) GTEST_SKIP() << "no tests of 2020-12 are installed";
  run_folder(folder, Dialect::k202012, kExceptions2020);
}

TEST_F(SuiteTest, EveryRequiredTestOfDraft7Passes) {
  const std::filesystem::path folder = folder_of("draft7");
  ASSERT_FALSE(folder.empty()) << "./plumb test installs the package json-schema-test-suite";
  run_folder(folder, Dialect::kDraft7, kExceptions7);
}

}  // namespace
}  // namespace plumbline::schema
