import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { COMMAND } from './process.js';

export const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** A command as a README prints it, and what it says that the command answers. */
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

/** The folder of the pages that are arranged by what readers want. */
const DOCS = 'core/docs';

/** Its pages, such as `core/docs/how-to/production.md`. */
export async function docsPages(): Promise<string[]> {
  const names = await readdir(join(ROOT, DOCS), { recursive: true });
  return names
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${DOCS}/${name}`)
    .sort();
}

/** What stands between fences of a language, also within lists. */
async function fenced(file: string, languages: string): Promise<{ language: string; body: string }[]> {
  const text = await readFile(join(ROOT, file), 'utf8');
  const blocks = text.matchAll(new RegExp(`^( *)\`\`\`(${languages})\\n([\\s\\S]*?)^\\1\`\`\`$`, 'gm'));
  return [...blocks].map(([, indent = '', language = '', body = '']) => ({
    language,
    body: body.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}

/** The blocks of a README that are commands: `console` with answers, `sh` without. */
export async function commandBlocks(file: string): Promise<Block[]> {
  return (await fenced(file, 'console|sh')).map(({ language, body }) => ({
    name: `${file}: ${body.split('\n')[0]}`,
    printed: language === 'sh' ? [{ command: body, output: '' }] : printedIn(body),
  }));
}

/** The code of a page that begins so. */
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

/** What each command of a script answered, on standard output and error. */
export interface Answered {
  readonly code: number | null;
  readonly outputs: readonly string[];
  readonly stderr: string;
}

/** Ends what a command answers: no command answers with it. */
const END = '\u0001';

/**
 * Runs commands as printed, one after the other in one shell, where `keyhost` is the program under test. What an answer calls
 * `link` or `device_code` the next commands know as `$LINK` and `$DEVICE_CODE`.
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
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => (stdout += String(chunk)));
  child.stderr.on('data', (chunk) => (stderr += String(chunk)));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return { code, outputs: stdout.split(END).slice(0, -1), stderr };
}

/** The names of an answer's members at every depth, which its README tells; texts that are no JSON as they are. */
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
