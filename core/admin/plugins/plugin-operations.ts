import { BootError } from '../../config/boot-error.js';
import { defined } from '../../model/defined.js';
import type { PluginLog } from '../../registry/log/plugin-log.js';
import type { PluginCommands } from '../../registry/updates/plugin-commands.js';
import type { UpdateResult } from '../../registry/updates/update-report.js';
import { AdminError, badRequest } from '../admin.js';
import { AdminTexts } from '../admin-texts.js';
import { type AdminOperation, ok } from '../operation.js';
import { PAGING, pageOf } from '../query.js';
import { describeCatalogue } from './plugin-catalogue.js';
import { type BootSources, callsByRealm, describeBoot, describePlugins } from './plugin-representation.js';

export interface PluginOperationParts extends BootSources {
  readonly commands: PluginCommands;
  readonly pluginLog: PluginLog;
  /** Plugins that were not loaded at the start. */
  readonly leftOut: () => readonly { readonly module: string }[];
  /** The name of this node; undefined if there is only one. */
  readonly node: string | undefined;
}

const TAG = 'Plugins';
const UPDATE_SCHEMA = {
  type: 'object',
  properties: {
    outcome: { enum: ['replaced', 'unchanged'] },
    generation: { type: 'integer' },
    changes: { type: 'array', items: { type: 'string' } },
    failures: { type: 'array', items: { type: 'object' } },
    nodes: { type: 'array', items: { type: 'object' } },
  },
} as const;
const MODULE_PARAMETER = { module: { type: 'string', description: 'Name of the plugin in plugins.json.' } } as const;

const LOG_SCHEMA = {
  type: 'object',
  properties: { node: { type: 'string' }, lines: { type: 'array', items: { type: 'object' } } },
} as const;

/** Keyhost's own API: `/admin/plugins`, the plugins of the host, for holders of `admin` in `master`. */
export function pluginOperations(parts: PluginOperationParts): AdminOperation[] {
  const { commands } = parts;
  const sharedMembers = { scope: 'server', tag: TAG, roles: [], forHostAdmins: true } as const;
  const writeOperation = (
    path: string,
    summary: string,
    change: (module: string | undefined) => Promise<UpdateResult>,
  ): AdminOperation => ({
    ...sharedMembers,
    method: 'POST',
    path,
    summary,
    query: MODULE_PARAMETER,
    answers: { status: 200, body: UPDATE_SCHEMA },
    event: { resourceType: 'CUSTOM', operation: 'ACTION' },
    async handle(call) {
      const module = call.query.string('module');
      call.setEventDetails({ eventRepresentation: module === undefined ? {} : { module } });
      return ok(await withBootErrors(() => change(module)));
    },
  });
  return [
    {
      ...sharedMembers,
      method: 'GET',
      path: '/plugins',
      summary:
        'The plugins of the host: versions, state, limits, providers with their calls in all realms, past updates, nodes',
      answers: { status: 200, body: { type: 'object' } },
      async handle() {
        return ok(describePlugins(await commands.look(), parts));
      },
    },
    {
      ...sharedMembers,
      method: 'GET',
      path: '/plugins/catalogue',
      summary: 'The shipped plugin packages, with what they need, and how to add those that are not loaded',
      answers: { status: 200, body: { type: 'array', items: { type: 'object' } } },
      async handle({ exchange }) {
        return ok(describeCatalogue(await commands.look(), new AdminTexts({ exchange })));
      },
    },
    {
      ...sharedMembers,
      method: 'GET',
      path: '/plugins/calls',
      summary: 'The calls of plugins in each realm since the start of this node, most failures first',
      query: { ...MODULE_PARAMETER, ...PAGING },
      answers: { status: 200, body: { type: 'array', items: { type: 'object' } } },
      handle(call) {
        return ok(pageOf(callsByRealm(call.query.string('module'), parts), call.query.page()));
      },
    },
    {
      ...sharedMembers,
      method: 'GET',
      path: '/plugins/log',
      summary: 'The newest log lines and failed calls of a plugin on this node',
      query: MODULE_PARAMETER,
      answers: { status: 200, body: LOG_SCHEMA },
      handle(call) {
        return ok(logOf(call.query.string('module'), parts));
      },
    },
    {
      ...sharedMembers,
      method: 'GET',
      path: '/boot',
      summary: 'The steps of the start of this node, in order, with their duration in milliseconds',
      answers: { status: 200, body: { type: 'object' } },
      handle() {
        return ok(describeBoot(parts));
      },
    },
    writeOperation(
      '/plugins/reload',
      'Reload changed plugins and plugins.json on every node; if one node refuses, nothing changes',
      (module) => commands.reload(module),
    ),
    writeOperation('/plugins/rollback', 'Undo the last update, or the last one of a plugin, on every node', (module) =>
      commands.rollback(module),
    ),
    writeOperation('/plugins/restart', 'Restart the worker of a plugin on every node', async (module) => {
      if (module === undefined) throw badRequest('module is required: the name of the plugin in plugins.json');
      return commands.restart(module);
    }),
  ];
}

/** The recent log of a plugin on this node. @throws AdminError 400, 404 */
function logOf(module: string | undefined, { registry, leftOut, pluginLog, node }: PluginOperationParts) {
  if (module === undefined) throw badRequest('module is required: the name of the plugin in plugins.json');
  const providers = registry.list().filter(({ plugin }) => plugin.module === module);
  if (providers.length === 0 && !leftOut().some((plugin) => plugin.module === module)) {
    throw new AdminError(404, { error: 'plugin_missing', error_description: `plugin ${module} is not loaded` });
  }
  return { ...defined({ node }), lines: pluginLog.linesOf([module, ...providers.map(({ plugin }) => plugin.name)]) };
}

/** Converts a BootError. @throws AdminError 404, 409 with the code in `error` and the report for the operator */
async function withBootErrors<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    if (!(error instanceof BootError)) throw error;
    const status = error.code === 'plugin_missing' ? 404 : 409;
    throw new AdminError(status, { error: error.code, error_description: error.report() });
  }
}
