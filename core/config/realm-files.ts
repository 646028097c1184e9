import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonSchema } from '@keyhost/spi';
import type { RealmRepresentation, UserRepresentation } from '../model/representation.js';
import { BootError } from './boot-error.js';
import { type JsonDocument, type JsonPath, readJsonDocument } from './json-document.js';
import type { Problem } from './problem.js';
import { type Complain, checkRealm, checkUsers } from './realm-checks.js';
import { KNOWN_KEYS, REALM_SCHEMA, SHARED_SCHEMAS } from './realm-schema.js';
import { type DefaultedReference, resolveReferences } from './references.js';
import { compileSchema, didYouMean, schemaProblems } from './schema-check.js';

export interface FileState {
  readonly path: string;
  readonly size: number;
  readonly mtimeMs: number;
  readonly inode: number;
}

/** One realm's files: `x.json`, or Keycloak's `x-realm.json` with `x-users-0.json`, `x-users-1.json` … */
export interface RealmFileGroup {
  readonly main: FileState;
  readonly users: readonly FileState[];
}

/** A provider that realm files may name, with the schema of its configuration there. */
export interface ProviderSchema {
  readonly spi: string;
  readonly id: string;
  readonly enabledBy: 'providers' | 'realm-key';
  readonly realmConfig?: JsonSchema | undefined;
}

export interface RealmFile {
  /** Without users; references resolved. */
  readonly representation: RealmRepresentation;
  readonly users: readonly UserRepresentation[];
  readonly source: { readonly files: readonly FileState[]; readonly hash: string };
  /** References that fell to their default, by place. */
  readonly defaulted: readonly (DefaultedReference & { file: string; line: number; column: number })[];
  /** Keys that neither Keyhost nor its list of Keycloak's keys knows: kept as they are. */
  readonly unknownKeys: readonly string[];
}

const SIZE_LIMIT = 200 * 1024 * 1024;

/** The realm files of a folder, sorted by name. Hidden files and subfolders are left out. */
export async function findRealmFiles(dir: string): Promise<RealmFileGroup[]> {
  let names: string[];
  try {
    names = (await readdir(dir)).filter((name) => name.endsWith('.json') && !name.startsWith('.')).sort();
  } catch (cause) {
    throw new BootError('realm_invalid', `the realms folder ${dir} cannot be read`, {
      hint: 'make the folder, or name another one with --realms-dir',
      cause,
    });
  }
  const states = new Map<string, FileState>();
  for (const name of names) {
    const path = join(dir, name);
    const found = await stat(path);
    if (found.isFile()) states.set(name, { path, size: found.size, mtimeMs: found.mtimeMs, inode: found.ino });
  }
  const groups: RealmFileGroup[] = [];
  for (const [name, main] of states) {
    const users = /^(.+)-users-\d+\.json$/.exec(name);
    if (users?.[1] !== undefined && states.has(`${users[1]}-realm.json`)) continue;
    const base = /^(.+)-realm\.json$/.exec(name)?.[1];
    const parts = base === undefined ? [] : [...states].filter(([other]) => other.startsWith(`${base}-users-`));
    groups.push({ main, users: parts.map(([, state]) => state) });
  }
  return groups;
}

/**
 * Reads and checks one realm: syntax, shape, references, names across the file, providers' configuration.
 * @throws BootError `realm_invalid` with every problem at its `file:line:column`
 */
export async function readRealmFile(
  group: RealmFileGroup,
  options: { env: Readonly<Record<string, string | undefined>>; providers: readonly ProviderSchema[] },
): Promise<RealmFile> {
  const hash = createHash('sha256');
  const problems: Problem[] = [];
  const documents: JsonDocument[] = [];
  for (const { path, size } of [group.main, ...group.users]) {
    if (size > SIZE_LIMIT)
      throw invalid([{ file: path, line: 0, column: 0, path: '', message: 'the file is larger than 200 MB' }]);
    const bytes = await readFile(path);
    hash.update(bytes);
    const result = readJsonDocument(path, bytes);
    if ('problems' in result) problems.push(...result.problems);
    else documents.push(result.document);
  }
  const [main, ...userFiles] = documents;
  if (problems.length > 0 || main === undefined) throw invalid(problems);
  const defaulted: RealmFile['defaulted'][number][] = [];
  const unknownKeys: string[] = [];
  const check = (document: JsonDocument, parent?: RealmRepresentation): RealmRepresentation | undefined => {
    const complain: Complain = (path, message, suggestion) =>
      problems.push(document.problem(path, message, suggestion));
    const resolved = resolveReferences(document.value, { file: document.file, env: options.env });
    for (const { path, message } of resolved.problems) complain(path, message);
    for (const reference of resolved.defaulted) {
      defaulted.push({ ...reference, file: document.file, ...document.locate(reference.path) });
    }
    const value = resolved.value as RealmRepresentation;
    const checkShape = compileSchema(REALM_SCHEMA, { shared: SHARED_SCHEMAS });
    if (!checkShape(value)) {
      for (const { path, message, suggestion } of schemaProblems(checkShape)) complain(path, message, suggestion);
      // The other checks need the right shape; near misses of keys are told all the same.
      checkKeys(value, complain, unknownKeys);
      return undefined;
    }
    checkKeys(value, complain, unknownKeys);
    if (parent === undefined) {
      checkRealm(value, complain);
      checkProviders(value, options.providers, complain);
    }
    checkUsers(parent === undefined ? value : { ...parent, users: value.users ?? [] }, complain);
    return value;
  };
  const realm = check(main);
  const users = [...(realm?.users ?? [])];
  for (const document of userFiles) users.push(...(check(document, realm)?.users ?? []));
  if (problems.length > 0 || realm === undefined) throw invalid(problems);
  const { users: _, ...representation } = realm;
  return {
    representation: representation as RealmRepresentation,
    users,
    source: { files: [group.main, ...group.users], hash: hash.digest('base64url') },
    defaulted,
    unknownKeys,
  };
}

/** A key that is nearly a known one is a mistake; any other unknown key is Keycloak's or the owner's own and stays. */
function checkKeys(realm: RealmRepresentation, complain: Complain, unknown: string[]): void {
  const look = (object: unknown, known: readonly string[], path: JsonPath) => {
    if (typeof object !== 'object' || object === null || Array.isArray(object)) return;
    for (const key of Object.keys(object)) {
      if (known.includes(key)) continue;
      const near = didYouMean(key, known, 2);
      if (near === undefined) unknown.push([...path, key].join('.'));
      else complain([...path, key], 'unknown key', near);
    }
  };
  const each = (
    items: unknown,
    known: readonly string[],
    path: JsonPath,
    inner?: (item: never, path: JsonPath) => void,
  ) => {
    if (!Array.isArray(items)) return;
    for (const [index, item] of items.entries()) {
      look(item, known, [...path, index]);
      if (item !== null && typeof item === 'object') inner?.(item as never, [...path, index]);
    }
  };
  look(realm, KNOWN_KEYS.realm, []);
  const mappers = (holder: { protocolMappers?: unknown }, path: JsonPath) =>
    each(holder.protocolMappers, KNOWN_KEYS.protocolMapper, [...path, 'protocolMappers']);
  each(realm.clients, KNOWN_KEYS.client, ['clients'], mappers);
  each(realm.clientScopes, KNOWN_KEYS.clientScope, ['clientScopes'], mappers);
  each(realm.users, KNOWN_KEYS.user, ['users']);
  each(realm.roles?.realm, KNOWN_KEYS.role, ['roles', 'realm']);
  each(realm.groups, KNOWN_KEYS.group, ['groups']);
}

/** `providers.<spi>.<id>`: known names, and the configuration by each provider's own schema. */
function checkProviders(realm: RealmRepresentation, providers: readonly ProviderSchema[], complain: Complain): void {
  for (const [spi, settings] of Object.entries(realm.providers ?? {})) {
    const ofSpi = providers.filter((provider) => provider.spi === spi);
    if (ofSpi.length === 0) {
      const known = [...new Set(providers.map((provider) => provider.spi))];
      complain(['providers', spi], `there is no provider of an SPI "${spi}"`, didYouMean(spi, known));
      continue;
    }
    for (const [id, setting] of Object.entries(settings)) {
      const path = ['providers', spi, id];
      const provider = ofSpi.find((candidate) => candidate.id === id);
      if (provider === undefined) {
        complain(
          path,
          `there is no ${spi} "${id}"`,
          didYouMean(
            id,
            ofSpi.map((candidate) => candidate.id),
          ),
        );
        continue;
      }
      if (provider.enabledBy === 'realm-key' && setting.enabled !== undefined) {
        complain([...path, 'enabled'], `${spi} is switched by the realm's own keys, not here`);
      }
      checkProviderConfig(provider, setting, path, complain);
    }
  }
}

function checkProviderConfig(
  { realmConfig }: ProviderSchema,
  setting: { enabled?: boolean; config?: Record<string, unknown> },
  path: JsonPath,
  complain: Complain,
): void {
  const config = setting.config ?? {};
  if (realmConfig === undefined) {
    for (const key of Object.keys(config)) complain([...path, 'config', key], 'unknown key: it takes no configuration');
    return;
  }
  const check = compileSchema(realmConfig);
  if (check(config)) return;
  for (const problem of schemaProblems(check)) {
    complain([...path, 'config', ...problem.path], problem.message, problem.suggestion);
  }
}

function invalid(problems: readonly Problem[]): BootError {
  const count = problems.length === 1 ? 'a mistake' : `${problems.length} mistakes`;
  return new BootError('realm_invalid', `the realm file has ${count}`, { problems: [...problems].sort(byPlace) });
}

function byPlace(a: Problem, b: Problem): number {
  return a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column;
}
