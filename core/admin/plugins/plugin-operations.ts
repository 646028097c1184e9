import { BootError } from '../../config/boot-error.js';
import { defined } from '../../model/defined.js';
import type { PluginLog } from '../../registry/log/plugin-log.js';
import type { PluginCommands } from '../../registry/updates/plugin-commands.js';
import type { UpdateResult } from '../../registry/updates/update-report.js';
import { AdminError, badRequest } from '../admin.js';
import { type AdminOperation, ok } from '../operation.js';
import { PAGING, pageOf } from '../query.js';
import { type BootSources, bootTree, callsByRealm, pluginsOf } from './plugin-representation.js';

export interface PluginOperationParts extends BootSources {
  readonly commands: PluginCommands;
  readonly pluginLog: PluginLog;
  /** Plugins that were left out at start. */
  readonly leftOut: () => readonly { readonly module: string }[];
  /** The name of this node; undefined with a single node. */
  readonly node: string | undefined;
}

const TAG = 'Plugins';
const RESULT = {
  type: 'object',
  properties: {
    outcome: { enum: ['replaced', 'unchanged'] },
    generation: { type: 'integer' },
    changes: { type: 'array', items: { type: 'string' } },
    failures: { type: 'array', items: { type: 'object' } },
    nodes: { type: 'array', items: { type: 'object' } },
  },
} as const;
const MODULE = { module: { type: 'string', description: 'Name of the plugin in plugins.json.' } } as const;

const LINES = {
  type: 'object',
  properties: { node: { type: 'string' }, lines: { type: 'array', items: { type: 'object' } } },
} as const;

/** Keyhost only: `/admin/plugins`, the plugins of the host, for holders of `admin` in `master`. */
export function pluginOperations(parts: PluginOperationParts): AdminOperation[] {
  const { commands } = parts;
  const own = { scope: 'server', tag: TAG, roles: [], forHostAdmins: true } as const;
  const changing = (
    path: string,
    summary: string,
    change: (module: string | undefined) => Promise<UpdateResult>,
  ): AdminOperation => ({
    ...own,
    method: 'POST',
    path,
    summary,
    query: MODULE,
    answers: { status: 200, body: RESULT },
    event: { resourceType: 'CUSTOM', operation: 'ACTION' },
    async handle(call) {
      const module = call.query.string('module');
      call.setEventDetails({ eventRepresentation: module === undefined ? {} : { module } });
      return ok(await withBootErrors(() => change(module)));
    },
  });
  return [
    {
      ...own,
      method: 'GET',
      path: '/plugins',
      summary:
        'The plugins of the host: versions, state, limits, providers with their calls in all realms, past updates, nodes',
      answers: { status: 200, body: { type: 'object' } },
      async handle() {
        return ok(pluginsOf(await commands.look(), parts));
      },
    },
    {
      ...own,
      method: 'GET',
      path: '/plugins/calls',
      summary: 'The calls of plugins in each realm since the start of this node, most failures first',
      query: { ...MODULE, ...PAGING },
      answers: { status: 200, body: { type: 'array', items: { type: 'object' } } },
      handle(call) {
        return ok(pageOf(callsByRealm(call.query.string('module'), parts), call.query.page()));
      },
    },
    {
      ...own,
      method: 'GET',
      path: '/plugins/log',
      summary: 'The newest log lines and failed calls of a plugin on this node',
      query: MODULE,
      answers: { status: 200, body: LINES },
      handle(call) {
        return ok(linesOf(call.query.string('module'), parts));
      },
    },
    {
      ...own,
      method: 'GET',
      path: '/boot',
      summary: 'The steps of the start of this node, in order, with their duration in milliseconds',
      answers: { status: 200, body: { type: 'object' } },
      handle() {
        return ok(bootTree(parts));
      },
    },
    changing(
      '/plugins/reload',
      'Reload changed plugins and plugins.json on every node; if one node refuses, nothing changes',
      (module) => commands.reload(module),
    ),
    changing('/plugins/rollback', 'Undo the last update, or the last one of a plugin, on every node', (module) =>
      commands.rollback(module),
    ),
    changing('/plugins/restart', 'Restart the worker of a plugin on every node', async (module) => {
      if (module === undefined) throw badRequest('module is required: the name of the plugin in plugins.json');
      return commands.restart(module);
    }),
  ];
}

/** @throws AdminError 400, 404 */
function linesOf(module: string | undefined, { registry, leftOut, pluginLog, node }: PluginOperationParts) {
  if (module === undefined) throw badRequest('module is required: the name of the plugin in plugins.json');
  const own = registry.list().filter(({ plugin }) => plugin.module === module);
  if (own.length === 0 && !leftOut().some((one) => one.module === module)) {
    throw new AdminError(404, { error: 'plugin_missing', error_description: `plugin ${module} is not loaded` });
  }
  return { ...defined({ node }), lines: pluginLog.of([module, ...own.map(({ plugin }) => plugin.name)]) };
}

/** @throws AdminError 404, 409 with the code in `error` and the report for the operator */
async function withBootErrors<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof BootError)) throw error;
    const status = error.code === 'plugin_missing' ? 404 : 409;
    throw new AdminError(status, { error: error.code, error_description: error.report() });
  }
}
