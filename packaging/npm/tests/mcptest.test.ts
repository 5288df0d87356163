import {mcptest} from "mcp-plumbline/vitest";

await mcptest("tools.mcptest.json");
