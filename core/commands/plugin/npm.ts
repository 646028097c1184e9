import { spawn } from 'node:child_process';
import { BootError } from '../../config/boot-error.js';

/** Words of npm that carry no news for whoever runs a command of ours. */
const QUIET = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel', 'error'];

/** Lines of npm's that are shown. */
const SHOWN = 20;

/**
 * Runs npm to its end.
 * @param hint what to do where it fails
 * @returns what it printed on standard output
 * @throws BootError `plugin_install_failed` with what npm said
 */
export async function npm(
  words: readonly string[],
  cwd: string,
  hint = 'the message of npm says whether the package, a dependency or the registry is the reason',
): Promise<string> {
  const child = spawn('npm', [...words, ...QUIET], {
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
  throw new BootError('plugin_install_failed', `npm ${words[0]} failed:\n  ${said(output.stderr).join('\n  ')}`, {
    hint,
  });
}

/** What npm says of a failure. Of a script that is the script's own words, such as a compiler's, below its command. */
function said(stderr: string): string[] {
  const lines = stderr
    .split('\n')
    .map((line) => line.replace(/^npm (error|ERR!) ?/, ''))
    .filter((line) => line.trim() !== '' && !line.startsWith('A complete log of this run'));
  const command = lines.findIndex((line) => /^command (sh|.*cmd(\.exe)?) /.test(line));
  const told = command < 0 ? lines : lines.slice(command).map((line, index) => (index > 0 ? line : scriptOf(line)));
  return told.length <= SHOWN ? told : [...told.slice(0, SHOWN), `… and ${told.length - SHOWN} more lines`];
}

function scriptOf(line: string): string {
  return `$ ${line.replace(/^command \S+ (-c|\/d \/s \/c) /, '')}`;
}
