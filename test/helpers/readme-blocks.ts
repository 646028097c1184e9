import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMMAND } from './process.js';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A command in a README, with the output that the README shows. */
export interface Printed {
  readonly command: string;
  readonly output: string;
}

export interface Block {
  /** `README.md: ` and the first line. */
  readonly name: string;
  /** One for a whole `sh` block. */
  readonly printed: readonly Printed[];
}

/** The folder of the user documentation. */
const DOCS = 'core/docs';

/** Its pages, such as `core/docs/how-to/production.md`. */
export async function docsPages(): Promise<string[]> {
  const names = await readdir(join(ROOT, DOCS), { recursive: true });
  return names
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${DOCS}/${name}`)
    .sort();
}

/** The content of fenced blocks in a language, including those within lists. */
async function fenced(file: string, languages: string): Promise<{ language: string; body: string }[]> {
  const text = await readFile(join(ROOT, file), 'utf8');
  const blocks = text.matchAll(new RegExp(`^( *)\`\`\`(${languages})\\n([\\s\\S]*?)^\\1\`\`\`$`, 'gm'));
  return [...blocks].map(([, indent = '', language = '', body = '']) => ({
    language,
    body: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}

/** The blocks of a README with commands: `console` with output, `sh` without. */
export async function commandBlocks(file: string): Promise<Block[]> {
  return (await fenced(file, 'console|sh')).map(({ language, body }) => ({
    name: `${file}: ${body.split('\n')[0]}`,
    printed: language === 'sh' ? [{ command: body, output: '' }] : printedIn(body),
  }));
}

/** The code block of a page that begins with this text. */
export async function snippet(file: string, start: string): Promise<string> {
  const found = (await fenced(file, 'js|ts|json')).find(({ body }) => body.startsWith(start));
  if (found === undefined) throw new Error(`${file} has no code that begins with ${start}`);
  return found.body;
}

function printedIn(body: string): Printed[] {
  return body
    .split(/^\$ /m)
    .slice(1)
    .map((part) => {
      const [, command = '', output = ''] = /^((?:.*\\\n)*.*\n)([\s\S]*)$/.exec(part) ?? [];
      return { command, output: output.trim() };
    });
}

/** The output of each command of a script, on standard output and error. */
export interface Answered {
  readonly code: number | null;
  readonly outputs: readonly string[];
  readonly stderr: string;
}

/** Marks the end of an output: no command prints it. */
const END = '\u0001';

/**
 * Runs commands as printed, in order in one shell, with `keyhost` as the program under test. The members `link` and
 * `device_code` of an output are available to later commands as `$LINK` and `$DEVICE_CODE`.
 */
export async function runPrinted(
  commands: readonly string[],
  { cwd, env }: { cwd: string; env: Readonly<Record<string, string>> },
): Promise<Answered> {
  const script = [
    `keyhost() { ${JSON.stringify(process.execPath)} ${JSON.stringify(COMMAND)} "$@"; }`,
    'npx() { if [ "$1" = keyhost ]; then shift; keyhost "$@"; else command npx "$@"; fi; }',
    'known() { sed -n "s/.*\\"$1\\":\\"\\([^\\"]*\\)\\".*/\\1/p" answer; }',
    ...commands.flatMap((command) => [
      '{',
      command,
      '} > answer || failed=$?',
      `cat answer; printf '${END}'`,
      'LINK=$(known link); DEVICE_CODE=$(known device_code)',
    ]),
    'rm -f answer; exit ${failed:-0}',
  ].join('\n');
  const child = spawn('bash', ['-c', script], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, outputs: stdout.split(END).slice(0, -1), stderr };
}

/** The names of an answer's members at every depth, as its README shows them; a text that is not JSON is unchanged. */
export function shapeOf(text: string): unknown {
  try {
    return names(JSON.parse(text));
  } catch {
    return text.trim();
  }
}

function names(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(names);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, names(member)]));
}
