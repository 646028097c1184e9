import { spawn } from 'node:child_process';
import { BootError } from '../../config/boot-error.js';

/** Options of npm that suppress irrelevant output. */
const QUIET = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel', 'error'];

/** The maximum number of lines of npm's output in an error. */
const MAX_SHOWN_LINES = 20;

/**
 * Runs npm to completion.
 * @param hint the advice in case of a failure
 * @returns npm's standard output
 * @throws BootError `plugin_install_failed` with npm's messages
 */
export async function runNpm(
  npmArguments: readonly string[],
  cwd: string,
  hint = 'the message of npm says whether the package, a dependency or the registry is the reason',
): Promise<string> {
  const child = spawn('npm', [...npmArguments, ...QUIET], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
  });
  const output = { stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    output.stdout += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    output.stderr += String(chunk);
  });
  const code = await new Promise<number | string | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status, signal) => resolve(status ?? signal));
  }).catch((cause: unknown) => {
    throw new BootError('plugin_install_failed', 'cannot run npm', {
      hint: 'install npm, which comes with Node.js',
      cause,
    });
  });
  if (code === 0) return output.stdout;
  throw new BootError(
    'plugin_install_failed',
    `npm ${npmArguments[0]} failed:\n  ${npmErrorLines(output.stderr).join('\n  ')}`,
    {
      hint,
    },
  );
}

/** The lines of npm's output about a failure. For a failed script, the script's command and its output. */
function npmErrorLines(stderr: string): string[] {
  const lines = stderr
    .split('\n')
    .map((line) => line.replace(/^npm (error|ERR!) ?/, ''))
    .filter((line) => line.trim() !== '' && !line.startsWith('A complete log of this run'));
  const command = lines.findIndex((line) => /^command (sh|.*cmd(\.exe)?) /.test(line));
  const relevantLines =
    command < 0 ? lines : lines.slice(command).map((line, index) => (index > 0 ? line : scriptOf(line)));
  return relevantLines.length <= MAX_SHOWN_LINES
    ? relevantLines
    : [...relevantLines.slice(0, MAX_SHOWN_LINES), `… and ${relevantLines.length - MAX_SHOWN_LINES} more lines`];
}

function scriptOf(line: string): string {
  return `$ ${line.replace(/^command \S+ (-c|\/d \/s \/c) /, '')}`;
}
