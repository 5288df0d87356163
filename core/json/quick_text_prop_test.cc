#include "core/json/quick_text.h"

#include <array>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/json/json.h"

namespace plumbline {
namespace {

using Kind = TextShape::Kind;

constexpr std::array kItem = {TextShape{.name = "text", .kind = Kind::kText, .required = true},
                              TextShape{.name = "why", .kind = Kind::kToken, .token = "null"}};
constexpr std::array kShape = {
    TextShape{.name = "kind", .kind = Kind::kToken, .token = "\"word\"", .required = true},
    TextShape{.name = "items", .kind = Kind::kOnlyItem, .required = true, .members = kItem}};

// taken returns the text, or "-".
std::string taken(std::string_view json) {
  std::string text;
  return quick_text(json, kShape, text) ? text : "-";
}

// meant returns what the shape means, read from the value.
std::string meant(const Json& json) {
  const Json* const kind = find(json, "kind");
  const Json* const items = find(json, "items");
  if (kind == nullptr || *kind != "word" || items == nullptr || !items->is_array()) return "-";
  if (items->size() != 1) return "-";
  const Json* const why = find((*items)[0], "why");
  if (why != nullptr && !why->is_null()) return "-";
  return find_string((*items)[0], "text").value_or("-");
}

TEST(QuickTextTest, TakesTheTextAndLeavesTheRest) {
  EXPECT_EQ(taken(R"({"kind":"word","items":[{"text":"a \"b\"\n"}]})"), "a \"b\"\n");
  EXPECT_EQ(taken(R"( { "x" : [1, -2.5, {"y": [true, null]}] , "items" : [ { "why" : null ,
                    "z": {}, "text" : "a" } ] , "kind" : "word" } )"),
            "a");
  EXPECT_EQ(taken(R"({"kind":"other","items":[{"text":"a"}]})"), "-");
  EXPECT_EQ(taken(R"({"items":[{"text":"a"}]})"), "-") << "the kind is required";
  EXPECT_EQ(taken(R"({"kind":"word","items":[{"text":"a","why":1}]})"), "-");
  EXPECT_EQ(taken(R"({"kind":"word","items":[{"text":"a"},{}]})"), "-");
  EXPECT_EQ(taken(R"({"kind":"word","items":[{"text":"a","text":"b"}]})"), "-");
  EXPECT_EQ(taken(R"({"kind":"word","items":[{"text":"a"}]} x)"), "-");
  EXPECT_EQ(taken(R"({"kind":"word","items":[{"text":"a"}],})"), "-");
  EXPECT_EQ(taken(R"({"kind":"word","items":[{"text":"\u0061"}]})"), "-")
      << "the library's to read";
  EXPECT_EQ(taken(R"({"kind":"word","x":01,"items":[{"text":"a"}]})"), "-");
  EXPECT_EQ(taken(""), "-");
}

RC_GTEST_PROP(QuickTextProp, WhatItTakesIsWhatTheLibraryReads, ()) {
  static const std::vector<std::string> kPieces = {"{",
                                                   "}",
                                                   "[",
                                                   "]",
                                                   ",",
                                                   ":",
                                                   " ",
                                                   "null",
                                                   "\"word\"",
                                                   "\"text\"",
                                                   "\"why\"",
                                                   "\"kind\"",
                                                   "7",
                                                   "\"items\"",
                                                   "0",
                                                   "-1.5",
                                                   "1e3",
                                                   "\"kind\":\"word\"",
                                                   "\"items\":[{",
                                                   "\"text\":\"a\\n\"",
                                                   "}]",
                                                   "\"x\":[1,{}]",
                                                   "\"\\u0041\"",
                                                   "\"\xC3\xA9\"",
                                                   "\"why\":null",
                                                   "true"};
  // A good one with something done to it, or with nothing.
  std::vector<std::string> pieces = {"{",
                                     "\"kind\":\"word\"",
                                     ",",
                                     "\"x\":[1,{}]",
                                     ",",
                                     "\"items\":[{",
                                     "\"text\":\"a\\n\"",
                                     ",",
                                     "\"why\":null",
                                     "}]",
                                     "}"};
  const int changes = *rc::gen::inRange(0, 4);
  for (int i = 0; i < changes; ++i) {
    const std::size_t at = *rc::gen::resize(100, rc::gen::inRange<std::size_t>(0, pieces.size()));
    const std::string piece = *rc::gen::resize(100, rc::gen::elementOf(kPieces));
    if (*rc::gen::arbitrary<bool>()) {
      pieces[at] = piece;
    } else {
      pieces.insert(pieces.begin() + static_cast<std::ptrdiff_t>(at), piece);
    }
  }
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  const std::string quick = taken(text);
  RC_CLASSIFY(quick != "-", "taken");
  if (quick == "-") return;
  const Result<Json> json = parse_json(text);
  RC_ASSERT(json.ok());
  RC_ASSERT(meant(json.value()) == quick);
}

}  // namespace
}  // namespace plumbline
