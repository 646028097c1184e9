import { BootError } from '../config/boot-error.js';
import type { OwnerCommands } from '../http/owner-endpoints.js';
import type { ConsoleLogins } from '../login/console/console-logins.js';
import { hasClientScope } from '../model/client-scope-names.js';
import type { Clock } from '../model/clock.js';
import { codeOf, messageOf } from '../model/thrown.js';
import type { Realms } from '../realms/realms.js';
import { countClientSignIns } from '../registry/events/client-sign-ins.js';
import type { EventCounts } from '../registry/events/event-counts.js';
import type { StatisticsStore } from '../store/store.js';

/** Creates the commands that the owner of the data directory can send to this host. */
export function createOwnerCommands(parts: {
  consoleLogins: ConsoleLogins;
  realms: Realms;
  eventCounts: EventCounts;
  clock: Clock;
  statistics: StatisticsStore;
}): OwnerCommands {
  const { consoleLogins, realms } = parts;
  return {
    async consoleLogin(shows, username) {
      try {
        return await consoleLogins.issue(shows, username);
      } catch (error) {
        if (codeOf(error) !== 'console_refused') throw error;
        throw new BootError('options_invalid', messageOf(error));
      }
    },
    consoleLoginState: (id) => consoleLogins.stateOf(id),
    async taken(name, { client, scope }) {
      const realm = await realms.get(name);
      return {
        client: realm?.clients.has(client) === true,
        scope: realm !== undefined && hasClientScope(realm, scope),
      };
    },
    async signIns(name, clientId) {
      const realm = await realms.get(name);
      if (realm?.clients.has(clientId)) return countClientSignIns(parts, name, clientId);
      throw new BootError('options_invalid', `the realm ${name} has no client ${clientId}`);
    },
  };
}
