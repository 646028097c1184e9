import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Package } from './find-packages.js';
import { pathsIn } from './package-files.js';

/** Maximum number of files to parse. */
const MAX_FILES = 500;

/**
 * A script that prints the position of a syntax error. Node only prints it for an uncaught error; the error that an
 * import throws lacks it.
 */
const PARSE_SCRIPT = `
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
 * Finds the position in a package at which its import failed, relative to its folder, such as `dist/index.js:2:26`. For
 * a syntax error it is the position in the source text; for a thrown error it is the first stack frame inside the
 * package.
 * @returns undefined if the position is unknown
 */
export async function importFailurePosition(cause: unknown, { dir }: Package): Promise<string | undefined> {
  if (!(cause instanceof Error)) return undefined;
  const folder = await realpath(dir);
  const position = positionInStack(cause.stack ?? '', folder);
  if (position !== undefined || cause.name !== 'SyntaxError') return position;
  const files = (await pathsIn(folder)).filter((path) => /\.m?js$/.test(path)).slice(0, MAX_FILES);
  const stack = await parseFiles(
    cause.message,
    files.map((path) => join(folder, path)),
  );
  return positionInStack(stack, folder);
}

function positionInStack(stack: string, folder: string): string | undefined {
  const pathInPackage = (file: string) => {
    const path = file.startsWith('file:') ? fileURLToPath(file) : file;
    return path.startsWith(folder + sep) ? relative(folder, path) : undefined;
  };
  // The lines above the message of an uncaught syntax error: file and line, the source line, and a marker below it. At
  // the end of a file there is no marker.
  const [, file = '', line, text = '', marker = ''] = /^(\S.*):(\d+)\n(.*)\n( *\^*)\n/.exec(stack) ?? [];
  const parsedPath = pathInPackage(file);
  if (parsedPath !== undefined)
    return `${parsedPath}:${line}:${marker.includes('^') ? marker.indexOf('^') + 1 : text.length + 1}`;
  const frames = [...stack.matchAll(/^ +at (?:.*\()?((?:file:\/\/)?\/.*?|[A-Za-z]:\\.*?):(\d+):(\d+)\)?$/gm)];
  const positions = frames.map(([, path = '', lineNumber, column]) => ({
    path: pathInPackage(path),
    at: lineNumber,
    column,
  }));
  const isOwn = ({ path }: { path: string | undefined }) => path?.startsWith(`node_modules${sep}`) === false;
  const frame = positions.find(isOwn) ?? positions.find(({ path }) => path !== undefined);
  return frame && `${frame.path}:${frame.at}:${frame.column}`;
}

function parseFiles(message: string, files: readonly string[]): Promise<string> {
  const argv = ['--experimental-vm-modules', '--no-warnings', '-e', PARSE_SCRIPT, '--', message, ...files];
  return new Promise((resolve) => {
    execFile(process.execPath, argv, { timeout: 10_000, env: {} }, (_, _out, stderr) => resolve(stderr));
  });
}
