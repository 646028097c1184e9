import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../helpers/readme-blocks.js';
import { lintProse } from './lint-prose.js';
import { proseFiles } from './prose-files.js';

const asked = process.argv.slice(2);
let found = 0;
for (const file of asked.length > 0 ? asked : await proseFiles()) {
  const text = await readFile(join(ROOT, file), 'utf8');
  for (const { line, column, message, ruleId } of await lintProse(text, file)) {
    found += 1;
    process.stdout.write(`${file}:${line}:${column}  ${message} (${ruleId})\n`);
  }
}
if (found > 0) process.exitCode = 1;
