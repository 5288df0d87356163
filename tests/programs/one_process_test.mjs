// one_process_test.mjs PLUMBLINE: right servers of which one process may run at a time are judged, and not failed for what
// came of the others: one ends the process before it as it starts, one holds a port that a second one wants. Ends with 1 and
// what is not so.

import assert from "node:assert/strict";
import {spawnSync} from "node:child_process";
import {mkdtempSync, realpathSync, rmSync, writeFileSync} from "node:fs";
import {tmpdir} from "node:os";
import {join} from "node:path";
import {right} from "../mcp_tool/planted.mjs";

const plumbline = realpathSync(process.argv[2]);
const folder = mkdtempSync(join(tmpdir(), "plumbline-one-process-"));
const ENOUGH_MS = 120_000;  // Against a hang: nothing here depends on it.
const AGAIN = "judged again in one alone";

// What a server does before it serves. All sockets are files below the folder.
const manners = {
  "runs beside others": "",
  "ends the one before it": `
    import {existsSync, readFileSync, writeFileSync} from "node:fs";
    if (existsSync("pid")) try { process.kill(+readFileSync("pid", "utf8"), "SIGKILL"); } catch {}
    writeFileSync("pid", String(process.pid));`,
  "wants a place that another holds": `
    import {connect, createServer} from "node:net";
    import {rmSync} from "node:fs";
    const taken = await new Promise(told => connect("held").on("connect", () => told(true)).on("error", () => told(false)));
    if (taken) process.exit(1);
    rmSync("held", {force: true});
    createServer(socket => socket.destroy()).listen("held").unref();`,
};

try {
  for (const [what, manner] of Object.entries(manners)) {
    const file = join(folder, "server.mjs");
    writeFileSync(file, manner + "\n" + right);
    const {stdout, stderr} = spawnSync(plumbline, ["check", "server", "--baseline", "none", "--plain", "--", process.execPath, file],
                                       {cwd: folder, encoding: "utf8", timeout: ENOUGH_MS});
    assert.doesNotMatch(stdout, /^FAIL/m, `${what}:\n${stdout}`);
    assert.equal(stderr.includes(AGAIN), manner !== "", `${what}:\n${stderr}\n${stdout}`);
    assert.match(stdout, /MUSTs hold/, `${what}:\n${stdout}`);
  }
} finally {
  rmSync(folder, {recursive: true, force: true});
}
