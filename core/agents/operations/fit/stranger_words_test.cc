// Requests as somebody words them who has not seen what the tools are called.

#include <string_view>
#include <vector>

#include "core/agents/operations/fit/fit_fixture.h"

namespace plumbline::agents {
namespace {

std::vector<connector::Capability> offered_tools() {
  return {
      connector::tool("shelf", "delete_scroll", "Removes a scroll from a shelf.",
                      R"({"scrollId": {"type": "string"}, "shelfId": {"type": "string"}})",
                      "scrollId shelfId"),
      connector::tool("shelf", "restore", "Restores a scroll from the bin.",
                      R"({"scrollId": {"type": "string"}})", "scrollId"),
      connector::tool("shelf", "update_scroll", "Updates a scroll.",
                      R"({"scrollId": {"type": "string"}, "archived": {"type": "boolean"}})",
                      "scrollId"),
      connector::tool("shelf", "reindex_scroll", "Trigger a reindex of a scroll.",
                      R"({"scrollId": {"type": "string"}})", "scrollId"),
      connector::tool("shelf", "attach_sticker_to_scroll", "Attaches a sticker to a scroll.",
                      R"({"scrollId": {"type": "string"},
                          "colors": {"type": "array", "items": {"type": "string"}}})",
                      "scrollId colors"),
      connector::tool("shelf", "detach_sticker_from_scroll", "Detaches a sticker from a scroll.",
                      R"({"scrollId": {"type": "string"},
                          "colors": {"type": "array", "items": {"type": "string"}}})",
                      "scrollId colors"),
      connector::tool("shelf", "get_loans", "Get upcoming loans of the branch.",
                      R"({"days": {"type": "number"}})"),
      connector::tool("shelf", "get_layout", "Gets a layout.",
                      R"({"layout_name": {"type": "string"}})", "layout_name"),
      connector::tool("shelf", "list_layouts", "Lists all available layouts.", "{}"),
      connector::tool("rooms", "check_availability", "Checks the availability of a room.",
                      R"({"roomUrl": {"type": "string"}})", "roomUrl"),
      connector::tool("rooms", "compare_rooms", "Compares rooms.",
                      R"({"urls": {"type": "array", "items": {"type": "string"}}})", "urls"),
      connector::tool("codes", "lookup_shares", "Look up shares by their code.",
                      R"({"codes": {"type": "array", "items": {"type": "string"},
                                    "description": "Codes (e.g. 'LON:ABC')."}})",
                      "codes"),
      connector::tool("soup", "parcel_list", "Generate the list of parcels.", "{}"),
      connector::tool("keep", "get", "Get a specific thing from the safe.",
                      R"({"object": {"type": "string", "enum": ["coin", "ring"]},
                          "id": {"type": "string"}})",
                      "object id"),
  };
}

constexpr FitRow kStrangerRows[] = {
    {"Take scroll b12 out of shelf s3", "review shelf/delete_scroll"},
    {"Could you bring scroll b12 back out of the bin?", "review shelf/restore"},
    {"Archive scroll b12", "review shelf/update_scroll"},
    {"Add scroll b12 to the shelf", "none"},
    {"Sticker scroll b12 with red and blue", "review shelf/attach_sticker_to_scroll"},
    {"Which loans are coming up in the next 5 days?", "shelf/get_loans {\"days\":5}"},
    {"Give me the wide_aisles layout", "shelf/get_layout {\"layout_name\":\"wide_aisles\"}"},
    {"Which ready-made layouts are there?", "shelf/list_layouts {}"},
    {"Is https://x.com/r/1 still available?",
     "rooms/check_availability {\"roomUrl\":\"https://x.com/r/1\"}"},
    {"Which is better, https://x.com/r/1 or https://x.com/r/2? Put them side by side",
     "rooms/compare_rooms {\"urls\":[\"https://x.com/r/1\",\"https://x.com/r/2\"]}"},
    {"Look up PAR:XY and ROM:QRS", "codes/lookup_shares {\"codes\":[\"PAR:XY\",\"ROM:QRS\"]}"},
    {"Have the parcels of today driven to my house", "none"},
    {"Have scroll b12 deleted from shelf s3", "review shelf/delete_scroll"},
    {"I packed the parcels", "none"},
};

TEST_F(FitTest, WordsOfStrangers) {
  offer(offered_tools());
  EXPECT_EQ(sums_of(kStrangerRows), "14 right, 0 missed, 0 answered with something else");
}

}  // namespace
}  // namespace plumbline::agents
