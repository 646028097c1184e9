import { asksForHelp } from './commands/command-line.js';
import { BootError } from './config/boot-error.js';
import { optionsHelp } from './config/options/option-table.js';
import { parseOptions } from './config/options/options.js';
import { makeFirstFolder } from './host/first-folder.js';
import { ProcessExit } from './host/process-exit.js';
import { systemFailure } from './host/system-failure.js';
import { StartFailed } from './host/worker-processes/start-failed.js';
import { written } from './host/written.js';
import { maskSecrets } from './model/mask-secrets.js';

const USAGE = `keyhost: an identity host that speaks Keycloak's protocol

  keyhost init [DIR]              writes a folder to begin with
  keyhost start-dev [options]     for trying things out: loopback, http, the demo realm
  keyhost start [options]         for production: needs --hostname and TLS
  keyhost realm check FILE…       tells every mistake of realm files
  keyhost realm plan FILE         tells what a file would change in the live realm
  keyhost realm apply FILE        applies it while no host runs
  keyhost realm export NAME       writes the live realm as a file; keyhost realm --help
  keyhost schema realm|plugins    JSON Schema of realm files and of plugins.json, for editors
  keyhost keys rotate --realm NAME [--algorithm RS256] [options]
                                  makes a new signing key; the old one still verifies
  keyhost keys list --realm NAME [options]
  keyhost backup --to FILE        copies the store into one file while the host runs
  keyhost restore --from FILE     puts such a copy where no store is
  keyhost store copy --from PLACE --to PLACE
                                  copies a store from SQLite to PostgreSQL, or back; keyhost store copy --help
  keyhost store migrate [--plan]  brings its tables up to date before a host of this version starts
  keyhost stack [FILE]            tells where in the sources the places of a pasted stack are
  keyhost bootstrap-admin user|service
                                  makes a temporary admin while no host runs; keyhost bootstrap-admin --help
  keyhost plugin new|list|verify|add|remove|enable|disable|lock
                                  writes, checks and installs plugins; keyhost plugin --help
  keyhost plugin status           what the running host serves, and what could not be loaded
  keyhost plugin reload [MODULE]  it loads what changed in the providers folder and plugins.json
  keyhost plugin rollback [MODULE]
                                  takes the last reload back, or that of one plugin
  keyhost plugin restart MODULE   a fresh worker takes the place of the plugin's

Options [environment variable]:
${optionsHelp()}

KEYHOST_CODE_CACHE is the folder where compiled code is kept from one start to the next, or off (default: ~/.cache/keyhost).
UV_THREADPOOL_SIZE is the number of threads that sign by RSA (default: 4); with more cores, as many as those.
`;

type Command = (argv: readonly string[], env: NodeJS.ProcessEnv) => Promise<void>;

/** Commands beside the server's; what one needs is imported when it is the one. */
const COMMANDS: Readonly<Record<string, () => Promise<Command>>> = {
  init: async () => (await import('./commands/init/init-command.js')).initCommand,
  realm: async () => (await import('./commands/realm/realm-command.js')).realmCommand,
  plugin: async () => (await import('./commands/plugin/plugin-command.js')).pluginCommand,
  schema: async () => (await import('./commands/schema/schema-command.js')).schemaCommand,
  'bootstrap-admin': async () =>
    (await import('./commands/bootstrap-admin/bootstrap-admin-command.js')).bootstrapAdminCommand,
  backup: async () => (await import('./commands/backup/backup-command.js')).backupCommand,
  restore: async () => (await import('./commands/backup/restore-command.js')).restoreCommand,
  store: async () => (await import('./commands/store/store-command.js')).storeCommand,
  stack: async () => (await import('./commands/stack/stack-command.js')).stackCommand,
  keys: async () => (await import('./commands/keys/keys-command.js')).keysCommand,
};

const exit = new ProcessExit();

async function main(argv: readonly string[]): Promise<void> {
  const [name, ...rest] = argv;
  const command = name !== undefined && Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command !== undefined) {
    await (await command())(rest, process.env);
    // Plugins may have been imported, and whatever they began need not end by itself.
    await written('');
    exit.now(Number(process.exitCode ?? 0));
  } else if (name === undefined || name === 'help' || asksForHelp(argv)) {
    process.stdout.write(USAGE);
    process.exitCode = name === undefined ? 2 : 0;
  } else if (name === 'start' || name === 'start-dev') {
    const options = parseOptions(rest, process.env, name);
    const made = await makeFirstFolder(options);
    if (made.length > 0) process.stdout.write(`Made to begin with: ${made.join(', ')}\n`);
    if (options.workers > 1) {
      const { serveByWorkers } = await import('./host/worker-processes/serve-by-workers.js');
      await serveByWorkers(options, process.env, exit, argv);
    } else {
      const { serve } = await import('./host/serve.js');
      await serve(options, process.env, exit);
    }
  } else if (name === 'worker' && process.send !== undefined) {
    await worker(rest);
  } else {
    throw new BootError('options_invalid', `there is no command "${name}"`, { hint: 'keyhost --help lists them' });
  }
}

/** What `start` with several workers begins: its words are no command of anybody else's. */
async function worker([number = '', managementUrl = '', mode = '', ...argv]: readonly string[]): Promise<void> {
  const options = parseOptions(argv, process.env, mode === 'start' ? 'start' : 'start-dev');
  const { serveAsWorker } = await import('./host/worker-processes/serve-as-worker.js');
  await serveAsWorker(options, process.env, exit, { number: Number(number), managementUrl });
}

function fail(error: unknown): void {
  const report =
    systemFailure(error) ??
    (error instanceof BootError
      ? error.report()
      : error instanceof StartFailed
        ? error.report
        : `keyhost: ${maskSecrets(error instanceof Error ? (error.stack ?? error.message) : String(error))}`);
  exit.failed(report);
}

// What nobody caught leaves the process in a state nobody knows: say so and let the supervisor start a fresh one.
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
exit.waitsForSignals();
main(process.argv.slice(2)).catch(fail);
