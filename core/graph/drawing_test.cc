#include "core/graph/drawing.h"

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "core/graph/test_support.h"

namespace plumbline::graph {
namespace {

class DrawingTest : public GraphFixture {
 protected:
  static std::string_view to_end(const Trail& /*trail*/) { return kEnd; }

  // A loop, a subgraph between two nodes, and names that both languages would trip over.
  static Drawing sample() {
    TrailBuilder inner;
    inner.add_node("end", walk).add_edge(kStart, "end");
    inner.add_conditional_edges("end", to_end, {{"again", "end"}, {"done", kEnd}});
    TrailBuilder outer;
    outer.add_node("say \"hi\" & <go> #1", walk);
    outer.add_subgraph<Trail>(
        "review", built(inner), [](const Trail& trail) { return trail; },
        [](Trail) { return Trail::Update(); });
    outer.add_node("back\\slash `code`", walk);
    outer.add_edge(kStart, "say \"hi\" & <go> #1");
    outer.add_edge("say \"hi\" & <go> #1", "review");
    outer.add_edge("review", "back\\slash `code`");
    outer.add_conditional_edges("back\\slash `code`", to_end, {{"no | \"never\"", "review"}, kEnd});
    return built(outer).drawing();
  }
};

TEST_F(DrawingTest, MermaidShowsClustersDashedEdgesAndEscapedNames) {
  EXPECT_EQ(draw_mermaid(sample()), R"(flowchart TD
  start(["start"])
  n0["say #34;hi#34; #38; #60;go#62; #35;1"]
  subgraph n1["review"]
    n1_start(["start"])
    n1_n0["end"]
    n1_finish(["end"])
    n1_start --> n1_n0
    n1_n0 -.->|"again"| n1_n0
    n1_n0 -.->|"done"| n1_finish
  end
  n2["back\slash #96;code#96;"]
  finish(["end"])
  start --> n0
  n0 --> n1_start
  n1_finish --> n2
  n2 -.->|"no | #34;never#34;"| n1_start
  n2 -.-> finish
)");
}

TEST_F(DrawingTest, DotShowsTheSamePicture) {
  EXPECT_EQ(draw_dot(sample()), R"(digraph {
  node [shape=box];
  start [label="start", shape=ellipse];
  n0 [label="say \"hi\" & <go> #1"];
  subgraph cluster_n1 {
    label="review";
    n1_start [label="start", shape=ellipse];
    n1_n0 [label="end"];
    n1_finish [label="end", shape=ellipse];
    n1_start -> n1_n0;
    n1_n0 -> n1_n0 [style=dashed, label="again"];
    n1_n0 -> n1_finish [style=dashed, label="done"];
  }
  n2 [label="back\\slash `code`"];
  finish [label="end", shape=ellipse];
  start -> n0;
  n0 -> n1_start;
  n1_finish -> n2;
  n2 -> n1_start [style=dashed, label="no | \"never\""];
  n2 -> finish [style=dashed];
}
)");
}

TEST_F(DrawingTest, MermaidDoesNotReadNamesAsMarkdown) {
  const Drawing drawing = {{{"call_tool *now* __dunder__", {}}}, {}};
  EXPECT_NE(draw_mermaid(drawing).find("n0[\"call_tool #42;now#42; #95;#95;dunder#95;#95;\"]"),
            std::string::npos);
}

TEST_F(DrawingTest, ALineBreakInANameDoesNotBreakTheDrawing) {
  const Drawing drawing = {{{"two\nlines", {}}}, {{std::string(kStart), "two\nlines", "", false}}};
  EXPECT_NE(draw_mermaid(drawing).find("n0[\"two lines\"]"), std::string::npos);
  EXPECT_NE(draw_dot(drawing).find("n0 [label=\"two lines\"]"), std::string::npos);
}

TEST_F(DrawingTest, ParallelEdgesAndJoinsLookDifferent) {
  TrailBuilder builder;
  builder.add_node("a", walk).add_node("b", walk).add_node("z", walk).add_edge("z", kEnd);
  builder.add_edge(kStart, "a").add_edge(kStart, "b").add_join({"a", "b"}, "z");
  const Drawing drawing = built(builder).drawing();
  EXPECT_EQ(draw_mermaid(drawing), R"(flowchart TD
  start(["start"])
  n0["a"]
  n1["b"]
  n2["z"]
  finish(["end"])
  start ==> n0
  start ==> n1
  n0 --o n2
  n1 --o n2
  n2 --> finish
)");
  EXPECT_EQ(draw_dot(drawing), R"(digraph {
  node [shape=box];
  start [label="start", shape=ellipse];
  n0 [label="a"];
  n1 [label="b"];
  n2 [label="z"];
  finish [label="end", shape=ellipse];
  start -> n0 [style=bold];
  start -> n1 [style=bold];
  n0 -> n2 [arrowhead=odot];
  n1 -> n2 [arrowhead=odot];
  n2 -> finish;
}
)");
}

TEST_F(DrawingTest, ARunIsDrawnOverIt) {
  Drawing drawing = sample();
  draw_run(drawing, {"say \"hi\" & <go> #1", "review", "back\\slash `code`", "gone"},
           {"review/end"});
  EXPECT_EQ(drawing.nodes[0].visits, 1);
  EXPECT_TRUE(drawing.nodes[1].here);
  EXPECT_TRUE(drawing.nodes[1].inside[0].nodes[0].here);
  const std::string mermaid = draw_mermaid(drawing);
  EXPECT_NE(mermaid.find("  class n0,n2 visited\n"), std::string::npos) << mermaid;
  EXPECT_NE(mermaid.find("  class n1,n1_n0 here\n"), std::string::npos) << mermaid;
  EXPECT_NE(mermaid.find("  linkStyle 0,3,4,5,6 stroke"), std::string::npos) << mermaid;
  const std::string dot = draw_dot(drawing);
  EXPECT_NE(dot.find("penwidth=2.5"), std::string::npos) << dot;
  EXPECT_NE(dot.find("graph [style=filled, fillcolor=\"#fff0b3\"]"), std::string::npos) << dot;
}

TEST_F(DrawingTest, ANodeSaysHowOftenItWasVisitedAndAnEndedRunIsAtItsEnd) {
  Drawing drawing = sample();
  const std::string last = drawing.nodes[2].name;
  draw_run(drawing, {drawing.nodes[0].name, "review", last, "review", last}, {});
  EXPECT_NE(draw_dot(drawing).find("label=\"review (2)\""), std::string::npos);
  std::int64_t to_end = 0;
  for (const Drawing::Edge& edge : drawing.edges) to_end += edge.to == kEnd ? edge.taken : 0;
  EXPECT_EQ(to_end, 1);
}

}  // namespace
}  // namespace plumbline::graph
