#!/usr/bin/env node
// What npm links as `keyhost`. What is built could not be linked: it is not executable, and not there before a build.
// It loads the program late: an old Node could not even read it.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { built } from './built.js';

const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  stop(`this is Node ${process.versions.node}, and Keyhost needs 20.19 or later`, 'install Node 22 or 24');
} else {
  const program = built('begin', 'core/main.js');
  if (program === undefined) stop('it is not built', 'npm run build builds it');
  else if (program.isBundle) createRequire(import.meta.url)(program.path).begin(process.env);
  else import(pathToFileURL(program.path).href);
}

function stop(reason, hint) {
  process.stderr.write(`keyhost: ${reason}\n  → ${hint}\n`);
  process.exitCode = 1;
}
