import { type ClientPolicyCondition, NEGATIVE_LOGIC } from '../condition.js';
import type { PolicyConfig } from '../property.js';

/**
 * Applies to clients with all of these attributes, but not to new clients. For a change, the attributes before it
 * count.
 */
export const clientAttributes: ClientPolicyCondition = {
  id: 'client-attributes',
  helpText: 'Applies to clients that have all of these attributes with these values.',
  properties: [
    NEGATIVE_LOGIC,
    {
      name: 'attributes',
      label: 'client-attributes.label',
      helpText: 'client-attributes-condition.tooltip',
      type: 'Map',
    },
  ],
  findMistake: (config) =>
    parsePairs(config) === undefined
      ? 'attributes must be a JSON array of {"key": "name", "value": "text"}'
      : undefined,
  request: (config, { client }) => hasAll(config, client.attributes),
  change: (config, { before }) => before && hasAll(config, before.attributes ?? {}),
};

function hasAll(config: PolicyConfig, attributes: Readonly<Record<string, string>>): boolean {
  const requiredPairs = parsePairs(config) ?? [];
  return (
    requiredPairs.length > 0 &&
    requiredPairs.every(({ key, value }) => Object.hasOwn(attributes, key) && attributes[key] === value)
  );
}

/** Parses a map as Keycloak's console writes it; undefined if the text is invalid. */
function parsePairs({ attributes = '[]' }: PolicyConfig): readonly { key: string; value: string }[] | undefined {
  let read: unknown;
  try {
    read = JSON.parse(String(attributes) || '[]');
  } catch {
    // The caller reports the mistake.
    return undefined;
  }
  const isPair = (one: unknown) => {
    const { key, value } = (one ?? {}) as { key?: unknown; value?: unknown };
    return typeof key === 'string' && key !== '' && typeof value === 'string';
  };
  return Array.isArray(read) && read.every(isPair) ? read : undefined;
}
