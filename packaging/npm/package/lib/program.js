// Where the program is: the native one of this platform's package, else the WebAssembly module.

import {existsSync} from "node:fs";
import {createRequire} from "node:module";
import {fileURLToPath} from "node:url";

const require = createRequire(import.meta.url);
const {name} = require("../package.json");

const module = fileURLToPath(new URL("../wasm/plumbline.mjs", import.meta.url));
const oldestGlibc = [2, 31];

// glibc returns its version as numbers, nothing where the system has another libc.
function glibc() {
  const version = process.report?.getReport().header.glibcVersionRuntime;
  return version?.split(".").map(Number);
}

function nativePath() {
  const platform = `${name}-${process.platform}-${process.arch}`;
  if (process.env.PLUMBLINE_MODULE) return {why: "PLUMBLINE_MODULE is set"};
  let path;
  try {
    path = require.resolve(`${platform}/bin/plumbline`);
  } catch {
    return {why: `the package ${platform} is not installed`};
  }
  const found = glibc();
  if (!found) return {why: "the native program needs glibc"};
  const [major, minor] = found;
  if (major === oldestGlibc[0] && minor < oldestGlibc[1]) {
    return {why: `the native program needs glibc ${oldestGlibc.join(".")}, here is ${found.join(".")}`};
  }
  return {path};
}

// programCommand returns the words that start the program, without its arguments, and, where it is
// the module, why. Throws where neither is there.
export function programCommand() {
  const {path, why} = nativePath();
  if (path !== undefined) return {words: [path]};
  if (!existsSync(module)) {
    throw new Error(
      `${why}, and ${name} was made without the WebAssembly module. The package is an optional ` +
        "dependency: install without --omit=optional. There are programs for Linux on x64 with glibc.",
    );
  }
  return {words: [process.execPath, module], module, why};
}

// programPath returns what runs: the native program, or the script that runs the module.
export function programPath() {
  const {words} = programCommand();
  return words.at(-1);
}
