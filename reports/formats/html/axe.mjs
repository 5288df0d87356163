// What axe-core (https://github.com/dequelabs/axe-core) finds on a page against WCAG 2.2, level AA.

import assert from "node:assert/strict";
import {existsSync, readFileSync} from "node:fs";

const AXE = new URL("../../../build/npm/node_modules/axe-core/axe.min.js", import.meta.url);
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

// found returns a line for each rule that the page breaks as it stands, with where it does.
async function found(browser) {
  assert.ok(existsSync(AXE), "axe-core is not in build/npm: ./plumb test installs it");
  if (!await browser.run("Boolean(globalThis.axe)")) {
    await browser.run(`(() => { ${readFileSync(AXE, "utf8")} })()`);
  }
  const {violations, passes} = await browser.run(`axe.run(document,
    {runOnly: {type: "tag", values: ${JSON.stringify(TAGS)}}, resultTypes: ["violations"]})`);
  assert.ok(passes.length > 0, "axe-core looked at nothing");
  return violations.flatMap(({id, nodes}) => nodes.map((node) =>
    `${id}: ${node.target.join(" ")}: ${node.failureSummary.replaceAll(/\s+/g, " ")}`));
}

// isAccessible checks the page in light and in dark, as the reader's system prefers it.
export async function isAccessible(browser, where) {
  await browser.run("delete document.documentElement.dataset.theme");
  for (const value of ["dark", "light"]) {
    await browser.send("Emulation.setEmulatedMedia", {features: [{name: "prefers-color-scheme", value}]});
    assert.deepEqual(await found(browser), [], `${where}, ${value}`);
  }
}
