#include "core/agents/operations/request/request_text.h"

#include <string>

#include <gtest/gtest.h>

namespace plumbline::agents {
namespace {

using Found = std::optional<std::string>;

TEST(RequestTextTest, AssignmentsAreReadInEveryForm) {
  RequestText text(R"(search limit=5 to: bob@x.com title="two words" path:/tmp/a name "Ann Lee")");
  EXPECT_EQ(text.assigned("limit"), Found("5"));
  EXPECT_EQ(text.assigned("to"), Found("bob@x.com"));
  EXPECT_EQ(text.assigned("Title"), Found("two words"));
  EXPECT_EQ(text.assigned("name"), Found("Ann Lee"));
  EXPECT_EQ(text.assigned("limit"), Found());
  EXPECT_EQ(text.assigned("lim"), Found());
}

TEST(RequestTextTest, ValuesAreHandedOutOnce) {
  RequestText text("Move a.txt to b.txt");
  EXPECT_EQ(text.path_after({"to"}), Found("b.txt"));
  EXPECT_EQ(text.path(), Found("a.txt"));
  EXPECT_EQ(text.path(), Found());
}

TEST(RequestTextTest, PathsAreToldFromOtherWords) {
  EXPECT_EQ(RequestText("read docs/plan.txt, please").path(), Found("docs/plan.txt"));
  EXPECT_EQ(RequestText("read 'my notes.md' now").path(), Found("my notes.md"));
  for (const char* text :
       {"version 3.5", "e.g. this", "bob@x.com", "https://x.com/a", "end. Then"}) {
    EXPECT_EQ(RequestText(text).path(), Found()) << text;
  }
  EXPECT_EQ(RequestText("fetch https://x.com/a.").uri(), Found("https://x.com/a"));
}

TEST(RequestTextTest, FilesOfSecretsArePathsWithoutAnExtension) {
  for (const char* path : {".env", ".env.local", ".ssh", ".aws", "id_rsa", "ID_ED25519", ".npmrc",
                           "_netrc", ".pgpass", ".bash_history", "prod.tfstate", "app.keystore",
                           "C:\\Users\\me\\.ssh\\id_rsa", "~/.ssh/id_rsa"}) {
    EXPECT_EQ(RequestText(std::string("show me ") + path + ".").path(), Found(path)) << path;
  }
  for (const char* text :
       {"read the secret", "show cookies", "tell .NET from Java", "my_notes", "use get_history",
        "id_card", "the passwords", "list the .md files", "find *.pem"}) {
    EXPECT_EQ(RequestText(text).path(), Found()) << text;
  }
}

TEST(RequestTextTest, QuotationsMayBeCurlyAndApostrophesCloseNothing) {
  EXPECT_EQ(RequestText("say \xe2\x80\x9chi there\xe2\x80\x9d to Bob").only_quoted(),
            Found("hi there"));
  EXPECT_EQ(RequestText("say 'it's fine' now").only_quoted(), Found("it's fine"));
  EXPECT_EQ(RequestText("Bob's dog isn't here").only_quoted(), Found());
  EXPECT_EQ(RequestText("an \"open end").only_quoted(), Found());
  EXPECT_EQ(RequestText("\"a\",\"b\"").only_quoted(), Found());
  EXPECT_EQ(RequestText("\"\" ''").only_quoted(), Found());
}

TEST(RequestTextTest, PeopleAndRecipientsAreFound) {
  EXPECT_EQ(RequestText("Greet Ada").person(), Found("Ada"));
  EXPECT_EQ(RequestText("greet Ada Lovelace, please").person(), Found("Ada Lovelace"));
  EXPECT_EQ(RequestText("greet me").person(), Found());
  EXPECT_EQ(RequestText("Greet the user. Then I go").person(), Found());
  EXPECT_EQ(RequestText("Send it to the finance team").recipient(), Found("finance"));
  EXPECT_EQ(RequestText("I want to send a note to Bob").recipient(), Found("Bob"));
  EXPECT_EQ(RequestText("post to #general").recipient(), Found("#general"));
  EXPECT_EQ(RequestText("mail ann@x.com").recipient(), Found("ann@x.com"));
  EXPECT_EQ(RequestText("send it").recipient(), Found());
}

TEST(RequestTextTest, NumbersAndIdentifiersAreFound) {
  EXPECT_EQ(RequestText("show ticket T-42").identifier(), Found("T-42"));
  EXPECT_EQ(RequestText("show #17").identifier(), Found("17"));
  EXPECT_EQ(RequestText("show issue #17").number_near("issue_number"), Found("17"));
  EXPECT_EQ(RequestText("the last 5 files").number_near("limit"), Found("5"));
  EXPECT_EQ(RequestText("the last 5 files").number_near("offset"), Found());
  EXPECT_EQ(RequestText("add 2 and 3").only_number(), Found());
  EXPECT_EQ(RequestText("wait -3.5 seconds").only_number(), Found("-3.5"));
}

TEST(RequestTextTest, PhrasesStandAsTheyWereWritten) {
  EXPECT_EQ(RequestText("search for the red (very) big car, now").phrase_after({"for"}),
            Found("red (very) big car"));
  EXPECT_EQ(RequestText("weather in New York tomorrow").place(), Found("New York"));
  EXPECT_EQ(RequestText("weather in paris").place(), Found());
  EXPECT_EQ(RequestText("Turn off the light in the kitchen").place(), Found("kitchen"));
  EXPECT_EQ(RequestText("Update the status of ticket 42 to \"closed\"").set_to("status"),
            Found("closed"));
  EXPECT_EQ(RequestText("Send the status to Bob").set_to("status"), Found());
  EXPECT_EQ(RequestText("Email the report to finance").direct_object(), Found("report"));
  EXPECT_EQ(RequestText("Email to finance").direct_object(), Found());
  EXPECT_EQ(RequestText("search for").phrase_after({"for"}), Found());
}

TEST(RequestTextTest, SpeaksOfWholeWordsOnly) {
  const RequestText text("Show High-priority tickets");
  EXPECT_TRUE(text.speaks_of("high"));
  EXPECT_TRUE(text.speaks_of("high_priority"));
  EXPECT_FALSE(text.speaks_of("hi"));
  EXPECT_FALSE(text.speaks_of(""));
}

TEST(RequestTextTest, NothingIsFoundInNothing) {
  for (const char* request : {"", " ", ",", "\"", "()", ":", "=", "\"\"", "to", "to the"}) {
    RequestText text(request);
    EXPECT_EQ(text.person(), Found());
    EXPECT_EQ(text.path(), Found());
    EXPECT_EQ(text.place(), Found());
    EXPECT_EQ(text.direct_object(), Found()) << request;
    EXPECT_EQ(text.number_near("limit"), Found());
  }
}

TEST(RequestTextTest, NamesStandBesideTheirThings) {
  const auto named = [](std::string_view request, std::string_view thing, bool made = false) {
    return RequestText(request).named_as(thing, {"table", "size"}, made);
  };
  EXPECT_EQ(named("Switch to branch feature-x", "branch"), Found("feature-x"));
  EXPECT_EQ(named("Push the branch main to origin", "branch"), Found("main"));
  EXPECT_EQ(named("Show the main branch", "branch"), Found("main"));
  EXPECT_EQ(named("List what is in namespace shop", "namespace"), Found("shop"));
  EXPECT_EQ(named("Describe table users", "table"), Found("users"));
  EXPECT_EQ(named("Show the table sizes", "table"), Found());
  EXPECT_EQ(named("Show the team calendar", "team"), Found());
  EXPECT_EQ(named("Is the server down?", "server"), Found());
  EXPECT_EQ(named("Create a team named Support", "team"), Found());
  EXPECT_EQ(named("Create a team named Support", "team", true), Found("Support"));
}

TEST(RequestTextTest, OldAndNewStandOnBothSides) {
  const auto pair = RequestText("Convert 100 USD to EUR").pair();
  ASSERT_TRUE(pair.has_value());
  EXPECT_EQ(pair->first, "USD");
  EXPECT_EQ(pair->second, "EUR");
  EXPECT_FALSE(RequestText("I want to go to Paris").pair().has_value());
}

}  // namespace
}  // namespace plumbline::agents
