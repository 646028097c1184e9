import { appendFile, cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { realm } from '../bench-realm.js';
import { production, ROOT, writeFolder } from '../keyhost.js';
import type { Bench } from '../measurement.js';
import type { Deed } from './beside.js';

/** The first one is changed. */
const PLUGINS = ['newsletter', 'external-app-notification'];
/** The number of reloads in a window: one alone would affect too few requests for a percentile. */
const RELOADS = 5;

/** A plugin whose files change, and the operator's command to load them. */
export const pluginReload: Deed = {
  name: 'a reload of plugins',
  mostRuns: Infinity,
  takes: 1,
  async server(bench) {
    const folder = folderOf(bench);
    // Plugins find their imports as in an installation.
    await mkdir(folder, { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    for (const name of PLUGINS) {
      for (const part of ['package.json', 'dist']) {
        await cp(join(ROOT, 'providers', name, part), join(folder, 'providers', name, part), { recursive: true });
      }
    }
    const { providers, ...rest } = realm('rs', 'RS256', false);
    const { 'grpc-service': _, ...ofPlugins } = providers;
    const listed = PLUGINS.map((name) => ({ module: `@keyhost/${name}` }));
    await writeFolder(folder, [{ ...rest, providers: ofPlugins } as { realm: string }], listed);
    return bench.processes.start(await production(folder, ['--providers-dir', join(folder, 'providers')]));
  },
  async act(bench) {
    const folder = folderOf(bench);
    const access = await readFile(join(folder, 'data', 'management.json'), 'utf8');
    const { url, secret } = JSON.parse(access) as { url: string; secret: string };
    const headers = { authorization: `Bearer ${secret}` };
    for (let reload = 0; reload < RELOADS; reload += 1) {
      await appendFile(join(folder, 'providers', PLUGINS[0] ?? '', 'dist', 'index.js'), '// changed\n');
      const response = await fetch(`${url}/plugins/reload`, { method: 'POST', headers });
      const result = (await response.json()) as { outcome?: string };
      if (result.outcome !== 'replaced') throw new Error(`the reload ended so: ${JSON.stringify(result)}`);
    }
  },
};

const folderOf = ({ dir }: Bench) => join(dir, 'reloading');
