import test from "node:test";
import {conforms} from "mcp-plumbline/node-test";

test("this one does not", conforms({command: ["node", "broken_server.mjs"]}));
