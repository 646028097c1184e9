import type { SchemaProblem } from '../../config/json/schema-check.js';
import type { RealmRepresentation } from '../../model/representation.js';
import { EXECUTORS } from './executors.js';
import { unreadKeys } from './read-config.js';

/** Finds configured keys of executors without properties. They are stored, as in Keycloak, and reported. */
export function unreadConfiguration({ clientProfiles }: RealmRepresentation): SchemaProblem[] {
  return (clientProfiles?.profiles ?? []).flatMap(({ executors = [] }, index) =>
    executors.flatMap(({ executor, configuration = {} }, executorIndex) => {
      const executorProvider = EXECUTORS.find(({ id }) => id === executor);
      const path = ['clientProfiles', 'profiles', index, 'executors', executorIndex, 'configuration'];
      const message = `is not a setting of the executor "${executor}" and has no effect`;
      return executorProvider === undefined
        ? []
        : unreadKeys(executorProvider, configuration).map((key) => ({ path: [...path, key], message }));
    }),
  );
}
