import type { JsonPath } from '../../config/json/json-document.js';
import { escapeReferences } from '../../config/realm-file/references.js';
import { MASK } from '../../model/mask.js';
import { exportRealm } from '../../realms/export/export-realm.js';
import type { StoredRealm } from '../../realms/plan-realm.js';
import { forEachCounterpart } from './counterparts.js';

/** A secret of the live realm. */
export interface StoredSecret {
  /** The text for a document, in which a secret that looks like a reference is escaped. */
  readonly text: string;
  /** The address in the same object, if the document changes it. */
  readonly changedAddress: string | undefined;
}

/**
 * Finds the secrets of the live realm that a document leaves out. It has a mask in their place, or the reference that
 * the export of the realm writes. So the export of a realm without a file can be applied.
 * @returns a function that returns the secret at a position of the document
 */
export function storedSecrets(
  document: unknown,
  { representation, declared }: StoredRealm,
): (position: JsonPath) => StoredSecret | undefined {
  const { representation: exported, variables } = exportRealm(representation, declared, [], { secrets: false });
  const references = new Set(variables.map((name) => `\${env.${name}}`));
  const omitted = new Set<string>();
  forEachCounterpart(document, exported, (position, { sent, text }) => {
    if (sent === MASK || (sent === text && references.has(sent))) omitted.add(JSON.stringify(position));
  });
  const secrets = new Map<string, StoredSecret>();
  forEachCounterpart(document, representation, (position, { text, changedAddress }) => {
    const key = JSON.stringify(position);
    if (text !== undefined && omitted.has(key))
      secrets.set(key, { text: escapeReferences(text) as string, changedAddress });
  });
  return (position) => secrets.get(JSON.stringify(position));
}
