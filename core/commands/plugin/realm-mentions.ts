import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SPIS } from '@keyhost/spi';
import { type JsonDocument, type JsonPath, readJsonDocument } from '../../config/json/json-document.js';
import { realmDocumentsIn } from '../../config/realm-file/realm-documents.js';

/** A place in a realm file that names a provider. */
export interface Mention {
  readonly realm: string;
  readonly spi: string;
  readonly id: string;
  /** False if the provider is named and disabled. */
  readonly isEnabled: boolean;
  /** The position in the file, such as `realms/demo.json:12:5`. */
  readonly position: string;
}

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Lists the providers that realm files name. Files that are not JSON are skipped, since a start reports them.
 * @param options.configured true to include providers that have a configuration in `providers` but no `enabled` there
 */
export async function realmMentions(
  realmsDir: string,
  { configured = false }: { readonly configured?: boolean } = {},
): Promise<readonly Mention[]> {
  const names = await readdir(realmsDir).catch(() => []);
  const mentions: Mention[] = [];
  for (const name of names.filter((file) => file.endsWith('.json') && !file.startsWith('.')).sort()) {
    const file = join(realmsDir, name);
    const result = readJsonDocument(file, await readFile(file));
    if (!('problems' in result))
      mentions.push(...realmDocumentsIn(result.document).flatMap((realm) => mentionsOf(realm, configured)));
  }
  return mentions;
}

function mentionsOf(document: JsonDocument, configured: boolean): Mention[] {
  const realm = objectOf(document.value);
  const mentions: Mention[] = [];
  const add = (spi: string, id: unknown, path: JsonPath, isEnabled = true) => {
    const { line, column } = document.locate(path);
    const position = `${document.file}:${line}:${column}`;
    mentions.push({ realm: String(realm.realm), spi, id: String(id), isEnabled, position });
  };
  for (const [spi, ids] of Object.entries(objectOf(realm.providers))) {
    for (const [id, setting] of Object.entries(objectOf(ids))) {
      const { enabled } = objectOf(setting);
      if (enabled !== undefined || configured) add(spi, id, ['providers', spi, id], enabled === true);
    }
  }
  for (const { id: spi, realm: keys } of SPIS) {
    for (const { id, path, enabled } of keys?.mentions(realm) ?? []) add(spi, id, path, enabled);
  }
  return mentions;
}

const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null ? (value as JsonObject) : {};
