#include "scenarios/record/recording_pairs.h"

#include <string>

#include <gtest/gtest.h>

#include "core/json/json.h"

namespace plumbline::scenarios {
namespace {

// pairs_of returns the whole page of a recording of these lines, with ' for ".
Json pairs_of(std::string text) {
  for (char& c : text) c = c == '\'' ? '"' : c;
  const RecordingIndex index(text);
  return parse_json(RecordingPairs(index).page(0, 100)).value();
}

Json quoted(std::string text) {
  for (char& c : text) c = c == '\'' ? '"' : c;
  return parse_json(text).value();
}

TEST(RecordingPairsTest, AnAnswerBelongsToItsRequest) {
  EXPECT_EQ(pairs_of("{'message':{'id':1,'method':'tools/call','params':{'name':'a'}},'ns':1000000,"
                     "'to':'server'}\n"
                     "{'message':{'method':'notifications/progress'},'ns':2,'to':'client'}\n"
                     "{'message':{'id':1,'result':{}},'ns':3500000,'to':'client'}\n"),
            quoted("[{'line':2,'method':'tools/call','ms':2.5,'name':'a'},null,"
                   "{'line':0,'method':'tools/call','ms':2.5,'name':'a'}]"));
}

TEST(RecordingPairsTest, BothSidesMayUseAnId) {
  const Json pairs = pairs_of(
      "{'message':{'id':1,'method':'tools/call'},'ns':1,'to':'server'}\n"
      "{'message':{'id':1,'method':'roots/list'},'ns':2,'to':'client'}\n"
      "{'message':{'id':1,'result':{}},'ns':3,'to':'server'}\n"
      "{'message':{'id':1,'result':{}},'ns':4,'to':'client'}\n");
  EXPECT_EQ(pairs[0]["line"], 3);
  EXPECT_EQ(pairs[1]["line"], 2);
  EXPECT_EQ(pairs[2]["method"], "roots/list");
}

TEST(RecordingPairsTest, SoMayTwoClientsAndTwoSessions) {
  const Json pairs = pairs_of(
      "{'client':1,'message':{'id':1,'method':'ping'},'ns':1,'to':'server'}\n"
      "{'client':2,'message':{'id':1,'method':'ping'},'ns':2,'to':'server'}\n"
      "{'client':1,'message':{'id':1,'result':{}},'ns':3,'to':'client'}\n"
      "{'recording':1,'transport':'stdio'}\n"
      "{'client':2,'message':{'id':1,'result':{}},'ns':4,'to':'client'}\n");
  EXPECT_EQ(pairs[0]["line"], 2);
  EXPECT_EQ(pairs[1], Json::object()) << "its session has ended";
  EXPECT_EQ(pairs[4], nullptr);
}

TEST(RecordingPairsTest, WhatIsTornOrOddIsNeither) {
  EXPECT_EQ(pairs_of("{'message':{'id':null,'method':'x'},'ns':1,'to':'server'}\n"
                     "{'message':[{'id':1}],'ns':1,'to':'server'}\n"
                     "{'text':''id':','ns':1}\n{'message':{'id':"),
            quoted("[null,null,null,null]"));
}

}  // namespace
}  // namespace plumbline::scenarios
