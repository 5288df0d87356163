// A table reads what its shape allows, and refuses what it does not.

#include "core/json/fields/fields.h"

#include <gtest/gtest.h>

#include "core/json/json.h"

namespace plumbline {
namespace {

enum class Colour { kRed, kGreen };

struct Wheel {
  int spokes = 8;
};

struct Cart {
  std::string name;
  std::optional<Colour> colour;
  bool covered = false;
  std::vector<std::string> goods;
  std::vector<Wheel> wheels;
  Wheel spare;
};

const Fields<Cart>& cart() {
  static constexpr std::array<std::string_view, 2> kColours = {"red", "green"};
  static const Fields<Wheel> kWheel(
      "a wheel", {field::whole("spokes", &Wheel::spokes, 3, 40).must("how many")});
  static const Fields<Cart> kCart(
      "a cart", {
                    field::words("name", &Cart::name).must("what it is called").says("its name"),
                    field::choice("colour", &Cart::colour, kColours),
                    field::yes("covered", &Cart::covered),
                    field::texts("goods", &Cart::goods),
                    field::items("wheels", &Cart::wheels, kWheel),
                    field::object("spare", &Cart::spare, kWheel),
                });
  return kCart;
}

std::string said_of(const std::string& text, Cart& out) {
  std::optional<Problem> problem;
  cart().read(parse_json(text).value(), "/cart", problem, out);
  return problem ? problem->pointer + ": " + problem->message : "";
}

TEST(FieldsTest, ReadsEachMemberAndLeavesTheOthers) {
  Cart out;
  EXPECT_EQ(
      said_of(R"({"name": "A", "colour": "green", "goods": ["x"], "wheels": [{"spokes": 4}]})",
              out),
      "");
  EXPECT_EQ(out.name, "A");
  EXPECT_EQ(out.colour, Colour::kGreen);
  EXPECT_EQ(out.goods, std::vector<std::string>{"x"});
  ASSERT_EQ(out.wheels.size(), 1U);
  EXPECT_EQ(out.wheels[0].spokes, 4);
  EXPECT_EQ(out.spare.spokes, 8);
  EXPECT_FALSE(out.covered);
}

TEST(FieldsTest, SaysWhatIsWrongAndWhere) {
  Cart out;
  EXPECT_EQ(said_of("{}", out), "/cart: a cart has no \"name\", expected what it is called");
  EXPECT_EQ(said_of(R"({"name": "A", "wheels": [{"spokes": 4}, {"spokes": 2}]})", out),
            "/cart/wheels/1/spokes: \"spokes\" is 2, expected a whole number from 3 to 40");
  EXPECT_NE(said_of(R"({"name": "A", "sail": 1})", out).find("unknown key \"sail\" in a cart"),
            std::string::npos);
}

TEST(FieldsTest, TheShapeSaysTheSame) {
  const Json wheel = parse_json(R"({"type": "object", "additionalProperties": false,
      "required": ["spokes"],
      "properties": {"spokes": {"type": "integer", "minimum": 3, "maximum": 40}}})")
                         .value();
  Json expected = parse_json(R"({"type": "object", "additionalProperties": false,
      "required": ["name"],
      "properties": {
        "name": {"type": "string", "minLength": 1, "description": "its name"},
        "colour": {"enum": ["red", "green"]},
        "covered": {"type": "boolean"},
        "goods": {"type": "array", "items": {"type": "string"}}}})")
                      .value();
  expected["properties"]["wheels"] = {{"type", "array"}, {"items", wheel}};
  expected["properties"]["spare"] = wheel;
  EXPECT_EQ(cart().shape(), expected);
}

TEST(FieldsTest, ATableIsReadWithinAnother) {
  struct Yard {
    Cart cart;
  };
  std::optional<Problem> problem;
  Yard yard;
  cart().within(&Yard::cart).read(parse_json(R"({"name": "B"})").value(), "", problem, yard);
  EXPECT_FALSE(problem.has_value());
  EXPECT_EQ(yard.cart.name, "B");
}

}  // namespace
}  // namespace plumbline
