import type { RealmRepresentation } from '../../core/model/representation.js';

type Configured = readonly [id: string, configuration?: Record<string, unknown>];

/** A realm's members by which one policy asks for these executors, under these conditions: of any client where none is named. */
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
