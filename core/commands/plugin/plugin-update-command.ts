import { BootError } from '../../config/boot-error.js';
import { parseOptions } from '../../config/options/options.js';
import { noHost, readManagementAccess } from '../../host/management-access.js';
import type { NodesStatus, RolledResult } from '../../registry/nodes/rolling-updates.js';
import type { PluginsStatus, UpdateResult } from '../../registry/updates/update-report.js';

export const UPDATE_HELP = `keyhost plugin status                   what the running host of the data directory serves
keyhost plugin reload [MODULE]          it loads what changed in the providers folder and plugins.json
keyhost plugin rollback [MODULE]        takes the last reload back, or that of one plugin
keyhost plugin restart MODULE           a fresh worker takes the place of the plugin's, of the same version

  Where several hosts serve from one database, reload, rollback and restart go over all of them, one after the other, this one first; when
  one refuses, those before it go back. status tells the nodes, and plugins that differ between them.

  --data-dir names the data directory of the host.
  Exit code: 0 it is done, 1 it is not.
`;

/** `keyhost plugin status`, `reload [MODULE]`, `rollback [MODULE]` and `restart MODULE`: asks the running host of the data directory. */
export async function pluginUpdateCommand(
  argv: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  const [action, ...rest] = argv;
  const module = rest[0]?.startsWith('--') === false ? rest.shift() : undefined;
  if (action === 'status' && module !== undefined) {
    throw new BootError('options_invalid', 'status takes no words', { hint: 'keyhost plugin status' });
  }
  if (action === 'restart' && module === undefined) {
    throw new BootError('options_invalid', 'restart takes a plugin', { hint: 'keyhost plugin restart MODULE' });
  }
  const { dataDir } = parseOptions(rest, env, 'start-dev');
  if (action === 'status') return tell((await ask(dataDir, 'GET', '/plugins')) as PluginsStatus & Partial<NodesStatus>);
  const query = module === undefined ? '' : `?module=${encodeURIComponent(module)}`;
  const answer = (await ask(dataDir, 'POST', `/plugins/${action}${query}`)) as UpdateResult & Partial<RolledResult>;
  const { outcome, generation, changes, failures, nodes = [] } = answer;
  for (const { report } of failures) process.stderr.write(`${report}\n`);
  for (const change of changes) process.stdout.write(`${change}\n`);
  if (nodes.length > 1) for (const node of nodes) process.stdout.write(`${node.node}: ${OUTCOMES[node.outcome]}\n`);
  process.stdout.write(outcome === 'unchanged' ? 'nothing changed\n' : `generation ${generation} serves\n`);
}

const OUTCOMES = {
  replaced: 'done',
  unchanged: 'nothing changed',
  gone: 'it ended meanwhile, and loads its files at its next start',
} as const;

function tell(status: PluginsStatus & Partial<NodesStatus>): void {
  for (const { module, version = '', state, isolation = '', failure, reason, inFolder } of status.plugins) {
    process.stdout.write(`${module}  ${version}  ${state}${isolation === 'worker' ? ' in a worker' : ''}\n`);
    if (reason !== undefined) process.stdout.write(`    ${reason}; keyhost plugin reload ${module} starts it now\n`);
    if (inFolder !== undefined) {
      const what = inFolder === version ? 'other files' : inFolder;
      process.stdout.write(`    the providers folder holds ${what}: keyhost plugin reload ${module} loads it\n`);
    }
    if (failure !== undefined) process.stdout.write(`${failure.report.replace(/^/gm, '    ')}\n`);
  }
  for (const { generation, calls } of status.draining) {
    process.stdout.write(`generation ${generation} still serves ${calls} ${calls === 1 ? 'call' : 'calls'}\n`);
  }
  process.stdout.write(`generation ${status.generation} serves since ${status.since}\n`);
  const told = status.plugins.map(({ failure }) => failure?.report);
  if (status.failure !== undefined && !told.includes(status.failure.report)) {
    const { trigger, at, report } = status.failure;
    process.stdout.write(`the last update (${trigger}, ${at}) changed nothing:\n${report.replace(/^/gm, '    ')}\n`);
  }
  const { nodes = [], differences = [] } = status;
  if (nodes.length > 1) process.stdout.write(`${nodes.length} nodes: ${nodes.map(({ name }) => name).join(', ')}\n`);
  for (const difference of differences) process.stdout.write(`nodes run different plugins: ${difference}\n`);
  if (status.warning !== undefined) process.stdout.write(`${status.warning}\n`);
}

/** @throws BootError what the host refused, as it says it */
async function ask(dataDir: string, method: 'GET' | 'POST', path: string): Promise<object> {
  const { url, secret } = await readManagementAccess(dataDir);
  const response = await fetch(`${url}${path}`, { method, headers: { authorization: `Bearer ${secret}` } }).catch(
    (cause: unknown) => {
      throw noHost(dataDir, cause);
    },
  );
  const body = (await response.json()) as { error?: string; error_description?: string };
  if (response.ok) return body;
  process.stderr.write(`${body.error_description ?? body.error}\n`);
  process.exit(1);
}
