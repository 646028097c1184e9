import type { JsonDocument, JsonPath } from '../../config/json/json-document.js';
import type { Problem } from '../../config/problem.js';
import { hasReference } from '../../config/realm-file/references.js';
import { MASK } from '../../model/mask.js';
import type { RealmRepresentation } from '../../model/representation.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import { changedAddress } from '../secrets-for-new-address.js';
import { maskedFile } from './masked-file.js';

/** An object with secrets and the address that they are sent to, with its path. */
interface Connection {
  readonly path: JsonPath;
  readonly value: unknown;
}

/** A realm before and after a change by a document. */
export interface ChangedRealm {
  readonly before: RealmRepresentation | undefined;
  readonly after: RealmRepresentation;
  /** The content of the document with resolved references. */
  readonly stated: RealmRepresentation;
  readonly document: JsonDocument;
}

/**
 * Secrets that would be sent to a changed address although the document does not contain their values. They stay
 * because the document omits them, or are the values of references.
 */
export function movedSecrets(
  { before, after, stated, document }: ChangedRealm,
  registry: ProviderRegistry,
): readonly Problem[] {
  const [were, are, said, sent] = [before, after, stated, document.value].map(connections);
  const masked = connections(maskedFile(after, registry));
  const problems: Problem[] = [];
  for (const [name, { path, value }] of are ?? []) {
    const written = sent?.get(name);
    const kept = secretPaths(value, masked.get(name)?.value).filter((at) => !isWrittenOut(valueAt(written?.value, at)));
    const isReferred = (at: JsonPath) => valueAt(written?.value, at) !== undefined;
    const was = were?.get(name)?.value;
    const moved =
      (was !== undefined && !kept.every(isReferred) ? changedAddress(was, value) : undefined) ??
      (kept.some(isReferred) ? changedAddress(said?.get(name)?.value, value) : undefined);
    if (moved === undefined) continue;
    const names = kept.map((at) => at.join('.')).join(', ');
    const message = `${names}: must be written out, as ${moved} changes: no secret is kept for another address`;
    problems.push(document.problem(written?.path ?? path, message));
  }
  return problems;
}

function connections(realm: unknown): ReadonlyMap<string, Connection> {
  const found = new Map<string, Connection>();
  const { smtpServer, identityProviders, authenticatorConfig, components, providers } = (realm ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const add = (path: JsonPath, name: string, value: unknown) => found.set(name, { path, value });
  if (smtpServer !== undefined) add(['smtpServer'], 'smtpServer', smtpServer);
  const named = (list: unknown, path: JsonPath, key: string) => {
    if (!Array.isArray(list)) return;
    for (const [index, item] of list.entries())
      add([...path, index], JSON.stringify([...path, (item as Readonly<Record<string, unknown>> | null)?.[key]]), item);
  };
  named(identityProviders, ['identityProviders'], 'alias');
  named(authenticatorConfig, ['authenticatorConfig'], 'alias');
  for (const [type, list] of Object.entries(components ?? {})) named(list, ['components', type], 'name');
  for (const [spi, settings] of Object.entries(providers ?? {})) {
    for (const [id, setting] of Object.entries(settings ?? {}))
      add(['providers', spi, id], JSON.stringify(['providers', spi, id]), setting);
  }
  return found;
}

/** The paths of the masked texts. */
function secretPaths(value: unknown, masked: unknown, path: JsonPath = []): JsonPath[] {
  if (typeof value === 'string') return value !== '' && masked !== value ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => secretPaths(member, valueAt(masked, [key]), [...path, key]));
}

function isWrittenOut(text: unknown): boolean {
  return typeof text === 'string' && text !== MASK && !hasReference(text);
}

function valueAt(value: unknown, path: JsonPath): unknown {
  let found = value;
  for (const part of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, part)) return undefined;
    found = (found as Readonly<Record<string | number, unknown>>)[part];
  }
  return found;
}
