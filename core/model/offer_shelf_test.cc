#include "core/model/offer_shelf.h"

#include <gtest/gtest.h>

namespace plumbline::model {

namespace {

std::vector<ToolOffer> look(const char* description) { return {{"look", description}}; }

TEST(OfferShelfTest, EqualOffersAreHeldOnce) {
  OfferShelf shelf;
  const ToolOffers first = shelf.share(look("Looks."));
  const ToolOffers other = shelf.share(look("Looks twice."));
  const ToolOffers again = shelf.share(look("Looks."));
  EXPECT_EQ(first.begin(), again.begin());
  EXPECT_NE(first.begin(), other.begin());
  EXPECT_EQ(other[0].description, "Looks twice.");
}

TEST(OfferShelfTest, WhatNobodyHoldsIsForgotten) {
  OfferShelf shelf;
  shelf.share(look("Looks."));
  EXPECT_EQ(shelf.share(look("Looks."))[0].name, "look");
  EXPECT_TRUE(shelf.share({}).empty());
}

}  // namespace

}  // namespace plumbline::model
