#include "core/agents/supervisor/files/named_files.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/agents/supervisor/files/image_types.h"
#include "core/agents/supervisor/supervisor_fixture.h"
#include "core/base/base64.h"

namespace plumbline::agents::supervisor {
namespace {

// slow_fits is what fits_glob is, by its definition.
bool slow_fits(std::string_view pattern, std::string_view path) {
  if (pattern.empty()) return path.empty();
  if (pattern.starts_with("**")) {
    for (std::size_t taken = 0; taken <= path.size(); ++taken) {
      if (slow_fits(pattern.substr(2), path.substr(taken))) return true;
    }
    return false;
  }
  if (pattern.front() == '*') {
    for (std::size_t taken = 0; taken <= path.size(); ++taken) {
      if (slow_fits(pattern.substr(1), path.substr(taken))) return true;
      if (taken < path.size() && path[taken] == '/') return false;
    }
    return false;
  }
  if (path.empty()) return false;
  const bool one = pattern.front() == '?' ? path.front() != '/' : pattern.front() == path.front();
  return one && slow_fits(pattern.substr(1), path.substr(1));
}

RC_GTEST_PROP(GlobPropTest, FitsWhatItsDefinitionSays, ()) {
  const auto letters = [](const char* of) {
    return rc::gen::container<std::string>(rc::gen::elementOf(std::string(of)));
  };
  const std::string path = *letters("aab/");
  std::string pattern = *letters("aab/?*");
  if (pattern.size() > 12) pattern.resize(12);
  // "**/" stands for no folder as well, and three stars for two.
  RC_PRE((pattern.find("/**/") == std::string::npos && pattern.find("***") == std::string::npos));
  RC_ASSERT(fits_glob(pattern, path.substr(0, 14)) == slow_fits(pattern, path.substr(0, 14)));
}

TEST(GlobTest, StarsStayInAFolderAndTwoGoBelow) {
  EXPECT_TRUE(fits_glob("/srv/*.cc", "/srv/a.cc"));
  EXPECT_FALSE(fits_glob("/srv/*.cc", "/srv/b/a.cc"));
  EXPECT_TRUE(fits_glob("/srv/**/*.cc", "/srv/b/c/a.cc"));
  EXPECT_TRUE(fits_glob("/srv/**/*.cc", "/srv/a.cc"));
  EXPECT_FALSE(fits_glob("/srv/**/*.cc", "/srv/b/a.h"));
  EXPECT_TRUE(fits_glob("/srv/?.cc", "/srv/a.cc"));
}

const std::string kPng = std::string("\x89PNG\r\n\x1a\n", 8) + "pixels";

class NamedFilesTest : public testing::Test {
 protected:
  NamedFilesTest() {
    world_.shelf.add("m", R"({"turns": [{"text": "ok", "always": true}]})");
    for (const char* name : {"/srv/project/a.cc", "/srv/project/sub/b.cc", "/srv/project/c.h"}) {
      world_.file(name, std::string("// ") + name);
    }
    world_.commands.paths.folder("/srv/project/sub");
  }

  const Sources& chat(Json arguments) {
    arguments["prompt"] = "x";
    return world_.call("chat", std::move(arguments)).state().sources;
  }
  static std::string why(const Sources& sources) {
    std::string out;
    for (const Json& each : sources.files_left_out) {
      out += string_or(each, "file", "") + ": " + string_or(each, "why", "") + "\n";
    }
    return out;
  }

  SupervisorWorld world_;
};

TEST_F(NamedFilesTest, FoldersAndPatternsStandForTheirFiles) {
  using Files = std::vector<std::string>;
  EXPECT_EQ(chat({{"files", {"/srv/project/**/*.cc"}}}).files,
            (Files{"/srv/project/a.cc", "/srv/project/sub/b.cc"}));
  EXPECT_EQ(chat({{"files", {"/srv/project"}}}).files.size(), 3U);
  EXPECT_EQ(chat({{"files", {"*.cc", "./sub"}}}).files,
            (Files{"/srv/project/sub/b.cc", "/srv/project/a.cc"}))
      << "what begins nowhere begins at the only root";
  EXPECT_EQ(chat({{"files", {"/srv/project/*.py", "/etc/*"}}}).files, Files{});
  EXPECT_EQ(why(world_.run->state().sources),
            "/etc/*: cannot find \"/etc\": No such file or directory\n"
            "/srv/project/*.py: no file fits\n");
}

TEST_F(NamedFilesTest, AFolderBringsNothingThatToolsHaveMadeAndSaysSo) {
  for (const char* name : {"/srv/project/node_modules/x/i.js", "/srv/project/node_modules/y.js",
                           "/srv/project/.git/config", "/srv/project/yarn.lock"}) {
    world_.file(name, std::string("// ") + name);
  }
  EXPECT_EQ(chat({{"files", {"/srv/project"}}}).files.size(), 3U);
  EXPECT_EQ(why(world_.run->state().sources),
            "1 file: a lock file, so it was not read\n"
            "1 file: hidden, so it was not read\n"
            "2 files: in node_modules, so it was not read\n");
  EXPECT_EQ(chat({{"files", {"/srv/project/node_modules/y.js"}}}).files.size(), 1U);
}

TEST_F(NamedFilesTest, WithoutARootOneIsToldHowToGiveOne) {
  world_.services.roots.clear();
  chat({{"files", {"/srv/project/a.cc"}}});
  EXPECT_NE(why(world_.run->state().sources).find("--root FOLDER"), std::string::npos);
}

TEST_F(NamedFilesTest, NoModelIsShownWhatUsuallyHoldsSecrets) {
  world_.file("/srv/project/server.pem", "secret");
  world_.commands.paths.link("/srv/project/plain.txt", "server.pem");
  const Sources& sources = chat({{"files", {"/srv/project", "/srv/project/plain.txt"}}});
  EXPECT_EQ(sources.file_content_cache.size(), 3U);
  EXPECT_EQ(why(sources),
            "/srv/project/plain.txt: it usually holds secrets, and no model is shown those\n"
            "/srv/project/server.pem: it usually holds secrets, and no model is shown those\n");
}

TEST_F(NamedFilesTest, WhatIsTooManyIsSaid) {
  world_.services.limits.files_max = 2;
  EXPECT_EQ(chat({{"files", {"/srv/project"}}}).files.size(), 2U);
  EXPECT_EQ(why(world_.run->state().sources),
            "/srv/project/sub/b.cc: it and what comes behind it are more than 2 files\n");
}

TEST_F(NamedFilesTest, TheSameContentIsShownOnce) {
  world_.file("/srv/project/copy.cc", "// /srv/project/a.cc");
  const Sources& sources =
      chat({{"files", {"/srv/project/a.cc", "/srv/project/copy.cc", "/srv/project/c.h"}}});
  EXPECT_EQ(sources.file_content_cache.size(), 2U);
  EXPECT_EQ(why(sources), "/srv/project/a.cc: it is the same as /srv/project/copy.cc\n");
}

TEST_F(NamedFilesTest, ImagesGoToModelsThatTakeThem) {
  world_.file("/srv/project/a.png", kPng);
  world_.file("/srv/project/fake.png", "text");
  world_.file("/etc/b.png", kPng);
  const std::string url = "data:image/png;base64," + encode_base64(kPng);
  const Json images = {"/srv/project/a.png", "/srv/project/fake.png", "/etc/b.png", url};
  chat({{"images", images}});
  EXPECT_TRUE(world_.shelf.prompts.back().messages.back().media.empty());
  EXPECT_NE(why(world_.run->state().sources).find("the model \"m\" takes no images"),
            std::string::npos);
  world_.shelf.know("m", {.name = "m", .provider = "p", .images = true});
  const Sources& sources = chat({{"images", images}});
  const auto& media = world_.shelf.prompts.back().messages.back().media;
  ASSERT_EQ(media.size(), 2U);
  EXPECT_EQ(media[0].mime_type, "image/png");
  EXPECT_EQ(media[1].data_base64, encode_base64(kPng));
  EXPECT_EQ(why(sources),
            "/etc/b.png: it is outside of the allowed folders\n"
            "/srv/project/fake.png: it is no image of PNG, JPEG, GIF or WebP\n");
}

TEST_F(NamedFilesTest, AnImageAmongTheFilesIsAnImage) {
  world_.shelf.know("m", {.name = "m", .provider = "p", .images = true});
  world_.file("/srv/project/plain", kPng);
  world_.file("/srv/project/shot.PNG", kPng);
  chat({{"files", {"/srv/project/plain", "/srv/project/shot.PNG"}}});
  EXPECT_EQ(world_.shelf.prompts.back().messages.back().media.size(), 2U);
  EXPECT_TRUE(world_.run->state().sources.files_left_out.empty());
}

TEST(ImagesTest, TypesAreReadFromTheFirstBytes) {
  EXPECT_EQ(image_type("\xff\xd8\xff\xe0"), "image/jpeg");
  EXPECT_EQ(image_type("GIF89a..."), "image/gif");
  EXPECT_EQ(image_type("RIFF1234WEBPVP8 "), "image/webp");
  EXPECT_EQ(image_type("RIFF1234WAVE"), "");
  EXPECT_EQ(image_type(""), "");
}

}  // namespace
}  // namespace plumbline::agents::supervisor
