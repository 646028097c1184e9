import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from '@keyhost/spi';

/**
 * Logs a line before the process ends by `process.exit`, because a plugin that runs in process may call it. The line
 * has the stack, and the plugin in the stack.
 * @param plugins the plugins that run in this process, with their folders
 * @returns a function for the host itself, which ends the process without a line
 */
export function traceExits(
  plugins: () => Iterable<{ readonly module: string; readonly directory: string }>,
  logger: Logger,
): (code: number) => never {
  const exit = process.exit.bind(process);
  process.exit = (code) => {
    const { stack = '' } = new Error('process.exit');
    const files = [...stack.matchAll(/\(?(file:\/\/.*?|\/.*?|[A-Za-z]:\\.*?):\d+:\d+\)?$/gm)].map(
      ([, file = '']) => file,
    );
    const paths = files.map((file) => (file.startsWith('file:') ? fileURLToPath(file) : file));
    const own = [...plugins()].find(({ directory }) =>
      paths.some((path) => path.startsWith(realPath(directory) + sep)),
    );
    const what = own === undefined ? 'process.exit was called' : `${own.module} ended the process by process.exit`;
    const fields = { exit: String(code ?? process.exitCode ?? 0), stack };
    logger.error(what, own === undefined ? fields : { plugin: own.module, ...fields });
    return exit(code);
  };
  return exit;
}

function realPath(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    return directory;
  }
}
