import type { RealmRepresentation } from '../../core/model/representation.js';

type Configured = readonly [id: string, configuration?: Record<string, unknown>];

/** The realm's members for one policy with these executors and conditions. It applies to any client by default. */
export function onePolicy(
  executors: readonly Configured[],
  conditions: readonly Configured[] = [['any-client']],
): Required<Pick<RealmRepresentation, 'clientProfiles' | 'clientPolicies'>> {
  return {
    clientProfiles: {
      profiles: [
        { name: 'safe', executors: executors.map(([executor, configuration = {}]) => ({ executor, configuration })) },
      ],
    },
    clientPolicies: {
      policies: [
        {
          name: 'everybody',
          enabled: true,
          conditions: conditions.map(([condition, configuration = {}]) => ({ condition, configuration })),
          profiles: ['safe'],
        },
      ],
    },
  };
}
