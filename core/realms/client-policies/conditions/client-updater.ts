import { type ClientPolicyCondition, NEGATIVE_LOGIC, texts } from '../condition.js';
import type { Updater } from '../happenings.js';

/** Changes that come in certain ways. */
export const clientUpdaterContext: ClientPolicyCondition = {
  id: 'client-updater-context',
  helpText: 'Clients that are created or changed with certain kinds of tokens.',
  properties: [
    NEGATIVE_LOGIC,
    {
      name: 'update-client-source',
      label: 'Update Client Context',
      type: 'MultivaluedList',
      defaultValue: 'ByAuthenticatedUser',
      helpText: 'How whoever changes the client has come.',
      options: ['ByAuthenticatedUser', 'ByAnonymous', 'ByInitialAccessToken', 'ByRegistrationAccessToken'],
    },
  ],
  change: (config, { updater }) => texts(config, 'update-client-source').includes(updater.context),
};

/** Changes by members of certain groups. */
export const clientUpdaterSourceGroups = ofUpdater(
  'groups',
  'Clients that are created or changed by members of a group.',
  'topGroup',
);

/** Changes by those who were given certain roles. */
export const clientUpdaterSourceRoles = ofUpdater(
  'roles',
  'Clients that are created or changed by who has a role.',
  'admin',
);

function ofUpdater(what: 'groups' | 'roles', helpText: string, defaultValue: string): ClientPolicyCondition {
  const id = `client-updater-source-${what}`;
  return {
    id,
    helpText,
    properties: [
      NEGATIVE_LOGIC,
      {
        name: what,
        label: `${id}.label`,
        helpText: `${id}.tooltip`,
        type: 'MultivaluedString',
        defaultValue,
      },
    ],
    change: (config, { updater }: { updater: Updater }) =>
      texts(config, what).some((name) => updater[what].includes(name)),
  };
}
