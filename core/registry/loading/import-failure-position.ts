import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Package } from './find-packages.js';
import { pathsIn } from './package-files.js';

/** Maximum number of files to search. */
const MAX_FILES = 500;

/** Prints the position of a syntax error. The error that an import throws lacks it; only an uncaught error has it. */
const PARSE = `
const { SourceTextModule } = require('node:vm');
const { readFileSync } = require('node:fs');
const [message, ...files] = process.argv.slice(1);
for (const file of files) {
  try {
    new SourceTextModule(readFileSync(file, 'utf8'), { identifier: file });
  } catch (error) {
    if (error.message === message) throw error;
  }
}`;

/**
 * Finds the position in a package where an import failed, relative to its folder, such as `dist/index.js:2:26`. For a
 * syntax error it is the position in the text, for a thrown error the first line of the stack inside the package.
 * @returns undefined if the position is unknown
 */
export async function importFailurePosition(cause: unknown, { dir }: Package): Promise<string | undefined> {
  if (!(cause instanceof Error)) return undefined;
  const folder = await realpath(dir);
  const place = positionInStack(cause.stack ?? '', folder);
  if (place !== undefined || cause.name !== 'SyntaxError') return place;
  const files = (await pathsIn(folder)).filter((path) => /\.m?js$/.test(path)).slice(0, MAX_FILES);
  const told = await parse(
    cause.message,
    files.map((path) => join(folder, path)),
  );
  return positionInStack(told, folder);
}

function positionInStack(stack: string, folder: string): string | undefined {
  const inside = (file: string) => {
    const path = file.startsWith('file:') ? fileURLToPath(file) : file;
    return path.startsWith(folder + sep) ? relative(folder, path) : undefined;
  };
  // The lines above the message: the file and the line, the line's text, and a marker below it; no marker at the end of
  // the file.
  const [, file = '', line, text = '', mark = ''] = /^(\S.*):(\d+)\n(.*)\n( *\^*)\n/.exec(stack) ?? [];
  const parsed = inside(file);
  if (parsed !== undefined) return `${parsed}:${line}:${mark.includes('^') ? mark.indexOf('^') + 1 : text.length + 1}`;
  const frames = [...stack.matchAll(/^ +at (?:.*\()?((?:file:\/\/)?\/.*?|[A-Za-z]:\\.*?):(\d+):(\d+)\)?$/gm)];
  const found = frames.map(([, path = '', at, column]) => ({ path: inside(path), at, column }));
  const isOwn = ({ path }: { path: string | undefined }) => path?.startsWith(`node_modules${sep}`) === false;
  const frame = found.find(isOwn) ?? found.find(({ path }) => path !== undefined);
  return frame && `${frame.path}:${frame.at}:${frame.column}`;
}

function parse(message: string, files: readonly string[]): Promise<string> {
  const argv = ['--experimental-vm-modules', '--no-warnings', '-e', PARSE, '--', message, ...files];
  return new Promise((resolve) => {
    execFile(process.execPath, argv, { timeout: 10_000, env: {} }, (_, _out, told) => resolve(told));
  });
}
