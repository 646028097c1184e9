#!/usr/bin/env node
// What npm links as `keyhost`. The compiler's output could not be linked: it is not executable, and not there before a build.
// It imports the program late: an old Node could not even read it.
import { existsSync } from 'node:fs';

const MAIN = new URL('../dist/core/main.js', import.meta.url);
const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  stop(`this is Node ${process.versions.node}, and Keyhost needs 20.19 or later`, 'install Node 22 or 24');
} else if (existsSync(MAIN)) {
  import(MAIN.href);
} else {
  stop('it is not built', 'npm run build builds it');
}

function stop(reason, hint) {
  process.stderr.write(`keyhost: ${reason}\n  → ${hint}\n`);
  process.exitCode = 1;
}
