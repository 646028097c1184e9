import type { Updater } from '../client-policy-events.js';
import { type ClientPolicyCondition, NEGATIVE_LOGIC, textList } from '../condition.js';

/** Applies to changes that are authenticated in certain ways. */
export const clientUpdaterContext: ClientPolicyCondition = {
  id: 'client-updater-context',
  helpText: 'Applies to clients that are created or updated by a request that is authenticated in one of these ways.',
  properties: [
    NEGATIVE_LOGIC,
    {
      name: 'update-client-source',
      label: 'Update Client Context',
      type: 'MultivaluedList',
      defaultValue: 'ByAuthenticatedUser',
      helpText: 'How the request that creates or updates the client is authenticated.',
      options: ['ByAuthenticatedUser', 'ByAnonymous', 'ByInitialAccessToken', 'ByRegistrationAccessToken'],
    },
  ],
  change: (config, { updater }) => textList(config, 'update-client-source').includes(updater.context),
};

/** Applies to changes by members of certain groups. */
export const clientUpdaterSourceGroups = updaterCondition(
  'groups',
  'Applies to clients that a member of one of these groups creates or updates.',
  'topGroup',
);

/** Applies to changes by users with certain roles. */
export const clientUpdaterSourceRoles = updaterCondition(
  'roles',
  'Applies to clients that a user with one of these roles creates or updates.',
  'admin',
);

function updaterCondition(property: 'groups' | 'roles', helpText: string, defaultValue: string): ClientPolicyCondition {
  const id = `client-updater-source-${property}`;
  return {
    id,
    helpText,
    properties: [
      NEGATIVE_LOGIC,
      {
        name: property,
        label: `${id}.label`,
        helpText: `${id}.tooltip`,
        type: 'MultivaluedString',
        defaultValue,
      },
    ],
    change: (config, { updater }: { updater: Updater }) =>
      textList(config, property).some((name) => updater[property].includes(name)),
  };
}
