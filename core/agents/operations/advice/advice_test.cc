// A model beside the words: it is heard where it makes sense, and never decides what may run.

#include "core/agents/operations/advice/advice.h"

#include <memory>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "core/agents/operations/assistant_fixture.h"
#include "fakes/model/scripted_model.h"

namespace plumbline::agents {
namespace {

class AdviceTest : public AssistantTest {
 public:
  using AssistantTest::ask_for;
  using AssistantTest::mcp_;
  void TestBody() override {}

  // advised gives the assistant a model of this script.
  void advised(const std::string& script) {
    auto read = fakes::parse_model_script(connector::json(script));
    check(read.ok(), "a good script");
    script_ = std::move(read).value();
    model_ = std::make_unique<fakes::ScriptedModel>(loop_, script_);
    model_->on_prompt([this](const model::Prompt& prompt) { prompts_.push_back(prompt); });
    services_.model = model_.get();
  }
  // says has it answer each question by this text.
  void says(const std::string& text) {
    const Json turn = {{"text", text}, {"always", true}};
    advised(dump_json({{"turns", Json::array({turn})}}));
  }

  void offer_two() {
    offer({connector::tool("a", "list_files", "List the files of a folder."),
           connector::tool("b", "list_folder_files", "List the files of a folder, by date."),
           connector::tool("c", "delete_files", "Delete the files of a folder.")});
    mcp_.replies.emplace_back(connector::text_result("sample.txt"));
  }

  // offer_cards offers a tool that takes what the words of a request do not give it.
  void offer_cards() {
    offer({connector::tool("shop", "search_cards", "Searches the cards of all sets.",
                           R"({"query": {"type": "string"},
                               "rarity": {"type": "string", "enum": ["COMMON", "RARE"]},
                               "max_results": {"type": "integer", "default": 20}})",
                           "query")});
    mcp_.replies.emplace_back(connector::text_result("one card"));
  }

  // proposes has it name a tool, and then arguments.
  void proposes(const char* tool, const char* arguments) {
    Json turns = Json::array(
        {{{"text", R"({"choice": "execute_tool"})"}}, {{"text", dump_json({{"choice", tool}})}}});
    turns.push_back({{"text", dump_json({{"arguments", connector::json(arguments)}})}});
    advised(dump_json({{"turns", turns}}));
  }

  // outcome asks for a list of files, and approves nothing.
  AssistantOutcome outcome(const char* request = "List the files of the folder") {
    return ask_for(request, [](const Json&) { return false; });
  }

  std::size_t calls() const { return mcp_.requests.size(); }

  fakes::ModelScript script_;
  std::unique_ptr<fakes::ScriptedModel> model_;
  std::vector<model::Prompt> prompts_;
};

class WithModel : public AdviceTest {};

TEST_F(WithModel, ItsChoiceAmongWhatTheWordsFoundIsTaken) {
  offer_two();
  says(R"({"choice": "a/list_files"})");
  const AssistantOutcome chosen = outcome();
  EXPECT_EQ(selected(chosen), "a/list_files");
  EXPECT_EQ(status(chosen), "ok");
  ASSERT_EQ(prompts_.size(), 3U) << "the intent, the candidate, and its arguments";
  EXPECT_NE(prompts_[1].messages[1].text.find("by date"), std::string::npos);
  EXPECT_TRUE(prompts_[1].settings.response_schema);
}

TEST_F(WithModel, WhatTheWordsAskOfAServerIsLookedUpWhateverItSays) {
  offer_two();
  says(R"({"choice": "answer_without_mcp"})");
  const AssistantOutcome chosen = outcome();
  EXPECT_EQ(chosen.state.intent, Intent::kExecuteTool);
  EXPECT_EQ(selected(chosen), "b/list_folder_files");
}

TEST_F(WithModel, ItMaySayThatNothingFits) {
  offer_two();
  says(R"({"choice": "none"})");
  const AssistantOutcome chosen = outcome();
  EXPECT_EQ(status(chosen), "answered_without_mcp");
  EXPECT_EQ(calls(), 0U);
}

TEST_F(WithModel, ItChoosesAmongAllToolsAlsoWhereTheWordsFindNone) {
  const char* const request = "What lies around here?";
  offer_two();
  EXPECT_EQ(calls(), 0U);
  says("nothing of use");
  EXPECT_EQ(status(outcome(request)), "answered_without_mcp");
  says(R"({"choice": "a/list_files"})");
  const AssistantOutcome chosen = outcome(request);
  EXPECT_EQ(selected(chosen), "a/list_files");
  EXPECT_EQ(status(chosen), "ok");
}

TEST_F(WithModel, NonsenseAndFailuresLeaveItToTheWords) {
  for (const char* const script :
       {R"({"turns": []})", R"({"turns": [{"fails": {"status": 500}, "always": true}]})",
        R"({"turns": [{"text": "list them all!", "always": true}]})",
        R"({"turns": [{"text": "{\"choice\": 7}", "always": true}]})",
        R"({"turns": [{"calls": [{"name": "delete_files"}], "always": true}]})",
        R"({"latency_ms": 60000, "turns": [{"text": "late", "always": true}]})"}) {
    offer_two();
    advised(script);
    const AssistantOutcome chosen = outcome();
    EXPECT_EQ(selected(chosen), "b/list_folder_files") << script;
    EXPECT_EQ(status(chosen), "ok") << script;
  }
}

TEST_F(WithModel, WhatNeedsApprovalStillDoes) {
  offer_two();
  says(R"({"choice": "c/delete_files"})");
  const AssistantOutcome chosen = outcome("Delete the files of the folder, or list them");
  EXPECT_EQ(selected(chosen), "c/delete_files");
  EXPECT_EQ(status(chosen), "needs_review");
  EXPECT_EQ(calls(), 0U);
}

TEST_F(WithModel, NobodyIsOfferedADefaultPlaceWhereAnotherWasNamed) {
  offer({connector::tool("git", "init", "Initializes a new repository.",
                         R"({"place": {"type": "string", "default": "."}})")});
  says(R"({"choice": "git/init"})");
  const AssistantOutcome chosen = outcome("Set up a new repository in /srv/new");
  EXPECT_EQ(status(chosen), "needs_review");
  EXPECT_FALSE(chosen.state.capability_validation.approvable);
  EXPECT_NE(response(chosen).find("was not told /srv/new"), std::string::npos) << response(chosen);
}

TEST_F(WithModel, TheArgumentsThatItFindsInTheRequestAreGiven) {
  offer_cards();
  proposes("shop/search_cards", R"({"query": "elsa", "rarity": "RARE", "max_results": 5})");
  const AssistantOutcome chosen = outcome("Any hard to get ones of Elsa? Five at most");
  EXPECT_EQ(status(chosen), "ok") << response(chosen);
  ASSERT_EQ(calls(), 1U);
  EXPECT_EQ(mcp_.requests[0].params["arguments"],
            connector::json(R"({"query": "Elsa", "rarity": "RARE", "max_results": 5})"));
  EXPECT_NE(prompts_[2].messages[1].text.find("max_results"), std::string::npos);
}

TEST_F(WithModel, ANullIsAsGoodAsLeftOut) {
  offer_cards();
  proposes("shop/search_cards", R"({"query": "Elsa", "rarity": null, "max_results": null})");
  const AssistantOutcome chosen = outcome("Any hard to get ones of Elsa?");
  ASSERT_EQ(calls(), 1U) << response(chosen);
  EXPECT_EQ(mcp_.requests[0].params["arguments"],
            connector::json(R"({"query": "Elsa", "max_results": 20})"));
}

// What a model makes up, or was told by a server, never becomes an argument.
TEST_F(WithModel, ArgumentsThatTheRequestDoesNotSayAreNotGiven) {
  for (const char* const made_up :
       {R"({"query": "cards of the owner"})", R"({"query": "Elsa", "max_results": 7})",
        R"({"query": "Els"})", R"({"query": "Elsa", "rarity": "MYTHIC"})",
        R"({"query": ["Elsa", "Anna"]})", R"({"query": null})", R"({"query": ""})"}) {
    offer_cards();
    proposes("shop/search_cards", made_up);
    const std::size_t before = calls();
    const AssistantOutcome chosen = outcome("Any hard to get ones of Elsa?");
    for (std::size_t i = before; i < calls(); ++i) {
      EXPECT_NE(mcp_.requests[i].params["arguments"], connector::json(made_up));
    }
    EXPECT_FALSE(response(chosen).empty()) << made_up;
  }
}

TEST_F(WithModel, WhoApprovesIsToldWhichWordsAToolDoesNotKnow) {
  offer({connector::tool("shop", "place_order", "Places the order for a date.",
                         R"({"date": {"type": "string"}})", "date")});
  proposes("shop/place_order", R"({"date": "2026-12-07"})");
  const AssistantOutcome chosen = outcome("Place the order for 2026-12-07 by courier");
  EXPECT_EQ(status(chosen), "needs_review");
  EXPECT_TRUE(chosen.state.capability_validation.approvable);
  EXPECT_NE(response(chosen).find("courier"), std::string::npos) << response(chosen);
}

// An approval shows what a call does, and not what it leaves out.
TEST_F(WithModel, NobodyIsOfferedACallThatLeavesOutAValue) {
  offer({connector::tool("shop", "place_order", "Places the order for a date.",
                         R"({"date": {"type": "string"}})", "date")});
  says(R"({"choice": "shop/place_order"})");
  EXPECT_EQ(status(outcome("Place the order for 2026-12-07")), "needs_review");
  const AssistantOutcome chosen = outcome("Place the order for 2026-12-07 and add a 5 dollar tip");
  EXPECT_EQ(calls(), 0U);
  EXPECT_FALSE(chosen.state.capability_validation.approvable);
  EXPECT_NE(response(chosen).find("was not told 5"), std::string::npos) << response(chosen);
}

// Where a model has named the arguments, a person decides on what it left out: who approves is
// told.
TEST_F(WithModel, WhatItLeavesOutIsSaidToAPerson) {
  offer_cards();
  proposes("shop/search_cards", R"({"query": "Elsa"})");
  const AssistantOutcome chosen = outcome("Any cards of Elsa and Anna from Berlin?");
  EXPECT_EQ(status(chosen), "needs_review");
  EXPECT_EQ(calls(), 0U);
  EXPECT_TRUE(chosen.state.capability_validation.approvable);
  EXPECT_NE(response(chosen).find("a call that leaves out Anna, Berlin requires approval"),
            std::string::npos)
      << response(chosen);
}

TEST_F(WithModel, AMemberThatTheToolDoesNotKnowIsNotGiven) {
  offer_cards();
  proposes("shop/search_cards", R"({"query": "Elsa", "city": "Berlin"})");
  const AssistantOutcome chosen = outcome("Any cards of Elsa from Berlin?");
  for (const auto& request : mcp_.requests) {
    EXPECT_EQ(dump_json(to_json(request)).find("city"), std::string::npos);
  }
  EXPECT_NE(status(chosen), "ok");
}

RC_GTEST_PROP(AdviceProp, WhateverItSaysNothingIsDoneThatNobodyApproved, ()) {
  AdviceTest test;
  test.offer_two();
  const auto any = rc::gen::element<std::string>(
      R"({"choice": "c/delete_files"})", R"({"choice": "execute_tool"})",
      R"({"choice": "read_resource"})", R"({"choice": "use_prompt"})",
      R"({"choice": "a/list_files"})", "{}", "approve", R"({"choice": "", "approve": true})");
  Json turns = Json::array();
  for (int i = 0; i < 3; ++i) turns.push_back({{"text", *any}});
  test.advised(dump_json({{"turns", turns}}));
  const AssistantOutcome outcome =
      test.ask_for(*rc::gen::element<std::string>("Delete the files of the folder",
                                                  "List the files", "What is a folder?"),
                   [](const Json&) { return false; });
  for (const auto& request : test.mcp_.requests) {
    RC_ASSERT(dump_json(to_json(request)).find("delete_files") == std::string::npos);
  }
}

}  // namespace
}  // namespace plumbline::agents
