import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const SPI = fileURLToPath(new URL('../../../core/spi/', import.meta.url));

/** The reviewed record of what plugins may rely on. */
export const REPORT = join(SPI, 'api-report.md');

/** The output of `npm run api-report`: the compiler's declarations of the SPI, without comments except deprecations. */
export async function apiReport(): Promise<string> {
  const entries: [title: string, file: string][] = [
    ['@keyhost/spi', 'index'],
    ['@keyhost/spi/testing', 'testing/index'],
  ];
  const seen = new Set<string>();
  const parts = [
    '# What @keyhost/spi declares',
    'Written by `npm run api-report` from the compiled declarations; a test compares the two. A change in here is a change for\nevery plugin: say in the commit what authors have to do, and see [compatibility](guide/compatibility.md).',
  ];
  for (const [title, file] of entries) {
    parts.push(`## ${title}`);
    for (const [name, text] of await declarations(join(SPI, 'dist', `${file}.d.ts`), seen)) {
      parts.push(`### ${name}`, `\`\`\`ts\n${text}\n\`\`\``);
    }
  }
  return `${parts.join('\n\n')}\n`;
}

/** An entry's declarations and those of all files it imports, each once, in the order of their imports. */
async function declarations(file: string, seen: Set<string>): Promise<[name: string, text: string][]> {
  if (seen.has(file)) return [];
  seen.add(file);
  const text = await readFile(file, 'utf8');
  const own: [string, string] = [relative(join(SPI, 'dist'), file).replaceAll('\\', '/'), withoutComments(text)];
  const inner: [string, string][] = [];
  for (const [, name = ''] of text.matchAll(/ from '(\.[^']+)\.js'/g)) {
    inner.push(...(await declarations(resolve(dirname(file), `${name}.d.ts`), seen)));
  }
  return [own, ...inner];
}

function withoutComments(text: string): string {
  return text
    .replace(/^\s*\/\*\*[\s\S]*?\*\/\n/gm, (comment) => (comment.includes('@deprecated') ? comment : ''))
    .replace(/^\s*\/\/.*$/gm, '')
    .replace(/\n{2,}/g, '\n')
    .trim();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) apiReport().then((text) => writeFile(REPORT, text));
