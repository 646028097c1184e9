#!/usr/bin/env node
// The file that npm links as `keyhost`. Build results cannot be linked, because they are not executable and do not
// exist before a build. It imports the program dynamically, because an old Node could not parse it.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { built } from './built.js';

const [major, minor] = process.versions.node.split('.').map(Number);

if (major < 20 || (major === 20 && minor < 19)) {
  stop(`this is Node ${process.versions.node}, and Keyhost needs 20.19 or later`, 'install Node 22 or 24');
} else {
  const program = built('begin', 'core/main.js');
  if (program === undefined) stop('it is not built', 'npm run build builds it');
  else if (program.isBundle) createRequire(import.meta.url)(program.path).runBundle(process.env);
  else import(pathToFileURL(program.path).href);
}

function stop(reason, hint) {
  process.stderr.write(`keyhost: ${reason}\n  → ${hint}\n`);
  process.exitCode = 1;
}
