// Requests that say how, when, for whom or what else, to tools that know nothing of it: a call
// would be made as if it had not been said.

#include <string_view>
#include <vector>

#include "core/agents/operations/fit/fit_fixture.h"

namespace plumbline::agents {
namespace {

std::vector<connector::Capability> garden_tools() {
  return {
      connector::tool("garden", "get_plot", "Gets a plot of the garden.",
                      R"({"plotId": {"type": "string"},
                          "season": {"type": "string", "description": "Such as harvest."}})",
                      "plotId"),
      connector::tool("garden", "search_seeds", "Searches the seeds of the garden.",
                      R"({"query": {"type": "string"}, "limit": {"type": "number"}})", "query"),
      connector::tool("garden", "water_plot", "Waters a plot of the garden.",
                      R"({"plotId": {"type": "string"}, "confirm": {"type": "boolean"}})",
                      "plotId"),
      connector::tool("garden", "create_sign", "Creates a sign with a text.",
                      R"({"text": {"type": "string"}, "height": {"type": "number"}})", "text"),
      connector::tool("garden", "list_plot_notes", "Lists the notes on a plot.",
                      R"({"id": {"type": "string"}})", "id"),
  };
}

constexpr FitRow kUnheededRows[] = {
    {"Show plot p4", "garden/get_plot {\"plotId\":\"p4\"}"},
    {"Show plot p4 as a drawing", "none"},
    {"Show plot p4 for my sister", "none"},
    {"Show plot p4 by bus", "none"},
    {"Show plot p4 without the weeds", "none"},
    {"Show plot p4 twice", "none"},
    {"Tomorrow, show plot p4", "none"},
    {"When it rains, show plot p4", "none"},
    {"If you can, show plot p4", "garden/get_plot {\"plotId\":\"p4\"}"},
    {"Show plot p4 in detail", "garden/get_plot {\"plotId\":\"p4\"}"},
    {"Show plot p4 of the managed garden", "garden/get_plot {\"plotId\":\"p4\"}"},
    {"Search the seeds for \"kale\", at most 5 hits",
     "garden/search_seeds {\"limit\":5,\"query\":\"kale\"}"},
    {"Water plot p4", "review garden/water_plot"},
    {"Water plot p4 and then reboot the router", "none"},
    {"Water the red plot p4", "none"},
    {"Create a 30 height sign \"Roses\"", "review garden/create_sign"},
    {"Show the sign \"Roses\"", "none"},
    {"Print two copies of plot p4", "none"},
};

TEST_F(FitTest, WhatNobodyWouldHeed) {
  offer(garden_tools());
  EXPECT_EQ(sums_of(kUnheededRows), "18 right, 0 missed, 0 answered with something else");
}

}  // namespace
}  // namespace plumbline::agents
