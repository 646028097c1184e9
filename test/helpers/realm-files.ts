import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RealmRepresentation } from '../../core/model/representation.js';
import type { RealmFileState } from '../../core/realm-files/realm-file-state.js';
import { eventually } from './eventually.js';
import { fetchAnswer, type TestHost } from './host.js';

/** The path of a test's realm file. */
export function realmFile(host: Pick<TestHost, 'dir'>, name: string): string {
  return join(host.dir, 'realms', name);
}

/** Replaces a file atomically, as careful tools do. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}

export async function writeRealm(
  host: Pick<TestHost, 'dir'>,
  realm: RealmRepresentation,
  name = `${realm.realm}.json`,
): Promise<void> {
  await replaceFile(realmFile(host, name), JSON.stringify(realm, null, 2));
}

type Managed = Pick<TestHost, 'managementUrl'> & Partial<Pick<TestHost, 'managementSecret'>>;

/** The states of the realm files on the management port, by file name; with values if the host's secret is known. */
export async function states({ managementUrl, managementSecret }: Managed): Promise<Record<string, RealmFileState>> {
  const headers: Record<string, string> =
    managementSecret === undefined ? {} : { authorization: `Bearer ${managementSecret}` };
  const { json } = await fetchAnswer(`${managementUrl}/realms`, { headers });
  const all = json as unknown as RealmFileState[];
  return Object.fromEntries(all.map((state) => [state.path.slice(state.path.lastIndexOf('/') + 1), state]));
}

/** Waits until a file has a state. */
export function fileState(
  host: Managed,
  name: string,
  is: (state: RealmFileState) => boolean,
): Promise<RealmFileState> {
  return eventually(async () => {
    const state = (await states(host))[name];
    return state !== undefined && is(state) && state;
  });
}

/** Edits a live realm as the Admin REST API does: read, change, and write unless it was changed meanwhile. */
export async function edit(host: TestHost, name: string, change: (realm: RealmRepresentation) => void): Promise<void> {
  const record = await host.store.realms.get(name);
  if (record === undefined) throw new Error(`there is no realm ${name}`);
  change(record.representation);
  const { version: expectedVersion, ...realm } = record;
  const written = await host.store.realms.put(realm, { expectedVersion });
  if (written === 'conflict') throw new Error(`realm ${name} was edited meanwhile`);
  host.realms.invalidate(name);
}

/** Requests tokens of a realm continuously until stopped, and counts the failures. */
export function steadyRequests(host: TestHost, realm: string, form: Record<string, string>) {
  let running = true;
  let answered = 0;
  const failures: string[] = [];
  const ask = async () => {
    while (running) {
      const { status, text } = await host.token(realm, form);
      answered += 1;
      if (status !== 200) failures.push(`${status} ${text}`);
    }
  };
  const all = [ask(), ask(), ask()];
  return {
    failures,
    async stop(): Promise<number> {
      running = false;
      await Promise.all(all);
      return answered;
    },
  };
}
