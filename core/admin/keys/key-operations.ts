import { KEY_PROVIDER } from '../../keys/component-key.js';
import type { KeyRing } from '../../keys/key-ring.js';
import { publishedAlgorithms } from '../../keys/published-algorithms.js';
import { allComponents } from '../components/component-tree.js';
import { type AdminOperation, ok } from '../operation.js';
import { keyUses } from './key-uses.js';

export interface KeyOperationParts {
  readonly keys: KeyRing;
}

const NAMES = { type: 'array', items: { type: 'string' } } as const;
const KEY_USE = {
  type: 'object',
  required: [
    'algorithm',
    'isDefault',
    'isInternal',
    'clients',
    'moreClients',
    'identityProviders',
    'moreIdentityProviders',
    'isUnlimited',
  ],
  properties: {
    algorithm: { type: 'string' },
    isDefault: { type: 'boolean', description: 'True for the algorithm of clients that choose none.' },
    isInternal: { type: 'boolean', description: 'Cookies, refresh tokens and links, which only the realm reads.' },
    clients: {
      type: 'array',
      description: 'Clients that choose the algorithm.',
      items: {
        type: 'object',
        properties: { id: { type: 'string' }, clientId: { type: 'string' }, uses: NAMES },
      },
    },
    moreClients: { type: 'integer', description: 'How many clients are left out.' },
    identityProviders: { ...NAMES, description: 'Where the realm authenticates with the algorithm.' },
    moreIdentityProviders: { type: 'integer', description: 'How many the caller may not view.' },
    lifespan: { type: 'integer', description: 'How long tokens of a key stay valid at most, in seconds.' },
    isUnlimited: { type: 'boolean', description: 'True if some of what a key has signed or encrypted has no end.' },
  },
} as const;

/**
 * The operation `/keys` of a realm (Keycloak's KeysMetadataRepresentation), which has every key without its secret, and
 * Keyhost's own `/keys/uses`.
 */
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
          keys: records.map(({ kid, status, algorithm, use, priority, createdAt }) => ({
            providerId: (realmKeys.componentOf(kid) ?? components.find(({ config }) => config?.kid?.[0] === kid))?.id,
            providerPriority: priority,
            kid,
            status,
            algorithm,
            use: use.toUpperCase(),
            // Keyhost's extension. For a key of a plugin the time is unknown.
            ...(createdAt > 0 ? { createdAt } : {}),
            ...realmKeys.describe(kid),
          })),
        });
      },
    },
    {
      method: 'GET',
      path: '/keys/uses',
      tag: 'Key',
      summary:
        'What the keys of each algorithm sign and encrypt, and for how many seconds; names of clients require ' +
        'view-clients, and aliases of identity providers view-identity-providers',
      roles: ['view-realm'],
      answers: { status: 200, body: { type: 'array', items: KEY_USE } },
      handle: ({ realm, admin }) => ok(keyUses(realm, admin)),
    },
  ];
}
