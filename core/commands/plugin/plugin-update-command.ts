import { noHostError, readManagementAccess } from '../../host/management-access.js';
import type { NodesStatus, RollingUpdateResult } from '../../registry/nodes/rolling-updates.js';
import type { PluginsStatus, UpdateResult } from '../../registry/updates/update-report.js';
import { type Command, EXIT_CODES } from '../command.js';
import type { CommandLine } from '../command-line.js';

const SHARED = {
  serverOptions: ['data-dir'],
  notes: EXIT_CODES,
} as const;
/** The end of the details of each command that changes plugins. */
const IN_TURN = `With several servers on one database, this one is updated first, and then the others, one after the
other. If one refuses, those before it return to their previous plugins.`;

export const status: Command = {
  ...SHARED,
  summary: 'Prints the plugins that the running server serves',
  usage: '',
  details: 'With several servers on one database, it also lists them, and plugins that differ between them.',
  examples: ['plugin status', 'plugin status --data-dir /var/lib/keyhost', 'plugin status --data-dir ../.data'],
  async run(line) {
    line.requireAtMostWords(0);
    printStatus(
      (await callOwnerEndpoint(line.server().dataDir, 'GET', '/plugins')) as PluginsStatus & Partial<NodesStatus>,
    );
  },
};

export const reload: Command = {
  ...SHARED,
  summary: 'Reloads changed plugins and plugins.json in the running server',
  usage: '[NAME]',
  details: `NAME is one plugin; default: all.

${IN_TURN}`,
  examples: ['plugin reload', 'plugin reload hello', 'plugin reload --data-dir /var/lib/keyhost'],
  run: (line) => update(line, 'reload'),
};

export const rollback: Command = {
  ...SHARED,
  summary: 'Undoes the last reload in the running server',
  usage: '[NAME]',
  details: `NAME is one plugin; default: all.

${IN_TURN}`,
  examples: ['plugin rollback', 'plugin rollback hello', 'plugin rollback --data-dir /var/lib/keyhost'],
  run: (line) => update(line, 'rollback'),
};

export const restart: Command = {
  ...SHARED,
  summary: 'Restarts the worker of a plugin in the running server',
  usage: 'NAME',
  details: IN_TURN,
  examples: ['plugin restart hello', 'plugin restart @acme/audit', 'plugin restart hello --data-dir /var/lib/keyhost'],
  needsArguments: true,
  run: (line) => update(line, 'restart', line.word('NAME')),
};

/** @param module one plugin; undefined for all */
async function update(line: CommandLine, action: string, module = line.words[0]): Promise<void> {
  line.requireAtMostWords(1);
  const { dataDir } = line.server();
  const query = module === undefined ? '' : `?module=${encodeURIComponent(module)}`;
  const answer = (await callOwnerEndpoint(dataDir, 'POST', `/plugins/${action}${query}`)) as UpdateResult &
    Partial<RollingUpdateResult>;
  const { outcome, generation, changes, failures, nodes = [] } = answer;
  for (const { report } of failures) process.stderr.write(`${report}\n`);
  for (const change of changes) process.stdout.write(`${change}\n`);
  if (nodes.length > 1) for (const node of nodes) process.stdout.write(`${node.node}: ${OUTCOMES[node.outcome]}\n`);
  process.stdout.write(outcome === 'unchanged' ? 'nothing changed\n' : `generation ${generation} is in use\n`);
}

const OUTCOMES = {
  replaced: 'done',
  unchanged: 'nothing changed',
  gone: 'stopped; it loads the new files when it starts',
} as const;

function printStatus(status: PluginsStatus & Partial<NodesStatus>): void {
  for (const { module, version = '', state, isolation = '', failure, reason, inFolder } of status.plugins) {
    process.stdout.write(`${module}  ${version}  ${state}${isolation === 'worker' ? ' in a worker' : ''}\n`);
    if (reason !== undefined)
      process.stdout.write(`    ${reason}; to start it now, run: keyhost plugin reload ${module}\n`);
    if (inFolder !== undefined) {
      const waitingVersion = inFolder === version ? 'other files' : inFolder;
      process.stdout.write(
        `    the plugin folder contains ${waitingVersion}; to load it, run: keyhost plugin reload ${module}\n`,
      );
    }
    if (failure !== undefined) process.stdout.write(`${failure.report.replace(/^/gm, '    ')}\n`);
  }
  for (const { generation, calls } of status.draining) {
    process.stdout.write(`generation ${generation} is finishing ${calls} ${calls === 1 ? 'call' : 'calls'}\n`);
  }
  process.stdout.write(`generation ${status.generation}, in use since ${status.since}\n`);
  const reports = status.plugins.map(({ failure }) => failure?.report);
  if (status.failure !== undefined && !reports.includes(status.failure.report)) {
    const { trigger, at, report } = status.failure;
    process.stdout.write(`the last update (${trigger}, ${at}) failed:\n${report.replace(/^/gm, '    ')}\n`);
  }
  const { nodes = [], differences = [] } = status;
  if (nodes.length > 1) process.stdout.write(`${nodes.length} nodes: ${nodes.map(({ name }) => name).join(', ')}\n`);
  for (const difference of differences) process.stdout.write(`different plugins on nodes: ${difference}\n`);
  if (status.warning !== undefined) process.stdout.write(`${status.warning}\n`);
}

/**
 * Calls an endpoint of the running host. If the host refuses, prints its reason and ends the process with status 1.
 * @throws BootError if no host runs
 */
async function callOwnerEndpoint(dataDir: string, method: 'GET' | 'POST', path: string): Promise<object> {
  const { url, secret } = await readManagementAccess(dataDir);
  const response = await fetch(`${url}${path}`, { method, headers: { authorization: `Bearer ${secret}` } }).catch(
    (cause: unknown) => {
      throw noHostError(dataDir, cause);
    },
  );
  const body = (await response.json()) as { error?: string; error_description?: string };
  if (response.ok) return body;
  process.stderr.write(`${body.error_description ?? body.error}\n`);
  process.exit(1);
}
