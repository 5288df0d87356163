// Where the program is.

import {createRequire} from "node:module";

const require = createRequire(import.meta.url);
const {name} = require("../package.json");

// programPath returns the program that the package of this platform holds. Throws where there is
// none, or it was left out of the installation.
export function programPath() {
  const platform = `${name}-${process.platform}-${process.arch}`;
  try {
    return require.resolve(`${platform}/bin/plumbline`);
  } catch {
    throw new Error(
      `the package ${platform} is not installed. It is an optional dependency of ${name}: ` +
        "install without --omit=optional. There are programs for Linux on x64 with glibc.",
    );
  }
}
