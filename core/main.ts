import { asksForHelp } from './commands/command-line.js';
import { BootError } from './config/boot-error.js';
import { optionsHelp } from './config/options/option-table.js';
import { type Mode, parseOptions } from './config/options/options.js';
import { makeFirstFolder } from './host/first-folder.js';
import { maskSecrets } from './host/mask-secrets.js';
import { readyMessage } from './host/ready-message.js';
import type { Host } from './host/running-host.js';
import { systemFailure } from './host/system-failure.js';

const USAGE = `keyhost: an identity host that speaks Keycloak's protocol

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
  keyhost bootstrap-admin user|service
                                  makes a temporary admin while no host runs; keyhost bootstrap-admin --help
  keyhost plugin new|list|verify|add|remove|enable|disable|lock
                                  writes, checks and installs plugins; keyhost plugin --help
  keyhost plugin status           what the running host serves, and what could not be loaded
  keyhost plugin reload [MODULE]  it loads what changed in the providers folder and plugins.json
  keyhost plugin rollback [MODULE]
                                  takes the last reload back, or that of one plugin

Options [environment variable]:
${optionsHelp()}
`;

async function main(argv: readonly string[]): Promise<void> {
  const [command, ...rest] = argv;
  if (command === 'realm') {
    const { realmCommand } = await import('./commands/realm/realm-command.js');
    await realmCommand(rest, process.env);
    return leave();
  }
  if (command === 'plugin') {
    const { pluginCommand } = await import('./commands/plugin/plugin-command.js');
    await pluginCommand(rest, process.env);
    return leave();
  }
  if (command === 'schema') {
    const { schemaCommand } = await import('./commands/schema/schema-command.js');
    await schemaCommand(rest, process.env);
    return leave();
  }
  if (command === 'bootstrap-admin') {
    const { bootstrapAdminCommand } = await import('./commands/bootstrap-admin/bootstrap-admin-command.js');
    return bootstrapAdminCommand(rest, process.env);
  }
  if (command === undefined || command === 'help' || asksForHelp(argv)) {
    process.stdout.write(USAGE);
    process.exitCode = command === undefined ? 2 : 0;
    return;
  }
  if (command === 'start' || command === 'start-dev') return serve(command, rest);
  if (command === 'keys') {
    const { keysCommand } = await import('./commands/keys/keys-command.js');
    return keysCommand(rest, process.env);
  }
  throw new BootError('options_invalid', `there is no command "${command}"`, { hint: 'keyhost --help lists them' });
}

/** Plugins were imported, and whatever they began need not end by itself. */
async function leave(): Promise<void> {
  await written('');
  process.exit();
}

/** Resolves when the text has left the process; rejects where nobody reads it. */
function written(text: string): Promise<void> {
  return new Promise((done, failed) => process.stdout.write(text, (error) => (error == null ? done() : failed(error))));
}

async function serve(mode: Mode, argv: readonly string[]): Promise<void> {
  const options = parseOptions(argv, process.env, mode);
  const made = await makeFirstFolder(options);
  if (made.length > 0) process.stdout.write(`Made to begin with: ${made.join(', ')}\n`);
  const [{ createHost }, { Log }, { replacing }, { OnMailWritten }, { ProviderRegistry }, { OnStuck }] =
    await Promise.all([
      import('./host/host.js'),
      import('./di/given.js'),
      import('./di/module.js'),
      import('./mail/module.js'),
      import('./registry/generations/registry.js'),
      import('./registry/module.js'),
    ]);
  const { traceExits } = await import('./registry/loading/exit-trace.js');
  let host: Host | undefined;
  let stopping = false;
  const stop = (reason: string) => {
    if (stopping || host === undefined) return;
    stopping = true;
    process.stderr.write(`keyhost: ${reason}, draining\n`);
    host.close().then(
      () => exit(0),
      (error: unknown) => {
        process.stderr.write(`keyhost: stopping failed: ${String(error)}\n`);
        exit(1);
      },
    );
  };
  host = await createHost(options, {
    env: process.env,
    replace: [
      replacing(OnMailWritten, tellMail),
      replacing(OnStuck, (threads) => {
        stuckThreads = threads;
        if (threads >= STUCK_LIMIT) stop('plugins hang in native code');
      }),
    ],
  });
  const [registry, logger] = [host.use(ProviderRegistry), host.use(Log)];
  end = traceExits(
    () => registry.current.plugins.flatMap(({ loaded }) => (loaded?.entry.isolation === 'none' ? [loaded] : [])),
    logger,
  );
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  if (host.bootTree !== '') process.stdout.write(`${host.bootTree}\n`);
  if (host.newAdmin !== undefined) {
    const { username, password } = host.newAdmin;
    await written(`Bootstrap admin of realm master, told once: ${username} / ${password}\n`);
    await host.adminTold();
  }
  if (mode === 'start-dev')
    process.stdout.write(readyMessage(host.publicUrl, await host.trialUsers(), process.stdout.isTTY));
  const grpc = host.grpcAddress === undefined ? '' : ` grpc=${host.grpcAddress}`;
  process.stdout.write(`Keyhost ready http=${host.url}${grpc} management=${host.managementUrl}\n`);
}

/** With so many of its threads lost to native code the process makes way for a new one. */
const STUCK_LIMIT = 2;
let stuckThreads = 0;
let end: (code: number) => never = (code) => process.exit(code);

/** Node waits for its threads, and for one in native code perhaps for ever: only a signal ends such a process. */
function exit(code: number): void {
  if (stuckThreads > 0) process.kill(process.pid, 'SIGKILL');
  else end(code);
}

/** A mail that became a file, with the link that its reader would follow: only while things are tried out. */
function tellMail({
  file,
  mail,
}: {
  file: string;
  mail: { to: { address: string }; subject: string; text: string };
}): void {
  const link = /^https?:\/\/\S+$/m.exec(mail.text)?.[0] ?? '';
  process.stdout.write(`Mail to ${mail.to.address}: ${mail.subject}\n  ${link}\n  ${file}\n`);
}

function fail(error: unknown): void {
  const report =
    systemFailure(error) ??
    (error instanceof BootError
      ? error.report()
      : `keyhost: ${maskSecrets(error instanceof Error ? (error.stack ?? error.message) : String(error))}`);
  process.stderr.write(`${report}\n`);
  exit(1);
}

// What nobody caught leaves the process in a state nobody knows: say so and let the supervisor start a fresh one.
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);
main(process.argv.slice(2)).catch(fail);
