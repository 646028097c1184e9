import { spawn } from 'node:child_process';
import { BootError } from '../../config/boot-error.js';

/** Words of npm that carry no news for whoever runs a command of ours. */
const QUIET = ['--no-audit', '--no-fund', '--no-update-notifier', '--loglevel', 'error'];

/**
 * Runs npm to its end.
 * @returns what it printed on standard output
 * @throws BootError `plugin_install_failed` with what npm said
 */
export async function npm(words: readonly string[], cwd: string): Promise<string> {
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
  const said = output.stderr.trim().split('\n').slice(0, 12).join('\n  ');
  throw new BootError('plugin_install_failed', `npm ${words[0]} failed:\n  ${said}`, {
    hint: 'the message of npm says whether the package, a dependency or the registry is the reason',
  });
}
