import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OPTIONS } from '../config/options/option-table.js';
import type { HostOptions } from '../config/options/options.js';

export const NO_PLUGINS = { plugins: [] };

/** A realm for trying Keyhost, with a user to sign in as, and a client for curl and `keyhost token`. */
export const DEMO_REALM = {
  realm: 'demo',
  displayName: 'Demo',
  enabled: true,
  registrationAllowed: true,
  clients: [
    {
      clientId: 'cli',
      name: 'For trying things with curl and keyhost token',
      publicClient: true,
      directAccessGrantsEnabled: true,
      redirectUris: ['http://127.0.0.1/callback'],
      attributes: { 'pkce.code.challenge.method': 'S256' },
    },
  ],
  users: [
    {
      username: 'alice',
      email: 'alice@example.com',
      emailVerified: true,
      firstName: 'Alice',
      lastName: 'Example',
      enabled: true,
      credentials: [{ type: 'password', value: 'alice' }],
    },
  ],
};

/**
 * Creates plugins.json and a realms folder with a realm, if a development start lacks them. It does so only at the
 * default paths: if an option names a path that does not exist, that is an error.
 * @returns the paths that were created
 */
export async function scaffoldDevFolder({ mode, pluginsFile, realmsDir }: HostOptions): Promise<readonly string[]> {
  if (mode !== 'start-dev') return [];
  const createdPaths: string[] = [];
  const createFile = async (path: string, content: object) => {
    await writeFile(path, `${JSON.stringify(content, null, 2)}\n`, { flag: 'wx' });
    createdPaths.push(path);
  };
  if (pluginsFile === defaultOf('plugins-file') && !existsSync(pluginsFile)) await createFile(pluginsFile, NO_PLUGINS);
  if (realmsDir === defaultOf('realms-dir') && !existsSync(realmsDir)) {
    await mkdir(realmsDir);
    await createFile(join(realmsDir, 'demo.json'), DEMO_REALM);
  }
  return createdPaths;
}

function defaultOf(flag: string): string | undefined {
  return OPTIONS.find((option) => option.flag === flag)?.default;
}
