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
  // Unless input is piped in.
  needsArguments: process.stdin.isTTY,
  run: printStack,
};

/** A position in a chunk of the bundle, installed in any folder. */
const PLACE = /(?:file:\/\/)?[^\s"'()<>]*?[\\/]dist[\\/]bundle[\\/]([\w.-]+\.js):(\d+):(\d+)/g;

/** @throws BootError `options_invalid` */
async function printStack(line: CommandLine): Promise<void> {
  line.requireAtMostWords(1);
  const [file = '-'] = line.words;
  const given = file === '-' ? await text(process.stdin) : await readGiven(file);
  process.stdout.write(await decoded(given));
}

async function readGiven(file: string): Promise<string> {
  try {
    return await readFile(resolve(file), 'utf8');
  } catch (cause) {
    throw new BootError('options_invalid', `cannot read ${file} (${codeOf(cause) ?? String(cause)})`, { cause });
  }
}

/** Replaces each position in a chunk by the position in its source. */
async function decoded(given: string): Promise<string> {
  const names = new Set([...given.matchAll(PLACE)].map(([, name = '']) => name));
  const maps = new Map(await Promise.all([...names].map(async (name) => [name, await mapOf(name)] as const)));
  return given.replace(PLACE, (place, name: string, line: string, column: string) => {
    const found = maps.get(name)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (found === undefined || !('originalSource' in found)) return place;
    const source = found.originalSource.replace(/^(\.\.\/)+/, '');
    return `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`;
  });
}

/** @returns undefined for a chunk that this installation lacks */
async function mapOf(chunk: string): Promise<SourceMap | undefined> {
  try {
    const map = await readFile(join(HOST_DIR, 'dist', 'bundle', `${chunk}.map`), 'utf8');
    return new SourceMap(JSON.parse(map) as SourceMapPayload);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}
