import { allCommands } from './commands/commands.js';
import { runCommand } from './commands/run-command.js';
import { BootError } from './config/boot-error.js';
import { parseOptions } from './config/options/options.js';
import { allowClosedOutput, isClosedOutput } from './host/closed-output.js';
import { flushStdout } from './host/flush-stdout.js';
import { ProcessExit } from './host/process-exit.js';
import { describeSystemFailure } from './host/system-failure.js';
import { StartFailedError } from './host/worker-processes/start-failed.js';
import { maskSecrets } from './model/mask-secrets.js';

const processExit = new ProcessExit();

async function main(argv: readonly string[]): Promise<void> {
  const [name, ...rest] = argv;
  if (name === 'worker' && process.send !== undefined) return runWorker(rest);
  const command = await runCommand(allCommands(processExit), argv, process.env);
  if (command?.startsServer) return;
  // Exit explicitly: imported plugins may have started work that would keep the process alive.
  await flushStdout('').catch((error: unknown) => {
    if (!isClosedOutput(error)) throw error;
  });
  processExit.exitNow(Number(process.exitCode ?? 0));
}

/** The entry point of the worker processes of `start --workers`; not a command for users. */
async function runWorker([number = '', managementUrl = '', mode = '', ...argv]: readonly string[]): Promise<void> {
  const options = parseOptions(argv, process.env, mode === 'start' ? 'start' : 'start-dev');
  const { serveAsWorker } = await import('./host/worker-processes/serve-as-worker.js');
  await serveAsWorker(options, process.env, processExit, { number: Number(number), managementUrl });
}

function exitWithFailure(error: unknown): void {
  const report =
    describeSystemFailure(error) ??
    (error instanceof BootError
      ? error.report()
      : error instanceof StartFailedError
        ? error.report
        : `keyhost: ${maskSecrets(error instanceof Error ? (error.stack ?? error.message) : String(error))}`);
  processExit.exitWithFailure(report);
}

// After an uncaught error the state of the process is undefined, so report the error, exit, and let the supervisor
// restart the process.
process.on('uncaughtException', exitWithFailure);
process.on('unhandledRejection', exitWithFailure);
allowClosedOutput();
processExit.installSignalHandlers();
main(process.argv.slice(2)).catch(exitWithFailure);
