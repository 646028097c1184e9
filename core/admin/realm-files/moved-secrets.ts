import type { JsonDocument, JsonPath } from '../../config/json/json-document.js';
import type { Problem } from '../../config/problem.js';
import { hasReference } from '../../config/realm-file/references.js';
import { MASK } from '../../model/mask.js';
import type { RealmRepresentation } from '../../model/representation.js';
import type { ProviderRegistry } from '../../registry/generations/registry.js';
import { changedAddress } from '../secrets-for-new-address.js';
import { maskFile } from './masked-file.js';

/** An object with secrets and the address to which they are sent, with its path. */
interface Connection {
  readonly path: JsonPath;
  readonly value: unknown;
}

/** A realm before and after a change by a document. */
export interface ChangedRealm {
  readonly before: RealmRepresentation | undefined;
  readonly after: RealmRepresentation;
  /** The content of the document with resolved references. */
  readonly resolvedContent: RealmRepresentation;
  readonly document: JsonDocument;
}

/**
 * Finds secrets that would be sent to a changed address although the document does not contain their values. Either the
 * document omits them, so that the stored ones stay, or it contains references.
 */
export function findMovedSecrets(
  { before, after, resolvedContent, document }: ChangedRealm,
  registry: ProviderRegistry,
): readonly Problem[] {
  const [connectionsBefore, connectionsAfter, resolvedConnections, sentConnections] = [
    before,
    after,
    resolvedContent,
    document.value,
  ].map(findConnections);
  const maskedConnections = findConnections(maskFile(after, registry));
  const problems: Problem[] = [];
  for (const [name, { path, value }] of connectionsAfter ?? []) {
    const sentConnection = sentConnections?.get(name);
    const unwrittenSecrets = secretPaths(value, maskedConnections.get(name)?.value).filter(
      (secretPath) => !isWrittenOut(valueAt(sentConnection?.value, secretPath)),
    );
    const isReference = (secretPath: JsonPath) => valueAt(sentConnection?.value, secretPath) !== undefined;
    const previousValue = connectionsBefore?.get(name)?.value;
    const newAddress =
      (previousValue !== undefined && !unwrittenSecrets.every(isReference)
        ? changedAddress(previousValue, value)
        : undefined) ??
      (unwrittenSecrets.some(isReference) ? changedAddress(resolvedConnections?.get(name)?.value, value) : undefined);
    if (newAddress === undefined) continue;
    const names = unwrittenSecrets.map((secretPath) => secretPath.join('.')).join(', ');
    const message = `${names}: must be written out, as ${newAddress} changes: no secret is kept for another address`;
    problems.push(document.problem(sentConnection?.path ?? path, message));
  }
  return problems;
}

function findConnections(realm: unknown): ReadonlyMap<string, Connection> {
  const connections = new Map<string, Connection>();
  const { smtpServer, identityProviders, authenticatorConfig, components, providers } = (realm ?? {}) as Readonly<
    Record<string, unknown>
  >;
  const addConnection = (path: JsonPath, name: string, value: unknown) => connections.set(name, { path, value });
  if (smtpServer !== undefined) addConnection(['smtpServer'], 'smtpServer', smtpServer);
  const addItems = (list: unknown, path: JsonPath, key: string) => {
    if (!Array.isArray(list)) return;
    for (const [index, item] of list.entries())
      addConnection(
        [...path, index],
        JSON.stringify([...path, (item as Readonly<Record<string, unknown>> | null)?.[key]]),
        item,
      );
  };
  addItems(identityProviders, ['identityProviders'], 'alias');
  addItems(authenticatorConfig, ['authenticatorConfig'], 'alias');
  for (const [type, list] of Object.entries(components ?? {})) addItems(list, ['components', type], 'name');
  for (const [spi, settings] of Object.entries(providers ?? {})) {
    for (const [id, setting] of Object.entries(settings ?? {}))
      addConnection(['providers', spi, id], JSON.stringify(['providers', spi, id]), setting);
  }
  return connections;
}

/** The paths of the strings that are masked. */
function secretPaths(value: unknown, maskedValue: unknown, path: JsonPath = []): JsonPath[] {
  if (typeof value === 'string') return value !== '' && maskedValue !== value ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) =>
    secretPaths(member, valueAt(maskedValue, [key]), [...path, key]),
  );
}

function isWrittenOut(text: unknown): boolean {
  return typeof text === 'string' && text !== MASK && !hasReference(text);
}

function valueAt(value: unknown, path: JsonPath): unknown {
  let current = value;
  for (const part of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, part)) return undefined;
    current = (current as Readonly<Record<string | number, unknown>>)[part];
  }
  return current;
}
