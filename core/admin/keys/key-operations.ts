import { KEY_PROVIDER } from '../../keys/component-key.js';
import type { KeyRing } from '../../keys/key-ring.js';
import { publishedAlgorithms } from '../../keys/published-algorithms.js';
import { allComponents } from '../components/component-tree.js';
import { type AdminOperation, ok } from '../operation.js';

export interface KeyOperationParts {
  readonly keys: KeyRing;
}

/** The operation `/keys` of a realm (Keycloak's KeysMetadataRepresentation): every key without its secret. */
export function keyOperations({ keys }: KeyOperationParts): AdminOperation[] {
  return [
    {
      method: 'GET',
      path: '/keys',
      tag: 'Key',
      summary: 'The keys of the realm, and the active ones',
      roles: ['view-realm'],
      answers: {
        status: 200,
        body: { type: 'object', properties: { active: { type: 'object' }, keys: { type: 'array' } } },
      },
      async handle({ realm }) {
        const realmKeys = await keys.realm(realm.name);
        await realmKeys.provide(publishedAlgorithms(realm));
        const components = (await allComponents(realm.id, realm.representation, realmKeys))[KEY_PROVIDER] ?? [];
        const records = realmKeys.list();
        const active = new Map<string, string>();
        for (const { algorithm, status, kid } of records) {
          if (status === 'ACTIVE' && !active.has(algorithm)) active.set(algorithm, kid);
        }
        return ok({
          active: Object.fromEntries(active),
          keys: records.map(({ kid, status, algorithm, use, priority }) => ({
            providerId: (realmKeys.componentOf(kid) ?? components.find(({ config }) => config?.kid?.[0] === kid))?.id,
            providerPriority: priority,
            kid,
            status,
            algorithm,
            use: use.toUpperCase(),
            ...realmKeys.describe(kid),
          })),
        });
      },
    },
  ];
}
