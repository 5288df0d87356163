// Requests as people write them, and what each asks for.

#include "core/agents/operations/intent.h"

#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace plumbline::agents {
namespace {

struct IntentRow {
  Intent intent;
  std::vector<std::string_view> requests;
};

const std::vector<IntentRow> kIntentRows = {
    {Intent::kAnswerWithoutMcp,
     {"hello", "Hi there!", "hey", "thanks", "Thanks for your time!", "Thank you so much.",
      "Great, thanks", "How are you?", "Hello, how are you today?", "who are you?",
      "What can you do?", "good morning", "ok", "yes", "Great job, well done!", "help"}},
    {Intent::kExecuteTool,
     {// It knows nothing of its own: whatever is asked, a server may know.
      "tell me a joke", "Tell me a joke about files", "what is 2+2", "What is the sum of 2 and 3?",
      "What are the salaries of Bob?", "Print env", "Format drive C", "Trigger the long operation",
      "What is the capital of France?", "Who wrote Hamlet?", "How do I delete a file?",
      "What is a database?", "what's an invoice?", "Explain how transactions work",
      "Write a poem about the sea", "I am tired today", "Why do people lie?", "Is the job done?",
      "Hi, is the work done?", "delete", "Reboot", "2 + 2", "列出文件",
      //
      "List the files in the managed project folder.", "list files", "ls the folder please",
      "What files are in the docs directory?", "Show me the open tickets",
      "Summarize the open high-priority support tickets.", "how many tickets are open?",
      "Greet Ada", "Please greet Bob Smith", "Email the report to finance",
      "send bob@example.com a message", "Send me the list of files", "Create a ticket",
      "Open a ticket about the broken printer", "run the tests", "Turn on the light",
      "Open the door", "switch off the heating", "pay the invoice", "Pay invoice 42",
      "Transfer $50 to Bob", "delete old-notes.txt", "rm the file a.txt",
      "What time is it in Tokyo?", "What's the weather in Paris?", "Is the server down?",
      "hi, what is the weather", "Thanks! Now list the files", "Fetch https://example.com/a",
      "Find all invoices of March", "Book a meeting with Ann", "translate this to French",
      "Save the poem to poem.txt", "calculate 17 percent of 230", "Who created issue #12?",
      "Check the status of order 17", "what's on my calendar tomorrow?",
      "Move a.txt to archive/a.txt", "Post 'done' to #general", "Close ticket T-42",
      "Find the report and email it to Bob", "Why is the server slow?", "restart the container",
      "Look up the customer Jane Doe", "Count the records in the table"}},
    {Intent::kReadResource,
     {"Read notes.md", "read the file docs/plan.txt", "Open notes.md", "Read file:///etc/motd",
      "Show the contents of config.yaml", "read the resource about onboarding",
      "please open the README.md"}},
    {Intent::kUsePrompt,
     {"Use the incident summary prompt", "Run the code-review prompt", "Which prompts are there?",
      "fill in the onboarding template"}},
};

TEST(IntentTest, EachRequestIsUnderstood) {
  std::size_t count = 0;
  for (const IntentRow& row : kIntentRows) {
    for (const std::string_view request : row.requests) {
      EXPECT_EQ(name_of(classify_intent(request)), name_of(row.intent)) << request;
      ++count;
    }
  }
  EXPECT_GE(count, 60U);
}

TEST(IntentTest, OperationTypesAndNamesGoTogether) {
  EXPECT_EQ(operation_type(Intent::kReadResource), connector::CapabilityType::kResource);
  EXPECT_EQ(operation_type(Intent::kExecuteTool), connector::CapabilityType::kTool);
  EXPECT_EQ(operation_type(Intent::kUsePrompt), connector::CapabilityType::kPrompt);
  EXPECT_FALSE(operation_type(Intent::kAnswerWithoutMcp).has_value());
  EXPECT_EQ(name_of(Intent::kAnswerWithoutMcp), "answer_without_mcp");
}

TEST(IntentTest, OddInputIsNoRequest) {
  for (const std::string_view text : {"", "?", "...", "''", "  "}) {
    EXPECT_EQ(classify_intent(text), Intent::kAnswerWithoutMcp) << text;
  }
}

}  // namespace
}  // namespace plumbline::agents
