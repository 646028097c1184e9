import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type JsonDocument, type JsonPath, readJsonDocument } from '../../config/json/json-document.js';
import { realmsIn } from '../../config/realm-file/realm-documents.js';

/** A place in a realm file that names a provider. */
export interface Mention {
  readonly realm: string;
  readonly spi: string;
  readonly id: string;
  /** False where it is named and switched off. */
  readonly enabled: boolean;
  /** `realms/demo.json:12:5` */
  readonly place: string;
}

type Entry = Readonly<Record<string, unknown>>;

/** Every provider that the realm files name. Files that are no JSON name nobody: a start tells what is wrong with them. */
export async function realmMentions(realmsDir: string): Promise<readonly Mention[]> {
  const names = await readdir(realmsDir).catch(() => []);
  const mentions: Mention[] = [];
  for (const name of names.filter((file) => file.endsWith('.json') && !file.startsWith('.')).sort()) {
    const file = join(realmsDir, name);
    const result = readJsonDocument(file, await readFile(file));
    if (!('problems' in result)) mentions.push(...realmsIn(result.document).flatMap(mentionsOf));
  }
  return mentions;
}

function mentionsOf(document: JsonDocument): Mention[] {
  const realm = record(document.value);
  const mentions: Mention[] = [];
  const add = (spi: string, id: unknown, path: JsonPath, enabled = true) => {
    const { line, column } = document.locate(path);
    const place = `${document.file}:${line}:${column}`;
    mentions.push({ realm: String(realm.realm), spi, id: String(id), enabled, place });
  };
  for (const [spi, ids] of Object.entries(record(realm.providers))) {
    for (const [id, setting] of Object.entries(record(ids))) {
      const { enabled } = record(setting);
      if (enabled !== undefined) add(spi, id, ['providers', spi, id], enabled === true);
    }
  }
  for (const [index, id] of list(realm.eventsListeners).entries())
    add('events-listener', id, ['eventsListeners', index]);
  if (typeof realm.loginTheme === 'string') add('theme', realm.loginTheme, ['loginTheme']);
  for (const holder of ['clients', 'clientScopes']) {
    each(realm[holder], (one, index) =>
      each(one.protocolMappers, ({ protocolMapper }, inner) =>
        add('protocol-mapper', protocolMapper, [holder, index, 'protocolMappers', inner]),
      ),
    );
  }
  each(realm.authenticationFlows, (flow, index) =>
    each(flow.authenticationExecutions, ({ authenticator, requirement }, inner) => {
      const path = ['authenticationFlows', index, 'authenticationExecutions', inner];
      if (authenticator !== undefined) add('authenticator', authenticator, path, requirement !== 'DISABLED');
    }),
  );
  each(realm.requiredActions, ({ providerId, enabled }, index) =>
    add('required-action', providerId, ['requiredActions', index], enabled === true),
  );
  return mentions;
}

const record = (value: unknown): Entry => (typeof value === 'object' && value !== null ? (value as Entry) : {});
const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function each(value: unknown, use: (entry: Entry, index: number) => void): void {
  for (const [index, entry] of list(value).entries()) use(record(entry), index);
}
