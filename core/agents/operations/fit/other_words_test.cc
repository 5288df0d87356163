// Requests in other words than those of the tools, and values that nothing but their place names.

#include <string_view>
#include <vector>

#include "core/agents/operations/fit/fit_fixture.h"

namespace plumbline::agents {
namespace {

constexpr std::string_view kName = R"({"name": {"type": "string"}})";

std::vector<connector::Capability> tools() {
  return {
      connector::tool("cluster", "pods_delete", "Delete a pod.",
                      R"({"name": {"type": "string"}, "namespace": {"type": "string"}})", "name"),
      connector::tool("cluster", "pods_list", "List the pods of a namespace.",
                      R"({"namespace": {"type": "string"}})", "namespace"),
      connector::tool("vcs", "checkout", "Switch to a branch.", R"({"target": {"type": "string"}})",
                      "target"),
      connector::tool("vcs", "log", "View the history of commits.",
                      R"({"path": {"type": "string", "default": "."},
                          "filePath": {"type": "string"}})"),
      connector::tool("gallery", "delete_image", "Deletes an image.", kName, "name"),
      connector::tool("gallery", "list_images", "Lists the images.", "{}"),
      connector::tool("gallery", "get_image_size", "Gets the size of an image.", kName, "name"),
      connector::tool("tracker", "get_issue", "Gets an issue.",
                      R"({"issue_key": {"type": "string"}})", "issue_key"),
      connector::tool("money", "convert_currency", "Converts an amount.",
                      R"({"amount": {"type": "number"}, "from": {"type": "string"},
                          "to": {"type": "string"}})",
                      "amount from to"),
      connector::tool("store", "rename", "Renames a key.",
                      R"({"old_key": {"type": "string"}, "new_key": {"type": "string"}})",
                      "old_key new_key"),
      connector::tool("store", "dbsize", "Get the number of keys in the store.", "{}"),
      connector::tool("hub", "list_labels", "Lists the labels.", "{}"),
      connector::tool("hub", "get_label_colors", "Gets the colors of the labels.", "{}"),
      connector::tool("clock", "current_time", "Gets the current time.",
                      R"({"timezone": {"type": "string"}})"),
  };
}

constexpr FitRow kOtherWords[] = {
    {"Delete the pod web-1 in namespace shop", "review cluster/pods_delete"},
    {"List the pods in namespace shop", "cluster/pods_list {\"namespace\":\"shop\"}"},
    {"List the pods in the main namespace", "cluster/pods_list {\"namespace\":\"main\"}"},
    {"Switch to branch feature-x", "review vcs/checkout"},
    {"Show the history of src/main.c", "vcs/log {\"filePath\":\"src/main.c\",\"path\":\".\"}"},
    {"Show the history of /srv/shop", "vcs/log {\"path\":\"/srv/shop\"}"},
    {"Discard the picture sunset-1", "review gallery/delete_image"},
    {"Get rid of the image sunset-1", "review gallery/delete_image"},
    {"Which pictures are there?", "gallery/list_images {}"},
    {"Sell the picture sunset-1", "none"},
    {"Discard the invoice sunset-1", "none"},
    {"Show ticket SHOP-12", "tracker/get_issue {\"issue_key\":\"SHOP-12\"}"},
    {"Convert 100 USD to EUR",
     "money/convert_currency {\"amount\":100,\"from\":\"USD\",\"to\":\"EUR\"}"},
    {"Rename the key a:1 to a:2", "review store/rename"},
    {"How many keys are there?", "store/dbsize {}"},
    {"Which labels exist?", "hub/list_labels {}"},
    {"What is the time in Asia/Tokyo?", "clock/current_time {\"timezone\":\"Asia/Tokyo\"}"},
};

TEST_F(FitTest, OtherWordsAndNames) {
  offer(tools());
  EXPECT_EQ(sums_of(kOtherWords), "17 right, 0 missed, 0 answered with something else");
}

}  // namespace
}  // namespace plumbline::agents
