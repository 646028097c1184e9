import { readFile } from 'node:fs/promises';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { BootError } from '../../config/boot-error.js';
import { HOST_DIR } from '../../config/host-folder.js';
import { codeOf } from '../../model/thrown.js';
import { type Command, EXIT_CODES } from '../command.js';
import type { CommandLine } from '../command-line.js';

export const stack: Command = {
  summary: 'Finds the source lines of a stack trace',
  usage: '[FILE]',
  details: `Prints the text with each place in the bundle, such as …/dist/bundle/host.js:1:2937, replaced by the
place in the sources. Without FILE, or for -, reads standard input.
The stack trace must come from this version.`,
  examples: ['stack server.log', 'stack < server.log', 'stack -'],
  notes: EXIT_CODES,
  // Without arguments, the command prints its help only at a terminal, since otherwise input may be piped in.
  needsArguments: process.stdin.isTTY,
  run: printStack,
};

/** A position in a file of the bundle, in any installation folder. */
const BUNDLE_POSITION = /(?:file:\/\/)?[^\s"'()<>]*?[\\/]dist[\\/]bundle[\\/]([\w.-]+\.js):(\d+):(\d+)/g;

/** @throws BootError `options_invalid` */
async function printStack(line: CommandLine): Promise<void> {
  line.requireAtMostWords(1);
  const [file = '-'] = line.words;
  const stackText = file === '-' ? await text(process.stdin) : await readInput(file);
  process.stdout.write(await decodeStack(stackText));
}

async function readInput(file: string): Promise<string> {
  try {
    return await readFile(resolve(file), 'utf8');
  } catch (cause) {
    throw new BootError('options_invalid', `cannot read ${file} (${codeOf(cause) ?? String(cause)})`, { cause });
  }
}

/** Replaces each position in the bundle by the position in the sources. */
async function decodeStack(stackText: string): Promise<string> {
  const names = new Set([...stackText.matchAll(BUNDLE_POSITION)].map(([, name = '']) => name));
  const maps = new Map(await Promise.all([...names].map(async (name) => [name, await mapOf(name)] as const)));
  return stackText.replace(BUNDLE_POSITION, (bundlePosition, name: string, line: string, column: string) => {
    const original = maps.get(name)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (original === undefined || !('originalSource' in original)) return bundlePosition;
    const source = original.originalSource.replace(/^(\.\.\/)+/, '');
    return `${source}:${original.originalLine + 1}:${original.originalColumn + 1}`;
  });
}

/** @returns the source map of a file; undefined if this installation lacks it */
async function mapOf(chunk: string): Promise<SourceMap | undefined> {
  try {
    const map = await readFile(join(HOST_DIR, 'dist', 'bundle', `${chunk}.map`), 'utf8');
    return new SourceMap(JSON.parse(map) as SourceMapPayload);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
