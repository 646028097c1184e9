import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../helpers/readme-blocks.js';
import { checkComments, lowerCounts } from './comments/check-comments.js';
import { lintProse } from './lint-prose.js';
import { proseFiles } from './prose-files.js';

const HELP = `Usage: npm run prose [-- FILE ...] [-- --lower]

Checks the words of pages, of English texts and of comments.

  FILE      checks these files alone, as core/docs/README.md or core/login/module.ts
  --lower   writes the present numbers of counted patterns to test/prose/comments/comment-counts.json
`;
const words = process.argv.slice(2);

if (words.includes('--help')) process.stdout.write(HELP);
else if (words.includes('--lower')) await lowerCounts();
else {
  const found = [...(await proseFaults(words)), ...(await checkComments(words))];
  if (found.length > 0) {
    process.stdout.write(`${found.join('\n')}\n`);
    process.exitCode = 1;
  }
}

async function proseFaults(files: readonly string[]): Promise<string[]> {
  const pages = await proseFiles();
  const chosen = files.length > 0 ? files.filter((file) => file.endsWith('.md') || pages.includes(file)) : pages;
  const found = chosen.map(async (file) => {
    const messages = await lintProse(await readFile(join(ROOT, file), 'utf8'), file);
    return messages.map(({ line, column, message, ruleId }) => `${file}:${line}:${column}  ${message} (${ruleId})`);
  });
  return (await Promise.all(found)).flat();
}
