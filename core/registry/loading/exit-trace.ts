import { realpathSync } from 'node:fs';
import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Logger } from '@keyhost/spi';

/**
 * Logs an error when `process.exit` is called, because a plugin that runs in the host's process may call it. The log
 * has the stack, and the name of the plugin that is in it.
 * @param plugins the plugins that run in this process, with their folders
 * @returns the original `process.exit`, with which the host ends the process without this log
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
    const caller = [...plugins()].find(({ directory }) =>
      paths.some((path) => path.startsWith(realPath(directory) + sep)),
    );
    const message =
      caller === undefined ? 'process.exit was called' : `${caller.module} ended the process by process.exit`;
    const fields = { exit: String(code ?? process.exitCode ?? 0), stack };
    logger.error(message, caller === undefined ? fields : { plugin: caller.module, ...fields });
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
